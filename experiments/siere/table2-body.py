"""Soft body: cost"""
from _paper import EXPV, MEANS, WOODBURY, body
from phiflex.experiments import above, item

ITEM = item(
    number="Table 2, human body", grade="C",
    says="Section 4.4, Table 2: SIERE with s = 6 took 85 % longer than SI, 29 % of it the eigenproblem; s = 60 about twice that; ERE over "
         "eight times longer.",
    asks="What do SI, SIERE with 6 and 60 modes and ERE cost on a soft body?",
    differs=["The paper's body and its inner surface are not public: a figure of the generator with a held core of half its thickness.",
             "The pulse is 2 g upward for 50 frames; the damping is 0.005 s times the current stiffness.", MEANS],
    full=dict(cells=107, frames=100, ere_frames=20, pulse=19.62, damping_of="current"), quick=dict(cells=14, frames=30, ere_frames=5))


def run(x):
    def cost(name, integrator, more, frames=x.frames, repeat=1):
        return x.run(name, "body", {**body(x), **more}, integrator, end=0.008 * frames, repeat=repeat)

    si = cost("SI", "si", {}, repeat=3)
    siere = cost("SIERE, s = 6", "siere:modes=6", WOODBURY, repeat=3)
    many = cost("SIERE, s = 60", "siere:modes=60", WOODBURY)
    ere = cost("ERE", "ere", EXPV, x.ere_frames)
    one_solve = cost("SIERE, one solve", "siere:modes=6", {})
    elements = "13 cm" if x.quick else "2 cm"
    absent = f"the paper's body is not public: flesh of 1.6e4 Pa in elements of {elements} is not stiff at h = 8 ms"
    x.claim("cost", "SIERE takes 85 % longer than SI", None, open=absent)
    x.claim("cost", "ERE takes over eight times longer than SIERE", None, open=absent)
    x.claim("cost", "s = 60 takes about twice as long as s = 6", None, open=absent)
    x.claim("cost", "More modes cost more", lambda: above("s = 60 over s = 6", many.cost / siere.cost, 1), cause="engine",
            why="they do not")
    x.row("SIERE over SI", lambda: siere.cost / si.cost, printed=9672 / 5209)
    x.row("ERE over SIERE", lambda: ere.cost / siere.cost, printed=79367 / 9672)
    x.row("s = 60 over s = 6", lambda: many.cost / siere.cost, printed=19382 / 9672)
    x.row("share of the eigenproblem in SIERE's linear algebra",
          lambda: siere.share("modes", ("modes", "factorization", "solve")), printed=0.29)
    x.row("SIERE with one solve over SI", lambda: one_solve.cost / si.cost)
