#!/usr/bin/env bash
# Makes the pictures of README.md and docs/ with the program itself. Usage: tools/make_pictures.sh [PHIFLEX]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
phiflex=${1:-build/phiflex}
pictures=docs/pictures
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT

run() { "$phiflex" run "scenes/$1/scene.json" -o "$runs/$2" --quiet "${@:3}"; }

# The demo.
run bar-drop bar-drop
"$phiflex" render "$runs/bar-drop" --times 0,0.1,0.2,0.4,0.6,0.8 -o $pictures/bar-drop.png

# One beam, one step size, two methods: what is left of the swing.
for method in be em; do run bar-drop "$method" --set integrator.type=$method --set time.step=0.03 --set time.end=2.1; done
"$phiflex" render "$runs/be" "$runs/em" --names "backward Euler,em" --times 0.3,0.6,0.9,1.2,1.5,1.8 \
  --colour speed -o $pictures/be-and-em.png

# Springs, a cloth and a floor.
run rope-and-cloth rope-and-cloth
"$phiflex" render "$runs/rope-and-cloth" --times 0,0.6,1.2,2 -o $pictures/rope-and-cloth.png

ls -l $pictures
