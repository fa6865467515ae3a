"""Substeps of expv in one ERE step of a compressed cylinder"""
from _cylinder import CLAMPED, KMS, LAW, SIZE, UNDAMPED, grows_by_less, judge, substeps
from phiflex.experiments import item

ITEM = item(
    number="Table 1, compression", grade="B",
    says="Section 5.1, Table 1 (2,383 tetrahedra, steps of 1/30 s): the printed substeps; stiffening under 50 % compression raises them by "
         "less than a factor of 3.",
    asks="How does the number of substeps grow with stiffness and with 50 % compression?",
    differs=[SIZE, CLAMPED, UNDAMPED],
    full=dict(law="isochoric"), open=LAW,
    found="One unknown length (a cylinder 3.8 m thick, 7.6 m long) explains the other seven cells.")


def run(x):
    two, fifty = substeps(x, -0.02), substeps(x, -0.5)
    judge(x, "2 %", [2, 5, 12, 48], two, fitted=1e6)
    judge(x, "50 %", [3, 7, 23, 123], fifty)
    grows_by_less(x, "50 % compression", 3, two, fifty)
    plot = x.plot("Substeps of one step", "k/m", "substeps", log="xy")
    for name, measured, printed in ("2 %", two, [2, 5, 12, 48]), ("50 %", fifty, [3, 7, 23, 123]):
        plot.line_and_dots(name, KMS, measured)
        plot.dashed(f"{name}, printed", KMS, printed)
