"""Models from arrays: bodies, what holds them, what acts on them, what they must not enter. SI units."""

from __future__ import annotations

import json
import pathlib
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _phiflex
from .bodies import Body, Springs, chosen
from .errors import InputError, refuse, require_word
from .laws import real_number
from .parts import Contact, Fix, Force, Load, Move, Obstacle, Part, Wind
from .simulation import Simulation, to_json
from .system import System


def _optional_time(value, place: str) -> Optional[float]:
    return None if value is None else real_number(value, place)


class Model:
    """Bodies and everything about them, in one list:

    >>> bar = phiflex.Body.box((0.4, 0.1, 0.1), (8, 2, 2), phiflex.NeoHookean(young=2e5, poisson=0.45, density=1000))
    >>> model = phiflex.Model([bar, phiflex.Fix(bar, lambda x: x[:, 0] == 0), phiflex.Probe("tip", bar, (0.4, 0, 0))],
    ...                       gravity=(0, -9.81, 0))
    >>> sim = model.simulate(step=0.01, integrator="em")

    Everything is checked at once, with the sentences that a scene gets: :class:`phiflex.InputError` has every problem.
    As in a scene, every two bodies meet each other unless a :class:`phiflex.Contact` says otherwise.
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
            self._numbers[id(body)] = -1
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
        if len(self.bodies) > 1 and not any(isinstance(part, Contact) for part in self.parts):
            builder.add_body_contact(True, [], "sheets", {}, "contact")  # as in a scene
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
        if not isinstance(part, Part):
            raise refuse(f"parts/{index}", f"a {type(part).__name__} is not allowed; expected bodies, Fix, Move, Force, "
                                           "Load, Wind, obstacles, Contact and probes")
        if isinstance(part, Contact):
            self._add_contact(builder, part, place)
            return
        optional = isinstance(part, (Load, Wind, Obstacle))
        number = None if part.body is None and optional else self._number_of(part.body, place)
        if number == -1:
            return  # the body's own problems are known
        if isinstance(part, (Fix, Move)):
            self._chosen[index] = chosen(part.where, builder.rest(number), place)
            path = part.path if isinstance(part, Move) else None
            builder.hold(number, self._chosen[index], path, _optional_time(part.until, f"{place}/until"), place)
        elif isinstance(part, Force):
            require_word(part.measure, ("each_vertex", "shared_by_mass", "acceleration", "per_volume"),
                         f"{place}/measure")
            where = None if part.where is None else chosen(part.where, builder.rest(number), place)
            self._chosen[index] = where
            builder.add_force(number, part.measure, part.force, where, real_number(part.start, f"{place}/start"),
                              _optional_time(part.until, f"{place}/until"), place)
        elif isinstance(part, Load):
            builder.add_callable(-1 if number is None else number, part.function, place)
        elif isinstance(part, Wind):
            try:
                amplitude, frequency = part.gust
            except (TypeError, ValueError):
                raise refuse(f"{place}/gust", "expected (amplitude, frequency)") from None
            builder.add_wind(number, part.velocity, real_number(amplitude, f"{place}/gust"),
                             real_number(frequency, f"{place}/gust"), real_number(part.air_density, f"{place}/air_density"),
                             real_number(part.drag_coefficient, f"{place}/drag_coefficient"),
                             real_number(part.start, f"{place}/start"), _optional_time(part.until, f"{place}/until"), place)
        elif isinstance(part, Obstacle):
            builder.add_obstacle(part.shape, part.sizes, part.how, number, place)
        else:
            vertex = builder.nearest_vertex(number, part.at, f'probe "{part.name}"')
            if not isinstance(part.name, str) or not part.name or part.name in [one for one, _, _ in self._probes]:
                raise refuse(f"{place}/name", f"{part.name!r} is not allowed; expected a name of its own")
            self._probes.append((part.name, number, vertex))

    def _add_contact(self, builder, part: Contact, place: str) -> None:
        pairs = []
        for index, pair in enumerate(part.pairs):
            numbers = [self._number_of(body, f"{place}/between/{index}") for body in pair]
            if numbers[0] == numbers[1] >= 0:
                name = self._names[[self._numbers[id(body)] for body in self.bodies].index(numbers[0])]
                raise refuse(f"{place}/between/{index}", f'"{name}" is paired with itself; expected two bodies '
                                                         '("itself" is for one)')
            pairs.append(numbers)
        if all(number >= 0 for numbers in pairs for number in numbers):
            everywhere = isinstance(part.between, str) and part.between == "all"
            builder.add_body_contact(everywhere, pairs, "all" if part.itself else "none", part.how, place)

    # -- What it is good for

    @property
    def warnings(self) -> List[str]:
        return self._handle.warnings() + self._handle.notes()

    def system(self, t: float = 0.0) -> System:
        """The mechanical system with the constraints of time t (s)."""
        return System(self._handle.system(real_number(t, "t")))

    def simulate(self, step: float, integrator: Any = "auto", end: Optional[float] = None, **settings) -> Simulation:
        """A simulation with steps of ``step`` seconds; end: s, by default never.

        integrator: a name of :data:`phiflex.integrators`, "name:key=value", a dict with ``type`` and settings, or a
        class derived from :class:`phiflex.Integrator`. settings: further keys of a scene, such as ``limits``.
        """
        step = real_number(step, "time/step")
        scene = self._scene(step, step if end is None else real_number(end, "time/end"), integrator, settings)
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

        return write_scene(self, pathlib.Path(path), real_number(step, "step"), real_number(end, "end"), integrator)

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
