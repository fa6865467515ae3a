"""Maps of stiffness of three bodies"""
from _pair import box
from phiflex.experiments import item

ITEM = item(
    number="Figure 3.14", grade="C",
    says="Section 3.4.4, Figure 3.14: pictures of where the arm (1e8 to 2e4), the rampant (1e8 to 2e6) and the fert (1e9 to 1e5) are soft; "
    "nothing is asserted.",
    asks="Which parts of the heterogeneous bodies are stiff, which soft?",
    differs=["The printed maps are pictures without numbers at places; drawn are those that our Figures 3.10 to 3.12 use, on bodies of the "
             "generator."])

BODIES = {"arm": ("arm", 1e8, 2e4, box([-0.15, -9, -9], [0.15, 9, 9])), "rampant": ("figure", 1e8, 2e6, box([-9, 0.08, -9], [9, 0.2, 9])),
          "fert": ("figure", 1e9, 1e5, box([-9, 0.6, -9], [9, 0.72, 9]))}


def run(x):
    runs = []
    for name, (scene, stiff, soft, where) in BODIES.items():
        runs.append(x.run(name, scene, {"bodies.0.material.young": stiff,
                                        "bodies.0.regions": [{"where": where, "material": {"young": soft}}]},
                          end=0.01, frames=True))
        x.row(f"{name}: stiffest over softest, as printed and as drawn", stiff / soft, printed=stiff / soft)
    x.strip(runs, list(BODIES), moments=1, colour="region")
