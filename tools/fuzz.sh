#!/usr/bin/env bash
# Builds the libFuzzer targets with clang and runs each for a number of seconds. Usage: fuzz.sh SECONDS
# Corpora grow in build-fuzz/corpus; a crash leaves its input in build-fuzz and fails.
set -euo pipefail
seconds=${1:-300}
cd "$(dirname "$0")/.."
cmake -S . -B build-fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" \
  -DPHIFLEX_FUZZ=ON -DPHIFLEX_TESTS=OFF -DPHIFLEX_BENCH=OFF > /dev/null
cmake --build build-fuzz --target fuzz_all
for target in build-fuzz/fuzz_{mesh,scene,matrix_market,run_folder,checkpoint}; do
  name=$(basename "$target")
  mkdir -p "build-fuzz/corpus/$name"
  seeds=fuzz/seeds/${name#fuzz_}
  echo "$name: $seconds s"
  (cd build-fuzz && "./$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    "corpus/$name" "../$seeds" 2>&1 | tail -n 12)
done
