"""What holds bodies, acts on them and stands in their way. SI units."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .bodies import Where
from .errors import refuse, require_word
from .laws import real_number


class Part:
    """Something about a body, given as the object or by its name."""

    def __init__(self, body):
        self.body = body


class Fix(Part):
    """Vertices that stay where they start; until: when they are released, s."""

    def __init__(self, body, where: Where, until: Optional[float] = None):
        super().__init__(body)
        self.where, self.until = where, until


class Move(Part):
    """Vertices that follow a path: rows ``(time, x, y, z)`` of offsets from where they start, linear between them."""

    def __init__(self, body, where: Where, path, until: Optional[float] = None):
        super().__init__(body)
        self.where, self.path, self.until = where, path, until


class Force(Part):
    """A force on vertices (default: all of the body), while ``start`` <= t < ``until``.

    force: three numbers, or a row for each vertex. measure: "each_vertex" (N on every vertex), "shared_by_mass" (N in
    all), "acceleration" (m/s^2) or "per_volume" (N/m^3)."""

    def __init__(self, body, force, where: Optional[Where] = None, *, measure: str = "each_vertex", start: float = 0,
                 until: Optional[float] = None):
        super().__init__(body)
        self.force, self.where, self.measure, self.start, self.until = force, where, measure, start, until


class Load(Part):
    """A force by a function ``f(t, x, v) -> forces``: time (s), positions (m) and velocities (m/s), each (n, 3), to
    newtons, (n, 3); of one body's vertices, or of all. How the force changes with x and v is not in the tangent."""

    def __init__(self, function: Callable[[float, np.ndarray, np.ndarray], np.ndarray], body=None):
        super().__init__(body)
        self.function = function


class Wind(Part):
    """Drag of moving air on surfaces; velocity: m/s. gust: (amplitude as a fraction, frequency in Hz)."""

    def __init__(self, velocity, body=None, *, gust: Tuple[float, float] = (0.0, 0.0), air_density: float = 1.225,
                 drag_coefficient: float = 1.0, start: float = 0, until: Optional[float] = None):
        super().__init__(body)
        self.velocity, self.gust, self.air_density = velocity, gust, air_density
        self.drag_coefficient, self.start, self.until = drag_coefficient, start, until


class Contact(Part):
    """Contact of bodies with each other and with themselves, by barriers between their surfaces that nothing passes.

    between: "all", "none", or pairs of bodies, each the object or its name. itself: whether each body meets itself. friction:
    Coulomb's coefficient, of bodies on each other and on themselves; with every method. slip_speed: friction grows with the
    speed up to about this one, m/s, by default 0.001. distance: reach of the barriers, m, by default a tenth of the mean
    edge, of the finer of two surfaces. stiffness: their modulus, Pa, by default 0.03 of the softer Young's modulus.

    A model of several bodies without a Contact has that of a scene: every two bodies meet, and sheets meet themselves.
    ``Contact("none", itself=False)`` lets bodies pass through each other.
    """

    def __init__(self, between: Union[str, Sequence[Tuple[Any, Any]]] = "all", itself: bool = True, *,
                 friction: float = 0.0, slip_speed: Optional[float] = None, distance: Optional[float] = None,
                 stiffness: Optional[float] = None):
        super().__init__(None)
        self.between, self.itself, self.pairs = between, bool(itself), []
        if not isinstance(between, str):
            try:
                self.pairs = [(first, second) for first, second in between]
            except (TypeError, ValueError):
                raise refuse("between", "expected all, none or pairs of bodies") from None
        elif between not in ("all", "none"):
            raise refuse("between", f'"{between}" is not allowed; expected all, none or pairs of bodies')
        given = {"friction": friction, "slip_speed": slip_speed, "distance": distance, "stiffness": stiffness}
        self.how = {key: real_number(value, key) for key, value in given.items() if value is not None}


class Obstacle(Part):
    """What bodies must not enter; see Floor, Plane, Sphere, Capsule, Cuboid.

    mode: "barrier" (an energy before the surface that no vertex passes), "penalty" (an energy behind it) or "project"
    (vertices are put back at the ends of steps); default: barrier, or penalty where stiffness is given. friction: Coulomb's
    coefficient. thickness: m. distance: reach of a barrier, m. stiffness: N/m per vertex of penalties, Pa of barriers.
    at_start: "error" or "push". path: rows (time, x, y, z) of the obstacle's own motion. body: the one it acts on;
    default: all.
    """

    shape = ""

    def __init__(self, sizes: Mapping[str, Any], body=None, **how):
        super().__init__(body)
        known = {"mode", "friction", "slip_speed", "thickness", "stiffness", "distance", "at_start", "path"}
        for key in how:
            if key not in known:
                raise refuse(type(self).__name__, f'"{key}" is not allowed; expected one of {", ".join(sorted(known))}')
        self.sizes, self.how = dict(sizes), {"mode": "penalty" if "stiffness" in how else "barrier", **how}
        require_word(self.how["mode"], ("barrier", "penalty", "project"), "mode")
        if "at_start" in self.how:
            require_word(self.how["at_start"], ("error", "push"), "at_start")
        for key in ("friction", "slip_speed", "thickness", "stiffness", "distance"):
            if key in self.how:
                self.how[key] = real_number(self.how[key], key)
        for key in ("height", "radius"):
            if key in self.sizes:
                self.sizes[key] = real_number(self.sizes[key], key)


class Floor(Obstacle):
    """Everything below y = height."""

    shape = "floor"

    def __init__(self, height: float = 0.0, body=None, **how):
        super().__init__({"height": height}, body, **how)


class Plane(Obstacle):
    """The half space behind a plane; the normal points to where bodies may be."""

    shape = "plane"

    def __init__(self, point, normal=(0, 1, 0), body=None, **how):
        super().__init__({"point": point, "normal": normal}, body, **how)


class Sphere(Obstacle):
    """A ball; center: m, radius: m."""

    shape = "sphere"

    def __init__(self, center, radius: float, body=None, **how):
        super().__init__({"center": center, "radius": radius}, body, **how)


class Capsule(Obstacle):
    """Everything within ``radius`` of the segment from ``start`` to ``end``, m."""

    shape = "capsule"

    def __init__(self, start, end, radius: float, body=None, **how):
        super().__init__({"from": start, "to": end, "radius": radius}, body, **how)


class Cuboid(Obstacle):
    """A box with edges along the axes."""

    shape = "box"

    def __init__(self, center, size, body=None, **how):
        super().__init__({"center": center, "size": size}, body, **how)


class Probe(Part):
    """A named point whose motion is recorded: the vertex nearest to ``at`` in the rest shape."""

    def __init__(self, name: str, body, at):
        super().__init__(body)
        self.name, self.at = name, at
