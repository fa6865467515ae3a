"""Spectral radius of explicit and implicit methods"""
import numpy as np

from phiflex.experiments import above, below, item, spectral_radius

METHODS = {"implicit": "be", "Chang": "chang", "Gui": "gui", "Ding": "chen-ricles", "proposed (1/4, 1, 1)": "zheng",
           "proposed (1/4, 1, 3)": "zheng:r=3", "proposed (1/2, 1, 1)": "zheng:p=0.5", "proposed (1/4, 2, 1)": "zheng:q=2"}
ITEM = item(
    number="Figure 2", grade="A",
    says="Section 5.1.1, Figure 2: all the methods are stable at every step but central differences, which are stable for Omega in (0, 2) "
         "however the "
         "damping changes; (1/4, 1, 1) coincides with Gui and Ding.",
    asks="Are all the compared methods but central differences stable at every step, and is the limit of that one Omega = 2 whatever the "
         "damping?",
    differs=["The damping ratios and the parameters of some curves are assumed.",
             "Central differences are the textbook form, damping by (q+ - q-)/2h; ours takes the damping force half a step late, and is "
             "shown beside it.",
             "The family called Ding is taken as the method of Chen and Ricles, \"implicit\" as backward Euler."],
    full=dict(ratios=[0, 0.05, 0.2]), open=dict(ratios=("damping ratios of the curves", [[0, 0.1, 0.5]])),
    found="A form of central differences that takes the damping force half a step late, as ours does for any force of the velocity, has a "
          "smaller limit: 1.91 "
          "at a damping ratio of 0.05, 1.76 at 0.2.")


def central(x, xi):
    """Spectral radius of (1 + xi x) z^2 - (2 - x^2) z + 1 - xi x = 0."""
    return np.array([abs(np.roots([1 + xi * v, v * v - 2, 1 - xi * v])).max() for v in np.atleast_1d(x)])


def run(x):
    omega, short, long = np.linspace(0.05, 10, 200), np.linspace(0.05, 1.99, 98), np.linspace(2.01, 10, 100)
    for name, method in METHODS.items():
        x.claim("behaviour", f"The {name} method is stable for every step",
                lambda: below("the largest radius for Omega up to 10", max(spectral_radius(method, omega, xi).max() for xi in x.ratios),
                              1 + 1e-12),
                cause="paper", why="")
    x.claim("behaviour", "Central differences are stable for Omega below 2, whatever the damping",
            lambda: below("the largest radius below Omega = 2", max(central(short, xi).max() for xi in x.ratios), 1 + 1e-12), cause="paper",
            why="")
    x.claim("behaviour", "Central differences are not stable at every step",
            lambda: above("the smallest radius above Omega = 2", min(central(long, xi).min() for xi in x.ratios), 1), cause="paper", why="")
    x.claim("behaviour", "The proposed method with (1/4, 1, 1) coincides with those of Gui and Ding",
            lambda: below("the largest difference of the radii", max(abs(spectral_radius("zheng", omega, xi) - spectral_radius(m, omega,
                    xi)).max()
                                                                     for xi in x.ratios for m in ("gui", "chen-ricles")), 1e-6), ours=True,
            cause="paper", why="They coincide without damping only: the others take the damping force otherwise.")
    for xi in x.ratios:
        grid = np.linspace(1, 3, 401)
        x.row(f"limit of our central differences, whose damping force lags by half a step, damping ratio {xi:g}",
              lambda: grid[np.argmax(spectral_radius("central-difference", grid, xi) > 1 + 1e-9)])
    plot = x.plot(f"Spectral radius, damping ratio {x.ratios[1]:g}", "Omega = h w", "spectral radius")
    for name, method in METHODS.items():
        plot.line(name, omega, lambda: spectral_radius(method, omega, x.ratios[1]))
    near = np.linspace(0.05, 2.1, 83)
    plot.dashed("central differences", near, lambda: central(near, x.ratios[1]))
    plot.dashed("central differences, damping late", near, lambda: spectral_radius("central-difference", near, x.ratios[1]))
