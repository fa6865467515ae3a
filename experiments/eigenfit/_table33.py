"""Table 3.3: EigenFit's error over that of the plain coarse mesh, for five stiffnesses."""
from _pair import ratio
from phiflex.experiments import below, between

ALL = [1e4, 1e5, 5e5, 1e6, 1e7]
ERROR = "\"Error\" is not defined in the table: the largest error of EigenFit over that of the plain coarse mesh."


def errors(x, pair, changes):
    """Stiffness -> the ratio, a callable; changes: of the scene for a stiffness."""
    found = {}
    for k in x.ks:
        r = pair.runs(changes(k), which=("fine", "plain", "eigenfit"), tag=f", {k:g}")
        found[k] = lambda r=r: ratio(r)
    return found


def judge(x, printed, found, cause, why):
    """What all rows share: the trend over the stiffness, the printed numbers, the table, the plot."""
    soft, stiff = x.ks[0], x.ks[-1]
    printed = dict(zip(ALL, printed))
    x.claim("behaviour", f"The error is smaller for the stiffer object ({stiff:g} against {soft:g})",
            lambda: below("the ratio of the two errors", found[stiff]() / found[soft](), 1), cause=cause, why=why)
    smaller = "the quick variant has coarser meshes or fewer frames than the table" if x.quick else None
    for k in x.ks:
        x.claim("number", f"The error at {k:g} is {printed[k]}, within a factor of 2",
                lambda: between("the error", found[k](), printed[k] / 2, 2 * printed[k]), ours=True, cause=cause, why=why,
                open=smaller)
        x.row(f"error at {k:g}", found[k], printed=printed[k])
    plot = x.plot("Error over the stiffness", "Pa", "of the plain coarse mesh's", log="x")
    plot.line_and_dots("measured", x.ks, lambda: [found[k]() for k in x.ks])
    plot.dashed("printed", ALL, [printed[k] for k in ALL])
