"""Scenes of valid structure with abused values, over every method of the catalogue."""
import copy
import json
import pathlib
import shutil

from engine import judge, judge_run

FACTORS = [-1, 0, 1e-12, 1e-6, 1e-3, 0.1, 0.5, 0.9, 1.1, 2, 10, 1e3, 1e6, 1e9, 1e12, 1e100, 1e-100, 1e300]
INSTEAD_OF_ZERO = [1, -1, 1e-9, 1e9, 1e100, -1e3]
# Sizes of meshes: a factor makes a scene that is large, not one that is abused.
COUNTS = {"cells", "segments", "resolution", "count", "cells_along", "divisions", "layers", "bays"}
SETTINGS = [{"modes": 0}, {"modes": 1}, {"modes": 50}, {"modes": 1000}, {"substeps": 1}, {"substeps": 3}, {"substeps": 1000},
            {"halve_step": False}, {"project_hessian": False}, {"hessian_correction": "diagonal"}, {"refactor": "always"},
            {"factorization": "indefinite"}, {"rho_infinity": 0}, {"beta": 1, "gamma": 1}, {"dissipation": 0.334}, {"error_tolerance": 1e-6},
            {"form": "woodbury"}, {"newton_limit": 1}, {"filter": "gautschi"}, {"tolerance": 1e-12}]


def numbers(value, path=()):
    """The paths of all numbers of a scene."""
    if isinstance(value, dict):
        for key in value:
            yield from numbers(value[key], path + (key,))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from numbers(item, path + (index,))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path


def parent_of(scene, path):
    for key in path[:-1]:
        scene = scene[key]
    return scene


def abuse_values(scene, random):
    for _ in range(random.choice([1, 1, 2, 3])):
        path = random.choice(list(numbers(scene)))
        if COUNTS & set(path):
            continue
        parent, factor = parent_of(scene, path), random.choice(FACTORS)
        value = parent[path[-1]]
        changed = value * factor if value != 0 else random.choice(INSTEAD_OF_ZERO)
        if isinstance(value, int) and abs(changed) < 1e9 and changed == int(changed):
            changed = int(changed)
        parent[path[-1]] = changed


class SceneValues:
    name = "scenes"
    short, full = 150, 3000

    def prepare(self, engine, place, _seed):
        self.engine = engine
        folder = pathlib.Path(__file__).parent / "scenes"
        self.seeds = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}
        self.others = [path for path in folder.iterdir() if path.suffix != ".json"]

    def cases(self):
        return self.full

    def attack(self, number, place, random):
        scene = copy.deepcopy(self.seeds[random.choice(sorted(self.seeds))])
        scene["integrator"]["type"] = self.engine.methods[number % len(self.engine.methods)]
        if random.random() < 0.3:
            scene["integrator"]["evaluator"] = random.choice(self.engine.evaluators)
        if random.random() < 0.2:
            scene["integrator"].update(random.choice(SETTINGS))
        abuse_values(scene, random)
        for path in self.others:
            shutil.copy(path, place)
        (place / "scene.json").write_text(json.dumps(scene, indent=1))
        arguments = ["run", "scene.json", "--steps", "3", "--quiet", "--no-frames", "--threads", "1", "-o", "run"]
        outcome = self.engine.run(arguments, place)
        named = ["scene.json"] + [path.name for path in self.others]
        return judge(outcome, named) or judge_run(outcome, place / "run")


ROUNDS = [SceneValues()]
