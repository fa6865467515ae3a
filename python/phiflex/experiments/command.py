"""The command line: `phiflex reproduce` and `python3 -m phiflex.experiments`."""

from __future__ import annotations

import argparse
import csv
import datetime
import difflib
import hashlib
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import time
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

import phiflex

from ..errors import FileError, InputError
from . import documents, pages, plots
from .context import Study
from .item import FOLDERS, PAPERS, Item, find_catalogue, find_meshes, id_of, list_items, read_item
from .numbers import Open, from_repeats, known_of, row_words
from .store import Store, file_mark, program_mark
from .verdict import Claim, claim_from, count_words, counts, differences, not_swept, stored, swept, write_store

DONE, DIFFERS, WRONG_USAGE, BAD_INPUT, INTERNAL, CANNOT_READ, INTERRUPTED = 0, 1, 2, 65, 70, 74, 130
ESTIMATE_SECONDS = 2.0  # of a run that is made for an estimate


def arguments(words: List[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="phiflex reproduce", description="The papers' experiments: measured beside printed, and each "
                                     "claim judged.", epilog="Claims hold, fail or are open; all three are results (exit code 0).")
    add = parser.add_argument
    add("ids", nargs="*", metavar="ID", help="items by name (docs/experiments.md); the full variant unless --quick")
    add("--list", action="store_true", help="print the items: class, seconds, stored and last results")
    add("--paper", choices=list(PAPERS), help="all of one paper; the quick variant unless --full")
    add("--all", action="store_true", help="all of them")
    add("--quick", action="store_true", help="the small variant (default with --paper and --all)")
    add("--full", action="store_true", help="the paper's size (default with names)")
    add("--sweep", action="store_true", help="also with the alternatives of what the paper leaves open")
    add("--set", action="append", default=[], metavar="PLACE=VALUE", help="change every scene (repeatable)")
    add("-o", "--output", default="out/experiments", help="results folder (default: out/experiments)")
    add("--threads", type=int, default=0, help="threads (default: all cores)")
    add("--force", action="store_true", help="again, also what is finished; kept runs are made anew")
    add("--store", action="store_true", help="write the verdicts and seconds beside the programs; of an estimate, the seconds")
    add("--check", action="store_true", help="exit with 1 when a claim is not as stored; sweeps what is open")
    add("--estimate", action="store_true", help="what it would cost: every run for some seconds, the rest reckoned")
    add("--markdown", action="store_true", help="with --list: docs/experiment_costs.md")
    add("--json", action="store_true", help="the verdicts, or the list, as JSON on stdout and nothing else")
    add("--quiet", action="store_true", help="print errors only")
    add("--log-level", choices=["error", "warning", "info", "debug"], default="info")
    o = parser.parse_args(words)
    wrong = [message for bad, message in (
        (o.quick and o.full, "give one of --quick and --full"),
        (bool(o.paper) and o.all, "give one of --paper and --all"),
        (not o.ids and not o.paper and not o.all and not o.list, "name experiments, or give --paper PAPER, --all or --list"),
        (bool(o.ids) and (bool(o.paper) or o.all), "give either names of experiments or one of --paper and --all"),
        (o.check and o.store, "give one of --check and --store"),
        (bool(o.set) and (o.check or o.store), "changed scenes are neither checked nor stored"),
        (not 0 <= o.threads <= 1024, "--threads takes 1 to 1024"),
        (any("=" not in one for one in o.set), "--set takes PLACE=VALUE")) if bad]
    if wrong:
        parser.exit(WRONG_USAGE, f"phiflex: {wrong[0]}\n")
    o.is_quick = o.quick or (not o.ids and not o.full)
    o.says = not o.quiet and not o.json and o.log_level in ("info", "debug")
    return o


_MARKED = {"program": "its program", "library": "the library of the experiments", "engine": "the engine", "meshes": "the papers' meshes"}


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for one in parts:
        digest.update(one)
    return digest.hexdigest()[:16]


def machine_words() -> str:
    cores = os.cpu_count() or 1
    model = next((line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), "a processor")
    memory = next((int(line.split()[1]) / 1e6 for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    threads = phiflex._phiflex.thread_count()
    return f"{model}, {cores} core{'s' * (cores > 1)}, {memory:.0f} GB of memory, {threads} thread{'s' * (threads > 1)}"


def _lines(path: str) -> List[str]:
    try:
        return pathlib.Path(path).read_text().splitlines()
    except OSError:
        return []


def finite(value: Any) -> Any:
    """JSON has no infinite numbers."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(one) for one in value]
    if isinstance(value, np.generic):
        return finite(value.item())
    return value


class Session:
    """Several items, one after the other; what cannot be carried out is said, and the next goes on."""

    def __init__(self, o: argparse.Namespace, items: List[Item]):
        self.o, self.items = o, items
        self.folder = pathlib.Path(o.output)
        self.meshes = find_meshes()
        self.store = Store(self.folder / "runs", self.warn)
        self.troubles: List[str] = []
        self.code = DONE
        self.differences: List[str] = []
        self.outcomes: List[Dict[str, Any]] = []
        self.kept = 0
        self.alone = False
        self.began = time.monotonic()

    def say(self, words: str) -> None:
        if self.o.says:
            print(words, flush=True)

    def detail(self, words: str) -> None:
        if self.o.log_level == "debug" or (self.alone and self.o.says):
            print(f"  {words}", file=sys.stderr, flush=True)

    def warn(self, words: str) -> None:
        if not self.o.quiet and self.o.log_level != "error":
            print(f"  {words}", file=sys.stderr, flush=True)

    def trouble(self, code: int, name: str, words: str) -> None:
        print(f"{name}: {words}", file=sys.stderr, flush=True)
        self.code = INTERNAL if INTERNAL in (self.code, code) else code
        self.troubles.append(name)

    def carry_out(self, wanted: List[pathlib.Path]) -> int:
        self.alone = len(wanted) == 1
        variant = "quick" if self.o.is_quick else "full"
        other = " (--full is the paper's size)" if self.o.is_quick else " (--quick is the small one)"
        self.say(f"{len(wanted)} experiment{'s' * (len(wanted) != 1)}, {variant} variant"
                 f"{'' if self.o.quick or self.o.full else other}; results: {self.folder}")
        self.say(f"meshes: {self.meshes or 'none found (PHIFLEX_MESHES names their folder); stand-ins are used'}")
        if self.o.force:
            shutil.rmtree(self.store.folder, ignore_errors=True)
        interrupted = False
        for place, file in enumerate(wanted):
            name = id_of(file)
            number = f"[{place + 1:>{len(str(len(wanted)))}}/{len(wanted)}] " if not self.alone else ""
            try:
                self.one(read_item(file), number)
            except KeyboardInterrupt:
                interrupted = True
                break
            except InputError as error:
                self.trouble(BAD_INPUT, name, str(error))
            except (FileError, OSError) as error:
                self.trouble(CANNOT_READ, name, str(error))
            except ImportError as error:
                self.trouble(BAD_INPUT, name, f"a package is missing: {error}")
            except MemoryError:
                self.trouble(INTERNAL, name, "out of memory")
            except Exception as error:  # a mistake in a program
                self.trouble(INTERNAL, name, f"the program failed: {type(error).__name__}: {error}")
                if self.o.log_level == "debug":
                    raise
        return self.conclude(len(wanted), interrupted)

    def conclude(self, asked: int, interrupted: bool) -> int:
        if not self.o.estimate and (self.folder.is_dir() or self.outcomes):
            self.write_gallery()
        if self.o.json:
            print(json.dumps(finite(self.outcomes), indent=2))
        claims = [claim_from(one) for outcome in self.outcomes for one in outcome.get("claims", [])]
        if not self.o.estimate and asked > 1:
            seconds = time.monotonic() - self.began
            self.say(f"{len(self.outcomes)} items: {count_words(claims)}; {self.kept} kept from before; {seconds:.0f} s")
        if not self.o.estimate and asked == 1 and self.outcomes:
            self.say(f"page:    {self.folder / self.outcomes[0]['id'] / 'index.html'}")
        if not self.o.estimate:
            self.say(f"gallery: {self.folder / 'index.html'}")
        if interrupted:
            print("interrupted; the same command goes on after what is finished", file=sys.stderr)
            return INTERRUPTED
        if self.differences:
            print(f"{len(self.differences)} claims are not as stored:", file=sys.stderr)
            for line in self.differences:
                print(f"  {line}", file=sys.stderr)
        if self.troubles:
            print(f"{len(self.troubles)} could not be carried out: {', '.join(self.troubles)}", file=sys.stderr)
            return self.code
        return DIFFERS if self.differences else DONE

    # -- One item

    def marks(self, item: Item, sweeps: bool) -> Dict[str, str]:
        """Of all that a verdict hangs on: what was asked, the program, its library, the engine, the papers' meshes."""
        files = [item.file, *sorted(item.folder.glob("_*.py")), *sorted(item.folder.glob("scenes/*.json"))]
        library = sorted(pathlib.Path(__file__).parent.glob("*.py"))
        meshes = [f"{one.name} {file_mark(one)}" for one in sorted(self.meshes.iterdir()) if one.is_file()] if self.meshes else []
        return {"asked": _digest(json.dumps([item.variant(self.o.is_quick), sweeps, self.o.set]).encode()),
                "program": _digest(*(one.read_bytes() for one in files)), "library": _digest(*(one.read_bytes() for one in library)),
                "engine": _digest(program_mark().encode()), "meshes": _digest(json.dumps(meshes).encode())}

    def one(self, item: Item, number: str) -> None:
        if self.o.estimate:
            return self.estimate(item, number)
        variant = item.variant(self.o.is_quick)
        before = stored(item, variant)
        sweeps = bool(item.open) and (self.o.sweep or (self.o.store and (self.o.is_quick or item.same)) or
                                      (self.o.check and (before or {}).get("swept", True)))
        marks = self.marks(item, sweeps)
        folder = self.folder / item.id
        outcome, stale = self.finished(folder, marks)
        if outcome:
            self.kept += 1
            how = f"finished on {outcome['date']}; --force repeats it"
        else:
            outcome = self.judge(item, sweeps, marks, folder)
            how = pages.seconds(outcome["processor_seconds"]) + (f"; made again: {stale}" if stale else "")
        if outcome["missing_meshes"]:
            how += f"; missing: {', '.join(outcome['missing_meshes'])}"
        self.outcomes.append(outcome)
        claims = [claim_from(one) for one in outcome["claims"]]
        self.say(f"{number}{item.id:<24} {count_words(claims):<30} ({how})")
        if self.alone and self.o.says:
            self.print_numbers(outcome, claims)
        if self.o.store:
            entry = {name: outcome[name] for name in ("date", "machine", "swept")}
            entry["seconds"] = round(outcome["processor_seconds"], 2)
            entry["claims"] = outcome["claims"]
            write_store(item, variant, entry)
        if self.o.check:
            self.compare(item, outcome, claims, before)

    def compare(self, item: Item, outcome: Dict[str, Any], claims: List[Claim], before: Optional[Dict[str, Any]]) -> None:
        if not before or "claims" not in before:
            self.differences.append(f"{item.id}: nothing is stored of the {outcome['variant']} variant")
            return
        counted, told = differences(claims, [claim_from(one) for one in before["claims"]])
        for line in told:
            print(f"{item.id}: {line} (within the noise; not counted)", file=sys.stderr)
        if outcome["missing_meshes"] and counted:
            for line in counted:
                print(f"{item.id}: {line} (not counted)", file=sys.stderr)
            several = len(outcome["missing_meshes"]) > 1
            print(f"{item.id}: {', '.join(outcome['missing_meshes'])} {'are' if several else 'is'} missing", file=sys.stderr)
            counted = []
        self.differences += [f"{item.id}: {line}" for line in counted]

    def finished(self, folder: pathlib.Path, marks: Dict[str, str]) -> Tuple[Optional[Dict[str, Any]], str]:
        """What was made before of the same; else why it is not taken, where that was not asked for."""
        try:
            outcome = json.loads((folder / "verdict.json").read_text())
            before = outcome["marks"]
            asked_so = before["asked"] == marks["asked"]
            changed = [_MARKED[name] for name in _MARKED if before[name] != marks[name]]
        except FileNotFoundError:
            return None, ""
        except (OSError, ValueError, LookupError, TypeError):
            return None, "its verdict.json is damaged, or of an older version"
        if self.o.force or not asked_so:
            return None, ""
        return (None, f"{' and '.join(changed)} changed since {outcome['date']}") if changed else (outcome, "")

    def study(self, item: Item, changed: Dict[str, Any], longest: float = math.inf) -> Study:
        study = Study(item, self.o.is_quick, {**item.values(self.o.is_quick), **changed}, self.store, self.meshes, self.o.set,
                      self.detail, longest)
        try:
            item.run(study)
        except Open as reason:
            study.claim("behaviour", "What the program states after this", open=f"the program ended early: {reason}")
        return study

    def judge(self, item: Item, sweeps: bool, marks: Dict[str, str], folder: pathlib.Path) -> Dict[str, Any]:
        start, clock = time.process_time() - self.store.made, time.monotonic()
        self.store.asked.clear()
        study = self.study(item, {})
        others, sweep = [], []
        for name, (_, alternatives) in item.open.items() if sweeps else ():
            for value in alternatives:
                told = f"{name} = {value}"
                self.detail(f"with {told}:")
                other = self.study(item, {name: value})
                others.append((told, other.claims))
                sweep.append({"with": told, "result": count_words(other.claims)})
        swept(study.claims, others)
        if item.open and not sweeps and not study.quick and not item.same:
            not_swept(study.claims, [claim_from(one) for one in (stored(item, "quick") or {}).get("claims", [])])
        number = counts(study.claims)
        # What was kept from before counts as if it had been made now.
        spent = time.process_time() - self.store.made - start + sum(self.store.asked.values())
        outcome = finite({
            "id": item.id, "paper": item.paper, "number": item.number, "grade": item.grade, "title": item.title,
            "variant": item.variant(self.o.is_quick), "claims": [one.as_json() for one in study.claims], "hold": number["holds"],
            "fail": number["fails"], "open": number["open"], "of": len(study.claims), "table": study.rows, "bodies": study.bodies,
            "stand_ins": study.stand_ins, "missing_meshes": study.missing_meshes, "notes": study.notes,
            "methods": sorted({one.method for one in study.runs}), "values": {name: study._values[name] for name in study._values},
            "swept": sweeps, "sweep": sweep, "runs": [self.run_entry(study, one) for one in study.runs], "numbers": len(study.numbers),
            "seconds": time.monotonic() - clock, "processor_seconds": spent, "machine": machine_words(),
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(), "version": phiflex.__version__, "marks": marks})
        self.write(item, study, outcome, folder)
        return outcome

    @staticmethod
    def run_entry(study: Study, run) -> Dict[str, Any]:
        entry = {"name": run.name, "method": run.method, "status": run.outcome, "step": run.h, "steps": run.steps, "cost": 0.0,
                 "note": study.remarks[run.name], "folder": str(run.kept.folder)}
        if run.steps:
            cost = from_repeats(run.kept.costs)
            entry["cost"] = cost.value
            if len(run.kept.costs) > 1:
                entry["band"] = [cost.low / cost.value, cost.high / cost.value]
        return entry

    def write(self, item: Item, study: Study, outcome: Dict[str, Any], folder: pathlib.Path) -> None:
        """verdict.json is written last: where it is, the item is finished."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for old in [*folder.glob("plot*.svg"), folder / "strip.png", folder / "thumbnail.svg", folder / "verdict.json"]:
                old.unlink(missing_ok=True)
            with open(folder / "result.csv", "w", newline="") as file:
                csv.writer(file).writerows([("run", "metric", "value"), *study.numbers])
            remarks: List[str] = []
            drawn = self.draw(study, folder, remarks)
            strip = self.strip(study, folder, remarks)
            (folder / "index.html").write_text(pages.item_page(item, outcome, drawn, strip, remarks))
            part = folder / "verdict.json.part"
            part.write_text(json.dumps(outcome, indent=1) + "\n")
            part.replace(folder / "verdict.json")
        except OSError as error:
            raise FileError(f"{error.filename}: {error.strerror}") from None

    def draw(self, study: Study, folder: pathlib.Path, remarks: List[str]) -> List[tuple]:
        drawn = []
        try:
            for place, plot in enumerate(study.plots):
                svg = plots.drawn(plot)
                drawn.append((plot.title, svg))
                (folder / ("plot.svg" if place == 0 else f"plot-{place + 1}.svg")).write_text(plots.alone(svg, pages.CSS))
            if study.plots:
                (folder / "thumbnail.svg").write_text(plots.drawn(study.plots[0], 3.2, 1.8, lettering=False))
        except ImportError:
            words = "there are no plots: they need matplotlib (Debian: python3-matplotlib)"
            remarks.append(f"T{words[1:]}.")
            print(f"{study.item.id}: {words}", file=sys.stderr)
        return drawn

    def strip(self, study: Study, folder: pathlib.Path, remarks: List[str]) -> Optional[bytes]:
        command = os.environ.get("PHIFLEX_COMMAND") or shutil.which("phiflex")
        for one in study.strips:
            shown = [(run, name) for run, name in zip(one["runs"], one["names"]) if (run.kept.folder / "frames.pvd").exists()]
            if not shown:
                continue
            if not command:
                remarks.append("There are no pictures: they are drawn by the command phiflex, which is not installed.")
                return None
            names = [name if run.done else f"{name} ({run.outcome})" for run, name in shown]
            target = folder / "strip.png"
            how = {"-o": target, "--width": 1000, "--samples": 6, "--moments": one["moments"], "--colour": one["colour"],
                   "--azimuth": one["azimuth"], "--elevation": one["elevation"], "--text-size": 15,
                   "--names": ",".join(name.replace(",", ";") for name in names)}
            words = [command, "render", *[run.kept.folder for run, _ in shown], *[part for pair in how.items() for part in pair]]
            made = subprocess.run([str(part) for part in words], capture_output=True, text=True, check=False)
            if made.returncode == 0:
                return target.read_bytes()
            lines = (made.stderr or made.stdout).strip().splitlines()
            remarks.append(f"The pictures could not be drawn: {lines[-1] if lines else 'the command failed'}")
        return None

    def print_numbers(self, outcome: Dict[str, Any], claims: List[Claim]) -> None:
        for one in claims:
            cause = f" [{one.cause}]" if one.verdict == "fails" else ""
            print(f"  {one.verdict:<6} {one.kind:<9}{cause} {one.text} ({one.measured})")
        lines = [("", "printed", "measured", "ratio")]
        for one in outcome["table"]:
            side, value = known_of(one)
            ratio = value / one["printed"] if one["printed"] and value is not None else None
            lines.append((f"{one['what']} [{one['unit']}]" if one["unit"] else one["what"],
                          "-" if one["printed"] is None else f"{one['printed']:.5g}", one["missing"] or row_words(one),
                          "" if ratio is None else f"{side}{ratio:.3g}"))
        widths = [max(len(line[place]) for line in lines) for place in range(3)]
        for place, (what, printed, measured, ratio) in enumerate(lines if len(lines) > 1 else []):
            print(f"{'' if place else chr(10)}  {what:<{widths[0]}} {printed:>{widths[1]}}  {measured:>{min(widths[2], 40)}} {ratio:>14}")

    # -- Estimates

    def estimate(self, item: Item, number: str) -> None:
        start = time.process_time()
        study = self.study(item, {}, ESTIMATE_SECONDS)
        whole = time.process_time() - start + study.left
        how = ("nothing had to be cut short" if study.cut == 0 else
               f"{study.cut} of {len(study.runs)} runs were made for {ESTIMATE_SECONDS:g} s and the rest of their steps reckoned at that "
               "pace")
        if study.dearest[1]:
            how += f"; the dearest is {study.dearest[1]}"
        variant = item.variant(self.o.is_quick)
        if self.o.store and not (stored(item, variant) or {}).get("claims"):
            write_store(item, variant, {"estimated_seconds": float(f"{whole:.2g}"), "estimate": how, "machine": machine_words(),
                                        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat()})
        self.outcomes.append({"id": item.id, "estimated_seconds": whole, "estimate": how})
        self.say(f"{number}{item.id:<24} about {whole:.0f} s of processor time: {how}")

    # -- The gallery

    def write_gallery(self) -> None:
        entries = []
        for item in self.items:
            folder = self.folder / item.id
            try:
                outcome = json.loads((folder / "verdict.json").read_text())
            except (OSError, ValueError):
                outcome = None
            thumbnail: Any = None
            if (folder / "strip.png").exists():
                thumbnail = (folder / "strip.png").read_bytes()
            elif (folder / "thumbnail.svg").exists():
                thumbnail = (folder / "thumbnail.svg").read_text()
            entries.append({"item": item, "outcome": outcome, "thumbnail": thumbnail})
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / "index.html").write_text(pages.gallery_page(entries, phiflex.__version__))
        except OSError as error:
            print(f"{self.folder}: the gallery cannot be written: {error.strerror}", file=sys.stderr)


def chosen(files: List[pathlib.Path], o: argparse.Namespace) -> Tuple[List[pathlib.Path], Dict[str, str]]:
    """Those asked for, in the catalogue's order; and names that there are not, with a sentence."""
    known = [id_of(one) for one in files]
    unknown = {}
    for name in o.ids:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f'; did you mean "{close[0]}"?' if close else ""
            unknown[name] = f"there is no such experiment{hint}; `phiflex reproduce --list` shows all"
    wanted = [one for one in files if (id_of(one) in o.ids if o.ids else not o.paper or FOLDERS[one.parent.name] == o.paper)]
    return wanted, unknown


def main(words: List[str]) -> int:
    """Runs the command and returns its exit code."""
    o = arguments(words)
    if o.threads:
        phiflex.set_threads(o.threads)
    try:
        files = list_items(find_catalogue())
        wanted, unknown = chosen(files, o)
        items, broken = [], []
        for file in files:
            try:
                items.append(read_item(file))
            except (InputError, FileError) as error:
                broken.append((file, error))
        if o.list:
            for file, error in broken:
                print(f"{id_of(file)}: {error}", file=sys.stderr)
            asked = {id_of(one) for one in wanted}
            shown = [one for one in items if one.id in asked]
            documents.print_list(shown, pathlib.Path(o.output), "markdown" if o.markdown else "json" if o.json else "text")
        if o.list or not wanted:
            for name, words in unknown.items():
                print(f"{name}: {words}", file=sys.stderr)
            return BAD_INPUT if broken or unknown else DONE
        session = Session(o, items)
        for name, words in unknown.items():
            session.trouble(BAD_INPUT, name, words)
        return session.carry_out(wanted)
    except InputError as error:
        print(f"phiflex: {error}", file=sys.stderr)
        return BAD_INPUT
    except FileError as error:
        print(f"phiflex: {error}", file=sys.stderr)
        return CANNOT_READ
    except KeyboardInterrupt:
        return INTERRUPTED
