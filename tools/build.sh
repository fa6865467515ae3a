#!/usr/bin/env bash
# Builds in the folder build/ or another, says first how long that will take when it is long, and shows the progress: one
# line that changes on a terminal, a line for each file elsewhere. Silent when nothing is to do.
# Usage: build.sh JOBS command|python|package|tests|mpi|all [FOLDER]
set -euo pipefail

[ $# -eq 2 ] || [ $# -eq 3 ] || { echo "usage: build.sh JOBS command|python|package|tests|mpi|all [FOLDER]" >&2; exit 2; }
jobs=$1 what=$2 folder=${3:-build}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# core_seconds NAME: a figure of build_core_minutes.txt, in seconds.
core_seconds() { awk -v name="$1" '$1 == name { printf "%d", 60 * $2 }' tools/build_core_minutes.txt; }

# left FILE: reads object files; of FILE's core seconds, the share of those that are not there.
left() {
  local count=0 missing=0 object
  while read -r object; do
    count=$((count + 1))
    [ -e "$folder/$object" ] || missing=$((missing + 1))
  done
  [ "$count" -eq 0 ] && echo 0 || echo $(($(core_seconds "$1") * missing / count))
}

objects_of() { ninja -C "$folder" -t inputs "$@" 2> /dev/null | grep '\.o$' || true; }

say_how_long() {
  local cores words seconds minutes
  cores=$(nproc)
  if [ "$jobs" -lt "$cores" ]; then cores=$jobs; fi
  words="Building phiflex"
  seconds=$(objects_of phiflex_app | left command)
  if [ "$what" = python ]; then
    words="Building the Python package"
    seconds=$(objects_of _phiflex | left command)
  elif [ "$what" = package ]; then
    words="Building what the packages hold"
    seconds=$(objects_of phiflex_app _phiflex | left command)
  elif [ "$what" = tests ]; then
    words="Building phiflex and its tests, and running them"
    seconds=$((seconds + $(objects_of all | grep '^tests/' | left tests)))
  elif [ "$what" = mpi ]; then
    words="Building phiflex-mpi"
    seconds=$(objects_of phiflex_mpi_app | left mpi)
  elif [ "$what" = all ]; then
    words="Building everything in $folder"
    seconds=$((seconds + $(objects_of all | { grep '^tests/' || true; } | left test_programs)))
    seconds=$((seconds + $(objects_of all | { grep '^bench/' || true; } | left benchmarks)))
  fi
  seconds=$((seconds / cores))
  if [ "$seconds" -lt 30 ]; then return; fi
  minutes=$(((seconds + 30) / 60))
  echo "$words: about $minutes minute$([ "$minutes" -eq 1 ] || echo s) on $cores core$([ "$cores" -eq 1 ] || echo s); later builds make only what changed."
}

# Ninja's lines as they come.
show_progress() {
  local line text open=no
  while IFS= read -r line; do
    case "$line" in
      *"Re-checking globbed directories..." | "ninja: no work to do.") ;;
      "["*"] "*)
        if [ -t 1 ]; then
          text=${line#*] }
          line="${line%%] *}] ${text##*/}"  # the count and the file's name
          printf '\r\033[K%s' "${line:0:$((${COLUMNS:-80} - 1))}"
          open=yes
        else
          printf '%s\n' "$line"
        fi
        ;;
      *)
        if [ "$open" = yes ]; then printf '\n'; fi
        open=no
        printf '%s\n' "$line"
        ;;
    esac
  done
  if [ "$open" = yes ]; then printf '\n'; fi
}

case "$what" in
  command) targets=(phiflex_app) ;;
  python) targets=(_phiflex) ;;
  package) targets=(phiflex_app phiflex_lib_matfun phiflex_lib_engine phiflex_lib_scene _phiflex) ;;
  mpi)
    targets=(phiflex_mpi_app phiflex_nap)
    # Where tests are configured, what they run on several ranks.
    if ninja -C "$folder" -t query test_mpi > /dev/null 2>&1; then targets+=(test_mpi); fi
    ;;
  tests | all) targets=(all) ;;
  *) echo "build.sh: '$what' is none of command, python, package, tests, mpi, all" >&2; exit 2 ;;
esac
say_how_long
if [ -t 1 ]; then COLUMNS=$(tput cols 2> /dev/null || echo 80); fi
export NINJA_STATUS="${NINJA_STATUS:-[%f/%t, %e s] }"
cmake --build "$folder" -j "$jobs" --target "${targets[@]}" | show_progress
