"""A table of abuses, each tried with every method: one thing about a plain bar that no sensible scene has."""
import copy
import json

from engine import judge, judge_run

BAR = {
    "time": {"step": 0.01, "end": 0.1}, "integrator": {"type": "si"}, "gravity": [0, -9.81, 0],
    "bodies": [{"name": "b", "mesh": {"generate": "box", "size": [0.4, 0.1, 0.1], "cells": [3, 1, 1]},
                "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000}}],
    "constraints": [{"type": "fix", "body": "b", "where": {"box": [[0, 0, 0], [0, 1, 1]]}}],
    "output": {"every": 5},
}
CORNERS = "0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"


def medit(vertices, tetrahedra):
    return (f"MeshVersionFormatted 2\nDimension 3\nVertices\n{vertices.count(chr(10))}\n{vertices}"
            f"Tetrahedra\n{tetrahedra.count(chr(10))}\n{tetrahedra}End\n")


MESHES = {
    "twice.mesh": medit(2 * CORNERS, "1 2 3 4 0\n5 6 7 8 0\n"),
    "unused.mesh": medit(CORNERS + "5 5 5 0\n6 6 6 0\n", "1 2 3 4 0\n"),
    "flipped.mesh": medit(CORNERS + "1 1 1 0\n", "1 2 3 4 0\n2 4 3 5 0\n"),
    "flat.mesh": medit("0 0 0 0\n1 0 0 0\n0 1 0 0\n1 1 1e-14 0\n", "1 2 3 4 0\n"),
    "sliver.mesh": medit("0 0 0 0\n1 0 0 0\n0 1 0 0\n0.3 0.3 1e-7 0\n", "1 2 3 4 0\n"),
    "pieces.mesh": medit(CORNERS + "5 0 0 0\n6 0 0 0\n5 1 0 0\n5 0 1 0\n", "1 2 3 4 0\n5 6 7 8 0\n"),
    "point.mesh": medit(CORNERS + "1 1 1 0\n2 1 1 0\n1 2 1 0\n", "1 2 3 4 0\n4 5 6 7 0\n"),
}


def mesh(name):
    return {"bodies.0.mesh": {"file": name}, "constraints": []}


def material(**values):
    return {f"bodies.0.material.{key}": value for key, value in values.items()}


def initial(**values):
    return {"bodies.0.initial": values}


FREE = {"constraints": []}
# What is put where, by the keys on the way there.
ABUSES = {
    "nothing": {},
    "poisson 0.4999": material(poisson=0.4999),
    "poisson 0.5": material(poisson=0.5),
    "poisson 0.499999999": material(poisson=0.499999999),
    "poisson -0.9999": material(poisson=-0.9999),
    "density 1e-12": material(density=1e-12),
    "density 1e12": material(density=1e12),
    "density 1e305": material(density=1e305),
    "young 0": material(young=0),
    "young 1e-300": material(young=1e-300),
    "young 1e20": material(young=1e20),
    "young 1e305": material(young=1e305),
    "step 1e-12": {"time": {"step": 1e-12, "end": 1e-11}},
    "step 1e3": {"time": {"step": 1e3, "end": 1e4}},
    "step 1e299": {"time": {"step": 1e299, "end": 1e300}},
    "end between steps": {"time.end": 0.105},
    "unused vertices": mesh("unused.mesh"),
    "every vertex twice": mesh("twice.mesh"),
    "two pieces": mesh("pieces.mesh"),
    "held together by a point": mesh("point.mesh"),
    "a flipped element": mesh("flipped.mesh"),
    "a flat element": mesh("flat.mesh"),
    "a sliver": mesh("sliver.mesh"),
    "all fixed": {"constraints": [{"type": "fix", "body": "b", "where": {"all": True}}]},
    "nothing fixed": FREE,
    "one vertex fixed": {"constraints": [{"type": "fix", "body": "b", "where": {"vertices": [0]}}]},
    "gravity 1e6": {"gravity": [0, -1e6, 0]},
    "gravity 1e155": {"gravity": [0, -1e155, 0]},
    "gravity 1e300": {"gravity": [0, -1e300, 0]},
    "speed 1e9": initial(velocity=[1e9, 0, 0]),
    "free at 1e4 m/s": {**FREE, **initial(velocity=[1e4, 0, 0])},
    "spin 1e4": {**FREE, **initial(angular_velocity=[0, 0, 1e4])},
    "twist 360": initial(twist={"axis": "x", "angle": 360}),
    "twist 10000": initial(twist={"axis": "x", "angle": 10000}),
    "stretch 0.01": initial(stretch={"axis": "x", "factor": 0.01}),
    "stretch 100": initial(stretch={"axis": "x", "factor": 100}),
    "turned inside out": initial(stretch={"axis": "x", "factor": -1}),
    "size in mm": {"bodies.0.mesh.size": [0.4e-3, 0.1e-3, 0.1e-3]},
    "size in km": {"bodies.0.mesh.size": [400, 100, 100]},
    "size in nm": {"bodies.0.mesh.size": [4e-9, 1e-9, 1e-9]},
    "a needle": {"bodies.0.mesh.size": [1, 1e-6, 1e-6]},
    "far from the origin": {"bodies.0.transform": {"translate": [1e9, 0, 0]}, **FREE},
    "consistent mass": {"bodies.0.mass": "consistent"},
    "damping 1e9": {"bodies.0.damping": {"mass": 1e9, "stiffness": 1e3}},
    "a floor of 1e12 N/m": {**FREE, "contacts": [{"type": "floor", "height": 0.0, "stiffness": 1e12}]},
    "a floor that projects, with friction":
        {**FREE, "contacts": [{"type": "floor", "height": -0.01, "mode": "project", "friction": 0.5}]},
    "a floor far above": {**FREE, "contacts": [{"type": "floor", "height": 10, "stiffness": 1e4}]},
    "stvk compressed": {**material(type="stvk"), **initial(stretch={"axis": "x", "factor": 0.3})},
    "linear, bent far": {**material(type="linear"), "gravity": [0, -1e4, 0]},
    "corotated, twisted far": {**material(type="corotated"), **initial(twist={"axis": "x", "angle": 1000})},
    "wind of 1e6 m/s": {"forces": [{"type": "wind", "velocity": [1e6, 0, 0]}]},
}


def with_abuse(scene, changes):
    scene = copy.deepcopy(scene)
    for place, value in changes.items():
        *way, last = place.split(".")
        target = scene
        for key in way:
            target = target[int(key)] if isinstance(target, list) else target.setdefault(key, {})
        target[last] = value
    return scene


class Abuses:
    name = "abuses"
    short, full = 80, None

    def prepare(self, engine, place, _seed):
        self.engine = engine
        self.table = [(abuse, method) for abuse in ABUSES for method in engine.methods]

    def cases(self):
        return len(self.table)

    def attack(self, number, place, _random):
        abuse, method = self.table[number]
        scene = with_abuse(BAR, ABUSES[abuse])
        scene["integrator"] = {"type": method}
        scene["name"] = f"{abuse} with {method}".replace("/", " per ").replace(",", "")
        for name, text in MESHES.items():
            (place / name).write_text(text)
        (place / "scene.json").write_text(json.dumps(scene, indent=1))
        outcome = self.engine.run(["run", "scene.json", "-o", "run", "--quiet", "--threads", "1"], place)
        wrong = judge(outcome, ["scene.json", *MESHES]) or judge_run(outcome, place / "run")
        return [f"{abuse}, {method}: {words}" for words in wrong]


ROUNDS = [Abuses()]
