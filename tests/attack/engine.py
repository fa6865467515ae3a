"""The program under attack: started with limits, and judged by what it leaves."""
import csv
import json
import math
import os
import pathlib
import signal
import subprocess
import time
from dataclasses import dataclass

# docs/command.md: done, wrong usage, bad input, cannot read or write, a limit, failed numerically. 70 is a bug.
GOOD_CODES = {0: "done", 2: None, 65: None, 74: None, 75: "limit", 76: "failed"}
MOST_SECONDS = 20  # of processor time, for scenes of a few elements and steps
MOST_WAIT = 120  # seconds; a busy machine is no finding


@dataclass
class Outcome:
    code: int  # exit code; -1 when a signal ended it
    signal: int  # 0: none
    timed_out: bool
    seconds: float  # of processor time
    out: str
    err: str


class Engine:
    def __init__(self, binary, fault):
        self.binary = str(pathlib.Path(binary).resolve())
        self.fault = str(pathlib.Path(fault).resolve()) if fault else None
        self.methods = [entry["name"] for entry in self.catalogue("integrators")]
        if "auto" not in self.methods:
            self.methods.append("auto")
        self.evaluators = ["auto"] + [entry["name"] for entry in self.catalogue("evaluators")]

    def catalogue(self, what):
        return json.loads(subprocess.run([self.binary, "list", what, "--json"], capture_output=True, check=True).stdout)

    def run(self, arguments, place, **environment):
        """Runs the command in the folder `place`; what it prints goes to files there."""
        place = pathlib.Path(place)
        surroundings = dict(os.environ, OPENBLAS_NUM_THREADS="1", **environment)
        with open(place / "stdout.txt", "wb") as out, open(place / "stderr.txt", "wb") as err:
            child = subprocess.Popen([self.binary, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                     env=surroundings, cwd=place)
        end, pause, timed_out = time.monotonic() + MOST_WAIT, 0.001, False
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if not timed_out and time.monotonic() > end:
                child.send_signal(signal.SIGKILL)
                timed_out = True
            time.sleep(pause)
            pause = min(0.02, 1.5 * pause)
        child.returncode = 0  # it was waited for
        by_signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        read = lambda name: (place / name).read_bytes().decode("utf-8", "replace")
        return Outcome(-1 if by_signal else os.WEXITSTATUS(status), by_signal, timed_out,
                       usage.ru_utime + usage.ru_stime, read("stdout.txt"), read("stderr.txt"))


def judge(outcome, named=()):
    """What is wrong with how the program ended: a list of sentences. Of `named`, bad input must name one."""
    if outcome.timed_out:
        return [f"did not end within {MOST_WAIT} s"]
    if outcome.signal:
        return [f"ended by {signal.Signals(outcome.signal).name}"]
    wrong = []
    if outcome.code not in GOOD_CODES:
        wrong.append(f"exit code {outcome.code}: {first_line(outcome.err)}")
    if outcome.seconds > MOST_SECONDS:
        wrong.append(f"took {outcome.seconds:.0f} s of processor time")
    if outcome.code in (65, 74) and not outcome.err.strip():
        wrong.append(f"exit code {outcome.code} without a word")
    if outcome.code == 65 and named and not any(name in outcome.err for name in named):
        wrong.append(f"a message without a file's name: {first_line(outcome.err)}")
    if any(ord(c) < 32 and c not in "\n\t" for c in outcome.err):
        wrong.append("a control character in a message")
    return wrong


def first_line(text):
    return (text.strip().splitlines() or [""])[0][:200]


def judge_run(outcome, folder):
    """What is wrong with the folder of a run that ended so: status, numbers, the ledger's identity."""
    folder = pathlib.Path(folder)
    if outcome.code not in (0, 75, 76):
        return []
    try:
        account = json.loads((folder / "run.json").read_text())
    except (OSError, ValueError) as error:
        return [f"exit code {outcome.code} without a run.json: {error}"]
    wrong = []
    if account["status"] != GOOD_CODES[outcome.code]:
        wrong.append(f"exit code {outcome.code}, but run.json says {account['status']}")
    with open(folder / "energy.csv", newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    if outcome.code == 0 and len(rows) != account["steps"] + 1:
        wrong.append(f"{len(rows)} rows in energy.csv for {account['steps']} steps")
    finite = [row for row in rows if all(math.isfinite(value) for value in row.values())]
    if outcome.code != 76 and len(finite) < len(rows):  # a run that failed has said so
        wrong.append("a number that is not finite in energy.csv")
    if finite[:1] != rows[:1]:
        return wrong
    if outcome.code == 0:
        wrong += judge_growth(finite, account["energy"]["available"] or 0)  # null: not finite
    return wrong + judge_ledger(finite)


def judge_growth(rows, available):
    """A run whose energy came from nowhere is not done: a hundred times beyond what `limits.energy` allows by default.

    available: the available energy of run.json, J. Of a body at rest it is above the rows' energies, which are rounding errors.
    """
    gravity = [row["gravity"] for row in rows]
    there = (sum(abs(rows[0][key]) for key in ("kinetic", "elastic", "contact")) + max(gravity) - min(gravity)
             + max(abs(row["external_work"]) + abs(row.get("contact_work", 0)) for row in rows))
    there = max(there, available)
    most = max(row["kinetic"] + row["elastic"] for row in rows)
    return [f"done with an energy of {most:.3g} J from {there:.3g} J"] if most > 1e5 * there > 0 else []


def judge_ledger(rows):
    """The identities of docs/run_folder.md, to rounding."""
    for row in rows:
        total = row["kinetic"] + row["elastic"] + row["gravity"] + row["contact"]
        loss = (rows[0]["total"] + row["external_work"] + row.get("contact_work", 0) - row["dissipated"]
                - row.get("friction", 0) - row["total"])
        # Each sum rounds by at most a few units of its largest term.
        scale = max(abs(value) for key, value in row.items() if key not in ("step", "time") and "momentum" not in key)
        tolerance = 1e-13 * max(scale, abs(rows[0]["total"]))
        if not math.isfinite(scale / 1e-13) or not math.isfinite(total) or not math.isfinite(loss):
            continue  # sums that overflow say nothing
        if abs(total - row["total"]) > tolerance:
            return [f"total is not the sum of the energies at step {row['step']:.0f}"]
        if abs(loss - row["numerical_loss"]) > tolerance:
            return [f"numerical_loss is not what the ledger leaves at step {row['step']:.0f}"]
    return []
