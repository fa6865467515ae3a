#!/usr/bin/env bash
# Installs the Debian packages that are missing. Usage: install_dependencies.sh [--no-apt] GROUP...
# Groups: build (to build and run), python (to build the Python package), test (to test), package (to make the Debian
# packages), sanitize (to test under the sanitizers), dev (to format, check, fuzz and
# benchmark), peers (programs that benchmarks compare with; a benchmark says what it skips without them), mpi (to build
# phiflex-mpi).
# --no-apt: for machines without apt-get; takes what is there, and fetches the viewer's packages only.
# Quiet when nothing is to do; says what it installs otherwise. When it cannot, one sentence says why and what to do.
set -euo pipefail

tools="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

build="g++ cmake ninja-build libeigen3-dev libsuitesparse-dev libopenblas-dev nlohmann-json3-dev
       libcli11-dev libfmt-dev libfast-float-dev libxxhash-dev zlib1g-dev libmicrohttpd-dev libembree-dev"
test="libgtest-dev libbenchmark-dev python3 python3-jsonschema python3-meshio python3-pil assimp-utils tetgen git"
# What the module is compiled with, and what users of the package and its tests import.
python="python3-dev python3-venv python3-pip python3-setuptools python3-wheel python3-numpy python3-scipy python3-pytest
        python3-matplotlib pybind11-dev"
test="$test $python"
# CPack asks dpkg-shlibdeps and file which shared libraries the command needs.
package="dpkg-dev file"
# A chromium from elsewhere serves as well.
command -v chromium > /dev/null || test="$test chromium"
# So does a Node from elsewhere, and Debian's npm would not go with it. npm verifies its server by ca-certificates.
if ! "$tools/check_machine.sh" node npm 2> /dev/null; then
  build="$build nodejs npm ca-certificates"
fi
# Clang's sanitizers compile in half of GCC's time, and another compiler finds other faults.
sanitize="clang-14 libclang-rt-14-dev"
dev="$sanitize clang-format clang-tidy linux-perf"
peers="slepc-dev python3-scipy libbullet-dev"
# SLEPc is the oracle of a test.
mpi="gcc petsc-dev slepc-dev libopenmpi-dev openmpi-bin pkgconf"

stop() {
  echo "$1" >&2
  exit 1
}

apt=yes wanted="" groups=" "
for group in "$@"; do
  groups="$groups$group "
  case "$group" in
    --no-apt) apt=no ;;
    build) wanted="$wanted $build" ;;
    test) wanted="$wanted $test" ;;
    python) wanted="$wanted $python" ;;
    package) wanted="$wanted $package" ;;
    sanitize) wanted="$wanted $sanitize" ;;
    dev) wanted="$wanted $dev" ;;
    peers) wanted="$wanted $peers" ;;
    mpi) wanted="$wanted $mpi" ;;
    *) echo "install_dependencies.sh: no group '$group' (build, python, test, package, sanitize, dev, peers, mpi)" >&2; exit 2 ;;
  esac
done

# A compiler or a Node that is there and too old would be taken before the one installed here.
"$tools/check_machine.sh" --found compiler node

missing=""
if [ "$apt" = yes ]; then
  if ! command -v apt-get > /dev/null || ! command -v dpkg-query > /dev/null; then
    stop "There is no apt-get here, by which Phiflex installs what it needs (Debian 12): install by hand what tools/install_dependencies.sh lists for:$(printf ' %s' "$@"), then run make with SETUP=no."
  fi
  for name in $wanted; do
    dpkg-query -W -f '${Status}' "$name" 2> /dev/null | grep -q "install ok installed" || missing="$missing $name"
  done
fi

install_missing() {
  local sudo="" reason log
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null ||
      stop "These Debian packages are missing, and installing them needs root or sudo:$missing; run the same command as root, or ask the administrator to install them."
    reason=$(sudo -v 2>&1) ||
      stop "These Debian packages are missing, and sudo does not give root here ($(tail -n 1 <<< "$reason")):$missing; run the same command as root, or ask the administrator to install them."
    sudo=sudo
  fi
  echo "Installing:$missing"
  log=$(mktemp)
  # The list of packages is a list of words.
  # shellcheck disable=SC2086
  if $sudo apt-get update -qq > "$log" 2>&1 &&
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >> "$log" 2>&1; then
    rm -f "$log"
    return
  fi
  reason=$(grep -m 1 -oE "(Could not resolve|Temporary failure resolving|Could not connect to|Cannot initiate the connection to|Connection failed|Connection timed out|Network is unreachable|Unable to connect to)[^(]*" "$log" | sed 's/ *$//') &&
    stop "No network: apt-get cannot reach its servers ($reason) to install:$missing; connect this machine, or give apt its proxy, and run the same command again (whole output: $log)."
  reason=$(sed -n 's/.*Unable to locate package //p' "$log" | sort -u | tr '\n' ' ' | sed 's/ $//')
  [ -z "$reason" ] ||
    stop "apt-get knows no package $reason on this machine ($(sed -n 's/^PRETTY_NAME="*\([^"]*\).*/\1/p' /etc/os-release 2> /dev/null)): use Debian 12, or install these by hand and run make with SETUP=no (whole output: $log)."
  stop "apt-get failed ($(grep -m 1 '^E:' "$log" || tail -n 1 "$log")): mend that, then run the same command again (whole output: $log)."
}
[ -z "$missing" ] || install_missing

# What the build needs from the network, it gets here: the viewer's packages, in web/node_modules.
case "$groups" in
  *" build "*)
    "$tools/check_machine.sh" compiler cmake ninja node npm
    "$tools/install_web_packages.sh"
    ;;
esac
