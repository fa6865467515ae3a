"""Stability when the stiffness changes"""
from phiflex.experiments import above, below, geometric, item, said, stiffened_radius

ITEM = item(
    number="Section 4.2", grade="A",
    says="Section 4.2, equation 27: for nonlinear systems the method is unconditionally stable with p >= w^2/(4 w0^2), q >= w/w0 and r >= "
         "0, where w0 is the "
         "frequency of the initial state.",
    asks="Is the method stable for any step once p >= w^2/(4 w0^2) and q >= w/w0, and only then?",
    differs=["The oscillator has w^2 = 0.25, 1, 4 and 16 times that of the rest shape, whose stiffness is factorized."],
    full=dict(ratios=[0.25, 1, 4, 16]),
    found="The rule is right. So \"unconditionally\" means: provided that the largest stiffening is known beforehand. A StVK bar released "
          "from 30 % stretch "
          "diverges with p = 1/4 and comes to its end with p = 4.")


def run(x):
    omega = geometric(0.01, 100, 201)
    right = lambda c: f"zheng:p={max(0.25, c / 4)}:q={max(1, c ** 0.5)}"  # noqa: E731
    bars = {p: x.run(f"StVK bar, p = {p:g}", "bar", {"integrator.p": p}) for p in (0.25, 4)}
    for c in x.ratios:
        x.claim("behaviour", f"With the rule's p and q a body of {c:g} times its initial stiffness is stable for every step",
                lambda: below("the largest radius for Omega up to 100", stiffened_radius(right(c), omega, c).max(), 1 + 1e-8),
                cause="paper", why="")
    x.claim("behaviour", "The rule is needed: with p = 1/4 a body that has become four times as stiff is unstable at some step",
            lambda: above("the largest radius", stiffened_radius("zheng", omega, 4).max(), 1 + 1e-6), ours=True, cause="paper", why="")
    x.claim("behaviour", "A StVK bar released from 30 % stretch comes to its end with p = 4",
            lambda: said(bars[4].done, "it does", f"it {bars[4].outcome}"), ours=True, cause="paper", why="")
    for c in x.ratios:
        x.row(f"largest radius, {c:g} times the stiffness, p = 1/4", lambda: stiffened_radius("zheng", omega, c).max())
        x.row(f"largest radius, {c:g} times the stiffness, the rule's p and q", lambda: stiffened_radius(right(c), omega, c).max())
    for p, bar in bars.items():
        x.row(f"StVK bar, p = {p:g}: step at which it diverges (0: none)", bar.failed_at)
    plot = x.plot("Spectral radius over the initial Omega", "h w0", "spectral radius", log="x")
    for c in x.ratios[:3]:
        plot.line(f"{c:g} times the stiffness, p = 1/4", omega, lambda: stiffened_radius("zheng", omega, c))
    plot.dashed("4 times the stiffness, p = 1, q = 2", omega, lambda: stiffened_radius("zheng:p=1:q=2", omega, 4))
