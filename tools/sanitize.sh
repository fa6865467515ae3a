#!/usr/bin/env bash
# Builds and runs the tests under the sanitizers. Usage: sanitize.sh JOBS [address|thread]
#   address: address and undefined behaviour, all tests
#   thread:  data races, the tests of everything that runs on several threads
# Without a name: both, in that order.
# The builds have no debug information, which takes a sixth of the compiler's time: traces name functions. With lines:
#   cmake --preset debug -DCMAKE_CXX_FLAGS_DEBUG='-O1 -g1'
set -euo pipefail
jobs=${1:-2} which=${2:-both}
cd "$(dirname "$0")/.."
case "$which" in address | thread | both) ;; *) echo "sanitize.sh: '$which' is none of address, thread" >&2; exit 2 ;; esac
# malloc_context_size=8: the addresses of 8 callers are kept for each allocation, not 30, which costs tests that allocate much
# a good part of their time.
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:malloc_context_size=8 UBSAN_OPTIONS=print_stacktrace=1
# die_after_fork=0: a test starts threads in a forked child.
export TSAN_OPTIONS=second_deadlock_stack=1:die_after_fork=0:suppressions=$PWD/tools/tsan.supp LSAN_OPTIONS=suppressions=$PWD/tools/lsan.supp

if [ "$which" != thread ]; then
  cmake --preset debug > /dev/null
  cmake --build build-debug -j "$jobs" --target tests/all phiflex_app
  ctest --test-dir build-debug --output-on-failure -j "$jobs"
fi

# Whatever runs on several threads says so in its name (tests/CMakeLists.txt builds the files with such names).
threaded=('*Thread*' '*ParallelFor*' 'ViewServer*')
not_instrumented='*Render*:Picture*'
hung_after=2400  # seconds, as in tests/CMakeLists.txt

# facts_of PROGRAM PATTERNS: how many of its facts match.
facts_of() { "$1" --gtest_list_tests --gtest_filter="$2:-$not_instrumented" | grep -c '^  ' || true; }

# run_threaded PROGRAM: its facts about threads, its output in one piece when it has ended.
run_threaded() {
  local status=0 log
  log=$(mktemp "$logs/XXXXXX")
  timeout "$hung_after" "$1" --gtest_brief=1 --gtest_filter="$patterns:-$not_instrumented" > "$log" 2>&1 || status=$?
  if [ "$status" -eq 124 ]; then echo "stopped: it had not ended after $hung_after s" >> "$log"; fi
  {
    flock 9
    echo "thread sanitizer: $1$([ "$status" -eq 0 ] || echo " FAILED, exit code $status")"
    cat "$log"
  } 9> "$logs/lock"
  return "$status"
}

if [ "$which" != address ]; then
  cmake --preset thread > /dev/null
  cmake --build build-thread -j "$jobs" --target tests/all
  programs=(build-thread/test_*)
  # A pattern without a fact, and a program without one, would pass unseen.
  for pattern in "${threaded[@]}"; do
    count=0
    for program in "${programs[@]}"; do count=$((count + $(facts_of "$program" "$pattern"))); done
    [ "$count" -gt 0 ] || { echo "sanitize.sh: no fact of ${programs[*]} matches '$pattern'" >&2; exit 1; }
  done
  patterns=$(IFS=:; echo "${threaded[*]}")
  for program in "${programs[@]}"; do
    [ "$(facts_of "$program" "$patterns")" -gt 0 ] || { echo "sanitize.sh: no fact of $program matches '$patterns'" >&2; exit 1; }
  done
  logs=$(mktemp -d)
  trap 'rm -rf "$logs"' EXIT
  export patterns not_instrumented hung_after logs
  export -f run_threaded
  printf '%s\n' "${programs[@]}" | xargs -P "$jobs" -I PROGRAM bash -c 'run_threaded PROGRAM'
fi
