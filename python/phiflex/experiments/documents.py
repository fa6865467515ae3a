"""The list of the items, as text, JSON, and docs/experiment_costs.md; the stored numbers in other documents.

`python3 -m phiflex.experiments.documents FILE...` puts the numbers that are stored now into documents that have them."""

from __future__ import annotations

import json
import pathlib
import re
import sys
from typing import Any, Dict, List, Optional

from .item import PAPERS, Item, find_catalogue, list_items, read_item
from .verdict import CAUSES, KINDS, claim_from, count_words, counts, stored


def _seconds(entry: Optional[Dict[str, Any]]) -> str:
    if not entry:
        return "-"
    if "seconds" in entry:
        return f"{entry['seconds']:.{1 if entry['seconds'] < 9.95 else 0}f}"
    return f"about {entry['estimated_seconds']:.0f}" if "estimated_seconds" in entry else "-"


def _score(entry: Optional[Dict[str, Any]]) -> str:
    return count_words([claim_from(one) for one in entry["claims"]]) if entry and "claims" in entry else "-"


def _last(folder: pathlib.Path) -> Optional[Dict[str, Any]]:
    try:
        return json.loads((folder / "verdict.json").read_text())
    except (OSError, ValueError):
        return None


def print_list(items: List[Item], folder: pathlib.Path, form: str) -> None:
    if form == "markdown":
        print(costs_table(items), end="")
        return
    if form == "json":
        made = []
        for one in items:
            entry = {"id": one.id, "paper": one.paper, "item": one.number, "class": one.grade, "title": one.title, "same": one.same}
            for variant in ("quick", "full"):
                entry[variant] = stored(one, one.variant(variant == "quick"))
            last = _last(folder / one.id)
            entry["last"] = last and {name: last[name] for name in ("variant", "hold", "fail", "open", "of", "date")}
            made.append(entry)
        print(json.dumps(made, indent=2))
        return
    width = max((len(one.id) for one in items), default=4)
    print(f"{'id':<{width}}  class {'quick s':>8} {'stored':<28} {'full s':>12} {'stored':<28} {'last':<34} what")
    for one in items:
        quick, full = stored(one, "quick") if not one.same else None, stored(one, "full")
        last = _last(folder / one.id)
        told = f"{count_words([claim_from(c) for c in last['claims']])} ({last['variant']})" if last else "-"
        print(f"{one.id:<{width}}  {one.grade:<5} {'=' if one.same else _seconds(quick):>8} {'=' if one.same else _score(quick):<28} "
              f"{_seconds(full):>12} {_score(full):<28} {told:<34} {one.title}")


def all_claims(items: List[Item], variant: str = "best"):
    """(item, variant, claim) of what is stored; best: the paper's size where it was run, else the quick one."""
    for one in items:
        full, quick = stored(one, "full"), stored(one, "quick")
        has_full = bool(full and "claims" in full)
        which = "full" if one.same or (variant == "best" and has_full) or variant == "full" else "quick"
        entry = full if which == "full" else quick
        for claim in (entry or {}).get("claims", []):
            yield one, which, claim_from(claim)


def counts_table(items: List[Item]) -> str:
    """Claims by kind and by cause of failure, as markdown."""
    claims = [claim for _, _, claim in all_claims(items)]
    lines = ["| kind | claims | hold | fail | open |", "| --- | --- | --- | --- | --- |"]
    words = {"behaviour": "behaviour (energy, stability, accuracy)", "cost": "cost", "number": "printed numbers", "remark": "remarks"}
    for kind in KINDS:
        some = [one for one in claims if one.kind == kind]
        number = counts(some)
        lines.append(f"| {words[kind]} | {len(some)} | {number['holds']} | {number['fails']} | {number['open']} |")
    number = counts(claims)
    lines.append(f"| **all** | **{len(claims)}** | **{number['holds']}** | **{number['fails']}** | **{number['open']}** |")
    failed = [one for one in claims if one.verdict == "fails"]
    lines += ["", "| what fails, by cause | claims |", "| --- | --- |"]
    names = {"paper": "the paper", "open parameter": "a parameter that it leaves open", "stand-in": "a stand-in for what is not public",
             "engine": "this engine"}
    lines += [f"| {names[cause]} | {sum(one.cause == cause for one in failed)} |" for cause in CAUSES]
    return "\n".join(lines) + "\n"


def costs_table(items: List[Item]) -> str:
    text = ("<!-- Written by `phiflex reproduce --list --markdown`; do not edit. -->\n\n# Verdicts and costs of the experiments\n\n"
            "As stored in `experiments/*/verdicts.json`, in processor seconds, measured, or *about* where estimated\n"
            "([experiments.md](experiments.md) says how). `=`: the computation is small, and quick is full. A full variant without a "
            "result\n"
            "was not run to its end. Claims are counted at the paper's size where that was run, else quick; each once.\n\n")
    text += counts_table(items) + "\n"
    full = [stored(one, "full") for one in items if not one.same]
    measured = [one["seconds"] for one in full if one and "seconds" in one]
    estimated = [one["estimated_seconds"] for one in full if one and "estimated_seconds" in one]
    same = sum(one.same for one in items)
    text += (f"{same} of {len(items)} items are small enough to have one variant. Of the other {len(items) - same} full variants "
             f"{len(measured)} were run, {sum(measured):.0f} s together; {len(estimated)} are estimated, about "
             f"{sum(estimated) / 3600:.1f} h together.\n\n")
    for paper, title in PAPERS.items():
        text += f"## {title}\n\n| id | class | quick | s | full | s | on |\n| --- | --- | --- | --- | --- | --- | --- |\n"
        for one in items:
            if one.paper != paper:
                continue
            quick, entry = stored(one, "quick"), stored(one, "full")
            date = (entry or quick or {}).get("date", "-")
            small = "= | =" if one.same else f"{_score(quick)} | {_seconds(quick)}"
            text += f"| {one.id} | {one.grade} | {small} | {_score(entry)} | {_seconds(entry)} | {date} |\n"
        text += "\n"
    text += "## How the estimates came about\n\n| id | about s | how |\n| --- | --- | --- |\n"
    for one in items:
        entry = stored(one, "full")
        if entry and "estimated_seconds" in entry:
            text += f"| {one.id} | {entry['estimated_seconds']:.0f} | {entry['estimate']} |\n"
    return text


_COUNTS = re.compile(r"^\| kind \| claims \|.*?^\| this engine \| \d+ \|\n", re.M | re.S)
_OF_ITEM = re.compile(r"^\| (?P<id>[\w-]+) \| (?P<before>\d+ of \d+, \w+) \| [^|\n]* \| [^|\n]* \|$", re.M)
_STORED = re.compile(r"the claims of (\d+) items are stored")
_HEADLINE = re.compile(r"^(?P<words>\| [^|\n]* \| [^|\n]* \| [^|\n]* \| [^|\n]* \|) [^|\n]* \| (?:about )?[\d,. -]* s \| (?P<ids>[a-z]+-[^|\n]*) \|$", re.M)
_RUN = re.compile(r"\d+ of (the other )?\d+ full variants (were|have been) run")


def ids_of(cell: str) -> List[str]:
    """"ere-fig7, -fig9" are ere-fig7 and ere-fig9."""
    made, paper = [], ""
    for part in cell.split(", "):
        paper = paper if part.startswith("-") else part.partition("-")[0]
        made.append(paper + part if part.startswith("-") else part)
    return made


def _size_and_cost(some: List[Item]) -> str:
    """At which size items were run, and their processor seconds together."""
    small = [one for one in some if "claims" not in (stored(one, "full") or {})]
    cost = sum((stored(one, "quick" if one in small else "full") or {}).get("seconds", 0.0) for one in some)
    size = "quick" if len(small) == len(some) else "the paper's"
    if small and len(small) < len(some):
        size += "; quick: " + ", ".join(one.file.stem for one in small)
    return f"{size} | {cost:.{1 if cost < 9.95 else 0}f} s"


def renewed(text: str, items: List[Item]) -> str:
    """A document with what is stored now: the counts by kind and cause, the last two columns of a table of items with earlier
    verdicts, size and cost in a table of headlines (the two columns before that of its items), and how many items and full
    variants there are. The rest stays."""
    by_id = {one.id: one for one in items}
    larger = [one for one in items if not one.same]

    def row(found: re.Match) -> str:
        one = by_id.get(found["id"])
        if one is None:
            return found[0]
        return f"| {one.id} | {found['before']} | {'=' if one.same else _score(stored(one, 'quick'))} | {_score(stored(one, 'full'))} |"

    def headline(found: re.Match) -> str:
        some = [by_id[one] for one in ids_of(found["ids"]) if one in by_id]
        return f"{found['words']} {_size_and_cost(some)} | {found['ids']} |"

    text = _HEADLINE.sub(headline, text)
    text = _COUNTS.sub(lambda _: counts_table(items), text)
    text = _OF_ITEM.sub(row, text)
    has = sum("claims" in (stored(one, one.variant(True)) or {}) for one in items)
    text = _STORED.sub(f"the claims of {has} items are stored", text)
    ran = sum("claims" in (stored(one, "full") or {}) for one in larger)
    return _RUN.sub(lambda found: f"{ran} of {found[1] or ''}{len(larger)} full variants {found[2]} run", text)


def main(names: List[str]) -> int:
    items = [read_item(file) for file in list_items(find_catalogue())]
    for name in names:
        file = pathlib.Path(name)
        file.write_text(renewed(file.read_text(), items))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
