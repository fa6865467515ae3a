#!/usr/bin/env bash
# Builds and runs the tests under the sanitizers: address + undefined behaviour (all tests), then thread (the tests of
# everything that runs on several threads). Usage: sanitize.sh JOBS
set -euo pipefail
jobs=${1:-2}
cd "$(dirname "$0")/.."
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=second_deadlock_stack=1:suppressions=$PWD/tools/tsan.supp LSAN_OPTIONS=suppressions=$PWD/tools/lsan.supp

cmake --preset debug > /dev/null
cmake --build build-debug -j "$jobs"
ctest --test-dir build-debug --output-on-failure -j "$jobs" -LE "slow|package"

cmake --preset thread > /dev/null
cmake --build build-thread -j "$jobs" --target phiflex_app test_base test_fem test_energy test_model test_run
ctest --test-dir build-thread --output-on-failure -j "$jobs" -R "^(base|fem|energy|model|run): .*([Tt]hread|[Pp]arallel|[Bb]its)"
