#!/usr/bin/env bash
# Calls the Python package with random arguments under Clang's address sanitizer. Usage: sanitize_python.sh [CALLS [SEED]]
# Needs `make python` (its archive is linked) and the packages of `make setup-sanitize`; a core minute or two.
#
# Instrumented are python/src, where arrays are read, viewed and owned, and the room `build`, which makes models of them.
# The other rooms come from the archive as they are: `make sanitize` holds those by their own tests. Every allocation, Python's
# too, is the sanitizer's, so that freed memory and the copies of memcpy are watched in all of them.
set -euo pipefail
calls=${1:-10000} seed=${2:-1}
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3} compiler=${CXX:-clang++-14} folder=build/python-sanitized
archive=build/libphiflex_command.a
[ -f "$archive" ] || { echo "sanitize_python.sh: $archive is not there: run make python first" >&2; exit 1; }
command -v "$compiler" > /dev/null || { echo "sanitize_python.sh: $compiler is not there: run make setup-sanitize first" >&2; exit 1; }
runtime=$("$compiler" -print-file-name=libclang_rt.asan-x86_64.so)
[ -f "$runtime" ] || { echo "sanitize_python.sh: $compiler has no libclang_rt.asan-x86_64.so: run make setup-sanitize first" >&2; exit 1; }

mkdir -p "$folder/phiflex"
include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
suffix=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
module=$folder/phiflex/_phiflex$suffix
flags=(-std=c++20 -O1 -g1 -DNDEBUG -DFMT_SHARED -fPIC -march=x86-64-v3 -fsanitize=address -shared-libasan -fno-omit-frame-pointer
  -I. -Isrc -Ibuild/generated -isystem "$include" -isystem /usr/include/eigen3 -isystem /usr/include/suitesparse)

# One batch for each, compiled again when a source, a header or this script is newer.
for room in python/src src/phiflex/build; do
  batch=$folder/$(basename "$room")
  if [ ! -f "$batch.o" ] || [ -n "$(find src python/src "$0" -newer "$batch.o" -type f -print -quit)" ]; then
    for file in "$room"/*.cpp; do echo "#include \"$PWD/$file\""; done > "$batch.cpp"
    "$compiler" "${flags[@]}" -c "$batch.cpp" -o "$batch.o"
    rm -f "$module"
  fi
done
if [ ! -f "$module" ] || [ "$archive" -nt "$module" ]; then
  libraries=$(ninja -C build -t commands "python/phiflex/_phiflex$suffix" | tail -n 1 | grep -o '/[^ ]*/lib[^ /]*\.so[^ ]*')
  # shellcheck disable=SC2086
  "$compiler" -shared -fsanitize=address -shared-libasan -Wl,--exclude-libs,ALL -Wl,--as-needed -o "$module" \
    "$folder/src.o" "$folder/build.o" "$archive" $libraries
fi
for file in build/python/phiflex/*.py; do ln -sf "$PWD/$file" "$folder/phiflex/"; done

# The interpreter's own memory that lives to its end is no leak of ours; leaks are counted by tests/python/test_bad_input.py.
LD_PRELOAD=$runtime ASAN_OPTIONS=detect_leaks=0:strict_string_checks=1:allocator_may_return_null=1 PYTHONMALLOC=malloc \
  PYTHONPATH=$folder "$python" -B tests/python/random_arguments.py --calls "$calls" --seed "$seed"
echo "The address sanitizer found nothing."
