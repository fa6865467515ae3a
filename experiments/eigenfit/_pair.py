"""What the items on EigenFit share: a coarse and a fine mesh of one body, how it is shaken, and the four runs that are compared."""
import math

from phiflex.experiments import below

NAMES = {"fine": "fine mesh", "plain": "plain coarse mesh", "dac": "DAC", "eigenfit": "EigenFit"}
DAMPING = ("printed for the bar only; the authors' public code has 0.01 s on the stiffness at rest", [0])
MOTION = "The recorded motion of the feet is not published: they are shaken by 0.05 m sin(2 pi t/0.3 s) for 30 frames."


def shake(amplitude):
    """One period of 0.3 s along x, 30 frames."""
    return [{"time": i / 100, "offset": [round(amplitude * math.sin(2 * math.pi * i / 30), 12), 0, 0]} for i in range(31)]


def box(low, high):
    return {"box": [low, high]}


class Pair:
    """A body on two meshes: a scene, its mesh files (None: the generator's) and what is held in those files."""

    def __init__(self, x, scene, coarse, fine, held, generator, stand_in):
        self.x, self.scene = x, scene
        self.coarse = x.mesh("bodies.0.mesh", coarse, also=held, stand_in=f"{stand_in}, coarse")
        self.fine = {"bodies.0.mesh": generator, **x.mesh("bodies.0.mesh", fine, also=held, stand_in=f"{stand_in}, fine")}
        self.correction = {"coarsening": {"type": "eigenfit", "modes": 10, "fine": {"mesh": self.fine["bodies.0.mesh"]}}}

    def runs(self, set, integrator=None, which=("fine", "plain", "dac", "eigenfit"), tag="", **more):
        """The runs by name; set: changes of the scene for all of them."""
        body = {"fine": self.fine, "plain": self.coarse, "eigenfit": {**self.coarse, **self.correction}}
        body["dac"] = {**body["eigenfit"], "coarsening.type": "dac"}
        return {name: self.x.run(NAMES[name] + tag, self.scene, {**set, **body[name]}, integrator, end=0.01 * self.x.frames, sample=0.01,
                                 **more)
                for name in which}


def figure(x, coarse, fine, height=0.07):
    """The armadillo, held up to a height; a human figure of the generator stands in."""
    held = {"constraints.0.where": box([-9, -9, -9], [9, height, 9])}
    return Pair(x, "figure", coarse, fine, held, {"generate": "body", "size": 1, "cells": 30}, "a human figure of the generator")


def arm(x, coarse, fine):
    held = {"constraints.0.where": box([-9, -9, -9], [-0.85, 9, 9])}
    return Pair(x, "arm", coarse, fine, held, {"generate": "arm", "cells": 36}, "an arm of the generator, without fingers")


def bar(x, coarse, fine):
    held = {"constraints.0.where": box([-9, -9, -9], [0.02, 9, 9])}
    return Pair(x, "bar", coarse, fine, held, {"generate": "box", "size": [1, 0.67, 0.33], "cells": [20, 12, 6]}, "a box of the generator")


def ratio(r, name="eigenfit", first=0):
    """Largest position error over that of the plain coarse mesh, from a frame on."""
    return max(r[name].fine_errs(r["fine"])[first:]) / max(r["plain"].fine_errs(r["fine"])[first:])


def velocity_ratio(r, name="eigenfit", first=31):
    """The same for velocities, after the shake: while the feet are driven the largest error is that of the driven vertices."""
    return max(r[name].fine_velocity_errs(r["fine"])[first:]) / max(r["plain"].fine_velocity_errs(r["fine"])[first:])


def show(x, r, strip=True, colour="body"):
    """Rows, the error over time, pictures."""
    x.row("error of EigenFit over that of the plain coarse mesh", lambda: ratio(r))
    if "dac" in r:
        x.row("error of DAC over that of the plain coarse mesh", lambda: ratio(r, "dac"))
    x.row("largest error of the plain coarse mesh", lambda: r["plain"].fine_err(r["fine"]), unit="m")
    plot = x.plot("Error against the fine mesh", "time, s", "largest distance, m")
    for name in [one for one in r if one != "fine"]:
        plot.line(NAMES[name], lambda: r[name].common_times(r["fine"]), lambda: r[name].fine_errs(r["fine"]))
    if strip:
        x.strip([r["plain"], r["eigenfit"], r["fine"]], ["coarse", "EigenFit", "fine"], moments=5, colour=colour)


def improves(what, r, measure=ratio):
    return below(f"{what} of EigenFit over that of the plain coarse mesh", measure(r), 1)
