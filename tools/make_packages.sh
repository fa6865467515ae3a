#!/usr/bin/env bash
# Makes the Debian packages of the command with its libraries and of the Python module, in the folder build/.
# Usage: make_packages.sh JOBS, after build/ was configured.
#
# No package has the kernels for cards: it would hold NVIDIA's runtime beside parts under the GPL. Where build/ has them
# it is left as it is, and what the packages hold is built in build-package/.
set -euo pipefail
jobs=${1:?usage: make_packages.sh JOBS}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=(-DPHIFLEX_PYTHON=ON -DPHIFLEX_PYTHON_INTERPRETER=/usr/bin/python3)  # the module is for Debian's own interpreter
folder=build
if ! grep -q '^PHIFLEX_CUDA:BOOL=OFF$' build/CMakeCache.txt; then
  folder=build-package
  options+=(-B "$folder" -DPHIFLEX_CUDA=OFF -DPHIFLEX_TESTS=OFF -DPHIFLEX_BENCH=OFF)
  echo "build/ has the kernels for cards, which no package has: building in $folder/."
fi
cmake --preset release "${options[@]}" > /dev/null
tools/build.sh "$jobs" package "$folder"
echo "Packing, about half a minute."
(cd "$folder" && cpack > cpack.log) || { tail -n 20 "$folder/cpack.log" >&2; exit 1; }
for name in phiflex python3-phiflex; do
  # shellcheck disable=SC2012
  package=$(ls -t "$folder/${name}"_*.deb | head -n 1)
  [ "$folder" = build ] || cp "$package" build/
  case $name in phiflex) words="Install it with:" ;; *) words="And for Python: " ;; esac
  echo "$words  apt install $PWD/build/${package##*/}"
done
