"""What a program asks of a run: costs, counts, signals, errors against a reference. What it does not have is open."""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Sequence

import numpy as np

from .. import _phiflex
from .numbers import Measured, Open, from_repeats
from .signals import amplitude, kept_amplitude, strongest_period, window
from .store import Kept

ROUND_OFF = 1e-12  # of the largest energy: amplitudes below it are rounding


def _noted(metric: str) -> Callable:
    """A number that goes into result.csv."""
    def wrap(function):
        def called(self, *arguments):
            value = function(self, *arguments)
            told = ", ".join(one.name if isinstance(one, Run) else str(one) for one in arguments if one is not None)
            self.study.measured(self.name, f"{metric}({told})" if told else metric, value)
            return value
        called.__doc__ = function.__doc__
        return called
    return wrap


class Run:
    """A run of an experiment. ``run["elastic"]`` is a column of its tables."""

    def __init__(self, study, name: str, levels: List[Kept], is_truth: bool = False, converged: bool = True,
                 change: float = float("nan")):
        self.study, self.name, self.levels, self.is_truth = study, name, levels, is_truth
        self.converged, self.change = converged, change  #: of a truth: whether halving came to its end; m, the last one

    @property
    def kept(self) -> Kept:
        """The finest; where a claim is tried with the truth before it, that one."""
        back = self.study.coarser if self.is_truth else 0
        return self.levels[max(0, len(self.levels) - 1 - back)]

    # -- How it went

    @property
    def done(self) -> bool:
        """It came to its end and did not diverge."""
        return self.kept.status == "done" and not self.kept.diverged_at

    @property
    def diverged(self) -> bool:
        """It failed numerically, is not finite, or has ten times the energy that there was and came in."""
        return self.kept.diverged_at > 0

    @property
    def stopped(self) -> bool:
        """It met its limit of processor seconds."""
        return self.kept.status == "limit"

    @property
    def failed_at(self) -> int:
        """The step at which it diverged; 0: it did not."""
        return self.kept.diverged_at

    @property
    def steps(self) -> int:
        return self.kept.steps

    @property
    def h(self) -> float:
        return self.kept.h

    @property
    def info(self) -> dict:
        """run.json"""
        return self.kept.info

    @property
    def method(self) -> str:
        return self.info["scene"]["integrator"]["type"]

    @property
    def outcome(self) -> str:
        """In words."""
        if self.diverged:
            return f"diverged at step {self.failed_at}"
        if self.stopped:
            return f"stopped after {self.steps} steps"
        return "done" if self.done else self.kept.reason or self.kept.status

    def moved(self) -> Kept:
        """What is kept of a run that made a step at least; else it is open."""
        if self.kept.steps == 0:
            raise Open(f"'{self.name}' made no step" + (f" ({self.kept.reason})" if self.kept.reason else ""))
        return self.kept

    # -- Costs and counts

    def _sound(self) -> Kept:
        """What is kept of a run that made a step and did not diverge. What a step costs after the energy grew beyond all
        bounds is no measure of the method: iterations and substeps follow numbers without meaning, or end early."""
        kept = self.moved()
        if self.diverged:
            raise Open(f"'{self.name}' diverged at step {self.failed_at}: what its steps cost says nothing")
        return kept

    @property
    def cost(self) -> Measured:
        """Processor seconds of a step, all threads together, with the band of its repeats; open where it diverged."""
        value = from_repeats(self._sound().costs)
        self.study.measured(self.name, "cost", value.value)
        return value

    def _seconds(self, phases: Sequence[str]) -> List[float]:
        """Of each repeat, these phases together."""
        try:
            return [sum(float(one[phase]) for phase in phases) for one in self._sound().phases]
        except KeyError as missing:
            raise Open(f"run.json of '{self.name}' has no seconds.{missing.args[0]}") from None

    def seconds(self, phase: str) -> Measured:
        """By the clock, all steps together, of a phase ("per_step": of one step), with the band of the repeats; open where it
        diverged. Other work of the machine is in it: to compare phases of one run take a :meth:`share`."""
        value = from_repeats(self._seconds([phase]))
        self.study.measured(self.name, f"seconds.{phase}", value.value)
        return value

    def share(self, phase: str, phases: Sequence[str]) -> Measured:
        """The part that a phase has in several together, by the clock, with the band of the repeats. It is taken within each
        repeat: a repeat that got half of a core has the same shares."""
        part, whole = self._seconds([phase]), self._seconds(phases)
        if not min(whole) > 0:
            raise Open(f"'{self.name}' spent no time in {', '.join(phases)}")
        value = from_repeats(one / all_of for one, all_of in zip(part, whole))
        self.study.measured(self.name, f"share of {phase}", value.value)
        return value

    def count(self, name: str) -> float:
        """A count of run.json, all steps together; open where it diverged."""
        try:
            value = float(self._sound().info["counts"][name])
        except KeyError:
            raise Open(f"run.json of '{self.name}' has no counts.{name}") from None
        self.study.measured(self.name, f"counts.{name}", value)
        return value

    @property
    def work(self) -> float:
        """Counted work: force evaluations, stiffness products and solves."""
        return sum(self.count(name) for name in ("force_evaluations", "stiffness_products", "solves"))

    @property
    def vertices(self) -> int:
        return int(self.info["sizes"]["vertices"])

    @property
    def elements(self) -> int:
        return int(self.info["sizes"]["elements"])

    @property
    def springs(self) -> int:
        return int(self.info["sizes"]["springs"])

    @property
    def dofs(self) -> int:
        return int(self.info["sizes"]["degrees_of_freedom"])

    @property
    def fallbacks(self) -> int:
        """How many repairs run.json lists."""
        return len(self.info.get("fallbacks", []))

    def fell_back(self, word: str) -> bool:
        """Whether a repair, warning or note has this word."""
        return any(word in str(one) for name in ("fallbacks", "warnings", "notes") for one in self.info.get(name, []))

    # -- Signals

    def __getitem__(self, column: str) -> np.ndarray:
        found = self.kept.column(column)
        if found is None:
            raise Open(f"the tables of '{self.name}' have no column '{column}'")
        return found

    @property
    def t(self) -> np.ndarray:
        return self["time"]

    def _signal(self, column: str):
        self.moved()
        t, y = self["time"], self[column]
        if len(t) != len(y):
            raise Open(f"column '{column}' of '{self.name}' has other instants than the ledger")
        return t, y

    @_noted("at")
    def at(self, column: str, time: float) -> float:
        return float(np.interp(time, *self._signal(column)))

    @_noted("mean")
    def mean(self, column: str, start: float = -np.inf, end: float = np.inf) -> float:
        return float(window(*self._signal(column), start, end).mean())

    @_noted("max")
    def max(self, column: str, start: float = -np.inf, end: float = np.inf) -> float:
        return float(window(*self._signal(column), start, end).max())

    @_noted("min")
    def min(self, column: str, start: float = -np.inf, end: float = np.inf) -> float:
        return float(window(*self._signal(column), start, end).min())

    @_noted("amplitude")
    def amplitude(self, column: str, start: float = -np.inf, end: float = np.inf) -> float:
        """Half of peak to peak."""
        return float(amplitude(*self._signal(column), start, end))

    @_noted("period")
    def period(self, column: str = "elastic") -> float:
        """Of the strongest line, s."""
        return strongest_period(*self._signal(column))

    @property
    def most_energy(self) -> float:
        """The largest kinetic and elastic energy, J."""
        return float((self["kinetic"] + self["elastic"]).max())

    # -- Motion

    @property
    def instants(self) -> np.ndarray:
        return self.kept.motion["instants"]

    @property
    def positions(self) -> np.ndarray:
        return self.kept.motion["positions"]

    @property
    def velocities(self) -> np.ndarray:
        return self.kept.motion["velocities"]

    @property
    def motion(self) -> float:
        """The largest displacement of a vertex from the start, m."""
        self.moved()
        value = float(np.linalg.norm(self.positions - self.positions[0], axis=2).max())
        self.study.measured(self.name, "motion", value)
        return value

    @property
    def gap(self) -> float:
        """The largest distance of vertices that lie in one place at rest (discontinuous elements), m."""
        rest = _phiflex.rest_shape(self.kept.order.scene, list(self.kept.order.overrides))
        _, first, copies = np.unique(rest, axis=0, return_index=True, return_inverse=True)
        value = float(np.linalg.norm(self.positions - self.positions[:, first[copies]], axis=2).max())
        self.study.measured(self.name, "gap", value)
        return value

    # -- Against others

    def _as_reference(self) -> "Run":
        if self.is_truth and not self.converged:
            self.study.unconverged.add(self.name)
            if self.study.coarser and len(self.levels) < 2:
                raise Open(f"the truth '{self.name}' was never made with half its step")
        if self.diverged:
            raise Open(f"'{self.name}' diverged at step {self.failed_at}: nothing can be compared with it")
        self.moved()
        return self

    def _common(self, other: "Run"):
        """Places of the instants that both have, the start left out."""
        other._as_reference()
        a, b = self.instants[1:], other.instants[1:]
        if len(a) == 0 or len(b) == 0:
            i = j = np.array([], int)
        else:
            j = np.clip(np.searchsorted(b, a), 0, len(b) - 1)
            left = np.clip(j - 1, 0, None)
            j = np.where(np.abs(b[left] - a) < np.abs(b[j] - a), left, j)
            i = np.flatnonzero(np.abs(b[j] - a) <= 1e-9 * np.abs(a))
            j = j[i]
        if len(i) == 0 and not self.diverged:
            if self.stopped:
                raise Open(f"'{self.name}' was stopped after {self.steps} steps, before it could be compared")
            raise Open(f"'{self.name}' and '{other.name}' have no kept instant in common")
        return i + 1, j + 1

    def _whole(self, end: Optional[float] = None) -> None:
        """A run that was stopped says nothing about what would have come after."""
        if self.stopped and (end is None or self.t[-1] < end * (1 - 1e-9)):
            raise Open(f"'{self.name}' was stopped after {self.steps} steps of {1e3 * self.h:.4g} ms")

    def common_times(self, truth: "Run") -> np.ndarray:
        return self.instants[self._common(truth)[0]]

    def _distances(self, truth: "Run", what: str) -> np.ndarray:
        i, j = self._common(truth)
        a, b = self.kept.motion[what], truth.kept.motion[what]
        if a.shape[1] != b.shape[1]:
            raise Open(f"'{self.name}' and '{truth.name}' have different numbers of vertices")
        return np.array([np.linalg.norm(a[p] - b[q], axis=1).max() for p, q in zip(i, j)])

    def errs(self, truth: "Run") -> np.ndarray:
        """The largest distance of a vertex at each common instant, m."""
        return self._distances(truth, "positions")

    @_noted("err")
    def err(self, truth: "Run", until: Optional[float] = None) -> float:
        """The largest of :meth:`errs` up to a time; infinite when the run diverged before it."""
        if self.diverged and (until is None or self.t[-1] < until):
            truth._as_reference()
            return float("inf")
        self._whole(until if until is not None else float(truth.t[-1]))
        errors, times = self.errs(truth), self.common_times(truth)
        if until is not None:
            errors = errors[times <= until * (1 + 1e-9)]
        if len(errors) == 0:
            raise Open(f"'{self.name}' and '{truth.name}' have no kept instant in common up to then")
        return float(errors.max())

    @_noted("velocity_err")
    def velocity_err(self, truth: "Run") -> float:
        """m/s"""
        if self.diverged:
            truth._as_reference()
            return float("inf")
        self._whole(float(truth.t[-1]))
        return float(self._distances(truth, "velocities").max())

    def _relative(self, truth: "Run", with_velocities: bool) -> float:
        if self.diverged:
            truth._as_reference()
            return float("inf")
        self._whole(float(truth.t[-1]))
        i, j = (one[-1] for one in self._common(truth))
        there = truth.positions[j] - truth.positions[0]
        error = np.linalg.norm(self.positions[i] - truth.positions[j]) / np.linalg.norm(there)
        if with_velocities:
            error = max(error, np.linalg.norm(self.velocities[i] - truth.velocities[j]) / np.linalg.norm(truth.velocities[j]))
        return float(error)

    @_noted("relative_err")
    def relative_err(self, truth: "Run") -> float:
        """At the last common instant, in the Euclidean norm, relative to the displacement from the start."""
        return self._relative(truth, False)

    @_noted("relative_state_err")
    def relative_state_err(self, truth: "Run") -> float:
        """The larger of that and the same of velocities."""
        return self._relative(truth, True)

    @_noted("lost")
    def lost(self, truth: "Run") -> float:
        """Numerical loss at the end over the truth's largest kinetic and elastic energy."""
        self.moved()
        self._whole(float(truth.t[-1]))
        return float(self["numerical_loss"][-1]) / truth._as_reference().most_energy

    @property
    def loss(self) -> float:
        """Numerical loss at the end, J; open where the run diverged or was stopped: what it then lost says nothing."""
        self.moved()
        if self.diverged:
            raise Open(f"'{self.name}' diverged at step {self.failed_at}: its energy says nothing")
        self._whole()
        value = float(self["numerical_loss"][-1])
        self.study.measured(self.name, "loss", value)
        return value

    @_noted("keep")
    def keep(self, truth: "Run", column: str = "elastic") -> float:
        """Amplitude of the last full period over that of the first; the period is the strongest line of the truth."""
        if self.diverged:
            raise Open(f"'{self.name}' diverged: it has no amplitude to keep")
        self._whole()
        t, y = self._signal(column)
        scale = abs(self[column]).max() if column not in ("kinetic", "elastic", "total") else self.most_energy
        if not amplitude(t, y) > ROUND_OFF * scale:
            raise Open(f"the {column} signal of '{self.name}' is rounding alone")
        return kept_amplitude(t, y, strongest_period(*truth._as_reference()._signal(column)))

    def _carried(self, fine: "Run", what: str) -> np.ndarray:
        """This run's vertices carried to those of a finer mesh; largest distances at the common instants."""
        a, b = self.kept.order, fine._as_reference().kept.order
        corners, weights, coarse_rest, fine_rest = self.study.carrying(a, b)
        i, j = self._common(fine)
        carry = lambda x: np.einsum("vk,vkd->vd", weights, x[corners])  # noqa: E731
        offset = fine_rest - carry(coarse_rest) if what == "positions" else 0.0
        mine, theirs = self.kept.motion[what], fine.kept.motion[what]
        return np.array([np.linalg.norm(carry(mine[p]) + offset - theirs[q], axis=1).max() for p, q in zip(i, j)])

    def fine_errs(self, fine: "Run") -> np.ndarray:
        return self._carried(fine, "positions")

    @_noted("fine_err")
    def fine_err(self, fine: "Run") -> float:
        """The largest distance to a run on a finer mesh, m."""
        return float("inf") if self.diverged else float(self._carried(fine, "positions").max())

    def fine_velocity_errs(self, fine: "Run") -> np.ndarray:
        """The same of velocities, m/s, at the common instants."""
        return self._carried(fine, "velocities")

    @_noted("fine_velocity_err")
    def fine_velocity_err(self, fine: "Run") -> float:
        return float("inf") if self.diverged else float(self._carried(fine, "velocities").max())

    def __repr__(self) -> str:
        return f"Run({self.name!r}, {self.outcome})"


class ModesOf:
    """Elastic modes of a scene at rest."""

    def __init__(self, made: dict):
        self.eigenvalues = np.array(made["eigenvalues"])  #: 1/s^2
        self.rigid: int = int(made["rigid"])
        self._made: Any = made

    @property
    def omega(self) -> np.ndarray:
        """rad/s"""
        return np.sqrt(np.maximum(self.eigenvalues, 0))

    @property
    def twist(self) -> np.ndarray:
        """Cosine of each mode with a pure twist about the longest axis."""
        return np.array(self._made["twist"])

    @property
    def ratios(self) -> np.ndarray:
        """Eigenvalues of the fine model over those of this one, paired by their shapes."""
        return np.array(self._made["ratios"])

    @property
    def matched(self) -> int:
        """How many have a partner of like shape."""
        return int(self._made["matched"])
