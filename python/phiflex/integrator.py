"""Integrators of one's own."""

from __future__ import annotations

from typing import Optional

import numpy as np

from . import _phiflex
from .errors import refuse


class State:
    """Time ``t`` (s), displacement ``q`` (m) and velocity ``v`` (m/s) of the free degrees of freedom. The rest shape is
    ``q = 0``; ``continues`` says that the state is the one in which the integrator's latest step ended."""

    __slots__ = ("t", "q", "v", "continues")

    def __init__(self, t: float, q: np.ndarray, v: np.ndarray, continues: bool = False):
        self.t, self.q, self.v, self.continues = t, q, v, continues

    def __repr__(self) -> str:
        return f"State(t={self.t:.6g}, {self.q.size} degrees of freedom)"


class Integrator:
    """A time integrator written in Python. Derive a class with a ``name``; scenes, :func:`phiflex.compare` and
    :func:`phiflex.analyze` then find it by that name. A class with the name of an earlier one takes its place.

    >>> class SymplecticEuler(phiflex.Integrator):
    ...     name, order = "my-euler", 1
    ...     def step(self, now, h, next):
    ...         f = self.system.force(now.q, now.v, now.t)
    ...         next.v = now.v + h * self.system.solve_mass(f)
    ...         next.q = now.q + h * next.v

    ``self.system`` (:class:`phiflex.System`) is there before ``__init__`` is called, which takes no arguments. One
    instance is made for each simulation, and a new one when constraints are released.
    """

    name: str = ""  #: the word in scenes
    order: int = 1  #: of accuracy, in q and v
    summary: str = ""  #: one line; by default the first line of the class's documentation
    symplectic: bool = False
    reversible: bool = False
    l_stable: bool = False
    stability_limit: float = 0  #: the largest h w_max; 0: none, or not known
    system: "object"  #: the mechanical system, as long as the integrator exists

    def __init_subclass__(cls, **arguments):
        super().__init_subclass__(**arguments)
        if "name" not in cls.__dict__:
            return  # a base class of one's own
        if not isinstance(cls.name, str) or not cls.name or set(cls.name) & set(":,@/ \t\n\"'"):
            raise refuse("name", f"{cls.name!r} is not allowed; expected a word without blanks, : , @ / and quotes")
        if isinstance(cls.order, bool) or not isinstance(cls.order, int) or cls.order < 1:
            raise refuse("order", f"{cls.order!r} is not allowed; expected a whole number >= 1")
        if cls.step is Integrator.step:
            raise refuse("step", f"the integrator {cls.name!r} has no method step(self, now, h, next)")
        if not cls.summary:
            cls.summary = (cls.__doc__ or "an integrator written in Python").strip().splitlines()[0]
        _phiflex.register_integrator(cls)

    def step(self, now: State, h: float, next: State) -> Optional[str]:
        """Makes one step of ``h`` seconds from ``now`` and puts its end into ``next.q`` and ``next.v`` (``next.t`` is
        there). Returns nothing; or a word, when the step cannot be made: "not_converged", "not_finite", "refused", ...
        (the simulation then fails with :class:`phiflex.StepError`)."""
        raise NotImplementedError

    def save(self) -> bytes:
        """What the integrator remembers from step to step, for :meth:`phiflex.Simulation.save` and checkpoints."""
        return b""

    def load(self, memory: bytes) -> None:
        """Takes up what :meth:`save` gave."""
