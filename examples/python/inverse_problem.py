"""An inverse problem: Young's modulus of a bar from the recorded motion of its tip, with 1 % noise, by scipy.optimize.

    minimize  sum over times |x_tip(t; E) - x_recorded(t)|^2   over log E                                   (1)
"""
import numpy as np
from scipy.optimize import minimize_scalar

import phiflex

SCENE = {
    "time": {"step": 0.01, "end": 0.6}, "integrator": {"type": "em"}, "gravity": [0, -9.81, 0],
    "bodies": [{"name": "bar", "mesh": {"generate": "box", "size": [0.4, 0.1, 0.1], "cells": [6, 2, 2]},
                "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000}}],
    "constraints": [{"body": "bar", "where": {"box": [[0, 0, 0], [0, 1, 1]]}, "type": "fix"}],
    "probes": [{"name": "tip", "body": "bar", "at": [0.4, 0, 0]}]}


def tip(young):
    """Where the tip is at every step, (61, 3), m."""
    return phiflex.Simulation(SCENE, set={"bodies.0.material.young": float(young)}).advance().probes["tip"]


true = 2.7e5  # Pa
recorded = tip(true)
noise = np.random.default_rng(7).standard_normal(recorded.shape)
recorded = recorded + 0.01 * np.ptp(recorded[:, 1]) * noise  # 1 % of how far it moves

found = minimize_scalar(lambda log_E: np.sum((tip(np.exp(log_E)) - recorded) ** 2),  # (1)
                        bounds=(np.log(1e5), np.log(1e6)), method="bounded", options={"xatol": 1e-4})
young = np.exp(found.x)
print(f"{found.nfev} simulations: E = {young:.4g} Pa, {100 * abs(young / true - 1):.2f} % from {true:.4g} Pa")
assert abs(young / true - 1) < 0.01
