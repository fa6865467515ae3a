"""Claims and what became of them; verdict.json, and the verdicts that are stored beside the programs."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import Any, Dict, List, Optional, Tuple

KINDS = ("behaviour", "cost", "number", "remark")
CAUSES = ("paper", "open parameter", "stand-in", "engine")
VERDICTS = ("holds", "fails", "open")


@dataclasses.dataclass
class Claim:
    """A statement of the paper; ours: sharpened by us."""

    kind: str
    text: str
    verdict: str
    measured: str = ""  #: the numbers, in a sentence
    cause: str = ""  #: of a failure
    why: str = ""
    ours: bool = False
    noise: bool = False  #: costs lie within their noise, here or with an alternative of what is open

    def as_json(self) -> Dict[str, Any]:
        made = {"text": self.text, "kind": self.kind, "verdict": self.verdict, "ours": self.ours, "measured": self.measured}
        if self.verdict == "fails":
            made.update(cause=self.cause, why=self.why)
        if self.noise:
            made["noise"] = True
        return made


def claim_from(data: Dict[str, Any]) -> Claim:
    return Claim(data["kind"], data["text"], data["verdict"], data.get("measured", ""), data.get("cause", ""), data.get("why", ""),
                 data.get("ours", False), data.get("noise", False))


def counts(claims: List[Claim]) -> Dict[str, int]:
    return {verdict: sum(one.verdict == verdict for one in claims) for verdict in VERDICTS}


def count_words(claims: List[Claim]) -> str:
    """ "9 of 13 hold, 3 fail, 1 open" """
    if not claims:
        return "shows, claims nothing"
    number = counts(claims)
    text = f"{number['holds']} of {len(claims)} hold{'s' if len(claims) == 1 else ''}"
    if number["fails"]:
        text += f", {number['fails']} fail{'s' if number['fails'] == 1 else ''}"
    return text + (f", {number['open']} open" if number["open"] else "")


def _short(words: str, most: int = 160) -> str:
    return words if len(words) <= most else words[:most].rsplit(" ", 1)[0] + " ..."


HANGS = "the answer hangs on what the paper leaves open: it"


def swept(claims: List[Claim], others: List[Tuple[str, List[Claim]]]) -> None:
    """A claim whose answer is another one with an alternative of what the paper leaves open is open. So is a failure that is
    put down to an open parameter, where an alternative leaves it undecided (not by noise): nothing then shows that it fails
    whatever the parameter is. What holds, or fails by another cause, stays: an alternative that says nothing does not speak
    against it. Where costs of an alternative lie within their noise, the next sweep may find another answer: the claim is
    marked."""
    for words, alternative in others:
        by_text = {one.text: one for one in alternative}
        for place, claim in enumerate(claims):
            other = by_text.get(claim.text)
            if other is None and len(alternative) == len(claims):
                other = alternative[place]
            if other is None:
                continue
            claim.noise = claim.noise or other.noise
            unknown = claim.verdict == "fails" and claim.cause == "open parameter" and other.verdict == "open" and not other.noise
            if not unknown and {claim.verdict, other.verdict} != {"holds", "fails"}:
                continue
            _leave_open(claim, f"{claim.verdict} with our value ({_short(claim.measured)}), and "
                               f"{'cannot be decided' if unknown else other.verdict} with {words} ({_short(other.measured)})")


def _leave_open(claim: Claim, words: str) -> None:
    claim.measured = f"{HANGS} {words}"
    claim.verdict, claim.cause, claim.why = "open", "", ""


def not_swept(claims: List[Claim], small: List[Claim]) -> None:
    """What was not swept at the paper's size, and hangs on what is open in the small variant, is open here as well."""
    hanging = {one.text: one for one in small if one.verdict == "open" and one.measured.startswith(HANGS)}
    for claim in claims:
        if claim.verdict != "open" and claim.text in hanging:
            _leave_open(claim, f"{claim.verdict} at the paper's size with our value ({_short(claim.measured)}); there it was not swept, and "
                               f"in the quick variant it {hanging[claim.text].measured[len(HANGS):].strip()}")


# -- Stored verdicts: experiments/<paper>/verdicts.json, {item: {variant: {...}}}


def store_file(item) -> pathlib.Path:
    return item.folder / "verdicts.json"


def read_store(file: pathlib.Path) -> Dict[str, Any]:
    try:
        return json.loads(file.read_text())
    except FileNotFoundError:
        return {}


def stored(item, variant: str) -> Optional[Dict[str, Any]]:
    """What is stored of a variant: claims, seconds, date, ...; or estimated seconds."""
    return read_store(store_file(item)).get(item.file.stem, {}).get(variant)


def write_store(item, variant: str, entry: Dict[str, Any]) -> None:
    """Replaces what is stored of a variant; a line for each claim."""
    file = store_file(item)
    all_of = read_store(file)
    all_of.setdefault(item.file.stem, {})[variant] = entry
    lines = ["{"]
    for i, (name, variants) in enumerate(sorted(all_of.items())):
        lines.append(f" {json.dumps(name)}: {{")
        for j, (which, one) in enumerate(sorted(variants.items(), reverse=True)):
            head = {key: value for key, value in one.items() if key != "claims"}
            told = json.dumps(head, ensure_ascii=False)[1:-1]
            lines.append(f"  {json.dumps(which)}: {{{told}" + (', "claims": [' if "claims" in one else ""))
            claims = one.get("claims", [])
            lines += [f"   {json.dumps(claim, ensure_ascii=False)}{',' if k + 1 < len(claims) else ''}" for k, claim in enumerate(claims)]
            lines.append(("  ]" if "claims" in one else "  ") + "}" + ("," if j + 1 < len(variants) else ""))
        lines.append(" }" + ("," if i + 1 < len(all_of) else ""))
    lines.append("}")
    part = file.with_suffix(".part")
    part.write_text("\n".join(lines) + "\n")
    part.replace(file)


def differences(now: List[Claim], before: List[Claim]) -> Tuple[List[str], List[str]]:
    """How claims differ from those stored: what counts, and what is said only (costs that came within their noise)."""
    counted, told = [], []
    known = {one.text: one for one in before}
    for claim in now:
        old = known.pop(claim.text, None)
        if old is None:
            counted.append(f'"{claim.text}" {claim.verdict} and is not stored')
        elif old.verdict != claim.verdict:
            words = f'"{claim.text}" {claim.verdict} instead of {old.verdict}'
            close = "open" in (old.verdict, claim.verdict) and (claim.noise or old.noise)
            (told if close else counted).append(words)
        elif claim.verdict == "fails" and claim.cause != old.cause:
            counted.append(f'"{claim.text}" fails by {claim.cause} instead of {old.cause}')
    counted += [f'"{text}" is stored and was not stated' for text in known]
    return counted, told
