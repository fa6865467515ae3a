#!/usr/bin/env bash
# Says which facts the tests skipped, by reason.   tools/say_skipped.sh build/Testing/Temporary/LastTest.log
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: say_skipped.sh LOG" >&2; exit 2; }
# GoogleTest writes "FILE:LINE: Skipped", then the reason.
awk 'skipped { count[$0]++; skipped = 0 } / Skipped$/ { skipped = 1 }
     END { for (reason in count) printf "Skipped %d: %s\n", count[reason], reason }' "$1" | sort -k 2nr
