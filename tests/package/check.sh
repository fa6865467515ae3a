#!/usr/bin/env bash
# Installs the build into a folder of its own, runs the installed demo from an empty folder, and builds and runs a user's
# program against the installed library.
# Usage: check.sh SOURCE_DIR BUILD_DIR
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$2" --prefix "$work/installed" > /dev/null
cmake -S "$1/tests/package" -B "$work/user" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/installed" > /dev/null
cmake --build "$work/user" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/user/user"
"$work/installed/bin/phiflex" --version
mkdir "$work/elsewhere"
(cd "$work/elsewhere" && env -u PHIFLEX_SCENES "$work/installed/bin/phiflex" demo --steps 2) | tail -n 1
test -s "$work/elsewhere/out/demo/report.html"
