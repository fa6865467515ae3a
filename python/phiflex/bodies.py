"""Bodies of a model: tetrahedra, and springs between points with masses. SI units."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _phiflex
from .errors import refuse, require_word
from .laws import Material, real_number

#: Vertices or tetrahedra: whole numbers, a mask, or a function of the rest positions (n, 3) of the vertices, or of the centroids
#: (m, 3) of the tetrahedra, that gives one of these.
Where = Union[Sequence[int], np.ndarray, Callable[[np.ndarray], Any]]


def chosen(where: Where, points: np.ndarray, place: str) -> np.ndarray:
    """The numbers of the points that ``where`` selects."""
    if callable(where):
        where = where(points)
    try:
        selected = np.asarray(where)
    except ValueError:
        raise refuse(f"{place}/where", "expected numbers, a mask or a function of the positions") from None
    if selected.dtype == bool:
        if selected.shape != (len(points),):
            raise refuse(f"{place}/where", f"a mask of shape {selected.shape} is not allowed; expected ({len(points)},)")
        selected = np.flatnonzero(selected)
    return selected


def _real(value, name: str) -> np.ndarray:
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name}: an array of type {array.dtype} is not allowed; expected numbers")
    return array.astype(float)


def _settings(given: Optional[Mapping[str, Any]], place: str) -> Dict[str, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise refuse(place, f"a {type(given).__name__} is not allowed; expected a dict")
    return dict(given or {})


class Region:
    """Tetrahedra of a body that are made of another material. where: their numbers, a mask, or a function of their
    centroids (m, 3). Arrays of the material have an entry for every tetrahedron of the body."""

    def __init__(self, where: Where, material: Material):
        self.where, self.material = where, material


class Body:
    """A body of tetrahedra.

    vertices: (n, 3), m. tetrahedra: (m, 4) vertex numbers, each with positive volume. damping: Rayleigh,
    ``{"mass": 1/s, "stiffness": s, "stiffness_of": "rest" | "current"}``. elements: "linear" or "quadratic" (10 nodes).
    mass: "lumped" or "consistent". positions, velocities: at t = 0, (n, 3); by default at rest. regions: parts of another
    material, pairs ``(where, material)`` or :class:`phiflex.Region`; a later one wins.
    """

    def __init__(self, vertices, tetrahedra, material: Material, *, name: Optional[str] = None,
                 damping: Optional[Mapping[str, Any]] = None, elements: str = "linear", mass: str = "lumped",
                 positions=None, velocities=None, regions: Sequence[Any] = ()):
        self.vertices, self.tetrahedra, self.material, self.name = vertices, tetrahedra, material, name
        self.damping, self.elements, self.mass = _settings(damping, "damping"), elements, mass
        self.positions, self.velocities = positions, velocities
        try:
            self.regions = [one if isinstance(one, Region) else Region(*one) for one in regions]
        except TypeError:
            raise refuse("regions", "expected a list of pairs (where, material)") from None

    @classmethod
    def box(cls, size: Sequence[float], cells: Sequence[int], material: Material, **settings) -> "Body":
        """A box from the origin, cut into ``cells`` along x, y and z, six tetrahedra each."""
        vertices, tetrahedra = box_mesh(size, cells)
        return cls(vertices, tetrahedra, material, **settings)

    @classmethod
    def generated(cls, name: str, parameters: Mapping[str, Any], material: Material, **settings) -> "Body":
        """A mesh by a generator: ``Body.generated("ball", {"radius": 0.1}, rubber)``, see :func:`phiflex.generate_mesh`."""
        vertices, tetrahedra = generate_mesh(name, **_settings(parameters, "parameters"))
        return cls(vertices, tetrahedra, material, **settings)

    @classmethod
    def from_file(cls, path, material: Material, **settings) -> "Body":
        """A mesh file that the engine reads (docs/formats.md)."""
        vertices, tetrahedra = _phiflex.read_tets(os.fspath(path))
        return cls(vertices, tetrahedra, material, **settings)

    def _add(self, builder, name: str) -> int:
        place = f'body "{name}"'
        materials = []
        for region, where, material in [(place, None, self.material)] + [
                (f"{place}/regions/{number}", region.where, region.material)
                for number, region in enumerate(self.regions)]:
            if not isinstance(material, Material):
                builder.problem(f"{region}/material", f"a {type(material).__name__} is not allowed; expected a "
                                                      "phiflex.Material such as phiflex.NeoHookean(...)")
                return -1
            elements = None if where is None else self._elements(where, region)
            materials.append((region, elements, *material._for_builder(region)))
        return builder.add_solid(name, self.vertices, self.tetrahedra, materials, str(self.elements), str(self.mass),
                                 _damping(self.damping))

    def _elements(self, where: Where, place: str) -> np.ndarray:
        try:
            vertices, tetrahedra = _real(self.vertices, "vertices"), np.asarray(self.tetrahedra)
            if tetrahedra.size == 0 or vertices.size == 0:
                raise ValueError
            centroids = vertices[tetrahedra].mean(axis=1)
        except (IndexError, TypeError, ValueError):
            return np.zeros(1, int)  # of arrays that the builder refuses
        return chosen(where, centroids, place)


class Springs:
    """Springs between points with masses: a rope, a net, a cloth.

    vertices: (n, 3), m. springs: (m, 2) vertex numbers. constant: N/m, a number or one for each spring; or ``stiffness``
    in N per unit strain, so that a spring's constant is stiffness / rest length. masses: kg, a number or one for each
    vertex. rest_lengths: m, by default the distances of the vertices. law: "linear", "cubic" or "corotated". triangles: the
    surface that the air and other bodies meet, (k, 3) vertex numbers; a rope has none.
    """

    def __init__(self, vertices, springs, masses, *, constant=None, stiffness=None, rest_lengths=None, law: str = "linear",
                 name: Optional[str] = None, damping: Optional[Mapping[str, Any]] = None, positions=None,
                 velocities=None, triangles=None):
        self.triangles = triangles
        self.vertices, self.springs, self.masses, self.law, self.name = vertices, springs, masses, law, name
        self.constant, self.stiffness, self.rest_lengths = constant, stiffness, rest_lengths
        self.damping, self.positions, self.velocities = _settings(damping, "damping"), positions, velocities

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
        return builder.add_springs(name, vertices, masses, springs, constants, lengths, self.triangles, str(self.law),
                                   _damping(self.damping))


def _damping(given: Mapping[str, Any]) -> Dict[str, Any]:
    known = {"mass", "stiffness", "stiffness_of"}
    for key in given:
        if key not in known:
            raise refuse("damping", f'"{key}" is not allowed; expected mass, stiffness or stiffness_of')
    made: Dict[str, Any] = {key: real_number(given[key], f"damping/{key}") for key in ("mass", "stiffness") if key in given}
    if "stiffness_of" in given:
        require_word(given["stiffness_of"], ("rest", "current"), "damping/stiffness_of")
        made["stiffness_of"] = given["stiffness_of"]
    return made


def generate_mesh(name: str, **parameters: Union[float, Sequence[float]]) -> Tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3), m, and tetrahedra (m, 4) by a generator of the engine's catalogue (``phiflex.generators``).

    ``generate_mesh("ball", radius=0.1, resolution=8)``: the parameters are those of scenes (docs/scene.md); what is left out has
    the generator's default."""
    arguments = {}
    for key, value in parameters.items():
        try:
            numbers = list(value) if np.ndim(value) else [value]
        except (TypeError, ValueError):
            raise refuse(key, f"{value!r} is not allowed; expected a number or a list of numbers") from None
        arguments[key] = [real_number(one, key) for one in numbers]
    return _phiflex.generate_mesh(str(name), arguments)


def box_mesh(size: Sequence[float], cells: Sequence[int]) -> Tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and tetrahedra (m, 4) of a box from the origin, of ``size`` m, cut into ``cells``."""
    return generate_mesh("box", size=size, cells=cells)
