"""Amplitude decay"""
import numpy as np

from phiflex.experiments import above, amplitude_decay, item, said

METHODS = {"implicit": "be", "(1/4, 1, 1)": "zheng", "(1/4, 1, 3)": "zheng:r=3", "(1/2, 1, 1)": "zheng:p=0.5", "(1/4, 2, 1)": "zheng:q=2"}
ITEM = item(
    number="Figure 4", grade="A",
    says="Section 5.1.2, Figure 4, remarks (a), (b), (d), (e): the amplitude decay of central differences and of the implicit method is "
         "extremely large; it falls "
         "when p, q and r grow, most with r; damping cannot restrain it.",
    asks="Do central differences and the implicit method lose amplitude extremely, and the proposed method not?",
    differs=["The printed measure counts physical damping as an error: the exact solution decays by the damping ratio itself.",
             "Central differences are the textbook form, damping by (q+ - q-)/2h; Omega runs to 1.7, where their roots are still complex.",
             "\"Extremely large\" is read as at least twice that of the proposed method on the mean over Omega up to 1.7, at a damping "
             "ratio of 0.05."],
    full=dict(xi=0.05), open=dict(xi=("damping ratio of the curves", [0.02, 0.2])),
    found="Backward Euler decays by 0.49 at Omega = 1 where 0.05 is right. Central differences do not: 0.048, nearer to the exact 0.050 "
          "than the proposed "
          "method's 0.043.")


def central(x, xi):
    """Decay of the complex roots of (1 + xi x) z^2 - (2 - x^2) z + 1 - xi x = 0."""
    z = [max(np.roots([1 + xi * v, v * v - 2, 1 - xi * v]), key=lambda one: one.imag) for v in np.atleast_1d(x)]
    return -np.log(np.abs(z)) / np.angle(z)


def run(x):
    omega = np.linspace(0.1, 1.7, 65)
    decay = {name: abs(amplitude_decay(method, omega, x.xi)) for name, method in METHODS.items()}
    decay["central differences"] = abs(central(omega, x.xi))
    mean = lambda name: decay[name].mean()  # noqa: E731
    for name, why in (("implicit", ""), ("central differences", "They show the physical damping and hardly any of their own: the exact "
                                                                "value is the damping ratio.")):
        x.claim("behaviour", f"(a) The amplitude decay of the {name.replace('implicit', 'implicit method').replace('central', 'central')} "
                             f"is extremely large".replace("the central", "central"),
                lambda: above("its mean over that of (1/4, 1, 1)", mean(name) / mean("(1/4, 1, 1)"), 2), ours=True, cause="paper", why=why)
    x.claim("remark", "(b) The decay falls when p, q or r grows, most with r",
            lambda: said(mean("(1/4, 1, 3)") < min(mean("(1/2, 1, 1)"), mean("(1/4, 2, 1)")) and
                         max(mean("(1/2, 1, 1)"), mean("(1/4, 2, 1)")) < mean("(1/4, 1, 1)"),
                         "means: " + ", ".join(f"{name} {mean(name):.3g}" for name in METHODS if name != "implicit"),
                         "means: " + ", ".join(f"{name} {mean(name):.3g}" for name in METHODS if name != "implicit")), ours=True,
            cause="paper",
            why="The decay does not fall with each of the three.")
    x.claim("remark", "(e) Damping does not make the decay of the proposed method smaller",
            lambda: said(mean("(1/4, 1, 1)") > abs(amplitude_decay("zheng", omega, 0)).mean(),
                         f"the mean is {mean('(1/4, 1, 1)'):.3g} with and {abs(amplitude_decay('zheng', omega, 0)).mean():.2g} without "
                         f"damping"),
            cause="paper", why="")
    for name in decay:
        x.row(f"{name}, Omega = 1, damping ratio {x.xi:g}", lambda: float(np.interp(1, omega, decay[name])))
    x.row(f"exact, damping ratio {x.xi:g}", x.xi / np.sqrt(1 - x.xi ** 2))
    plot = x.plot(f"Amplitude decay, damping ratio {x.xi:g}", "Omega = h w", "amplitude decay")
    for name, values in decay.items():
        plot.line(name, omega, values)
    plot.dashed("exact", [0.1, 1.7], [x.xi, x.xi])
