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

# Bodies that touch: five scenes of the gallery.
run jelly-bowl jelly-bowl
"$phiflex" render "$runs/jelly-bowl" --times 0,0.15,0.3,0.5,1 --elevation 35 --width 900 -o $pictures/jelly-bowl.png
run newtons-cradle newtons-cradle
"$phiflex" render "$runs/newtons-cradle" --times 0,0.12,0.2,0.3 --azimuth 0 --elevation 5 --field-of-view 5 --width 1000 \
  -o $pictures/newtons-cradle.png
run folded-cloth folded-cloth
"$phiflex" render "$runs/folded-cloth" --times 0,0.15,0.25,0.35,0.6,1 --width 1000 -o $pictures/folded-cloth.png
run gripper gripper
"$phiflex" render "$runs/gripper" --times 0,0.2,0.4,0.7 --width 1000 -o $pictures/gripper.png
run jelly-cow jelly-cow
"$phiflex" render "$runs/jelly-cow" --times 0,0.13,0.16,0.2,0.35,0.7 --colour von-mises --width 1000 -o $pictures/jelly-cow.png

ls -l $pictures
