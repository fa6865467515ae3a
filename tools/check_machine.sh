#!/usr/bin/env bash
# Says in one sentence what keeps this machine from building Phiflex, and what to do; silent when nothing does.
# Usage: check_machine.sh [--found] compiler|cmake|ninja|node|npm...
# --found: only of what is there, since the rest is about to be installed.
set -euo pipefail

found_only=no
if [ "${1:-}" = --found ]; then
  found_only=yes
  shift
fi
dependencies="$(dirname "${BASH_SOURCE[0]}")/../cmake/dependencies.cmake"

stop() {
  echo "$1" >&2
  exit 1
}

# oldest NAME: the value that cmake/dependencies.cmake gives PHIFLEX_OLDEST_NAME.
oldest() { sed -n "s/^set(PHIFLEX_OLDEST_$1 \\([0-9]*\\)).*/\\1/p" "$dependencies"; }

# The compiler that CMake would take: $CXX, else c++, g++ or clang++.
check_compiler() {
  local command="${CXX:-}" name version kind
  for name in c++ g++ clang++; do
    if [ -z "$command" ] && command -v "$name" > /dev/null; then command=$name; fi
  done
  if [ -z "$command" ]; then
    [ "$found_only" = yes ] && return
    stop "There is no C++ compiler: install g++ $(oldest GNU) or later (Debian 12: apt-get install g++), then run the same command again."
  fi
  # $CXX may hold words before the compiler's name, such as a launcher.
  # shellcheck disable=SC2086
  if ! version=$($command --version 2> /dev/null); then
    stop "The C++ compiler '$command' cannot be run: set CXX to g++ $(oldest GNU) or later, or leave it unset, then run the same command again."
  fi
  if [[ "$version" =~ clang\ version\ ([0-9]+) ]]; then
    kind=CLANG name=clang++
  else
    kind=GNU name=g++
    # shellcheck disable=SC2086
    [[ "$($command -dumpfullversion 2> /dev/null || $command -dumpversion)" =~ ^([0-9]+) ]]
  fi
  if [ "${BASH_REMATCH[1]}" -lt "$(oldest $kind)" ]; then
    stop "The C++ compiler '$command' is $name ${BASH_REMATCH[1]}, which is too old for Phiflex: install g++ $(oldest GNU) or later (or clang++ $(oldest CLANG)), name it as in 'CXX=g++-$(oldest GNU) make demo', and remove a build folder made with the old one (make clean)."
  fi
}

check_node() {
  local version
  if ! command -v node > /dev/null; then
    [ "$found_only" = yes ] && return
    stop "Node is missing, which bundles the viewer's page: install Node $(oldest NODE) or later (Debian 12: apt-get install nodejs npm), then run the same command again."
  fi
  version=$(node --version 2> /dev/null || true)
  if ! [[ "$version" =~ ^v([0-9]+) ]] || [ "${BASH_REMATCH[1]}" -lt "$(oldest NODE)" ]; then
    stop "Node ${version:-of unknown version} at $(command -v node) is too old to bundle the viewer's page: update it to Node $(oldest NODE) or later, or take it out of PATH so that Debian 12's is used."
  fi
}

# check_program NAME DEBIAN_PACKAGE
check_program() {
  if command -v "$1" > /dev/null || [ "$found_only" = yes ]; then return; fi
  stop "$1 is missing: install it (Debian 12: apt-get install $2), then run the same command again."
}

for what in "$@"; do
  case "$what" in
    compiler) check_compiler ;;
    node) check_node ;;
    cmake | npm) check_program "$what" "$what" ;;
    ninja) check_program ninja ninja-build ;;
    *) echo "check_machine.sh: no check '$what' (compiler, cmake, ninja, node, npm)" >&2; exit 2 ;;
  esac
done
