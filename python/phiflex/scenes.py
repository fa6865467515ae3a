"""A model written as a scene file."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any, Dict, List, Mapping

import numpy as np

from . import _phiflex, parts
from .bodies import Body, Springs
from .errors import FileError
from .simulation import plain


def _path(rows) -> List[Dict[str, Any]]:
    return [{"time": row[0], "offset": row[1:]} for row in np.asarray(rows, float).tolist()]


def write_scene(model, path: pathlib.Path, step: float, end: float, integrator: Any) -> List[str]:
    scene = model._scene(step, end, integrator, {})
    scene["gravity"] = np.asarray(model.gravity, float).tolist()
    left_out: List[str] = []
    written = set()
    scene["bodies"] = []
    for number, body in enumerate(model.bodies):
        name = model._names[number]
        place = f'body "{name}"'
        if not isinstance(body, Body):
            left_out.append(f"{place}: a network of springs has no place in a scene file; it is left out, with what is "
                            "about it")
            continue
        written.add(id(body))
        scene["bodies"].append(_body(body, name, path, place, left_out))
    for key in ("constraints", "forces", "contacts", "probes"):
        scene[key] = []
    for index, part in enumerate(model.parts):
        if isinstance(part, (Body, Springs)):
            continue
        if isinstance(part, parts.Contact):
            scene["contacts"].append(_contact(model, part, written, left_out))
            continue
        body = part.body
        if body is not None:
            number = model._number_of(body, "")
            if id(model.bodies[number]) not in written:
                continue
            body = model._names[number]
        _part(part, body, model._chosen.get(index), scene, left_out)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(scene, indent=2, default=plain) + "\n")
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from error
    return left_out


def _material(material, prefix: str, fields: Dict[str, List[float]]) -> Dict[str, Any]:
    """The scene's material. What differs from tetrahedron to tetrahedron becomes a field of the mesh file."""
    law = next(law for law in _phiflex.material_laws() if law["name"] == material.law)
    described: Dict[str, Any] = {"type": material.law}
    if law["form_of"]:  # a word of its own in scenes
        described = {"type": law["form_of"], "volumetric": material.law[len(law["form_of"]) + 1:]}
    kinds = {parameter["key"]: parameter["kind"] for parameter in law["parameters"]}
    for key, value in [*material.parameters.items(), ("density", material.density)]:
        kind = kinds.get(key, "number")
        if value is None:
            continue
        if kind == "curve":
            knots, values = (value["knots"], value["values"]) if isinstance(value, Mapping) else value
            described[key] = {"knots": np.asarray(knots, float).tolist(), "values": np.asarray(values, float).tolist()}
        elif np.ndim(value) == (1 if kind == "direction" else 0):
            described[key] = np.asarray(value, float).tolist()
        elif kind == "direction":
            described["field"] = f"{prefix}{key}"
            for axis, column in zip("xyz", np.asarray(value, float).T):
                fields[f"{prefix}{key}.{axis}"] = column.tolist()
        else:
            described[key] = {"field": f"{prefix}{key}"}
            fields[f"{prefix}{key}"] = np.asarray(value, float).tolist()
    if branches := material._series(""):
        described["prony"] = [{"ratio": ratio, "time": time} for ratio, time in branches]
    return described


def _body(body, name: str, path: pathlib.Path, place: str, left_out: List[str]) -> Dict[str, Any]:
    fields: Dict[str, List[float]] = {}
    described = _material(body.material, "", fields)
    regions = [{"where": {"elements": body._elements(region.where, place).tolist()},
                "material": _material(region.material, f"region{number}_", fields)}
               for number, region in enumerate(body.regions, 1)]
    mesh = path.with_name(f"{path.stem}_{re.sub(r'[^A-Za-z0-9_.-]', '_', name)}.msh")
    mesh.parent.mkdir(parents=True, exist_ok=True)
    _phiflex.write_tets(str(mesh), body.vertices, body.tetrahedra, fields)
    made = {"name": name, "mesh": {"file": mesh.name}, "material": described, "mass": body.mass,
            "element": "tet10" if body.elements == "quadratic" else "tet4"}
    if regions:
        made["regions"] = regions
    if body.damping:
        made["damping"] = body.damping
    if body.positions is not None:
        left_out.append(f"{place}/positions: an initial shape given by an array is left out")
    if body.velocities is not None:
        velocities = np.asarray(body.velocities, float)
        if (velocities == velocities[0]).all():
            made["initial"] = {"velocity": velocities[0].tolist()}
        else:
            left_out.append(f"{place}/velocities: initial velocities that differ from vertex to vertex are left out")
    return made


def _contact(model, part, written, left_out: List[str]) -> Dict[str, Any]:
    between: Any = part.between
    if not isinstance(between, str):
        numbers = [[model._number_of(body, "") for body in pair] for pair in part.pairs]
        kept = [pair for pair in numbers if all(id(model.bodies[number]) in written for number in pair)]
        if len(kept) < len(numbers):
            left_out.append("contact: pairs with a body that is left out are left out")
        between = [[model._names[number] for number in pair] for pair in kept]
    return {"type": "bodies", "between": between or "none", "self": part.itself, **part.how}


def _part(part, body, chosen, scene: Dict[str, Any], left_out: List[str]) -> None:
    where = {"all": True} if chosen is None else {"vertices": np.asarray(chosen).tolist()}
    if isinstance(part, (parts.Fix, parts.Move)):
        made = {"type": "fix", "body": body, "where": where}
        if isinstance(part, parts.Move):
            made.update(type="move", path=_path(part.path))
        if part.until is not None:
            made["until"] = float(part.until)
        scene["constraints"].append(made)
    elif isinstance(part, parts.Force):
        window = {"from": float(part.start)}
        if part.until is not None:
            window["until"] = float(part.until)
        force = np.asarray(part.force, float)
        if force.ndim == 2:
            vertices = range(len(force)) if chosen is None else np.asarray(chosen).tolist()
            for vertex, row in zip(vertices, force.tolist()):
                scene["forces"].append({"type": "point", "body": body, "where": {"vertices": [vertex]}, "force": row,
                                        **window})
            return
        kind, key = {"each_vertex": ("point", "force"), "shared_by_mass": ("region", "force"),
                     "acceleration": ("region", "acceleration"),
                     "per_volume": ("region", "force_density")}[part.measure]
        scene["forces"].append({"type": kind, "body": body, "where": where, key: force.tolist(), **window})
    elif isinstance(part, parts.Wind):
        made = {"type": "wind", "velocity": part.velocity, "air_density": part.air_density,
                "gust": {"amplitude": part.gust[0], "frequency": part.gust[1]},
                "drag_coefficient": part.drag_coefficient, "from": float(part.start)}
        if body is not None:
            made["body"] = body
        if part.until is not None:
            made["until"] = float(part.until)
        scene["forces"].append(made)
    elif isinstance(part, parts.Obstacle):
        made = {"type": part.shape, **part.sizes, **{k: v for k, v in part.how.items() if k != "path"}}
        if body is not None:
            made["body"] = body
        if "path" in part.how:
            made["motion"] = {"keys": [{"time": row["time"], "translate": row["offset"]}
                                       for row in _path(part.how["path"])]}
        scene["contacts"].append(made)
    elif isinstance(part, parts.Probe):
        scene["probes"].append({"name": part.name, "body": body, "at": np.asarray(part.at, float).tolist()})
    else:
        left_out.append("load: a function has no place in a scene file; it is left out")
