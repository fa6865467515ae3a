#!/usr/bin/env bash
# Tries what the README promises on a machine that has nothing: a minimal Debian 12 in a folder, a fresh clone of HEAD,
# `make demo`, `make test`, `make package`; then a second minimal Debian 12 where only the package is installed,
# `phiflex demo` there, and a user's program against the installed library.
# Prints the seconds of every stage, by the clock and of the processor, and one line that sums up.
set -euo pipefail

usage() {
  cat << 'USAGE'
Usage: tools/try_fresh_machine.sh [options] [STAGE...]
Stages, in this order (default: all): root demo test package bare install installed-demo library
  root            makes the first Debian with git, make and ca-certificates, and clones HEAD into it
  demo, test, package    make demo, make test, make package there
  bare            makes the second Debian, with nothing added
  install         apt install ./phiflex_*.deb there
  installed-demo  phiflex demo there, in an empty folder
  library         builds and runs examples/cpp against the installed library there (installs g++, cmake and make)
Options:
  --folder DIR    where the two Debians are made; kept (default: a temporary folder, removed at the end).
                  With it, single stages can be run again: those before must have been run.
  --keep          keeps the temporary folder
  --mirror URL    Debian's mirror (default: the one of this machine's apt, else debootstrap's)
  --deb FILE      the package that `install` takes (default: the one made by `package`)
Needs root, debootstrap, and some 8 GB in the folder. Proxies, certificates and npm's registry are taken over from this machine, in general and
without their names: see take_over_network.
USAGE
}

stages=() folder="" keep=no mirror="" deb=""
while [ $# -gt 0 ]; do
  case "$1" in
    --folder) folder=${2:?--folder DIR}; shift 2 ;;
    --mirror) mirror=${2:?--mirror URL}; shift 2 ;;
    --deb) deb=$(realpath "${2:?--deb FILE}"); shift 2 ;;
    --keep) keep=yes; shift ;;
    -h | --help) usage; exit 0 ;;
    root | demo | test | package | bare | install | installed-demo | library) stages+=("$1"); shift ;;
    *) echo "try_fresh_machine.sh: what is '$1'? See --help." >&2; exit 2 ;;
  esac
done
[ ${#stages[@]} -gt 0 ] || stages=(root demo test package bare install installed-demo library)
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
release=bookworm

stop() {
  echo "$1" >&2
  exit 1
}

# Outside: checks, makes the folder, and starts this script again in name spaces of its own. Its mounts and its processes
# end with them, however the script ends; so what is removed here can hold no mount.
if [ -z "${PHIFLEX_FRESH_INSIDE:-}" ]; then
  [ "$(id -u)" -eq 0 ] || stop "Making a Debian in a folder needs root: run  sudo tools/try_fresh_machine.sh"
  for program in debootstrap:debootstrap unshare:util-linux git:git; do
    command -v "${program%:*}" > /dev/null || stop "${program%:*} is missing: apt-get install ${program#*:}"
  done
  if [ -n "$folder" ]; then
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
  else
    folder=$(mktemp -d)
    [ "$keep" = yes ] || trap 'rm -rf --one-file-system "$folder"' EXIT
  fi
  [ -z "$(git -C "$source" status --porcelain)" ] || echo "note: uncommitted changes are not tried, HEAD is"
  PHIFLEX_FRESH_INSIDE=yes unshare --mount --propagation private --pid --fork --kill-child --mount-proc \
    "${BASH_SOURCE[0]}" --folder "$folder" ${mirror:+--mirror "$mirror"} ${deb:+--deb "$deb"} "${stages[@]}" &
  inside=$!
  # unshare takes all processes of its name space with it.
  trap 'kill -KILL "$inside"; wait "$inside" || sleep 1; echo "interrupted" >&2; exit 130' INT TERM HUP
  status=0
  wait "$inside" || status=$?
  [ ! -d "$folder" ] || [ "$keep" = no ] || echo "kept: $folder"
  exit "$status"
fi

build_root=$folder/build_root bare_root=$folder/bare_root clone=/root/phiflex

# Lines for sources.list: this machine's own sources of Debian 12, whatever the form of its files.
debian_sources() {
  command -v apt-get > /dev/null || return 0
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2> /dev/null |
    awk -v release="$release" '$2 == release || index($2, release "-") == 1 { sub("/$", "", $1); if (!seen[$0]++) print "deb", $1, $2, $3 }'
}

# How this machine reaches the network: names, apt's proxy, certificates of its own, npm's registry.
take_over_network() {
  local root=$1 file
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  if command -v apt-config > /dev/null; then
    apt-config dump --format '%F "%v";%n' Acquire |
      grep -E '^Acquire::(https?::|Retries|ForceIPv|Check-Valid-Until)' | grep -v ' "";$' > "$root/etc/apt/apt.conf.d/90host" || true
  fi
  if [ -d /usr/local/share/ca-certificates ]; then
    cp -r /usr/local/share/ca-certificates "$root/usr/local/share/"
  fi
  if [ -x "$root/usr/sbin/update-ca-certificates" ]; then chroot "$root" update-ca-certificates > /dev/null 2>&1; fi
  for file in "${NODE_EXTRA_CA_CERTS:-}" "$(npm_setting cafile)"; do
    if [ -f "$file" ] && [ ! -e "$root$file" ]; then install -D -m 644 "$file" "$root$file"; fi
  done
}

npm_setting() {
  local value=""
  if command -v npm > /dev/null; then value=$(npm --prefix / config get "$1" 2> /dev/null) || value=""; fi
  case "$value" in null | undefined) ;; *) printf '%s' "$value" ;; esac
}

make_root() {
  local root=$1 sources=""
  shift
  [ ! -e "$root" ] || stop "$root is there already: remove it, or leave out the stage that makes it."
  if [ -z "$mirror" ]; then
    sources=$(debian_sources)
    mirror=$(awk -v release="$release" '$3 == release { print $2; exit }' <<< "$sources")
  fi
  debootstrap --variant=minbase "$@" "$release" "$root" ${mirror:+"$mirror"} > "$folder/debootstrap.log" 2>&1 ||
    { tail -n 5 "$folder/debootstrap.log" >&2; return 1; }
  if [ -n "$sources" ]; then printf '%s\n' "$sources" > "$root/etc/apt/sources.list"; fi
  take_over_network "$root"
}

# inside ROOT COMMAND...: as root there, with an environment of its own.
inside() {
  local root=$1 name settings=()
  shift
  [ -d "$root/usr/bin" ] || stop "There is no Debian at $root: run the stage that makes it."
  mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
  mountpoint -q "$root/dev" || mount --rbind /dev "$root/dev"
  mountpoint -q "$root/dev/shm" || { mkdir -p "$root/dev/shm" && mount -t tmpfs tmpfs "$root/dev/shm"; }
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_EXTRA_CA_CERTS; do
    if [ -n "${!name:-}" ]; then settings+=("$name=${!name}"); fi
  done
  for name in registry cafile; do
    if [ -n "$(npm_setting "$name")" ]; then settings+=("npm_config_$name=$(npm_setting "$name")"); fi
  done
  chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    TERM="${TERM:-dumb}" "${settings[@]}" "$@"
}

stage_root() {
  make_root "$build_root" --include=git,make,ca-certificates
  git clone -q --no-local "$source" "$build_root$clone"
  [ ! -e "$build_root/root/shared" ] || stop "The mesh collection must not be there."
}
stage_demo() { inside "$build_root" make -C "$clone" --no-print-directory demo; }
stage_test() {
  inside "$build_root" make -C "$clone" --no-print-directory test | tee "$folder/test.log"
  grep -q '^Skipped .*mesh collection' "$folder/test.log" ||
    { echo "The tests did not say that they skip what needs the mesh collection." >&2; return 1; }
}
stage_package() { inside "$build_root" make -C "$clone" --no-print-directory package; }
stage_bare() { make_root "$bare_root"; }
stage_install() {
  local package=${deb:-$(find "$build_root$clone/build" -maxdepth 1 -name 'phiflex_*.deb' 2> /dev/null | head -n 1)}
  [ -n "$package" ] || stop "There is no package: run the stage 'package', or name one with --deb."
  cp "$package" "$bare_root/tmp/"
  inside "$bare_root" apt-get update -qq
  # As a user types it (apt-get, since apt says that its output is for people).
  inside "$bare_root" bash -c "cd /tmp && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq ./phiflex_*.deb" > "$folder/install.log" 2>&1 ||
    { tail -n 20 "$folder/install.log" >&2; return 1; }
  # shellcheck disable=SC2016
  inside "$bare_root" dpkg-query -W -f '${Package} ${Version}, ${Installed-Size} kB; depends on ${Depends}\n' phiflex
}
stage_installed_demo() {
  inside "$bare_root" bash -c 'mkdir -p /tmp/empty && cd /tmp/empty && phiflex demo --force'
  inside "$bare_root" test -s /tmp/empty/out/demo/report.html
}
stage_library() {
  inside "$bare_root" bash -c "DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends g++ cmake make" > "$folder/library.log" 2>&1 ||
    { tail -n 20 "$folder/library.log" >&2; return 1; }
  rm -rf "$bare_root/tmp/user"
  cp -r "$source/examples/cpp" "$bare_root/tmp/user"
  # shellcheck disable=SC2016
  inside "$bare_root" bash -c 'cd /tmp/user && cmake -S . -B build -DCMAKE_BUILD_TYPE=Release > /dev/null && cmake --build build > /dev/null &&
    for program in $(sed -n "s/^phiflex_example(\([a-z_]*\) .*/\1/p" CMakeLists.txt); do echo "-- $program" && build/"$program" || exit 1; done'
}

table="" TIMEFORMAT="%R %U %S"
for stage in "${stages[@]}"; do
  echo "== $stage"
  # The stage runs apart from `if`, which would switch `set -e` off inside it.
  set +e
  { time (set -e; "stage_${stage//-/_}" 2>&3); } 3>&2 2> "$folder/time"
  status=$?
  set -e
  read -r clock user system < "$folder/time"
  table+=$(printf '%-16s %9.1f s %12.1f s' "$stage" "$clock" "$(awk -v a="$user" -v b="$system" 'BEGIN { print a + b }')")$'\n'
  if [ "$status" -ne 0 ]; then break; fi
done
printf '\n%-16s %11s %14s\n%s' "stage" "by the clock" "of processors" "$table"
# What was cloned: the source may have gone on since.
commit=$(git -C "$build_root$clone" rev-parse --short HEAD 2> /dev/null || git -C "$source" rev-parse --short HEAD)
if [ "$status" -eq 0 ]; then
  echo "A fresh Debian 12 succeeds at $commit: ${stages[*]}."
else
  echo "A fresh Debian 12 fails at $commit, in the stage $stage."
  exit 1
fi
