#!/usr/bin/env bash
# Builds the libFuzzer targets with clang and runs each for a number of seconds, or of executions.
# Usage: fuzz.sh [SECONDS | --runs EXECUTIONS] [TARGET...]     300 s and all targets if nothing is said: mesh scene
# matrix_market run_folder checkpoint. Prints a line per target. Corpora grow in build-fuzz/corpus, messages are in
# build-fuzz/fuzz_TARGET.log; the input of a finding (crash, leak, timeout of 60 s, 2 GB of memory) stays in
# build-fuzz/findings, and the exit code is then 1. `build-fuzz/fuzz_TARGET FILE` repeats it.
set -euo pipefail
limit=-max_total_time=300
case ${1:-} in
  --runs) limit=-runs=${2:?fuzz.sh: --runs needs a number}; shift 2 ;;
  [0-9]*) limit=-max_total_time=$1; shift ;;
esac
targets=("$@")
[ $# -gt 0 ] || targets=(mesh scene matrix_market run_folder checkpoint)
# The longest inputs, in bytes: a few of what is tried, for time goes with the length. Of a checkpoint, eight edits.
declare -A longest=([mesh]=2048 [scene]=2048 [matrix_market]=2048 [run_folder]=2700 [checkpoint]=90)

cd "$(dirname "$0")/.."
cmake -S . -B build-fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" \
  -DPHIFLEX_FUZZ=ON -DPHIFLEX_TESTS=OFF -DPHIFLEX_BENCH=OFF > /dev/null
cmake --build build-fuzz --target "${targets[@]/#/fuzz_}"
cd build-fuzz
# -entropic=0: weighing inputs by rare features takes four fifths of the time where a step runs through much code.
# Inputs are small: threads would cost more than they do, and so would long stacks of every allocation.
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 ASAN_OPTIONS=malloc_context_size=4:quarantine_size_mb=64
failed=0
printf '%-16s %12s %9s %9s %7s %9s\n' target executions seconds 'per s' edges findings
for target in "${targets[@]}"; do
  name=fuzz_$target
  mkdir -p "corpus/$name" "findings/$name"
  begin=$(date +%s)
  code=0
  "./$name" "$limit" -timeout=60 -report_slow_units=60 -rss_limit_mb=2048 -max_len="${longest[$target]}" -len_control=0 -entropic=0 \
    -print_final_stats=1 -artifact_prefix="findings/$name/" "corpus/$name" "../fuzz/seeds/$target" > "$name.log" 2>&1 || code=$?
  seconds=$(($(date +%s) - begin))
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$name.log")
  edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$name.log" | tail -n 1)
  findings=$(find "findings/$name" -type f -newermt "@$((begin - 1))" | wc -l)
  printf '%-16s %12s %9s %9s %7s %9s\n' "$target" "${executions:-?}" "$seconds" "$((${executions:-0} / (seconds > 0 ? seconds : 1)))" \
    "${edges:-?}" "$findings"
  if [ "$code" -ne 0 ] || [ "$findings" -ne 0 ]; then
    failed=1
    tail -n 40 "$name.log" >&2
  fi
done
exit $failed
