#!/usr/bin/env bash
# Builds the viewer from web/.   tools/build_web.sh OUTDIR
# Writes OUTDIR/viewer.js, OUTDIR/viewer.css and OUTDIR/third_party_licenses.txt.
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: build_web.sh OUTDIR" >&2; exit 2; }
tools="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
if ! node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' 2> /dev/null; then
  echo "The viewer is built with Node 18 or later, and none is there: run tools/install_dependencies.sh build" >&2
  exit 1
fi
"$tools/install_web_packages.sh"
node "$tools/../web/build.mjs" "$(mkdir -p "$1" && cd "$1" && pwd)"
