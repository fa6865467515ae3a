#!/usr/bin/env bash
# On machines that cannot build Phiflex, `make demo` ends with one sentence that says what is missing and what to do, and
# nothing is compiled. Each machine is a folder of programs, alone in PATH: real ones by links, the others made up here.
# Usage: check.sh SOURCE_DIR
# The bodies of made-up programs are in single quotes on purpose:
# shellcheck disable=SC2016
set -euo pipefail
source=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# A copy of what takes part before the compiler: no network and no apt of this machine is touched.
mkdir -p "$work/source/cmake" "$work/source/web"
cp "$source/Makefile" "$work/source/"
cp -r "$source/tools" "$work/source/"
cp "$source/cmake/dependencies.cmake" "$work/source/cmake/"
cp "$source/web/package.json" "$source/web/package-lock.json" "$work/source/web/"

# program NAME BODY: a made-up program of the machine.
program() {
  rm -f "$work/bin/$1"
  printf '#!/bin/bash\n%s\n' "$2" > "$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# A good machine: everything installed, root; a test then takes something away.
new_machine() {
  rm -rf "${work:?}/bin" "$work/compiled" "$work/source/web/node_modules"
  mkdir "$work/bin"
  local name
  for name in bash sh make env dirname basename cat cp rm mkdir sed grep tail head sort tr cut mktemp flock cmp nproc awk; do
    ln -s "$(command -v "$name")" "$work/bin/$name"
  done
  program id 'echo 0'
  program dpkg-query 'echo "install ok installed"'
  program apt-get 'exit 0'
  program c++ '[ "$1" = --version ] && echo "c++ (Debian) 12.2.0" || echo 12.2.0'
  program node 'echo v18.20.4'
  program npm "mkdir -p '$work/source/web/node_modules'"
  program ninja 'exit 1'
  program cmake "touch '$work/compiled'; exit 1"
}

# expect WHAT WORDS...: runs make demo there; all words must be in the sentence.
expect() {
  local what=$1 word code=0
  shift
  env -i PATH="$work/bin" HOME="$work" TMPDIR="$work" ${CXX_GIVEN:+CXX="$CXX_GIVEN"} make -s -C "$work/source" demo \
    > "$work/out" 2> "$work/err" || code=$?
  # make adds a line of its own; "Installing: ..." on the standard output is no complaint.
  sed -i '/^make/d' "$work/err"
  local wrong=""
  [ "$code" -ne 0 ] || wrong="$wrong; it did not fail"
  [ "$(wc -l < "$work/err")" -eq 1 ] || wrong="$wrong; not one line"
  [ ! -e "$work/compiled" ] || wrong="$wrong; CMake was started"
  for word in "$@"; do
    grep -qF -- "$word" "$work/err" || wrong="$wrong; no '$word'"
  done
  if [ -n "$wrong" ]; then
    failures=$((failures + 1))
    echo "WRONG, $what$wrong:"
    cat "$work/err"
  else
    echo "$what: $(cat "$work/err")"
  fi
}

# expect_silence WHAT ARGUMENTS...: make setup passes, and has nothing to say when it is run again.
expect_silence() {
  local what=$1
  shift
  if env -i PATH="$work/bin" HOME="$work" TMPDIR="$work" make -s -C "$work/source" setup "$@" > "$work/out" 2>&1 &&
    env -i PATH="$work/bin" HOME="$work" TMPDIR="$work" make -s -C "$work/source" setup "$@" > "$work/out" 2>&1 && [ ! -s "$work/out" ]; then
    echo "$what: passed in silence"
  else
    failures=$((failures + 1))
    echo "WRONG, $what:"
    cat "$work/out"
  fi
}

new_machine
expect_silence "a good machine"

new_machine
rm "$work/bin/apt-get" "$work/bin/dpkg-query"
expect "no apt-get" "apt-get" "by hand" "SETUP=no"
expect_silence "no apt-get, SETUP=no" SETUP=no

new_machine
program dpkg-query 'exit 1'
program id 'echo 1000'
expect "neither root nor sudo" "root or sudo" "libeigen3-dev" "administrator"
program sudo 'echo "ada is not in the sudoers file." >&2; exit 1'
expect "a sudo that refuses" "not in the sudoers file" "libeigen3-dev" "administrator"

new_machine
program dpkg-query 'exit 1'
program apt-get '[ "$1" = update ] && exit 0
echo "E: Failed to fetch http://mirror/g++.deb  Temporary failure resolving '"'mirror'"'"
echo "E: Unable to fetch some archives, maybe run apt-get update or try with --fix-missing?"
exit 100'
expect "no network for apt-get" "No network" "Temporary failure resolving 'mirror'" "proxy"
program apt-get '[ "$1" = update ] && exit 0; echo "E: Unable to locate package libfast-float-dev"; exit 100'
expect "another release" "libfast-float-dev" "Debian 12"
program apt-get 'echo "E: Could not get lock /var/lib/dpkg/lock-frontend."; exit 100'
expect "apt-get in use" "Could not get lock" "again"

new_machine
program npm 'echo "npm ERR! code EAI_AGAIN"; echo "npm ERR! request to registry failed"; exit 1'
expect "no network for npm" "No network" "npm" "EAI_AGAIN" "proxy"
program npm 'echo "npm ERR! code EINTEGRITY"; exit 1'
expect "npm fails otherwise" "EINTEGRITY"
rm "$work/bin/npm"
expect "no npm after the installation" "npm is missing" "apt-get install npm"
program node 'echo v16.20.2'
expect "an old Node" "v16.20.2" "Node 18" "PATH"
rm "$work/bin/node"
expect "no Node after the installation" "Node is missing" "apt-get install nodejs npm"

new_machine
program c++ '[ "$1" = --version ] && echo "c++ (Ubuntu) 11.4.0" || echo 11.4.0'
expect "an old g++" "g++ 11" "g++ 12" "CXX="
program c++ 'echo "Debian clang version 11.0.1-2"'
expect "an old clang++" "clang++ 11" "clang++ 14"
CXX_GIVEN=g++-99 expect "a compiler that is not there" "g++-99" "CXX"
program c++ 'echo "Debian clang version 14.0.6"'
rm "$work/bin/ninja"
expect "no Ninja" "ninja is missing" "apt-get install ninja-build"
rm "$work/bin/c++"
expect "no compiler after the installation" "no C++ compiler" "apt-get install g++"

# expect_packages WHAT SETTING FOLDER: with this setting of PHIFLEX_CUDA in build/, `make package` says what it does, packs in
# FOLDER, leaves the packages in build/, and never switches the kernels for cards off there.
expect_packages() {
  local what=$1 setting=$2 folder=$3 wrong="" file
  rm -rf "$work/source/build" "$work/source/build-package" "$work/cmake_calls"
  mkdir -p "$work/source/build" "$work/source/build-package"
  touch "$work/source/build/build.ninja"
  echo "PHIFLEX_CUDA:BOOL=$setting" > "$work/source/build/CMakeCache.txt"
  env -i PATH="$work/bin" HOME="$work" TMPDIR="$work" make -s -C "$work/source" package > "$work/out" 2>&1 || wrong="; it failed"
  for file in "$folder/packed" build/phiflex_1_amd64.deb build/python3-phiflex_1_amd64.deb; do
    [ -e "$work/source/$file" ] || wrong="$wrong; no $file"
  done
  ! grep -F -- -DPHIFLEX_CUDA=OFF "$work/cmake_calls" | grep -qvF -- "-B build-package" || wrong="$wrong; build/ lost its kernels"
  for file in "--target phiflex_app" "apt install $work/source/build/python3-phiflex_1_amd64.deb"; do
    grep -qF -- "$file" "$work/out" "$work/cmake_calls" || wrong="$wrong; no '$file'"
  done
  if [ -z "$wrong" ]; then
    echo "$what: $(head -n 1 "$work/out")"
  else
    failures=$((failures + 1))
    echo "WRONG, $what$wrong:"
    cat "$work/out" "$work/cmake_calls"
  fi
}
new_machine
for name in ls touch; do ln -s "$(command -v "$name")" "$work/bin/$name"; done
program cmake "echo \"\$*\" >> '$work/cmake_calls'"
program ninja 'exit 0'
program cpack 'touch packed phiflex_1_amd64.deb python3-phiflex_1_amd64.deb'
expect_packages "packages of a build without kernels for cards" OFF build
expect_packages "packages of a build with kernels for cards" ON build-package

# CI runs what the README prints: the two commands, without their comments and without what other sections print.
commands=$("$source/tools/readme_commands.sh")
if [ "$commands" != $'make demo\nmake test' ]; then
  echo "tools/readme_commands.sh prints '$commands' instead of make demo, make test" >&2
  failures=$((failures + 1))
fi

[ "$failures" -eq 0 ] || { echo "$failures wrong" >&2; exit 1; }
