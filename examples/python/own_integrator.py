"""Integrators of one's own, held against the catalogue's `em`: symplectic Euler, BDF2 and an exponential method.

    symplectic Euler   v+ = v + h M^-1 f(q),   q+ = q + h v+                                                (1)
    BDF2               y+ = (4 y - y-)/3 + (2h/3) y'+,  the force linearized at q                          (2)
    exponential Rosenbrock Euler, with A = M^-1 K(q) and a = M^-1 f(q):
                       v+ = cos(h sqrt A) v + sqrt(A)^-1 sin(h sqrt A) a                                   (3)
                       q+ = q + sqrt(A)^-1 sin(h sqrt A) v + A^-1 (1 - cos(h sqrt A)) a                    (4)
"""
from scipy.sparse.linalg import spsolve

import phiflex
from phiflex.matfun import cos_sqrt, sinc_sqrt


class SymplecticEuler(phiflex.Integrator):
    name, order, symplectic, stability_limit = "my-euler", 1, True, 2.0

    def step(self, now, h, next):
        next.v = now.v + h * self.system.solve_mass(self.system.force(now.q, now.v, now.t))  # (1)
        next.q = now.q + h * next.v


class BDF2(phiflex.Integrator):
    name, order = "my-bdf2", 2
    before = None

    def step(self, now, h, next):
        q, v, g = now.q, now.v, h  # the first step, and one after a contact: backward Euler
        if now.continues and self.before:
            q, v, g = (4 * q - self.before[0]) / 3, (4 * v - self.before[1]) / 3, 2 * h / 3  # (2)
        K = self.system.stiffness(now.q, now.v, now.t)
        f = self.system.force(now.q, now.v, now.t) - K @ (q + g * v - now.q)
        next.v = v + spsolve((self.system.mass + g * g * K).tocsc(), g * f)
        next.q = q + g * next.v
        self.before = now.q, now.v


class Exponential(phiflex.Integrator):
    name, order = "my-exponential", 2

    def step(self, now, h, next):
        K, M = self.system.stiffness(now.q, now.v, now.t), self.system.mass.diagonal()
        a = self.system.solve_mass(self.system.force(now.q, now.v, now.t))
        half = sinc_sqrt(K, M, sinc_sqrt(K, M, a, h / 2), h / 2)  # (1 - cos x) = 2 sin^2(x/2)
        next.q = now.q + sinc_sqrt(K, M, now.v, h) + 2 * half  # (4)
        next.v = cos_sqrt(K, M, now.v, h) + sinc_sqrt(K, M, a, h)  # (3)


SCENE = {
    "name": "bar", "time": {"step": 0.01, "end": 0.2}, "gravity": [0, -9.81, 0],
    "bodies": [{"name": "bar", "mesh": {"generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]},
                "material": {"type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000}}],
    "constraints": [{"body": "bar", "where": {"box": [[0, 0, 0], [0, 1, 1]]}, "type": "fix"}]}

if __name__ == "__main__":
    methods = ["my-euler:0.0005", "my-bdf2", "my-exponential", "em"]
    comparison = phiflex.compare(SCENE, methods, steps=[0.01, 0.005])
    print(comparison)
    print(phiflex.analyze("stability", ["my-euler", "em"], start=0.1, end=10, points=41))
