"""Conditioning of the matrices of BE and IM over stiffness"""
from phiflex.experiments import above, below, geometric, item, rising

MATRICES = {"condition_be": "backward Euler", "condition_midpoint": "implicit midpoint"}
ITEM = item(
    number="Figure 2.1", grade="B",
    says="Section 2.2.1, Figure 2.1 (armadillo, neo-Hookean, no damping): the condition numbers of the matrices of backward Euler, I + h^2 "
         "M^-1 K, and of implicit midpoint, I + h^2/4 M^-1 K, increase rapidly with Young's modulus.",
    asks="How does the condition of the matrices that backward Euler and the implicit midpoint rule solve with grow with Young's modulus?",
    differs=["The state at which it is taken is not printed: at rest. Nor is the step: 0.01 s.",
             "The 1-norm condition is estimated by the method of Hager and Higham, as the run records it.",
             "The quick variant has an armadillo of 2,315 tetrahedra."],
    full=dict(file="armadillo_tet_5k.mesh", h=0.01), quick=dict(file="armadillo_tet_2k.mesh"), open=dict(h=("s; not printed", [0.1])),
    found="Both tend to the condition of M^-1 K where the stiffness is large.")


def run(x):
    body = x.mesh("bodies.0.mesh", x.file, also={"constraints.0.where": {"box": [[-9, -9, -9], [9, 0.07, 9]]}},
                  stand_in="a human figure of the generator")
    youngs = geometric(1e4, 1e10, 7)
    runs = [x.run(f"{young:g} Pa", "armadillo", {**body, "bodies.0.material.young": float(young), "output.condition": True}, step=x.h,
                  end=x.h)
            for young in youngs]
    condition = lambda which: [r.at(which, 0) for r in runs]
    plot = x.plot("Condition over Young's modulus", "Young's modulus, Pa", "condition", log="xy")
    for which, name in MATRICES.items():
        x.claim("behaviour", f"The condition of {name}'s matrix increases with the stiffness",
                lambda: rising("the condition", condition(which)))
        x.claim("behaviour", f"It increases rapidly ({name})",
                lambda: above("the factor over six decades of stiffness", condition(which)[-1] / condition(which)[0], 100), ours=True)
        for i in 0, 3, 6:
            x.row(f"{name}, Y = {youngs[i]:g} Pa", lambda: condition(which)[i])
        plot.line_and_dots(name, youngs, lambda: condition(which))
    x.claim("behaviour", "Backward Euler's is the larger one", lambda: below(
        "the largest ratio of implicit midpoint's to backward Euler's",
        max(r.at("condition_midpoint", 0) / r.at("condition_be", 0) for r in runs), 1),
            ours=True)
