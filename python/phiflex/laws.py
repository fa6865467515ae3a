"""Elastic laws: a class for each entry of the engine's catalogue, with that law's own parameters. SI units.

The classes are made when the package is imported: a law that the engine has, the package has. The stub ``laws.pyi`` is
``phiflex.laws.stub()``.
"""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import _phiflex
from .errors import refuse

_LAWS: Dict[str, Dict[str, Any]] = {law["name"]: law for law in _phiflex.material_laws()}
_DENSITY = {"key": "density", "doc": "density at rest", "unit": "kg/m^3", "kind": "number", "expected": "a number > 0",
            "default": None}
_ABBREVIATIONS = {"arap": "ARAP", "stvk": "StVK"}  # words that are no names


def real_number(value: Any, place: str) -> float:
    """A real number, or an InputError about ``place``."""
    try:
        if isinstance(value, (complex, np.complexfloating)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise refuse(place, f"{value!r} is not allowed; expected a number") from None


def _keys(law: str) -> List[str]:
    return [parameter["key"] for parameter in _LAWS[law]["parameters"]] + ["density"]


class Material:
    """A law of the catalogue by its name (:data:`phiflex.materials`), with the parameters of that law by their names, and
    ``density`` in kg/m^3. Numbers may be arrays with one entry for every tetrahedron of the body, directions with one
    row (m, 3). A curve is ``{"knots": [...], "values": [...]}``. ``prony`` lets the body relax: branches
    ``{"ratio": ..., "time": ...}`` or pairs (ratio, time in s), beside the law, which is what is left in the end.

    >>> phiflex.Material("mooney-rivlin", c1=1.5e5, c2=5e4, bulk=1e6, density=1000)
    >>> phiflex.MooneyRivlin(c1=1.5e5, c2=5e4, bulk=1e6, density=1000)   # the same
    >>> phiflex.NeoHookean(young=1e5, poisson=0.45, density=1000, prony=[(0.5, 0.01), (1, 0.2)])

    What is wrong with them, :class:`phiflex.Model` says.
    """

    law = ""

    def __init__(self, law: str, *values: Any, **parameters: Any):
        given = dict(parameters)
        if values:
            if law not in _LAWS:
                raise refuse("material/type", f"{law} is not allowed; expected one of {', '.join(_LAWS)}")
            keys = _keys(law)
            if len(values) > len(keys):
                raise TypeError(f"{len(values)} values for the material {law}; expected at most {len(keys)}: "
                                f"{', '.join(keys)}")
            for key, value in zip(keys, values):
                if key in given:
                    raise TypeError(f"the parameter {key} of the material {law} is given twice")
                given[key] = value
        self.law = law
        self.density = given.pop("density", None)
        self.prony = given.pop("prony", ())
        self.parameters: Dict[str, Any] = given

    def __getattr__(self, key: str) -> Any:
        parameters = self.__dict__.get("parameters", {})
        if key in parameters:
            return parameters[key]
        for parameter in _LAWS.get(self.__dict__.get("law", ""), {"parameters": ()})["parameters"]:
            if parameter["key"] == key:
                return parameter["default"]
        raise AttributeError(f"the material {self.__dict__.get('law')} has no {key}")

    def _series(self, place: str) -> List[Tuple[float, float]]:
        """Ratio and time of each branch."""
        place += "/material/prony"
        expected = "expected branches {\"ratio\": ..., \"time\": ...} or pairs (ratio, time)"
        if isinstance(self.prony, (str, Mapping)) or not hasattr(self.prony, "__iter__"):
            raise refuse(place, f"{self.prony!r} is not allowed; {expected}")
        branches = []
        for number, branch in enumerate(self.prony):
            if isinstance(branch, Mapping) and set(branch) == {"ratio", "time"}:
                branch = (branch["ratio"], branch["time"])
            if isinstance(branch, (str, Mapping)) or np.shape(branch) != (2,):
                raise refuse(f"{place}/{number}", f"{branch!r} is not allowed; {expected}")
            branches.append((real_number(branch[0], f"{place}/{number}/ratio"),
                             real_number(branch[1], f"{place}/{number}/time")))
        return branches

    def _for_builder(self, place: str) -> Tuple[str, Dict[str, Any], Any, List[Tuple[float, float]]]:
        """The law, its parameters, the density, single numbers as floats; and the branches."""

        def plain(value: Any, key: str) -> Any:
            single = isinstance(value, (bool, int, float, np.generic)) and np.ndim(value) == 0
            return real_number(value, f"{place}/material/{key}") if single else value

        return (str(self.law), {str(key): plain(value, key) for key, value in self.parameters.items()},
                plain(self.density, "density"), self._series(place))

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={value!r}" if np.ndim(value) == 0 and not isinstance(value, Mapping) else f"{key}=..."
                          for key, value in [*self.parameters.items(), ("density", self.density)])
        shown += f", prony={self.prony!r}" if len(self.prony) > 0 else ""
        return f"Material({self.law!r}, {shown})" if type(self) is Material else f"{type(self).__name__}({shown})"


def _class_name(law: str) -> str:
    return _ABBREVIATIONS.get(law) or "".join(word.capitalize() for word in law.split("-"))


def _line(parameter: Mapping[str, Any]) -> str:
    unit = f", {parameter['unit']}" if parameter["unit"] else ""
    default = f", by default {parameter['default']:g}" if parameter["default"] is not None else ""
    return f"{parameter['key']}: {parameter['doc']}{unit}; {parameter['expected']}{default}"


def _documentation(law: Mapping[str, Any]) -> str:
    lines = [_line(parameter) for parameter in [*law["parameters"], _DENSITY]]
    return (f"The law ``{law['name']}``: {law['summary']}.\n\n" + "\n".join(lines) + "\n\nEach may be an array with an entry "
            "for every tetrahedron of the body; curves may not. prony: branches that relax (:class:`Material`).")


def _arguments(law: Mapping[str, Any]) -> List[Tuple[str, bool, Optional[float]]]:
    """Name, whether it has a default, and the default. Behind a default, what must be given shows None."""
    made, optional = [], False
    for parameter in [*law["parameters"], _DENSITY]:
        optional = optional or parameter["default"] is not None or parameter["kind"] == "curve"
        made.append((parameter["key"], optional, parameter["default"]))
    return made


def _class_of(law: Mapping[str, Any]) -> type:
    name = law["name"]

    def __init__(self, *values: Any, **parameters: Any):
        Material.__init__(self, name, *values, **parameters)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([inspect.Parameter(key, kind, default=value if optional else inspect.Parameter.empty)
                                   for key, optional, value in _arguments(law)] +
                                  [inspect.Parameter("prony", inspect.Parameter.KEYWORD_ONLY, default=())])
    return type(_class_name(name), (Material,),
                {"__init__": __init__, "__doc__": _documentation(law), "__module__": __name__, "law": name,
                 "__signature__": signature})


_CLASSES = {_class_name(name): _class_of(law) for name, law in _LAWS.items()}
globals().update(_CLASSES)
__all__ = ["Material", *_CLASSES]


def stub() -> str:
    """The text of laws.pyi."""
    text = '''# Written by phiflex.laws.stub() from the engine's catalogue of material laws.
from typing import Any, Dict, List, Mapping, Sequence, Union

import numpy as np

Numbers = Union[float, Sequence[float], np.ndarray]
Directions = Union[Sequence[float], Sequence[Sequence[float]], np.ndarray]
Curve = Mapping[str, Sequence[float]]
Series = Sequence[Union[Mapping[str, float], Sequence[float]]]

__all__: List[str]

def real_number(value: Any, place: str) -> float: ...
def stub() -> str: ...

class Material:
    law: str
    density: Any
    prony: Any
    parameters: Dict[str, Any]
    def __init__(self, law: str, *values: Any, **parameters: Any) -> None: ...
    def __getattr__(self, key: str) -> Any: ...
    def _series(self, place: str) -> Any: ...
    def _for_builder(self, place: str) -> Any: ...
'''
    types = {"number": "Numbers", "direction": "Directions", "curve": "Curve"}
    for name, law in _LAWS.items():
        kinds = {parameter["key"]: types[parameter["kind"]] for parameter in [*law["parameters"], _DENSITY]}
        arguments = ", ".join(f"{key}:~{kinds[key]}" + ("~=~..." if optional else "")
                              for key, optional, _ in _arguments(law))  # ~: a line does not end here
        heading = f"    def~__init__(self, {arguments}, *, prony:~Series~=~...)~->~None:~..."
        lines = textwrap.wrap(heading, 120, subsequent_indent=" " * 17, break_long_words=False)
        text += f"\nclass {_class_name(name)}(Material):\n" + "\n".join(lines).replace("~", " ") + "\n"
    names = textwrap.wrap(", ".join(f'"{name}"' for name in __all__), 115)
    return text.replace("__all__: List[str]", "__all__ = [\n    " + "\n    ".join(names) + "]").replace("Dict, List, ", "Dict, ")
