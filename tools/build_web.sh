#!/usr/bin/env bash
# Builds the viewer from web/.   tools/build_web.sh OUTDIR
# Writes OUTDIR/viewer.js, OUTDIR/viewer.css and OUTDIR/third_party_licenses.txt.
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: build_web.sh OUTDIR" >&2; exit 2; }
tools="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
"$tools/check_machine.sh" node
"$tools/install_web_packages.sh"
node "$tools/../web/build.mjs" "$(mkdir -p "$1" && cd "$1" && pwd)"
