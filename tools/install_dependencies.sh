#!/usr/bin/env bash
# Installs the Debian packages that are missing. Usage: install_dependencies.sh GROUP...
# Groups: build (to build and run), test (to test), dev (to format, check, fuzz and benchmark), peers (programs
# that benchmarks compare with; a benchmark says what it skips without them).
# Quiet when nothing is to do; says what it installs otherwise.
set -euo pipefail

build="g++ cmake ninja-build libeigen3-dev libsuitesparse-dev libopenblas-dev nlohmann-json3-dev
       libcli11-dev libfmt-dev libfast-float-dev libxxhash-dev zlib1g-dev libmicrohttpd-dev libembree-dev"
test="libgtest-dev libbenchmark-dev python3 python3-jsonschema python3-meshio python3-pil assimp-utils tetgen git"
# A chromium from elsewhere serves as well.
command -v chromium > /dev/null || test="$test chromium"
# So does a Node from elsewhere, and Debian's npm would not go with it.
if ! { command -v npm > /dev/null && node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' 2> /dev/null; }; then
  build="$build nodejs npm"
fi
dev="clang-14 libclang-rt-14-dev clang-format clang-tidy linux-perf"
peers="slepc-dev python3-scipy libbullet-dev"

wanted=""
for group in "$@"; do
  case "$group" in
    build) wanted="$wanted $build" ;;
    test) wanted="$wanted $test" ;;
    dev) wanted="$wanted $dev" ;;
    peers) wanted="$wanted $peers" ;;
    *) echo "install_dependencies.sh: no group '$group' (build, test, dev, peers)" >&2; exit 2 ;;
  esac
done

missing=""
for package in $wanted; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
done

# The viewer's packages, in web/node_modules: what the build needs from the network it gets here.
install_web_packages() {
  case " $* " in *" build "*) "$(dirname "${BASH_SOURCE[0]}")/install_web_packages.sh" ;; esac
}
if [ -z "$missing" ]; then
  install_web_packages "$@"
  exit 0
fi

if ! command -v apt-get > /dev/null; then
  echo "Missing:$missing. Phiflex installs its dependencies with apt-get (Debian 12); here please install them by hand." >&2
  exit 1
fi
sudo=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo > /dev/null || { echo "Missing:$missing. Run as root, or install sudo." >&2; exit 1; }
  sudo="sudo"
fi
echo "Installing:$missing"
log=$(mktemp)
if ! { $sudo apt-get update -qq && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } > "$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "apt-get failed; its whole output: $log" >&2
  exit 1
fi
rm -f "$log"
install_web_packages "$@"
