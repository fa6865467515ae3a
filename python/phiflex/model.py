"""Models from arrays: bodies, what holds them, what acts on them, what they must not enter. SI units."""

from __future__ import annotations

import json
import operator
import os
import pathlib
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _phiflex
from .errors import InputError, refuse
from .simulation import Simulation, to_json
from .system import System

#: Vertices: whole numbers, a mask, or a function of the rest positions (n, 3) that gives one of these.
Where = Union[Sequence[int], np.ndarray, Callable[[np.ndarray], Any]]


def _number(value, place: str) -> float:
    try:
        if isinstance(value, complex):
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise refuse(place, f"{value!r} is not allowed; expected a number") from None


def _real(value, name: str) -> np.ndarray:
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name}: an array of type {array.dtype} is not allowed; expected numbers")
    return array.astype(float)


def _optional_time(value, place: str) -> Optional[float]:
    return None if value is None else _number(value, place)


# -- Materials


class Material:
    """An elastic law of the catalogue by its name (:data:`phiflex.materials`). young: Pa; poisson: > -1 and < 0.5;
    density: kg/m^3. Each is a number, or an array with one for every tetrahedron."""

    law = ""

    def __init__(self, law: str, young, poisson=0.3, density=None):
        self.law, self.young, self.poisson, self.density = law, young, poisson, density

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" if np.ndim(getattr(self, name)) == 0 else f"{name}=[...]"
                          for name in ("young", "poisson", "density"))
        return f"{type(self).__name__}({shown})"


class _Law(Material):
    def __init__(self, young, poisson=0.3, density=None):
        super().__init__(type(self).law, young, poisson, density)


class Linear(_Law):
    """Linear elasticity: small displacements."""

    law = "linear"


class Corotated(_Law):
    """Linear in the stretches, exact in rotations."""

    law = "corotated"


class ARAP(_Law):
    """As rigid as possible."""

    law = "arap"


class StVK(_Law):
    """Saint Venant-Kirchhoff."""

    law = "stvk"


class NeoHookean(_Law):
    """Compressible neo-Hookean with log(J)."""

    law = "neo-hookean"


class StableNeoHookean(_Law):
    """Neo-Hookean that survives inversion."""

    law = "stable-neo-hookean"


# -- Bodies


class Body:
    """A body of tetrahedra.

    vertices: (n, 3), m. tetrahedra: (m, 4) vertex numbers, each with positive volume. damping: Rayleigh,
    ``{"mass": 1/s, "stiffness": s, "stiffness_of": "rest" | "current"}``. elements: "linear" or "quadratic" (10 nodes).
    mass: "lumped" or "consistent". positions, velocities: at t = 0, (n, 3); by default at rest.
    """

    def __init__(self, vertices, tetrahedra, material: Material, *, name: Optional[str] = None,
                 damping: Optional[Mapping[str, Any]] = None, elements: str = "linear", mass: str = "lumped",
                 positions=None, velocities=None):
        self.vertices, self.tetrahedra, self.material, self.name = vertices, tetrahedra, material, name
        self.damping, self.elements, self.mass = dict(damping or {}), elements, mass
        self.positions, self.velocities = positions, velocities

    @classmethod
    def box(cls, size: Sequence[float], cells: Sequence[int], material: Material, **settings) -> "Body":
        """A box from the origin, cut into ``cells`` along x, y and z, six tetrahedra each."""
        vertices, tetrahedra = box_mesh(size, cells)
        return cls(vertices, tetrahedra, material, **settings)

    @classmethod
    def from_file(cls, path, material: Material, **settings) -> "Body":
        """A mesh file that the engine reads (docs/formats.md)."""
        vertices, tetrahedra = _phiflex.read_tets(os.fspath(path))
        return cls(vertices, tetrahedra, material, **settings)

    def _add(self, builder, name: str) -> int:
        material = self.material
        if not isinstance(material, Material):
            builder.problem(f'body "{name}"/material', f"a {type(material).__name__} is not allowed; expected a "
                                                       "phiflex.Material such as phiflex.NeoHookean(...)")
            return -1
        values = [float(value) if np.ndim(value) == 0 and isinstance(value, (int, float, np.generic)) else value
                  for value in (material.young, material.poisson, material.density)]
        return builder.add_solid(name, self.vertices, self.tetrahedra, str(material.law), *values, str(self.elements),
                                 str(self.mass), _damping(self.damping))


class Springs:
    """Springs between points with masses: a rope, a net, a cloth.

    vertices: (n, 3), m. springs: (m, 2) vertex numbers. constant: N/m, a number or one for each spring; or ``stiffness``
    in N per unit strain, so that a spring's constant is stiffness / rest length. masses: kg, a number or one for each
    vertex. rest_lengths: m, by default the distances of the vertices. law: "linear", "cubic" or "corotated".
    """

    def __init__(self, vertices, springs, masses, *, constant=None, stiffness=None, rest_lengths=None, law: str = "linear",
                 name: Optional[str] = None, damping: Optional[Mapping[str, Any]] = None, positions=None,
                 velocities=None):
        self.vertices, self.springs, self.masses, self.law, self.name = vertices, springs, masses, law, name
        self.constant, self.stiffness, self.rest_lengths = constant, stiffness, rest_lengths
        self.damping, self.positions, self.velocities = dict(damping or {}), positions, velocities

    def _add(self, builder, name: str) -> int:
        place = f'body "{name}"'
        if (self.constant is None) == (self.stiffness is None):
            builder.problem(place, "expected exactly one of constant and stiffness")
            return -1
        try:
            vertices, springs = _real(self.vertices, "vertices"), np.asarray(self.springs)
            if vertices.ndim != 2 or vertices.shape[1] != 3:
                raise ValueError(f"vertices: the shape {vertices.shape} is not allowed; expected (n, 3)")
            if springs.ndim != 2 or springs.shape[1] != 2 or springs.dtype.kind not in "iu":
                raise ValueError(f"springs: an array of shape {springs.shape} and type {springs.dtype} is not allowed; "
                                 "expected (m, 2) whole numbers")
            if springs.size and (springs.min() < 0 or springs.max() >= len(vertices)):
                raise ValueError(f"springs: expected whole numbers from 0 to {len(vertices) - 1}")
            lengths = self.rest_lengths
            if lengths is None:
                lengths = np.linalg.norm(vertices[springs[:, 0]] - vertices[springs[:, 1]], axis=1)
            lengths = np.broadcast_to(_real(lengths, "rest_lengths"), len(springs))
            if self.constant is not None:
                constants = np.broadcast_to(_real(self.constant, "constant"), len(springs))
            elif (lengths > 0).all():
                constants = np.broadcast_to(_real(self.stiffness, "stiffness"), len(springs)) / lengths
            else:
                raise ValueError("rest_lengths: expected numbers > 0 where a stiffness per strain is given")
            masses = np.broadcast_to(_real(self.masses, "masses"), len(vertices))
        except (TypeError, ValueError) as error:
            builder.problem(place, str(error))
            return -1
        return builder.add_springs(name, vertices, masses, springs, constants, lengths, str(self.law),
                                   _damping(self.damping))


def _damping(given: Mapping[str, Any]) -> Dict[str, Any]:
    known = {"mass", "stiffness", "stiffness_of"}
    for key in given:
        if key not in known:
            raise refuse("damping", f'"{key}" is not allowed; expected mass, stiffness or stiffness_of')
    made: Dict[str, Any] = {key: _number(given[key], f"damping/{key}") for key in ("mass", "stiffness") if key in given}
    if "stiffness_of" in given:
        if given["stiffness_of"] not in ("rest", "current"):
            raise refuse("damping/stiffness_of", f'{given["stiffness_of"]!r} is not allowed; expected rest or current')
        made["stiffness_of"] = given["stiffness_of"]
    return made


def box_mesh(size: Sequence[float], cells: Sequence[int]) -> Tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and tetrahedra (m, 4) of a box from the origin, of ``size`` m, cut into ``cells``."""
    try:
        return _phiflex.box_mesh(tuple(_number(one, "size") for one in size), tuple(operator.index(one) for one in cells))
    except (TypeError, OverflowError) as error:
        raise refuse("box", f"expected three numbers and three whole numbers ({str(error).splitlines()[0]})") from None


# -- What holds, acts and stands in the way


class _Part:
    """Something about a body, given as the object or by its name."""

    def __init__(self, body):
        self.body = body


class Fix(_Part):
    """Vertices that stay where they start; until: when they are released, s."""

    def __init__(self, body, where: Where, until: Optional[float] = None):
        super().__init__(body)
        self.where, self.until = where, until


class Move(_Part):
    """Vertices that follow a path: rows ``(time, x, y, z)`` of offsets from where they start, linear between them."""

    def __init__(self, body, where: Where, path, until: Optional[float] = None):
        super().__init__(body)
        self.where, self.path, self.until = where, path, until


class Force(_Part):
    """A force on vertices (default: all of the body), while ``start`` <= t < ``until``.

    force: three numbers, or a row for each vertex. measure: "each_vertex" (N on every vertex), "shared_by_mass" (N in
    all), "acceleration" (m/s^2) or "per_volume" (N/m^3)."""

    def __init__(self, body, force, where: Optional[Where] = None, *, measure: str = "each_vertex", start: float = 0,
                 until: Optional[float] = None):
        super().__init__(body)
        self.force, self.where, self.measure, self.start, self.until = force, where, measure, start, until


class Load(_Part):
    """A force by a function ``f(t, x, v) -> forces``: time (s), positions (m) and velocities (m/s), each (n, 3), to
    newtons, (n, 3); of one body's vertices, or of all. How the force changes with x and v is not in the tangent."""

    def __init__(self, function: Callable[[float, np.ndarray, np.ndarray], np.ndarray], body=None):
        super().__init__(body)
        self.function = function


class Wind(_Part):
    """Drag of moving air on surfaces; velocity: m/s. gust: (amplitude as a fraction, frequency in Hz)."""

    def __init__(self, velocity, body=None, *, gust: Tuple[float, float] = (0.0, 0.0), air_density: float = 1.225,
                 drag_coefficient: float = 1.0, start: float = 0, until: Optional[float] = None):
        super().__init__(body)
        self.velocity, self.gust, self.air_density = velocity, gust, air_density
        self.drag_coefficient, self.start, self.until = drag_coefficient, start, until


class Obstacle(_Part):
    """What bodies must not enter; see Floor, Plane, Sphere, Capsule, Cuboid.

    mode: "barrier" (an energy before the surface that nothing passes), "penalty" (an energy behind it) or "project"
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
        if self.how["mode"] not in ("barrier", "penalty", "project"):
            raise refuse("mode", f'{self.how["mode"]!r} is not allowed; expected barrier, penalty or project')
        if self.how.get("at_start", "error") not in ("error", "push"):
            raise refuse("at_start", f'{self.how["at_start"]!r} is not allowed; expected error or push')
        for key in ("friction", "slip_speed", "thickness", "stiffness", "distance"):
            if key in self.how:
                self.how[key] = _number(self.how[key], key)
        for key in ("height", "radius"):
            if key in self.sizes:
                self.sizes[key] = _number(self.sizes[key], key)


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


class Probe(_Part):
    """A named point whose motion is recorded: the vertex nearest to ``at`` in the rest shape."""

    def __init__(self, name: str, body, at):
        super().__init__(body)
        self.name, self.at = name, at


# -- The model


class Model:
    """Bodies and everything about them, in one list:

    >>> bar = phiflex.Body.box((0.4, 0.1, 0.1), (8, 2, 2), phiflex.NeoHookean(young=2e5, poisson=0.45, density=1000))
    >>> model = phiflex.Model([bar, phiflex.Fix(bar, lambda x: x[:, 0] == 0), phiflex.Probe("tip", bar, (0.4, 0, 0))],
    ...                       gravity=(0, -9.81, 0))
    >>> sim = model.simulate(step=0.01, integrator="em")

    Everything is checked at once, with the sentences that a scene gets: :class:`phiflex.InputError` has every problem.
    """

    def __init__(self, parts: Sequence[Any], gravity=(0.0, 0.0, 0.0), name: str = "model"):
        try:
            self.parts = list(parts)
        except TypeError:
            raise refuse("parts", f"a {type(parts).__name__} is not allowed; expected a list of bodies and what is "
                                  "about them") from None
        self.name, self.gravity = str(name), gravity
        self._numbers: Dict[int, int] = {}  # of body objects, by id
        builder = _phiflex.Builder("")
        self.bodies: List[Union[Body, Springs]] = [part for part in self.parts if isinstance(part, (Body, Springs))]
        self._names = self._name_bodies()
        for number, body in enumerate(self.bodies):
            with _collecting(builder):
                self._numbers[id(body)] = body._add(builder, self._names[number])
        if not self.bodies:
            builder.problem("parts", "have no body; expected one or more")
        builder.set_gravity(gravity)
        # A number of the builder is that of the model only when all bodies are good; otherwise build() refuses anyway.
        self._chosen: Dict[int, Optional[np.ndarray]] = {}
        self._probes: List[Tuple[str, int, int]] = []
        for index, part in enumerate(self.parts):
            if not isinstance(part, (Body, Springs)):
                with _collecting(builder):
                    self._add(builder, index, part)
        for number, body in enumerate(self.bodies):
            if self._numbers[id(body)] >= 0 and (body.positions is not None or body.velocities is not None):
                builder.set_initial(self._numbers[id(body)], body.positions, body.velocities)
        self._handle = builder.build()
        places = self._handle.bodies()
        self._probe_vertices = [(name, places[body][1] + vertex) for name, body, vertex in self._probes]

    def _name_bodies(self) -> List[str]:
        unnamed = sum(body.name is None for body in self.bodies)
        names, counted = [], 0
        for body in self.bodies:
            if body.name is None:
                counted += 1
                names.append("body" if unnamed == 1 else f"body{counted}")
            else:
                names.append(str(body.name))
        return names

    def _number_of(self, body, place: str) -> int:
        if isinstance(body, str):
            if body not in self._names:
                raise refuse(f"{place}/body", f'"{body}" is not a body; there are: {", ".join(self._names)}')
            return self._numbers[id(self.bodies[self._names.index(body)])]
        if id(body) not in self._numbers:
            raise refuse(f"{place}/body", f"a {type(body).__name__} that is not in the list is not allowed; expected a "
                                          "body of this model or its name")
        return self._numbers[id(body)]

    def name_of(self, body) -> str:
        """The name of a body of this model."""
        return self._names[self._number_of(body, "body")]

    def _add(self, builder, index: int, part: Any) -> None:
        place = f"{type(part).__name__.lower()} {sum(type(p) is type(part) for p in self.parts[:index + 1])}"
        if not isinstance(part, _Part):
            raise refuse(f"parts/{index}", f"a {type(part).__name__} is not allowed; expected bodies, Fix, Move, Force, "
                                           "Load, Wind, obstacles and probes")
        optional = isinstance(part, (Load, Wind, Obstacle))
        number = None if part.body is None and optional else self._number_of(part.body, place)
        if number == -1:
            return  # the body's own problems are known
        if isinstance(part, (Fix, Move)):
            self._chosen[index] = self._select(builder, number, part.where, place)
            path = part.path if isinstance(part, Move) else None
            builder.hold(number, self._chosen[index], path, _optional_time(part.until, f"{place}/until"), place)
        elif isinstance(part, Force):
            if part.measure not in ("each_vertex", "shared_by_mass", "acceleration", "per_volume"):
                raise refuse(f"{place}/measure", f"{part.measure!r} is not allowed; expected each_vertex, "
                                                 "shared_by_mass, acceleration or per_volume")
            chosen = None if part.where is None else self._select(builder, number, part.where, place)
            self._chosen[index] = chosen
            builder.add_force(number, part.measure, part.force, chosen, _number(part.start, f"{place}/start"),
                              _optional_time(part.until, f"{place}/until"), place)
        elif isinstance(part, Load):
            builder.add_callable(-1 if number is None else number, part.function, place)
        elif isinstance(part, Wind):
            try:
                amplitude, frequency = part.gust
            except (TypeError, ValueError):
                raise refuse(f"{place}/gust", "expected (amplitude, frequency)") from None
            builder.add_wind(number, part.velocity, _number(amplitude, f"{place}/gust"),
                             _number(frequency, f"{place}/gust"), _number(part.air_density, f"{place}/air_density"),
                             _number(part.drag_coefficient, f"{place}/drag_coefficient"),
                             _number(part.start, f"{place}/start"), _optional_time(part.until, f"{place}/until"), place)
        elif isinstance(part, Obstacle):
            builder.add_obstacle(part.shape, part.sizes, part.how, number, place)
        else:
            vertex = builder.nearest_vertex(number, part.at, f'probe "{part.name}"')
            if not isinstance(part.name, str) or not part.name or part.name in [one for one, _, _ in self._probes]:
                raise refuse(f"{place}/name", f"{part.name!r} is not allowed; expected a name of its own")
            self._probes.append((part.name, number, vertex))

    @staticmethod
    def _select(builder, number: int, where: Where, place: str) -> np.ndarray:
        rest = builder.rest(number)
        if callable(where):
            where = where(rest)
        try:
            chosen = np.asarray(where)
        except ValueError:
            raise refuse(f"{place}/where", "expected vertex numbers, a mask or a function of the positions") from None
        if chosen.dtype == bool:
            if chosen.shape != (len(rest),):
                raise refuse(f"{place}/where", f"a mask of shape {chosen.shape} is not allowed; expected ({len(rest)},)")
            chosen = np.flatnonzero(chosen)
        return chosen

    # -- What it is good for

    @property
    def warnings(self) -> List[str]:
        return self._handle.warnings() + self._handle.notes()

    def system(self, t: float = 0.0) -> System:
        """The mechanical system with the constraints of time t (s)."""
        return System(self._handle.system(_number(t, "t")))

    def simulate(self, step: float, integrator: Any = "auto", end: Optional[float] = None, **settings) -> Simulation:
        """A simulation with steps of ``step`` seconds; end: s, by default never.

        integrator: a name of :data:`phiflex.integrators`, "name:key=value", a dict with ``type`` and settings, or a
        class derived from :class:`phiflex.Integrator`. settings: further keys of a scene, such as ``limits``.
        """
        step = _number(step, "time/step")
        scene = self._scene(step, step if end is None else _number(end, "time/end"), integrator, settings)
        # What the engine reads of it: time, integrator, output and limits.
        scene["bodies"] = [{"name": "body", "springs": {"generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0],
                                                        "segments": 1, "stiffness": 1, "linear_density": 1}}]
        steps = 0 if end is not None else 2**40
        handle = _phiflex.simulation_from_model(self._handle, to_json(scene), steps, self._probe_vertices)
        return Simulation._of(handle, self.name)

    def _scene(self, step: float, end: float, integrator: Any, settings: Mapping[str, Any]) -> Dict[str, Any]:
        return {"phiflex": 1, "name": self.name, "time": {"step": step, "end": end},
                "integrator": integrator_settings(integrator), **settings}

    def to_scene(self, path, step: float = 0.01, end: float = 1.0, integrator: Any = "auto") -> List[str]:
        """Writes the model as a scene file, with meshes beside it. Returns a sentence for everything that a scene file
        cannot hold and that was left out (functions, networks of springs, ...)."""
        from .scenes import write_scene

        return write_scene(self, pathlib.Path(path), _number(step, "step"), _number(end, "end"), integrator)

    def __repr__(self) -> str:
        return f"Model({', '.join(self._names)})"


class _collecting:
    """Problems that Python finds join those of the builder."""

    def __init__(self, builder):
        self.builder = builder

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None or not issubclass(kind, InputError):
            return False
        for problem in error.problems:
            self.builder.problem(problem.place, problem.message)
        return True


def integrator_settings(integrator: Any) -> Dict[str, Any]:
    """The scene's ``integrator`` from a name, "name:key=value", a dict or a class."""
    from .integrator import Integrator

    if isinstance(integrator, type) and issubclass(integrator, Integrator):
        return {"type": integrator.name}
    if isinstance(integrator, Mapping):
        return dict(integrator)
    if not isinstance(integrator, str):
        raise refuse("integrator", f"a {type(integrator).__name__} is not allowed; expected a name, a dict or a class")
    name, *words = integrator.split(":")
    made: Dict[str, Any] = {"type": name}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise refuse("integrator", f'"{word}" in "{integrator}" is not key=value')
        try:
            made[key] = json.loads(value)
        except ValueError:
            made[key] = value
    return made
