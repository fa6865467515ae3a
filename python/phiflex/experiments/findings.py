"""What a claim's check finds: whether it holds, in a sentence with the numbers."""

from __future__ import annotations

import math
from typing import Any, Callable, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from .numbers import Measured, Number, Open, words


class Finding(NamedTuple):
    holds: bool
    words: str

    def __bool__(self) -> bool:
        return self.holds


Value = Union[Number, Callable[[], Number]]


def value_of(value: Any, what: str = "a number") -> Any:
    """A value, or what a callable gives; not a number: open."""
    value = value() if callable(value) else value
    if not isinstance(value, Measured):
        value = float(value)
        if math.isnan(value):
            raise Open(f"{what} is not a number here")
    return value


def _told(number: Number, unit: str) -> str:
    if isinstance(number, Measured):
        return number.told(unit)
    return f"{words(number)} {unit}" if unit and math.isfinite(number) else words(number)


def _decided(what: str, compare: Callable[[], Any]) -> bool:
    """A comparison; where it cannot be decided, what was compared is said."""
    try:
        return bool(compare())
    except Open as reason:
        raise type(reason)(f"{what.rstrip(',')}: {reason}") from None


def below(what: str, value: Value, limit: Value, unit: str = "") -> Finding:
    """``value <= limit``"""
    value, limit = value_of(value, what), value_of(limit, "the limit")
    holds = _decided(what, lambda: value <= limit)
    return Finding(holds, f"{what} is {_told(value, unit)}, {'not more than' if holds else 'more than'} {_told(limit, unit)}")


def above(what: str, value: Value, limit: Value, unit: str = "") -> Finding:
    """``value >= limit``"""
    value, limit = value_of(value, what), value_of(limit, "the limit")
    holds = _decided(what, lambda: value >= limit)
    return Finding(holds, f"{what} is {_told(value, unit)}, {'not less than' if holds else 'less than'} {_told(limit, unit)}")


def between(what: str, value: Value, low: Value, high: Value, unit: str = "") -> Finding:
    """``low <= value <= high``"""
    value, low, high = value_of(value, what), value_of(low, "the limit"), value_of(high, "the limit")
    inside = _decided(what, lambda: value >= low and value <= high)
    where = "within" if inside else "outside"
    return Finding(inside, f"{what} is {_told(value, unit)}, {where} {_told(low, '')} to {_told(high, unit)}")


def near(what: str, value: Value, printed: float, part: float, unit: str = "") -> Finding:
    """``|value - printed| <= part |printed|``"""
    value = value_of(value, what)
    room = part * abs(printed)
    holds = _decided(what, lambda: value >= printed - room and value <= printed + room)
    off = 100 * (float(value) - printed) / abs(printed)
    return Finding(holds, f"{what} is {_told(value, unit)}, printed {_told(printed, unit)}: {abs(off):.3g} % "
                                f"{'more' if off > 0 else 'less'}, {'and' if holds else 'but'} {100 * part:.3g} % are allowed")


def said(condition: Any, yes: str, no: Optional[str] = None) -> Finding:
    """A plain condition in words."""
    holds = bool(condition() if callable(condition) else condition)
    return Finding(holds, yes if holds else no or f"it is not so that {yes}")


def _stepped(run: Any) -> None:
    """A run that was stopped before its end, or failed before it made a step, says nothing about stability."""
    if run.diverged:
        run.moved()
    elif not run.done:
        raise Open(f"'{run.name}' was stopped after {run.steps} steps, before its end" if run.stopped else
                   f"'{run.name}' did not come to its end: {run.outcome}")


def stable(run: Any) -> Finding:
    """The run comes to its end and does not diverge."""
    _stepped(run)
    return said(not run.diverged, f"{run.name} comes to its end", f"{run.name} diverges at step {run.failed_at}")


def unstable(run: Any) -> Finding:
    """The run diverges."""
    _stepped(run)
    return said(run.diverged, f"{run.name} diverges at step {run.failed_at}", f"{run.name} does not diverge")


def _found(one: Any) -> Finding:
    one = one() if callable(one) else one
    return one if isinstance(one, Finding) else Finding(bool(one), "")


def _all_found(findings: Iterable[Any]) -> Tuple[List[Finding], Optional[Open]]:
    """What could be found, and why the first of the others is open. Findings that may be open are given as callables: one that
    raises in a generator's own expression ends the generator."""
    found: List[Finding] = []
    first_open: Optional[Open] = None
    rest = iter(findings)
    while True:
        try:
            found.append(_found(next(rest)))
        except StopIteration:
            return found, first_open
        except Open as reason:
            first_open = first_open or reason


def every(findings: Iterable[Any]) -> Finding:
    """All of them hold; what fails is said first. A failure decides also where others are open."""
    found, first_open = _all_found(findings)
    holds = all(one.holds for one in found)
    if holds and first_open:
        raise first_open
    told = [one.words for one in sorted(found, key=lambda one: one.holds) if one.words]
    return Finding(holds, "; ".join(told))


def both(*findings: Any) -> Finding:
    """All of them hold."""
    return every(findings)


def either(*findings: Any) -> Finding:
    """One of them holds."""
    found, first_open = _all_found(findings)
    good = [one for one in found if one.holds]
    if not good and first_open:
        raise first_open
    return Finding(bool(good), "; ".join(one.words for one in good or found if one.words))


def _listed(values: Sequence[Number]) -> str:
    return ", ".join(str(one) if isinstance(one, Measured) else words(one, 3) for one in values)


def _monotone(what: str, values: Any, up: bool) -> Finding:
    values = [value_of(one, what) for one in (values() if callable(values) else values)]
    pairs = list(zip(values, values[1:]))
    clear_no = False
    unclear: Optional[Open] = None
    for a, b in pairs:
        try:
            clear_no = clear_no or not (a < b if up else b < a)
        except Open as reason:
            unclear = unclear or reason
    if unclear and not clear_no:
        raise unclear
    step = f"each {'larger' if up else 'smaller'} than the one before"
    return Finding(not clear_no, f"{what}: {_listed(values)} ({'not ' if clear_no else ''}{step})")


def rising(what: str, values: Any) -> Finding:
    """Strictly ascending."""
    return _monotone(what, values, True)


def falling(what: str, values: Any) -> Finding:
    """Strictly descending."""
    return _monotone(what, values, False)
