"""Signals over time, and functions of lists."""

from __future__ import annotations

from typing import List, Sequence

import numpy as np

from .numbers import Measured, Number, Open, at_least

MOST_SAMPLES = 2048  # of the transform: the strongest line is far below its limit


def window(t: np.ndarray, y: np.ndarray, start: float, end: float) -> np.ndarray:
    """The values from start to end, both included."""
    finite = [abs(one) for one in (start, end) if np.isfinite(one)]
    rounding = 1e-9 * max(finite, default=0.0)
    inside = y[(t >= start - rounding) & (t <= end + rounding)]
    if len(inside) == 0:
        raise Open(f"nothing was recorded from {start:g} to {end:g} s")
    return inside


def amplitude(t, y, start=-np.inf, end=np.inf) -> float:
    """Half of peak to peak."""
    inside = window(t, y, start, end)
    return (inside.max() - inside.min()) / 2


def strongest_period(t: np.ndarray, y: np.ndarray) -> float:
    """The period of the strongest line of a spectrum, interpolated between its neighbours."""
    if len(t) < 4:
        raise Open("the signal is too short to have a period")
    length = t[-1] - t[0]
    n = min(len(t), MOST_SAMPLES)
    samples = np.interp(t[0] + length * np.arange(n) / n, t, y)
    if not np.isfinite(samples).all():
        raise Open("the signal is not finite")
    size = np.abs(np.fft.rfft(samples - samples.mean()))
    best = 1 + int(np.argmax(size[1:]))
    if not size[best] > 0:
        raise Open("the signal does not oscillate")
    shift = 0.0
    if 1 < best < len(size) - 1:
        left, peak, right = size[best - 1:best + 2]
        shift = right / (peak + right) if right > left else -left / (peak + left)
    return length / (best + shift)


def kept_amplitude(t: np.ndarray, y: np.ndarray, period: float) -> float:
    """The amplitude of the last full period over that of the first."""
    if period > t[-1] - t[0]:
        raise Open("the run is shorter than a period")
    first = amplitude(t, y, t[0], t[0] + period)
    if not first > 0:
        raise Open("the signal does not move in its first period")
    return amplitude(t, y, t[-1] - period, t[-1]) / first


def peaks(values: Sequence[float]) -> List[float]:
    """The values at inner local maxima."""
    found, rises = [], False
    for before, now in zip(values, values[1:]):
        if now > before:
            rises = True
        elif now < before:
            if rises:
                found.append(before)
            rises = False
    return found


def exponent(x: Sequence[float], y: Sequence[Number]) -> Number:
    """The slope of log y over log x by least squares; with the band of measured y."""
    measured = [Measured.of(one) for one in y]
    if len(x) != len(measured) or len(x) < 2:
        raise Open("an exponent needs two points at least")
    lx = np.log(np.asarray(x, float))
    weights = (lx - lx.mean()) / ((lx - lx.mean()) ** 2).sum()
    slope = float(weights @ np.log([one.value for one in measured]))
    if all(one.low == one.high for one in measured):
        return slope
    up = sum(w * np.log((one.high if w > 0 else one.low) / one.value) for w, one in zip(weights, measured))
    down = sum(w * np.log((one.low if w > 0 else one.high) / one.value) for w, one in zip(weights, measured))
    return Measured(slope, slope + down, slope + up, any(one.noisy for one in measured))


def admissible_step(steps: Sequence[float], errors: Sequence[float], limit: float) -> Number:
    """The largest step up to which all errors are within the limit, interpolated on logarithmic scales; where the largest that was
    tried is still good, a value that is known from below only; where none is good, one that is known from above only."""
    order = np.argsort(steps)
    steps, errors = np.asarray(steps, float)[order], np.asarray(errors, float)[order]
    bad = np.flatnonzero(~(errors <= limit))
    if len(bad) == 0:
        return at_least(steps[-1])
    if bad[0] == 0:
        return Measured(0.0, 0.0, steps[0])
    good = bad[0] - 1
    if not np.isfinite(errors[bad[0]]) or not errors[good] > 0:
        return Measured(steps[good], steps[good], steps[bad[0]])
    share = np.log(limit / errors[good]) / np.log(errors[bad[0]] / errors[good])
    return steps[good] * (steps[bad[0]] / steps[good]) ** share


def order_changes(lists: Sequence[Sequence[float]]) -> int:
    """How often two of the lists change places, from one entry to the next."""
    rows = np.asarray(lists, float)
    if not np.isfinite(rows).all():
        raise Open("a number whose order is asked for is not known")
    above = rows[:, None, :] < rows[None, :, :]
    changed = above[:, :, 1:] != above[:, :, :-1]
    i, j = np.triu_indices(len(rows), 1)
    return int(changed[i, j].sum())


def geometric(start: float, end: float, count: int) -> np.ndarray:
    """Numbers evenly spread on a logarithmic scale."""
    return np.geomspace(start, end, count)
