"""The study x that a program's run(x) gets: its values, runs, claims, rows, plots."""

from __future__ import annotations

import math
import pathlib
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set

import numpy as np

from .. import _phiflex
from ..errors import EvaluationError, InputError, StepError
from ..simulation import overrides as as_overrides
from .findings import Finding
from .item import Item
from .numbers import Measured, Noise, Open
from .plots import Plot
from .runs import ModesOf, Run
from .store import Order, Store
from .verdict import CAUSES, KINDS, Claim

QUICK_SECONDS, FULL_SECONDS = 20.0, 600.0  # of the processor, for a run or a truth that says nothing
MOST_HALVINGS = 12
TRUTH_TOLERANCE = 0.01  # of its motion: of a truth that no run is judged by


class Row(dict):
    """what, unit, printed, measured, missing; band where the number has one: low and high, high infinite where it is known
    from below only."""


class Study:
    """One pass through a program."""

    def __init__(self, item: Item, quick: bool, values: Mapping[str, Any], store: Store, meshes: Optional[pathlib.Path],
                 settings: Sequence[str] = (), tell: Callable[[str], None] = lambda words: None, longest: float = math.inf):
        self.item, self.quick = item, quick and not item.same
        self._values, self._store, self._meshes, self._settings, self._tell = dict(values), store, meshes, list(settings), tell
        taken = [name for name in self._values if hasattr(type(self), name) or name in self.__dict__]
        if taken:
            raise InputError(f"{item.file}: a value may not be called {taken[0]}", [(str(item.file), "", "")])
        self.claims: List[Claim] = []
        self.rows: List[Row] = []
        self.plots: List[Plot] = []
        self.strips: List[Dict[str, Any]] = []
        self.bodies: List[str] = []
        self.stand_ins: List[str] = []
        self.missing_meshes: List[str] = []
        self.notes: List[str] = []
        self.runs: List[Run] = []
        self.numbers: List[tuple] = []
        self.remarks: Dict[str, str] = {}
        self.coarser, self.unconverged = 0, set()  # type: int, Set[str]
        self._carryings: Dict[tuple, tuple] = {}
        # Of an estimate: the longest a run may take, what is left, and the dearest.
        self._longest, self.left, self.cut, self.dearest = longest, 0.0, 0, (0.0, "")

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(f"{self.item.id} has no value '{name}'") from None

    # -- Bodies

    def mesh(self, at: str, file: Optional[str], also: Mapping[str, Any] = {}, stand_in: str = "") -> Dict[str, Any]:
        """Changes of a scene that put a paper's mesh file at a place, with what belongs to it; none where the scene's own body
        stands in: file is None (the quick variant), or is missing."""
        path = self._meshes / file if self._meshes and file else None
        if path is not None and path.is_file():
            self._once(self.bodies, file)
            return {at: {"file": str(path.resolve())}, **also}
        stand_in = stand_in or "the scene's own body"
        if file:
            self._once(self.missing_meshes, file)
            self._once(self.bodies, f"{stand_in} stands in for {file}, which is missing")
        else:
            self._once(self.bodies, f"{stand_in} (the quick variant)")
        self._once(self.stand_ins, stand_in)
        return {}

    def has_mesh(self, file: str) -> bool:
        """Whether a mesh file is there."""
        return self._meshes is not None and (self._meshes / file).is_file()

    def mesh_size(self, file: str) -> tuple:
        """Vertices and tetrahedra of a mesh file."""
        if not self.has_mesh(file):
            self._once(self.missing_meshes, file)
            raise Open(f"the mesh file {file} is missing")
        vertices, tetrahedra = _phiflex.read_tets(str(self._meshes / file))
        return len(vertices), len(tetrahedra)

    @staticmethod
    def _once(items: List[str], words: str) -> None:
        if words not in items:
            items.append(words)

    # -- Runs

    def scene_file(self, scene: str) -> str:
        """ "rope": of this paper; "ere/rope": of another."""
        folder, _, name = scene.rpartition("/")
        place = self.item.folder if not folder else self.item.folder.parent / folder
        return str(place / "scenes" / f"{name}.scene.json")

    def order_of(self, scene: str, set: Mapping[str, Any], integrator: Optional[str] = None, step: Optional[float] = None,
                 end: Optional[float] = None, sample: Optional[float] = None, max_seconds: Optional[float] = None,
                 frames: bool = False) -> Order:
        changes = as_overrides(set)
        if integrator:
            changes += _phiflex.method_overrides(integrator)
        if step is not None:
            changes.append(f"time.step={float(step)!r}")
        if end is not None:
            changes.append(f"time.end={float(end)!r}")
        limit = max_seconds if max_seconds is not None else QUICK_SECONDS if self.quick else FULL_SECONDS
        return Order(self.scene_file(scene), tuple(changes + self._settings), float(sample or 0), float(limit), frames)

    def run(self, name: str, scene: str, set: Mapping[str, Any] = {}, integrator: Optional[str] = None, *,
            step: Optional[float] = None, end: Optional[float] = None, sample: Optional[float] = None, repeat: int = 1,
            max_seconds: Optional[float] = None, frames: bool = False) -> Run:
        """A run, kept from before or made now. repeat: where its cost is used; max_seconds: of the processor."""
        order = self.order_of(scene, set, integrator, step, end, sample, max_seconds, frames)
        shorter = order._replace(max_seconds=min(order.max_seconds or math.inf, self._longest)) if self._longest < math.inf else order
        made = Run(self, name, [self._store.run(shorter, 1 if shorter != order else repeat)])
        if shorter != order and made.stopped:
            self._reckon_rest(made, order, repeat)
        self._account(made, "")
        return made

    def truth(self, name: str, scene: str, set: Mapping[str, Any] = {}, integrator: Optional[str] = None, *,
              step: Optional[float] = None, end: Optional[float] = None, sample: Optional[float] = None,
              judges: Sequence[Run] = (), seconds: Optional[float] = None) -> Run:
        """A reference: its step is halved until it moves by less than a tenth of the smallest error of the runs that are judged by
        it, or until the processor seconds are used up; then it has not converged, and claims are tried with the truth before
        it, too."""
        budget = seconds if seconds is not None else QUICK_SECONDS if self.quick else FULL_SECONDS
        whole, budget = budget, min(budget, self._longest)
        order = self.order_of(scene, set, integrator, step, end, sample, budget)
        first = _step_of(order)
        if not order.sample:
            spacing = [one.instants[1] for one in judges if len(one.instants) > 1]
            order = order._replace(sample=float(max(spacing, default=first)))
        truth = Run(self, name, [], is_truth=True, converged=False)
        spent = wanted = 0.0
        h = first
        for _ in range(MOST_HALVINGS + 1):
            kept = self._store.run(order._replace(overrides=(*order.overrides, f"time.step={h!r}")))
            spent += kept.processor_seconds
            if kept.status == "limit":
                if not truth.levels:
                    truth.levels.append(kept)
                break
            if truth.levels and truth.levels[-1].diverged_at:
                truth.levels.clear()  # what a larger, unstable step said does not count
            truth.levels.append(kept)
            if not kept.diverged_at and len(truth.levels) > 1:
                truth.change = self._moved_by(truth)
                self.measured(name, f"change at h = {h:g}", truth.change)
                wanted = 0.1 * self._smallest_error(judges, truth)
                truth.converged = truth.change < wanted
            if truth.converged or spent + 2 * kept.processor_seconds > budget:
                break
            h /= 2
        if not truth.converged and budget < whole:
            self._add_rest(whole, spent, f"the truth '{name}', which may use {whole:.4g} s")
        note = ("not converged: its step could not be halved in the time it has" if math.isnan(truth.change) else
                f"{'converged' if truth.converged else 'not converged'}: the last halving moved it by {truth.change:.3g} m, "
                f"{wanted:.3g} m were wanted")
        self._account(truth, note)
        return truth

    @staticmethod
    def _moved_by(truth: Run) -> float:
        a, b = truth.levels[-2].motion, truth.levels[-1].motion
        i, j = _common_places(a["instants"], b["instants"])
        return max((float(np.linalg.norm(a["positions"][p] - b["positions"][q], axis=1).max()) for p, q in zip(i, j)),
                   default=math.nan)

    def _smallest_error(self, judges: Sequence[Run], truth: Run) -> float:
        errors, finest = [], truth.levels[-1]
        for one in judges:
            if one.diverged or len(one.instants) < 2:
                continue
            i, j = _common_places(one.instants, finest.motion["instants"])
            errors += [max((float(np.linalg.norm(one.positions[p] - finest.motion["positions"][q], axis=1).max())
                            for p, q in zip(i, j)), default=math.inf)]
        smallest = min(errors, default=math.inf)
        if math.isfinite(smallest):
            return smallest
        moved = finest.motion["positions"] - finest.motion["positions"][0]
        return TRUTH_TOLERANCE / 0.1 * float(np.linalg.norm(moved, axis=2).max())

    def modes(self, name: str, scene: str, set: Mapping[str, Any] = {}, count: int = 10, fine: Optional[Mapping[str, Any]] = None,
              fine_scene: Optional[str] = None) -> ModesOf:
        """The lowest elastic modes at rest; with changes that make a finer model (or another scene of it), compared with its."""
        order = self.order_of(scene, set)
        other, changes = "", ()
        if fine is not None or fine_scene is not None:
            other = self.scene_file(fine_scene or scene)
            changes = (*order.overrides, *as_overrides(fine or {}))
        try:
            made = ModesOf(_phiflex.experiment_modes(order.scene, list(order.overrides), int(count), other, list(changes)))
        except EvaluationError as error:
            raise Open(f"the modes '{name}' were not found: {error}") from None
        for i, value in enumerate(made.eigenvalues):
            self.measured(name, f"eigenvalue {i + 1}", float(value))
        self._tell(f"{name}: {len(made.eigenvalues)} modes")
        return made

    def carrying(self, coarse: Order, fine: Order) -> tuple:
        """Where the fine vertices lie in the coarse tetrahedra (of the scenes at rest)."""
        key = (coarse.scene, coarse.overrides, fine.scene, fine.overrides)
        if key not in self._carryings:
            self._carryings[key] = _phiflex.carry(coarse.scene, list(coarse.overrides), fine.scene, list(fine.overrides))
        return self._carryings[key]

    def _account(self, run: Run, note: str) -> None:
        if any(one.name == run.name for one in self.runs):
            raise InputError(f"{self.item.file}: two runs have the name '{run.name}'", [(str(self.item.file), "", "")])
        self.runs.append(run)
        if run.diverged and run.kept.reason:
            note += ("; " if note else "") + run.kept.reason
        self.remarks[run.name] = note
        cost = f", {1e3 * sorted(run.kept.costs)[len(run.kept.costs) // 2]:.3g} ms per step" if run.steps else ""
        self._tell(f"{run.name}: {run.outcome}, {run.steps} steps{cost}{'; ' + note if note else ''}")

    # -- Estimates

    def _reckon_rest(self, run: Run, order: Order, repeat: int) -> None:
        kept = run.kept
        steps = round(kept.info["scene"]["time"]["end"] / kept.h)
        pace = kept.costs[0] or kept.processor_seconds
        once = kept.processor_seconds + max(0, steps - kept.steps) * pace
        reaches = once < order.max_seconds
        whole = repeat * once if reaches else order.max_seconds
        self._add_rest(whole, kept.processor_seconds, f"'{run.name}': {steps} steps of {pace:.2g} s" + (
            f", {repeat} times" if repeat > 1 and reaches else "" if reaches else f", stopped after {order.max_seconds:.4g} s"))

    def _add_rest(self, whole: float, spent: float, words: str) -> None:
        self.cut += 1
        self.left += max(0.0, whole - spent)
        self.dearest = max(self.dearest, (whole, words))

    # -- What is said

    def note(self, words: str) -> None:
        """What really ran, where it is not what the paper has."""
        self._once(self.notes, words)

    def measured(self, run: str, metric: str, value: Any) -> None:
        if self.coarser == 0 and (run, metric, float(value)) not in self.numbers:
            self.numbers.append((run, metric, float(value)))

    def claim(self, kind: str, text: str, check: Optional[Callable[[], Any]] = None, *, ours: bool = False,
              cause: Optional[str] = None, why: str = "", open: Optional[str] = None) -> None:
        """States a claim of the paper and judges it.

        kind: behaviour, cost, number (a printed one) or remark. check: a callable that gives a finding. ours: sharpened by us.
        cause and why: of its failure, if it fails. open: why it cannot be decided here, whatever check would say."""
        if kind not in KINDS or (cause is not None and cause not in CAUSES):
            raise InputError(f'{self.item.file}: claim "{text}": kinds are {", ".join(KINDS)}; causes are {", ".join(CAUSES)}',
                             [(str(self.item.file), "", "")])
        made = Claim(kind, text, "open", cause=cause or self._likely_cause(), why=why, ours=ours)
        if open is not None or check is None:
            made.measured = open or "nothing here can decide it"
        else:
            self._judge(made, check)
        self.claims.append(made)
        self._tell(f"{made.verdict}: {made.text} ({made.measured})")

    def _likely_cause(self) -> str:
        return "stand-in" if self.stand_ins else "open parameter" if self.item.open else "paper"

    def _judge(self, made: Claim, check: Callable[[], Any]) -> None:
        self.unconverged.clear()
        try:
            found = self._found(check)
            made.verdict, made.measured = "holds" if found.holds else "fails", found.words
            if self.unconverged:
                truth = sorted(self.unconverged)[0]
                self.coarser = 1
                try:
                    same = self._found(check).holds == found.holds
                except Open:
                    same = False
                finally:
                    self.coarser = 0
                if same:
                    made.measured += f" (the truth '{truth}' still moves when its step is halved; the answer does not change)"
                else:
                    made.verdict = "open"
                    made.measured += f" (the truth '{truth}' has not converged, and the answer hangs on it)"
        except Noise as reason:
            made.verdict, made.measured, made.noise = "open", str(reason), True
        except Open as reason:
            made.verdict, made.measured = "open", str(reason)

    @staticmethod
    def _found(check: Callable[[], Any]) -> Finding:
        try:
            found = check()
        except (StepError, EvaluationError) as error:
            raise Open(str(error)) from None
        return found if isinstance(found, Finding) else Finding(bool(found), "")

    def row(self, what: str, measured: Any, printed: Optional[float] = None, unit: str = "") -> None:
        """A line of the table: printed beside measured."""
        made = Row(what=what, unit=unit, printed=None if printed is None else float(printed), measured=None, missing="")
        try:
            value = measured() if callable(measured) else measured
            made["measured"] = None if value is None else float(value)
            if isinstance(value, Measured) and value.low < value.high:
                made["band"] = [value.low, value.high]
        except (Open, StepError, EvaluationError) as reason:
            made["missing"] = str(reason)
        self.rows.append(made)

    def plot(self, title: str, x: str, y: str, log: str = "") -> Plot:
        """A plot to which curves are added. log: the axes that are logarithmic, "x", "y", "xy"."""
        self.plots.append(Plot(title, x, y, log))
        return self.plots[-1]

    def strip(self, runs: Sequence[Run], names: Sequence[str] = (), moments: int = 5, colour: str = "body", azimuth: float = 25,
              elevation: float = 15) -> None:
        """Pictures of runs that were made with frames."""
        self.strips.append(dict(runs=list(runs), names=list(names) or [one.name for one in runs], moments=moments, colour=colour,
                                azimuth=azimuth, elevation=elevation))


def _step_of(order: Order) -> float:
    import json

    return float(json.loads(_phiflex.experiment_scene(order.scene, list(order.overrides)))["time"]["step"])


def _common_places(a: np.ndarray, b: np.ndarray):
    """Places of the instants that two lists share, the start left out."""
    pairs = [(i, j) for i, j in zip(range(1, len(a)), np.searchsorted(b, a[1:] * (1 - 1e-9)))
             if j < len(b) and abs(a[i] - b[j]) <= 1e-9 * abs(a[i])]
    return [i for i, _ in pairs], [j for _, j in pairs]


