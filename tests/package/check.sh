#!/usr/bin/env bash
# Installs the build into a folder of its own, runs the installed demo from an empty folder, and builds and runs the
# programs of examples/cpp against the installed libraries. Programs of the engine must need neither Embree nor an HTTP
# server nor a JSON library. The scene of examples/cpp/scene.cpp ends in the same state by C++, by the command and by the installed
# Python package (where the build has it).
# Usage: check.sh SOURCE_DIR BUILD_DIR
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$2" --prefix "$work/installed" > /dev/null
cmake -S "$1/examples/cpp" -B "$work/examples" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$work/installed" > /dev/null
cmake --build "$work/examples" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
# shellcheck disable=SC2013
for program in $(sed -n 's/^phiflex_example(\([a-z_]*\) .*/\1/p' "$1/examples/cpp/CMakeLists.txt"); do
  echo "== $program"
  "$work/examples/$program"
  if ldd "$work/examples/$program" | grep -E 'embree|microhttpd|tbb'; then
    echo "$program is linked with what only the command needs"
    exit 1
  fi
done

sed -n '/R"(/,/)"/p' "$1/examples/cpp/scene.cpp" | tr '\n' ' ' | sed 's/.*R"(//; s/)".*//' > "$work/bar.json"
"$work/installed/bin/phiflex" run "$work/bar.json" -o "$work/bar" --no-frames --threads 1 --quiet
hash=$(sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p' "$work/bar/run.json")
"$work/examples/scene" | grep -qx "state $hash" || { echo "the command ends in $hash, the C++ program does not"; exit 1; }
packages=$work/installed/lib/python3/dist-packages
if [ -d "$packages/phiflex" ]; then
  interpreter=$(sed -n 's/^INTERPRETER = "\(.*\)"/\1/p' "$packages/phiflex/_build.py")
  PYTHONPATH="$packages" "$interpreter" -B -c "
import phiflex
sim = phiflex.Simulation('$work/bar.json').advance()
assert sim.hash == '$hash', 'the command ends in $hash, Python in ' + sim.hash"
fi

# Headers that no umbrella header includes are not installed.
test -e "$work/installed/include/phiflex/build/model_builder.h"
for hidden in pages picture study exchange; do
  test ! -e "$work/installed/include/phiflex/$hidden" || { echo "headers of $hidden are installed"; exit 1; }
done
"$work/installed/bin/phiflex" --version
mkdir "$work/elsewhere"
(cd "$work/elsewhere" && env -u PHIFLEX_SCENES "$work/installed/bin/phiflex" demo --steps 2) | tail -n 1
test -s "$work/elsewhere/out/demo/report.html"
# The installed command finds the installed experiments and the package they run on; without it, it says what is missing.
if [ -d "$packages/phiflex" ]; then
  (cd "$work/elsewhere" && env -u PHIFLEX_EXPERIMENTS -u PYTHONPATH "$work/installed/bin/phiflex" reproduce zheng-fig6 zheng-fig8 --quick) | tail -n 2
  test -s "$work/elsewhere/out/experiments/zheng-fig8/index.html"
  rm -r "$packages/phiflex"
fi
if (cd "$work/elsewhere" && env -u PYTHONPATH "$work/installed/bin/phiflex" reproduce --list) 2> "$work/said"; then
  echo "the experiments run on a Python package of another installation"
else
  grep -q 'python3-phiflex' "$work/said" || { cat "$work/said"; exit 1; }
fi
