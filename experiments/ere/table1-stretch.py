"""Substeps of expv in one ERE step of a stretched cylinder"""
from _cylinder import CLAMPED, KMS, LAW, SIZE, UNDAMPED, grows_by_less, judge, substeps
from phiflex.experiments import item

PRINTED = {0.02: [2, 4, 12, 47], 0.5: [2, 4, 12, 51], 1: [2, 5, 13, 58]}
ITEM = item(
    number="Table 1, stretch", grade="B",
    says="Section 5.1, Table 1 (2,383 tetrahedra, steps of 1/30 s): the printed substeps; 100 % stretch raises them by less than a factor "
    "of 2.",
    asks="How does the number of substeps grow with stiffness and with 100 % stretch?",
    differs=[SIZE, CLAMPED, UNDAMPED, "No new fit: the scale is that of the compression."],
    full=dict(law="isochoric"), open=LAW,
    found="At 2 % all four numbers fit. At 50 and 100 % our cylinder becomes softer for the exponential, where the paper prints a slight "
          "growth.")


def run(x):
    measured = {strain: substeps(x, strain) for strain in PRINTED}
    plot = x.plot("Substeps of one step", "k/m", "substeps", log="xy")
    for strain, printed in PRINTED.items():
        judge(x, f"{100 * strain:g} %", printed, measured[strain],
              why="the law of volume and how the ends may contract are not printed; they decide whether a long stretch stiffens")
        plot.line_and_dots(f"{100 * strain:g} %", KMS, measured[strain])
        plot.dashed(f"{100 * strain:g} %, printed", KMS, printed)
    grows_by_less(x, "100 % stretch", 2, measured[0.02], measured[1])
