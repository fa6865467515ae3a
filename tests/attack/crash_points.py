"""A small run, ended or failed at every file call that it makes; then resumed and compared with the whole run."""
import errno
import hashlib
import json
import os
import pathlib
import shutil

from engine import first_line, judge

SCENE = {
    "name": "small", "time": {"step": 0.005, "end": 0.1}, "integrator": {"type": "siere"}, "gravity": [0, -9.81, 0],
    "bodies": [{"name": "bar", "mesh": {"generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]},
                "material": {"type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000}}],
    "constraints": [{"type": "fix", "body": "bar", "where": {"box": [[-1e-6, -1, -1], [1e-6, 1, 1]]}}],
    "probes": [{"name": "tip", "body": "bar", "at": [0.4, 0.1, 0.1]}],
    "output": {"every": 4, "measures": True, "modes": 2},
}
OPTIONS = ["--quiet", "--checkpoint-every", "5", "--threads", "1"]


def results(folder):
    """The bytes that a resumed run must have in common with a whole one, by name."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith("checkpoint/") and name not in ("run.json", "report.html", "run.lock"):
            found[name] = hashlib.sha1(path.read_bytes()).hexdigest()
    return found


class InterruptedRun:
    """What both rounds share: the scene, the whole run, and how many file calls it makes."""

    def prepare(self, engine, place, _seed):
        self.engine = engine
        self.scene = place / "scene.json"
        self.scene.write_text(json.dumps(SCENE))
        whole = place / "whole"
        self.calls = self.count(["run", self.scene, "-o", whole, *OPTIONS], place)
        self.files = results(whole)
        self.hash = json.loads((whole / "run.json").read_text())["hash"]

    def count(self, arguments, place):
        counter = place / "calls.txt"
        outcome = self.engine.run(arguments, place, LD_PRELOAD=self.engine.fault, FAULT_COUNT=str(counter))
        if outcome.code != 0:
            raise SystemExit(f"the small run does not work: {outcome.err}")
        return int(counter.read_text())

    def run(self, place, *options, **fault):
        faults = {f"FAULT_{key.upper()}": str(value) for key, value in fault.items()}
        return self.engine.run(["run", self.scene, "-o", place / "run", *OPTIONS, *options], place,
                               LD_PRELOAD=self.engine.fault, **faults)

    def differs(self, place):
        """What a finished run in place/run lacks of the whole one."""
        folder = place / "run"
        found, wrong = results(folder), []
        for name in sorted(set(self.files) | set(found)):
            if self.files.get(name) != found.get(name):
                wrong.append(f"{name} is not that of a whole run")
        account = json.loads((folder / "run.json").read_text())
        if account["status"] != "done" or account["hash"] != self.hash:
            wrong.append(f"status {account['status']}, hash {account['hash']} instead of {self.hash}")
        if not (folder / "report.html").exists():
            wrong.append("no report.html")
        if list(folder.rglob("*.part*")) or (folder / "run.lock").exists():
            wrong.append("drafts or a lock are left")
        return wrong[:3]

    def resume(self, place):
        """Resumes; where there is nothing to resume from yet, the run must begin anew."""
        outcome = self.engine.run(["resume", place / "run", "--quiet"], place)
        if outcome.code == 0:
            return self.differs(place)
        begun = (place / "run" / "run.json").exists() and list((place / "run").glob("checkpoint/*.ckpt"))
        if outcome.code not in (65, 74) or begun:
            return judge(outcome) or [f"not resumed, exit code {outcome.code}: {first_line(outcome.err)}"]
        again = self.engine.run(["run", self.scene, "-o", place / "run", "--force", *OPTIONS], place)
        return self.differs(place) if again.code == 0 else [f"not begun anew: {first_line(again.err)}"]


class CrashPoints(InterruptedRun):
    """Killed before each call, after half of it, and killed again at a call of the resumption."""

    name = "crashes"
    short, full = 50, None  # None: all

    def cases(self):
        return 3 * self.calls

    def attack(self, number, place, random):
        mode, at = ("kill", "half", "again")[number % 3], 1 + number // 3
        outcome = self.run(place, mode="half" if mode == "again" else mode, at=at)
        if outcome.signal != 9:
            # The clock decides about some calls (rows reach the disk once a second), so the last ones may not come.
            return judge(outcome) or (self.differs(place) if outcome.code == 0 else [f"exit code {outcome.code}"])
        if mode == "again":
            self.engine.run(["resume", place / "run", "--quiet"], place, LD_PRELOAD=self.engine.fault,
                            FAULT_MODE=random.choice(["kill", "half"]), FAULT_AT=str(random.randrange(1, self.calls)))
        return self.resume(place)


class WriteErrors(InterruptedRun):
    """No space and a broken disk at each call: exit code 74 and a file's name, or a run that is whole; then resumed."""

    name = "errors"
    short, full = 40, None
    FAULTS = (("fail", errno.ENOSPC), ("broken", errno.ENOSPC), ("fail", errno.EIO))

    def cases(self):
        return len(self.FAULTS) * self.calls

    def attack(self, number, place, _random):
        mode, error = self.FAULTS[number % len(self.FAULTS)]
        outcome = self.run(place, mode=mode, at=1 + number // len(self.FAULTS), errno=error)
        if outcome.code == 0:  # a call without which nothing is lost, such as the removal of an old checkpoint
            wrong = self.differs(place)
            return [word for word in wrong if "drafts or a lock" not in word]
        if outcome.code != 74:
            return judge(outcome) or [f"exit code {outcome.code}: {first_line(outcome.err)}"]
        if os.strerror(error) not in outcome.err or str(place) not in outcome.err:
            return [f"the message names neither the file nor the reason: {first_line(outcome.err)}"]
        if not (place / "run").exists():
            return []
        return self.resume(place)


ROUNDS = [CrashPoints(), WriteErrors()]
