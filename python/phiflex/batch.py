"""Many simulations at once."""

from __future__ import annotations

from typing import List, Optional, Sequence

import numpy as np

from . import _phiflex
from .errors import StepError, refuse
from .simulation import Simulation


class Batch:
    """Simulations of bodies with the same number of vertices, advanced together on all cores.

    ``positions`` is one array (simulations, vertices, 3), m, refreshed by :meth:`step`; the simulations stay usable by
    themselves. One that fails stops, and the others go on: ``failures`` says why, and :meth:`step` raises
    :class:`phiflex.StepError` unless ``raise_failures=False``.
    """

    def __init__(self, simulations: Sequence[Simulation]):
        self.simulations: List[Simulation] = list(simulations)
        for one in self.simulations:
            if not isinstance(one, Simulation):
                raise refuse("simulations", f"a {type(one).__name__} is not allowed; expected simulations")
        if not self.simulations:
            raise refuse("simulations", "are none; expected one or more")
        if len({id(one) for one in self.simulations}) < len(self.simulations):
            raise refuse("simulations", "one of them is there twice")
        counts = sorted({len(one.positions()) for one in self.simulations})
        if len(counts) > 1:
            raise refuse("simulations", f"have {', '.join(map(str, counts))} vertices; expected the same number in all")
        self._positions = np.array([one.positions() for one in self.simulations])
        self.positions: np.ndarray = self._positions.view()
        self.positions.flags.writeable = False
        self.failures: List[Optional[str]] = [None] * len(self.simulations)
        self._handles = [one._handle for one in self.simulations]

    def __len__(self) -> int:
        return len(self.simulations)

    def step(self, count: int = 1, raise_failures: bool = True) -> np.ndarray:
        """Makes steps in all simulations that have not failed or come to their end, and returns ``positions``."""
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 0:
            raise refuse("count", f"{count} is not allowed; expected a whole number >= 0")
        if any(self.failures):
            going = [i for i, failure in enumerate(self.failures) if failure is None]
            moved = self._positions[going]
            found = _phiflex.advance_together([self._handles[i] for i in going], int(count), moved)
            self._positions[going] = moved
            for i, failure in zip(going, found):
                self.failures[i] = failure
        else:
            found = self.failures = _phiflex.advance_together(self._handles, int(count), self._positions)
        if raise_failures and any(found):
            words = [f"simulation {i}: {failure}" for i, failure in enumerate(self.failures) if failure]
            raise StepError("\n".join(words), "simulations of the batch failed")
        return self.positions

    def __repr__(self) -> str:
        return f"Batch({len(self)} simulations, {sum(f is not None for f in self.failures)} failed)"
