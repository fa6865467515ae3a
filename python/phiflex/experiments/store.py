"""Runs kept under the hash of what was asked: scene, sampling, mesh files, program. What is there is not made again."""

from __future__ import annotations

import hashlib
import json
import pathlib
import shutil
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional

import numpy as np

from .. import _phiflex
from ..errors import FileError, InputError
from ..run import read_table
from .numbers import MOST_REPEATS, is_steady

DIVERGENCE = 10  # energy out of nothing, beyond so many times what the run had and was given


class Order(NamedTuple):
    """What is asked of a run."""

    scene: str  # file
    overrides: tuple  # "place=json"
    sample: float = 0.0  # s; 0: every step
    max_seconds: float = 0.0  # of the processor; 0: without a limit
    frames: bool = False


def file_mark(path: pathlib.Path) -> str:
    """Size and time of a file: whether it may have changed."""
    try:
        there = path.stat()
    except OSError:
        return "missing"
    return f"{there.st_mtime_ns}-{there.st_size}"


def program_mark() -> str:
    """Of the engine: what an older one computed is not taken for what this one would."""
    return file_mark(pathlib.Path(_phiflex.__file__))


def _files_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            if key == "file" and isinstance(one, str):
                yield one
            else:
                yield from _files_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from _files_in(one)


def order_key(order: Order) -> str:
    """The name under which a run is kept. InputError when the scene is wrong."""
    scene = json.loads(_phiflex.experiment_scene(order.scene, list(order.overrides)))
    folder = pathlib.Path(order.scene).resolve().parent
    marks: List[str] = []
    for name in _files_in(scene):
        path = folder / name
        twins = [path.with_suffix(s) for s in (".node", ".ele")] if path.suffix in (".node", ".ele") else [path]
        marks += [file_mark(one) for one in twins]
    asked = [scene, str(folder), order.sample, order.max_seconds, order.frames, marks, program_mark()]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:24]


def _phases_in(folder: pathlib.Path) -> Dict[str, float]:
    return json.loads((folder / "run.json").read_text())["seconds"]


class Kept:
    """A run as it lies in the store; the motion is read when it is first asked for."""

    def __init__(self, folder: pathlib.Path, order: Order):
        self.folder, self.order = folder, order
        self.info: Dict[str, Any] = json.loads((folder / "run.json").read_text())
        kept = json.loads((folder / "kept.json").read_text())
        self.costs: List[float] = kept["seconds_per_step"]
        #: Seconds by the clock of each repeat, by phase. What was kept before they were noted has those of the first.
        self.phases: List[Dict[str, float]] = kept.get("phases") or [self.info["seconds"]]
        self.processor_seconds: float = kept["processor_seconds"]
        self.status: str = self.info["status"]
        self.reason: str = self.info.get("reason", "") or ""
        self.steps, self.h = int(self.info["steps"]), float(self.info["h"])
        self._tables = [read_table(folder / name) for name in ("energy.csv", "probes.csv", "measures.csv")
                        if (folder / name).exists()]
        self._motion: Optional[Dict[str, np.ndarray]] = None
        self.diverged_at = self._find_divergence()

    def column(self, name: str) -> Optional[np.ndarray]:
        for table in self._tables:
            if name in table:
                return table[name]
        return None

    @property
    def motion(self) -> Dict[str, np.ndarray]:
        """instants (n), positions (n, vertices, 3), velocities"""
        if self._motion is None:
            with np.load(self.folder / "motion.npz") as read:
                self._motion = {name: read[name] for name in read.files}
        return self._motion

    def _find_divergence(self) -> int:
        """The step at which it diverged, 0: it did not. Energy made up by the method, beyond ten times the initial kinetic
        and elastic energy, the external work and what gravity gave."""
        if self.status == "failed":
            return self.steps + 1
        columns = [self.column(name) for name in ("numerical_loss", "kinetic", "elastic", "gravity", "external_work")]
        if any(one is None or len(one) == 0 for one in columns):
            return 0
        loss, kinetic, elastic, gravity, work = columns
        given = np.maximum.accumulate(np.maximum(np.abs(work), gravity[0] - gravity))
        limit = DIVERGENCE * (abs(kinetic[0]) + abs(elastic[0]) + np.maximum(given, 0))
        bad = ~(np.isfinite(loss) & (-loss <= limit)) & ~(-loss < 1e-12)
        if not bad.any():
            return 0
        step = int(np.argmax(bad))
        self.reason = f"the energy grew beyond all bounds at step {step}"
        return max(step, 1)


class Store:
    """The folder of the kept runs."""

    def __init__(self, folder: pathlib.Path, tell: Callable[[str], None] = lambda words: None):
        self.folder, self.tell = pathlib.Path(folder), tell
        self.asked: Dict[str, float] = {}  #: processor seconds of the runs that were asked for, made now or before
        self.made = 0.0  #: of those made now

    def run(self, order: Order, repeat: int = 1) -> Kept:
        """The run, made where it is not there. repeat: how often its cost is wanted; it is repeated until its band is known."""
        folder = self.folder / order_key(order)
        kept = self._found(folder, order)
        if kept is None:
            try:
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(parents=True)
            except OSError as error:
                raise FileError(f"{folder}: {error.strerror}") from None
            kept = self._make(folder, order)
        spent = kept.processor_seconds / max(1, len(kept.costs))
        while kept.status == "done" and not kept.diverged_at and len(kept.costs) < repeat or (
                repeat > 1 and kept.status == "done" and not kept.diverged_at and not is_steady(kept.costs) and
                len(kept.costs) < MOST_REPEATS and (len(kept.costs) + 1) * spent < max(order.max_seconds, 5)):
            kept = self._time_again(folder, order, kept)
        self.asked[folder.name] = kept.processor_seconds
        return kept

    def _found(self, folder: pathlib.Path, order: Order) -> Optional[Kept]:
        if not (folder / "kept.json").exists():
            if folder.exists():
                self.tell(f"the kept run {folder.name} was not finished and is made again")
            return None
        try:
            kept = Kept(folder, order)
            kept.motion
            return kept
        except (OSError, ValueError, KeyError, InputError, FileError) as error:
            self.tell(f"the kept run {folder.name} is damaged and is made again ({error})")
            return None

    def _make(self, folder: pathlib.Path, order: Order) -> Kept:
        made = _phiflex.keep_run(order.scene, list(order.overrides), str(folder), order.sample, order.max_seconds, order.frames)
        np.savez(folder / "motion.npz", **{name: made[name] for name in ("instants", "positions", "velocities")})
        self.made += made["processor_seconds"]
        self._note(folder, [made["seconds_per_step"]], [_phases_in(folder)], made["processor_seconds"])
        return Kept(folder, order)

    def _time_again(self, folder: pathlib.Path, order: Order, kept: Kept) -> Kept:
        again = folder / "again"
        made = _phiflex.keep_run(order.scene, list(order.overrides), str(again), -1.0, order.max_seconds, False)
        phases = _phases_in(again)
        shutil.rmtree(again, ignore_errors=True)
        self.made += made["processor_seconds"]
        self._note(folder, [*kept.costs, made["seconds_per_step"]], [*kept.phases, phases],
                   kept.processor_seconds + made["processor_seconds"])
        return Kept(folder, order)

    @staticmethod
    def _note(folder: pathlib.Path, costs: List[float], phases: List[Dict[str, float]], seconds: float) -> None:
        text = json.dumps({"seconds_per_step": costs, "phases": phases, "processor_seconds": seconds})
        (folder / "kept.json.part").write_text(text)
        (folder / "kept.json.part").replace(folder / "kept.json")  # written last: where it is, the run is whole
