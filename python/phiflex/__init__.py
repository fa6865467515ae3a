"""Phiflex: elastodynamics that accounts for its energy.

>>> import phiflex
>>> sim = phiflex.Simulation("scene.json", set={"integrator.type": "em"})
>>> sim.advance()
>>> sim.positions("bar"), sim.ledger.numerical_loss

docs/python.md and examples/python show the rest. SI units everywhere.
"""

from __future__ import annotations

import sys as _sys

from . import _build

try:
    import numpy as _numpy  # noqa: F401
except ImportError as _error:
    raise ImportError(f"phiflex needs numpy, which {_sys.executable} does not have: use {_build.INTERPRETER}, for which "
                      "it was built (Debian: python3-numpy).") from _error
try:
    from . import _phiflex
except ImportError as _error:
    if _build.PYTHON_VERSION == "%d.%d" % _sys.version_info[:2]:
        raise
    raise ImportError(f"phiflex was built for {_build.INTERPRETER} (Python {_build.PYTHON_VERSION}), not for "
                      f"{_sys.executable}: use that, or build it with make python PYTHON={_sys.executable}.") from _error

from . import matfun
from .batch import Batch
from .errors import DeviceError, EvaluationError, FileError, FolderNotEmpty, InputError, Problem, StepError
from .integrator import Integrator, State
from . import laws as _laws
from .bodies import Body, Region, Springs, box_mesh, generate_mesh
from .laws import *  # noqa: F401,F403 -- a class for each law of the engine's catalogue
from .model import Model
from .parts import Capsule, Contact, Cuboid, Fix, Floor, Force, Load, Move, Obstacle, Plane, Probe, Sphere, Wind
from .run import Run
from .simulation import Frame, Simulation
from .study import Analysis, Comparison, Sweep, analyze, compare, sweep
from .system import Modes, System, Tangent, modes
from .tables import Energy, Ledger, Probes

__version__: str = _phiflex.version()

#: The catalogues: name -> one line.
integrators = dict(_phiflex.integrators())
evaluators = dict(_phiflex.evaluators())
materials = dict(_phiflex.materials())
generators = dict(_phiflex.generators())


def set_threads(count: int = 0, deterministic: bool = False) -> int:
    """How many threads the engine's loops use (0: as many as the machine has cores); returns the number.

    deterministic: BLAS on one thread, so that the bits do not depend on the number of threads, as the command's
    ``--deterministic``."""
    return _phiflex.use_threads(int(count), bool(deterministic))


set_threads()  # as the command does

__all__ = [
    "Analysis", "Batch", "Body", "Capsule", "Comparison", "Contact", "Cuboid", "DeviceError", "Energy", "EvaluationError", "FileError",
    "Fix", "Floor", "FolderNotEmpty", "Force", "Frame", "InputError", "Integrator", "Ledger", "Load", "Model", "Modes", "Move",
    "Obstacle", "Plane", "Probe", "Probes", "Problem", "Region", "Run", "Simulation", "Sphere", "Springs", "State",
    "StepError", "Sweep", "System", "Tangent", "Wind", "analyze", "box_mesh", "compare", "evaluators", "generate_mesh",
    "generators", "integrators", "matfun", "materials", "modes", "set_threads", "sweep"]
__all__ += _laws.__all__
