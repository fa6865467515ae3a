#!/usr/bin/env bash
# Runs all benchmarks of a build and records their tables with the date and the machine.
# Usage: run.sh BUILD_DIR RESULTS_DIR
set -euo pipefail
build=$1
file=$2/$(date +%F).txt
mkdir -p "$2"
export PHIFLEX_BENCH_RESULTS=$2  # where plots go
{
  echo "$(date +%F): $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(awk '/MemTotal/ {printf "%.0f", $2 / 1e6}' /proc/meminfo) GB of memory; load before: $(cut -d' ' -f1 /proc/loadavg)"
  "$build/phiflex" --version
  for program in "$build"/bench_*; do
    [ -x "$program" ] || continue
    echo
    echo "== $(basename "$program")"
    "$program"
  done
  echo
  echo "== bench_python"
  PYTHONPATH=$build/python /usr/bin/python3 -B "$(dirname "${BASH_SOURCE[0]}")/bench_python.py" "$build/phiflex"
  echo
  echo "== viewer_scrubbing"
  PHIFLEX_WEB_DIR=$build/web node "$(dirname "${BASH_SOURCE[0]}")/viewer_scrubbing.mjs"
} | tee "$file"
echo "recorded in $file"
