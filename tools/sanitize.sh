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
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
# die_after_fork=0: a test starts threads in a forked child.
export TSAN_OPTIONS=second_deadlock_stack=1:die_after_fork=0:suppressions=$PWD/tools/tsan.supp LSAN_OPTIONS=suppressions=$PWD/tools/lsan.supp

if [ "$which" != thread ]; then
  cmake --preset debug > /dev/null
  cmake --build build-debug -j "$jobs"
  ctest --test-dir build-debug --output-on-failure -j "$jobs"
fi

# Whatever runs on several threads says so in its name (tests/CMakeLists.txt builds the files with such names).
if [ "$which" != address ]; then
  cmake --preset thread > /dev/null
  cmake --build build-thread -j "$jobs" --target tests/all
  for program in build-thread/test_*; do
    echo "thread sanitizer: $program"
    "$program" --gtest_brief=1 --gtest_filter='*Thread*:*ParallelFor*:ViewServer*:-*Render*:Picture*'
  done
fi
