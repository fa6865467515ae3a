"""The page of an item and the gallery over all: self-contained, light and dark, readable on a telephone."""

from __future__ import annotations

import base64
import hashlib
import html as _html
import math
import pathlib
import re
from typing import Any, Dict, List, Optional

from .item import GRADES, PAPERS, Item
from .numbers import known_of, words
from .verdict import CAUSES, KINDS, VERDICTS, claim_from, count_words, counts

CSS = (pathlib.Path(__file__).parent / "page.css").read_text()
_MARKS = {"holds": "&#10003;", "fails": "&#10005;", "open": "?"}
_KIND_WORDS = {"behaviour": "behaviour", "cost": "cost", "number": "printed number", "remark": "remark"}
ROWS_SHOWN = 14


def text(value: Any) -> str:
    return _html.escape(str(value), quote=True)


def prose(value: str) -> str:
    """`code` in back quotes."""
    return re.sub(r"`([^`]*)`", lambda found: f"<code>{found.group(1)}</code>", text(value))


def number(value: Optional[float]) -> str:
    if value is None:
        return "&#8211;"
    told = words(value)
    if math.isfinite(value) and "e" in told:
        mantissa, power = told.split("e")
        told = f"{mantissa}&#8239;&#183;&#8239;10<sup>{'&#8722;' if int(power) < 0 else ''}{abs(int(power))}</sup>"
    elif math.isfinite(value) and value == int(value) and abs(value) >= 1e4:
        told = f"{int(value):,}".replace(",", "&#8239;")
    return told.replace("-", "&#8722;")


def seconds(value: float) -> str:
    if not value > 0:
        return "0 s"
    for limit, scale, unit in ((1e-3, 1e6, "\u00b5s"), (1, 1e3, "ms"), (math.inf, 1, "s")):
        if value < limit:
            return f"{value * scale:.3g} {unit}" if value < 1000 else f"{value:.0f} s"
    return ""


def _head(title: str, script: str = "") -> str:
    allowed = ""
    if script:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        allowed = f"script-src 'sha256-{digest}'; "
    return ('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" '
            'content="width=device-width,initial-scale=1">\n<meta name="referrer" content="no-referrer">\n'
            f'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; {allowed}style-src \'unsafe-inline\'; '
            'img-src data:; connect-src \'none\'; base-uri \'none\'; form-action \'none\'">\n<link rel="icon" href="data:,">\n'
            f"<title>{text(title)}</title>\n<style>{CSS}</style>\n</head>\n")


def _bar(claims) -> str:
    number_of = counts(claims)
    parts = "".join(f'<i class="{verdict}" style="flex:{number_of[verdict]}"></i>' for verdict in VERDICTS if number_of[verdict])
    return f'<div class="bar">{parts}</div>' if parts else ""


def _table(head: List[str], rows: List[List[str]], numeric: List[int] = (), fold: str = "") -> str:
    """A table that becomes blocks on a narrow screen; a long one is folded."""
    cell = lambda i: ' class="number"' if i in numeric else ""  # noqa: E731
    made = '<div class="frame"><table class="wide">\n<thead><tr>' + "".join(f"<th{cell(i)}>{one}</th>" for i, one in enumerate(head))
    made += "</tr></thead>\n<tbody>\n"
    for row in rows:
        made += f"<tr><th>{row[0]}</th>" + "".join(
            f'<td{cell(i)} data-name="{head[i]}">{one}</td>' for i, one in enumerate(row) if i > 0) + "</tr>\n"
    made += "</tbody></table></div>\n"
    return f"<details><summary>{text(fold)}</summary>\n{made}</details>\n" if fold and len(rows) > ROWS_SHOWN else made


def _ratio(value: float) -> str:
    at = 50 + 50 * min(max(math.log10(max(value, 1e-3)), -1), 1)
    left, width = min(at, 50.0, 97.0), max(abs(at - 50), 3.0)
    return f'<span class="ratio">{number(float(f"{value:.3g}"))}<i><b style="left:{left:.0f}%;width:{width:.0f}%"></b></i></span>'


def item_page(item: Item, outcome: Dict[str, Any], plots: List[tuple], strip: Optional[bytes], remarks: List[str]) -> str:
    """outcome: verdict.json. plots: (title, SVG element). remarks: what could not be drawn."""
    claims = [claim_from(one) for one in outcome["claims"]]
    score = count_words(claims)
    page = _head(f"{item.id}: {score}") + "<body>\n<main>\n"
    page += (f'<p class="above"><a href="../index.html">All experiments</a><span>{text(item.id)}</span><span>{text(item.number)}'
             f'</span></p>\n<h1>{text(item.title)}</h1>\n<p class="lead">{prose(item.asks)}</p>\n'
             f'<p class="source">{text(PAPERS[item.paper])}, {text(item.number)}. Class {item.grade}: {GRADES[item.grade]}.</p>\n')
    page += _verdict_box(item, outcome, claims, score)
    if claims:
        page += '<section>\n<h2>The claims</h2>\n<ol class="claims">\n' + "".join(_claim(one) for one in claims) + "</ol>\n</section>\n"
    if outcome["table"]:
        page += _numbers_table(outcome["table"])
    if plots:
        page += f"<section>\n<h2>{'Plot' if len(plots) == 1 else 'Plots'}</h2>\n" + "".join(
            f'<figure><figcaption>{text(title)}</figcaption><div class="frame">{svg}</div></figure>\n' for title, svg in plots)
        page += "</section>\n"
    if strip or remarks:
        page += "<section>\n<h2>Pictures</h2>\n"
        if strip:
            page += ('<div class="frame"><img class="strip" alt="Moments of the runs" src="data:image/png;base64,'
                     f'{base64.b64encode(strip).decode()}"></div>\n')
        page += "".join(f'<p class="note">{text(one)}</p>\n' for one in remarks) + "</section>\n"
    page += '<div class="two">\n' + _list("What differs from the paper", [*item.differs, *outcome["notes"]])
    page += _list("Bodies", outcome["bodies"]) + _list("What came out", [item.found] if item.found else []) + "</div>\n"
    page += _open_values(item, outcome) + _runs(outcome)
    if outcome["numbers"]:
        page += (f'<section>\n<h2>Numbers<small><a href="result.csv">result.csv</a></small></h2>\n<details><summary>all '
                 f'{outcome["numbers"]} numbers</summary><p class="note">Every number that a claim, a row or a plot asked of a run is in '
                 "result.csv.</p></details>\n</section>\n")
    return page + (f'</main>\n<footer>Phiflex {text(outcome["version"])}. {text(outcome["date"])}. {text(outcome["machine"])}. '
                   f'Measured again by: phiflex reproduce {text(item.id)} --{outcome["variant"]}</footer>\n</body>\n</html>\n')


def _verdict_box(item: Item, outcome: Dict[str, Any], claims, score: str) -> str:
    box = f'<section class="verdict">\n<p class="score">{text(score)}</p>\n{_bar(claims)}<p>{prose(item.says)}</p>\n'
    failed = [f"{number_of} by {text(cause)}" for cause in CAUSES
              for number_of in [sum(one.verdict == "fails" and one.cause == cause for one in claims)] if number_of]
    if failed:
        box += f'<p class="note">What fails: {", ".join(failed)}.</p>\n'
    size = ("The computation is small: this is the paper's size." if item.same else "The paper's size."
            if outcome["variant"] == "full" else "The quick variant, smaller or shorter than the paper's.")
    box += f'<p class="note">{size} It took {seconds(outcome["processor_seconds"])} of the processor.</p>\n'
    if outcome["methods"]:
        box += f'<p class="note">Methods that ran: {text(", ".join(outcome["methods"]))}.</p>\n'
    if outcome["stand_ins"]:
        box += f'<p class="note">Stand-ins: {text("; ".join(outcome["stand_ins"]))}.</p>\n'
    return box + "</section>\n"


def _claim(claim) -> str:
    made = (f'<li><span class="mark {claim.verdict}" title="{claim.verdict}">{_MARKS[claim.verdict]}</span><div><p>{text(claim.text)}</p>'
            f'<p class="numbers"><span class="tag">{_KIND_WORDS[claim.kind]}</span>')
    if claim.ours:
        made += '<span class="tag" title="the limit is ours, not the paper&#39;s">our limit</span>'
    if claim.verdict == "fails":
        made += f'<span class="tag">cause: {text(claim.cause)}</span>'
    made += f"{text(claim.measured)}</p>"
    if claim.verdict == "fails" and claim.why:
        made += f'<p class="why">{prose(claim.why)}</p>'
    return made + "</div></li>\n"


def _numbers_table(rows: List[Dict[str, Any]]) -> str:
    printed = any(one["printed"] is not None for one in rows)
    head = ["", *(["printed"] if printed else []), "measured", *(["measured / printed"] if printed else [])]
    lines = []
    for one in rows:
        unit = f' <span class="note">{text(one["unit"])}</span>' if one["unit"] else ""
        side, known = known_of(one)
        value = side + number(known) if known is not None else f'<span class="note">{text(one["missing"] or "-")}</span>'
        if one.get("band") and not side:
            low, high = (number(float(f"{end:.3g}")) for end in one["band"])
            value += f' <span class="note">{low} to {high}</span>'
        line = [text(one["what"]) + unit, *([number(one["printed"])] if printed else []), value]
        if printed:
            both = one["printed"] and known is not None and math.isfinite(known)
            ratio = known / one["printed"] if both else 0
            line.append("" if not both else side + (_ratio(ratio) if ratio > 0 else number(ratio)))
        lines.append(line)
    return (f"<section>\n<h2>{'Printed and measured' if printed else 'Measured'}</h2>\n"
            f"{_table(head, lines, range(1, len(head)))}</section>\n")


def _list(title: str, lines: List[str]) -> str:
    if not lines:
        return ""
    return (f"<section>\n<h2>{title}</h2>\n<ul class=\"plain\">\n" + "".join(f"<li>{prose(one)}</li>\n" for one in lines) +
            "</ul>\n</section>\n")


def _open_values(item: Item, outcome: Dict[str, Any]) -> str:
    if not item.open:
        return ""
    rows = [[f'{text(name)}<br><span class="note">{text(about)}</span>', text(outcome["values"].get(name)),
             text(", ".join(map(str, alternatives)))] for name, (about, alternatives) in item.open.items()]
    made = "<section>\n<h2>What the paper leaves open</h2>\n" + _table(["value", "here", "alternatives"], rows)
    if outcome["sweep"]:
        made += _table(["with", "claims"], [[text(one["with"]), text(one["result"])] for one in outcome["sweep"]])
    else:
        made += f'<p class="note">The alternatives were not run; <code>phiflex reproduce {text(item.id)} --sweep</code> does.</p>\n'
    return made + "</section>\n"


def _runs(outcome: Dict[str, Any]) -> str:
    if not outcome["runs"]:
        return ""
    rows = []
    for one in outcome["runs"]:
        tone = "" if one["status"] == "done" else " pause" if one["status"].startswith("stopped") else " bad"
        cost = seconds(one["cost"]) if one["steps"] else "&#8211;"
        if one.get("band"):
            cost += f' <span class="note">{one["band"][0]:.3g} to {one["band"][1]:.3g}</span>'
        state = f'<span class="state{tone}">{text(one["status"])}</span>'
        rows.append([text(one["name"]), text(one["method"]), state, seconds(one["step"]), number(one["steps"]), cost, text(one["note"])])
    table = _table(["run", "method", "result", "step", "steps", "cost of a step", "remark"], rows, (3, 4, 5), f"all {len(rows)} runs")
    note = '<p class="note">Seconds belong to this machine; only their ratios are compared.</p>'
    return f"<section>\n<h2>Runs</h2>\n{table}{note}\n</section>\n"


_SCRIPT = """
const chosen = { verdict: '', kind: '', cause: '' };
for (const filters of document.querySelectorAll('.filters')) {
  filters.hidden = false;
  filters.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    for (const one of filters.querySelectorAll('button')) one.setAttribute('aria-pressed', String(one === button));
    chosen[filters.dataset.of] = button.value;
    for (const card of document.querySelectorAll('.card')) {
      const claims = (card.dataset.claims || '').split(' ').map((one) => one.split('/'));
      const any = !chosen.verdict && !chosen.kind && !chosen.cause;
      card.hidden = !any && !claims.some(([verdict, kind, cause]) => (!chosen.verdict || verdict === chosen.verdict) &&
        (!chosen.kind || kind === chosen.kind) && (!chosen.cause || cause === chosen.cause));
    }
    for (const paper of document.querySelectorAll('.paper')) paper.hidden = !paper.querySelector('.card:not([hidden])');
  });
}
"""


def gallery_page(entries: List[Dict[str, Any]], version: str) -> str:
    """entries: item, outcome (None: not run), thumbnail ("svg" or PNG bytes, or None)."""
    claims = [claim_from(one) for entry in entries if entry["outcome"] for one in entry["outcome"]["claims"]]
    number_of = counts(claims)
    page = _head("The papers' experiments", _SCRIPT) + (
        '<body class="gallery">\n<main>\n<h1>The papers&#39; experiments</h1>\n<p class="lead">'
        f"{len(entries)} tables, figures and sentences of five papers on elastodynamics, repeated: the measured beside the printed, and "
        "whether each claim holds, fails or is open. Of a failure the cause is said: the paper, a parameter that it leaves open, a "
        "stand-in, or this engine.</p>\n")
    page += '<div class="counts">'
    page += "".join(f'<i class="{one}" style="flex:{number_of[one]}"></i>' for one in VERDICTS if number_of[one])
    page += '</div>\n<dl class="figures">\n' + "".join(
        f'<div class="{one}"><dt>claims {word}</dt><dd>{number_of[one]}</dd></div>\n' for one, word in
        (("holds", "hold"), ("fails", "fail"), ("open", "are open")))
    missing = sum(entry["outcome"] is None for entry in entries)
    if missing:
        page += f'<div class="not-run"><dt>items not run yet</dt><dd>{missing}</dd></div>\n'
    page += "</dl>\n"
    for name, values in (("verdict", VERDICTS), ("kind", KINDS), ("cause", CAUSES)):
        page += f'<div class="filters" data-of="{name}" hidden><button value="" aria-pressed="true">any {name}</button>' + "".join(
            f'<button value="{one.replace(" ", "-")}" aria-pressed="false">{text(_KIND_WORDS.get(one, one))}</button>'
            for one in values) + "</div>\n"
    for paper, title in PAPERS.items():
        of_paper = [entry for entry in entries if entry["item"].paper == paper]
        if not of_paper:
            continue
        some = [claim_from(one) for entry in of_paper if entry["outcome"] for one in entry["outcome"]["claims"]]
        page += f'<section class="paper">\n<h2>{text(title)}</h2>\n<p class="note">{text(count_words(some))}</p>\n<div class="cards">\n'
        page += "".join(_card(entry) for entry in of_paper) + "</div>\n</section>\n"
    return page + f"<script>{_SCRIPT}</script>\n</main>\n<footer>Phiflex {text(version)}</footer>\n</body>\n</html>\n"


def _card(entry: Dict[str, Any]) -> str:
    item, outcome = entry["item"], entry["outcome"]
    above = (f'<div class="words"><div class="above"><span>{text(item.id)}</span><span>{text(item.number)}</span></div>\n'
             f"<h3>{text(item.title)}</h3>\n")
    if outcome is None:
        return (f'<div class="card not-run">{above}<p>{text(item.asks)}</p>\n<div class="bottom"><span>not run yet</span></div></div>'
                "</div>\n")
    claims = [claim_from(one) for one in outcome["claims"]]
    marks = " ".join(f"{one.verdict}/{one.kind}/{one.cause.replace(' ', '-') if one.verdict == 'fails' else ''}" for one in claims)
    thumbnail = entry["thumbnail"]
    if isinstance(thumbnail, bytes):
        picture = (f'<div class="thumb light"><img alt="" src="data:image/png;base64,{base64.b64encode(thumbnail).decode()}"></div>\n')
    elif thumbnail:
        picture = f'<div class="thumb">{thumbnail}</div>\n'
    else:
        picture = f'<div class="thumb"><span class="item">{text(item.number)}</span></div>\n'
    first = next((one for one in claims if one.verdict == "fails"), next((one for one in claims if one.verdict == "open"), None))
    cause = f" ({text(first.cause)})" if first and first.verdict == "fails" else ""
    told = f'<p class="said">{text(first.text)}: {first.verdict}{cause}.</p>\n' if first else ""
    stand_in = f'<span class="tag" title="{text("; ".join(outcome["stand_ins"]))}">stand-in</span>' if outcome["stand_ins"] else ""
    return (f'<a class="card" href="{text(item.id)}/index.html" data-claims="{marks}">\n{picture}{above}<p>{text(item.asks)}</p>\n{told}'
            f'<div class="bottom"><span>{text(count_words(claims))}</span><span>{stand_in}{outcome["variant"]}, '
            f'{seconds(outcome["processor_seconds"])}</span></div>{_bar(claims)}</div>\n</a>\n')
