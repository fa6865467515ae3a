# Written by phiflex.laws.stub() from the engine's catalogue of material laws.
from typing import Any, Dict, Mapping, Sequence, Union

import numpy as np

Numbers = Union[float, Sequence[float], np.ndarray]
Directions = Union[Sequence[float], Sequence[Sequence[float]], np.ndarray]
Curve = Mapping[str, Sequence[float]]
Series = Sequence[Union[Mapping[str, float], Sequence[float]]]

__all__ = [
    "Material", "Linear", "Corotated", "ARAP", "StVK", "NeoHookean", "NeoHookeanIsochoric", "StableNeoHookean",
    "Spline", "MooneyRivlin", "Holzapfel"]

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

class Linear(Material):
    def __init__(self, young: Numbers, poisson: Numbers = ..., density: Numbers = ..., *,
                 prony: Series = ...) -> None: ...

class Corotated(Material):
    def __init__(self, young: Numbers, poisson: Numbers = ..., density: Numbers = ..., *,
                 prony: Series = ...) -> None: ...

class ARAP(Material):
    def __init__(self, young: Numbers, poisson: Numbers = ..., density: Numbers = ..., *,
                 prony: Series = ...) -> None: ...

class StVK(Material):
    def __init__(self, young: Numbers, poisson: Numbers = ..., density: Numbers = ..., *,
                 prony: Series = ...) -> None: ...

class NeoHookean(Material):
    def __init__(self, young: Numbers, poisson: Numbers = ..., density: Numbers = ..., *,
                 prony: Series = ...) -> None: ...

class NeoHookeanIsochoric(Material):
    def __init__(self, young: Numbers, poisson: Numbers = ..., density: Numbers = ..., *,
                 prony: Series = ...) -> None: ...

class StableNeoHookean(Material):
    def __init__(self, young: Numbers, poisson: Numbers = ..., density: Numbers = ..., *,
                 prony: Series = ...) -> None: ...

class Spline(Material):
    def __init__(self, young: Numbers, poisson: Numbers = ..., f: Curve = ..., g: Curve = ..., h: Curve = ...,
                 density: Numbers = ..., *, prony: Series = ...) -> None: ...

class MooneyRivlin(Material):
    def __init__(self, c1: Numbers, c2: Numbers, bulk: Numbers, density: Numbers, *, prony: Series = ...) -> None: ...

class Holzapfel(Material):
    def __init__(self, mu: Numbers, bulk: Numbers, k1: Numbers, k2: Numbers, dispersion: Numbers = ...,
                 direction: Directions = ..., density: Numbers = ..., *, prony: Series = ...) -> None: ...
