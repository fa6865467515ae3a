"""What the facts about the Python package share. Run by `make test`, or by hand:
PYTHONPATH=build/python PHIFLEX_BINARY=build/phiflex /usr/bin/python3 -m pytest tests/python"""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

import phiflex

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("PHIFLEX_BINARY", str(ROOT / "build" / "phiflex"))

BAR = {
    "name": "bar", "time": {"step": 0.01, "end": 0.2}, "integrator": {"type": "em"}, "gravity": [0, -9.81, 0],
    "bodies": [{"name": "bar", "mesh": {"generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]},
                "material": {"type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000}}],
    "constraints": [{"body": "bar", "where": {"box": [[0, 0, 0], [0, 1, 1]]}, "type": "fix"}],
    "probes": [{"name": "tip", "body": "bar", "at": [0.4, 0, 0]}]}


@pytest.fixture
def bar():
    """A clamped bar of 24 tetrahedra, 20 steps."""
    return json.loads(json.dumps(BAR))


def bar_model(**settings):
    body = phiflex.Body.box((0.4, 0.1, 0.1), (4, 1, 1), phiflex.NeoHookean(young=2e5, poisson=0.4, density=1000),
                            name="bar", **settings)
    return phiflex.Model([body, phiflex.Fix(body, lambda x: x[:, 0] == 0), phiflex.Probe("tip", body, (0.4, 0, 0))],
                         gravity=(0, -9.81, 0))


def command(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def random():
    return np.random.default_rng(1)
