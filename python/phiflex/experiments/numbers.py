"""Numbers that know how well they are known: costs with their noise, values that were capped, and what cannot be decided."""

from __future__ import annotations

import math
import time
from typing import Callable, Iterable, List, Optional, Tuple, Union

LEAST_NOISE = 0.10  #: relative, of a cost that was measured several times: beyond the spread of the repeats
SINGLE_NOISE = 0.30  #: of a cost that was measured once
STEADY = 1.25  #: largest over smallest repeat at which a band counts as known
MOST_REPEATS = 7


class Open(Exception):
    """What cannot be decided, and why: a sentence."""


class Noise(Open):
    """Two costs that lie within each other's noise: measured again, they may be told apart."""


class Measured:
    """A number between ``low`` and ``high``. Arithmetic keeps the band. A comparison is True, False, or where the bands overlap
    raises :class:`Noise` for costs, :class:`Open` for bounds, which stay the same when they are measured again."""

    def __init__(self, value: float, low: float, high: float, noisy: bool = False):
        self.value, self.low, self.high = float(value), float(low), float(high)
        self.noisy = noisy  #: the band is the spread of repeats; else low and high are bounds

    @staticmethod
    def of(number: "Number") -> "Measured":
        return number if isinstance(number, Measured) else Measured(number, number, number)

    def _with(self, other: "Number", operation: Callable[[float, float], float]) -> "Measured":
        other = Measured.of(other)
        ends = [operation(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        ends = [end for end in ends if not math.isnan(end)]
        return Measured(operation(self.value, other.value), min(ends), max(ends), self.noisy or other.noisy)

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    def __truediv__(self, other):
        divisor = Measured.of(other)
        if divisor.low <= 0 <= divisor.high:
            raise Open("a number that may be 0 would have to be divided by")
        return self._with(divisor, lambda a, b: a / b)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return Measured.of(other) - self

    def __rtruediv__(self, other):
        return Measured.of(other) / self

    def __neg__(self):
        return Measured(-self.value, -self.high, -self.low, self.noisy)

    def __pow__(self, power: float):
        ends = [self.low ** power, self.high ** power]
        return Measured(self.value ** power, min(ends), max(ends), self.noisy)

    def __lt__(self, other):
        other = Measured.of(other)
        if self.high < other.low:
            return True
        if self.low >= other.high:
            return False
        raise self._undecided(other)

    def __le__(self, other):
        other = Measured.of(other)
        if self.high <= other.low:
            return True
        if self.low > other.high:
            return False
        raise self._undecided(other)

    def _undecided(self, other: "Measured") -> Open:
        if self.noisy or other.noisy:
            return Noise(f"{self} and {other} cannot be told apart within the noise of the costs")
        return Open(f"{self} and {other} cannot be told apart: bounds are known, by what was tried")

    def __gt__(self, other):
        return Measured.of(other) < self

    def __ge__(self, other):
        return Measured.of(other) <= self

    __hash__ = None

    def __eq__(self, other):
        raise TypeError("measured numbers are not compared for equality; near() and between() say what is meant")

    def __float__(self) -> float:
        return self.value

    def told(self, unit: str = "") -> str:
        """With its band and a unit, in words."""
        unit = f" {unit}" if unit else ""
        if self.low == self.high:
            return words(self.value) + (unit if math.isfinite(self.value) else "")
        if math.isinf(self.high):
            return f"{words(self.low)}{unit} or more"
        if self.value == self.low == 0:
            return f"0 to {words(self.high, 3)}{unit}"
        return f"{words(self.value)} ({words(self.low, 3)} to {words(self.high, 3)}){unit}"

    def __str__(self) -> str:
        return self.told()

    __repr__ = __str__

    def __format__(self, form: str) -> str:
        return format(self.value, form) if form else str(self)


Number = Union[float, int, Measured]


def at_least(value: float) -> Measured:
    """A value that was capped: the largest that was tried, and the true one may be larger."""
    return Measured(value, value, math.inf)


def from_repeats(values: Iterable[float]) -> Measured:
    """A cost by its repeats: the median, and their spread widened by the least noise."""
    ordered: List[float] = sorted(values)
    middle = ordered[len(ordered) // 2]
    noise = SINGLE_NOISE if len(ordered) == 1 else LEAST_NOISE
    return Measured(middle, ordered[0] * (1 - noise), ordered[-1] * (1 + noise), noisy=True)


def is_steady(values: List[float]) -> bool:
    """Whether the spread of the repeats is small enough for a band."""
    return len(values) > 1 and min(values) > 0 and max(values) <= STEADY * min(values)


def measure(function: Callable[[], object], repeat: int = 5) -> Measured:
    """Processor seconds of a function, all threads together."""
    values: List[float] = []
    while len(values) < repeat or (not is_steady(values) and len(values) < MOST_REPEATS):
        start = time.process_time()
        function()
        values.append(time.process_time() - start)
    return from_repeats(values)


def largest(numbers: Iterable[Number]) -> Measured:
    """The largest of several, with its band."""
    all_of = [Measured.of(one) for one in numbers]
    return Measured(max(one.value for one in all_of), max(one.low for one in all_of), max(one.high for one in all_of),
                    any(one.noisy for one in all_of))


def smallest(numbers: Iterable[Number]) -> Measured:
    """The smallest of several, with its band."""
    return -largest(-Measured.of(one) for one in numbers)


def words(number: float, digits: int = 4) -> str:
    """A number as people write it: no trailing zeros, powers of ten for what is far from 1."""
    number = float(number)
    if math.isnan(number):
        return "not a number"
    if math.isinf(number):
        return "infinite" if number > 0 else "minus infinite"
    if number == int(number) and abs(number) < 1e6:
        return f"{int(number)}"
    return f"{number:.{digits}g}"


def known_of(row) -> Tuple[str, Optional[float]]:
    """The number of a line of a table; if it is known from one side only, "at least " or "at most " and the bound."""
    low, high = row.get("band") or (0, 0)
    if high is None or math.isinf(high):
        return "at least ", low
    return ("at most ", high) if low < high and row["measured"] == low == 0 else ("", row["measured"])


def row_words(row) -> str:
    """The same with its band."""
    side, value = known_of(row)
    if value is None:
        return "-"
    low, high = (0, 0) if side else row.get("band") or (0, 0)
    return f"{side}{value:.5g}" + (f" ({low:.3g} to {high:.3g})" if low < high else "")
