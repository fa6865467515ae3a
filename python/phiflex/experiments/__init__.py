"""The papers' experiments: short programs that repeat a figure or a table and judge what the paper says about it, claim by claim.

A program is a file ``experiments/<paper>/<item>.py`` with an :func:`item` and a function ``run(x)``; docs/experiments.md
says how one is written. ``phiflex reproduce`` and ``python3 -m phiflex.experiments`` run them.
"""

from __future__ import annotations

from .findings import Finding, above, below, between, both, either, every, falling, near, rising, said, stable, unstable
from .item import Item, item
from .numbers import Measured, Noise, Open, at_least, largest, measure, smallest
from .scalar import (amplitude_decay, damping, exact_oscillator, oscillator, period_elongation, spectral_radius,
                     stiffened_radius)
from .signals import admissible_step, exponent, geometric, order_changes, peaks

__all__ = [
    "Finding", "Item", "Measured", "Noise", "Open", "above", "admissible_step", "amplitude_decay", "at_least", "below", "between",
    "both", "damping", "either", "every", "exact_oscillator", "exponent", "falling", "geometric", "item", "largest", "measure", "near",
    "order_changes", "oscillator", "peaks", "period_elongation", "rising", "said", "smallest", "spectral_radius", "stable",
    "stiffened_radius", "unstable"]
