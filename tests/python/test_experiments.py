"""phiflex.experiments: bands and findings, kept runs and truths, claims and sweeps, and the command on a catalogue of its own."""

import ast
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import types

import numpy as np
import pytest

from phiflex.errors import InputError
from phiflex.experiments import (Measured, Noise, Open, above, admissible_step, at_least, below, between, both, either, every, exponent,
                                 falling, geometric, largest, measure, near, oscillator, peaks, rising, said, smallest, spectral_radius,
                                 stable, stiffened_radius, unstable)
from phiflex.experiments import documents, exact_oscillator, pages, studies
from phiflex.experiments.command import finite, main
from phiflex.experiments.item import FOLDERS, find_catalogue, list_items, read_item
from phiflex.experiments.numbers import from_repeats, row_words
from phiflex.experiments.runs import Run
from phiflex.experiments.signals import amplitude, kept_amplitude, order_changes, strongest_period
from phiflex.experiments.store import Kept, Order, Store
from phiflex.experiments.verdict import Claim, differences, not_swept, stored, swept

from conftest import BAR, BINARY, ROOT

# -- Numbers


def test_costs_are_compared_only_outside_their_noise():
    cheap, dear, alike = from_repeats([1.0, 1.05, 1.1]), from_repeats([3.0, 3.1, 3.3]), from_repeats([1.1, 1.15, 1.2])
    assert cheap < dear and not dear < cheap and dear / cheap > 2
    with pytest.raises(Noise):
        cheap < alike
    assert cheap.low == pytest.approx(0.9) and cheap.high == pytest.approx(1.21)
    assert from_repeats([1.0]).high == pytest.approx(1.3)  # measured once


def test_bands_go_through_arithmetic():
    a, b = Measured(2, 1, 3), Measured(4, 4, 4)
    assert ((a * b).low, (a + b).high, (b - a).low, (b / a).high, (-a).low) == (4, 7, 1, 4, -3)
    with pytest.raises(Open):
        a / Measured(0, -1, 1)
    with pytest.raises(TypeError):
        a == b
    assert largest([a, 2.5]).low == 2.5 and smallest([a, 2.5]).high == 2.5


def test_capped_values_are_known_from_one_side():
    assert at_least(0.1) > 0.05
    with pytest.raises(Open):
        at_least(0.1) > 0.2
    assert admissible_step([0.1, 0.01], [0.05, 0.01], 0.1).high == np.inf  # the largest step that was tried is good
    assert admissible_step([0.1, 0.01], [5.0, 1.0], 0.1).high == 0.01  # none is
    assert admissible_step([0.1, 0.01], [1.0, 0.01], 0.1) == pytest.approx(0.1 ** 1.5)


def test_bounds_that_meet_are_open_and_no_noise():
    known = admissible_step([0.1, 0.01], [5.0, 1.0], 0.1)  # 0 to 0.01
    for undecided in (lambda: known > 3 * known, lambda: at_least(0.1) > 0.2, lambda: largest([known, 0.001]) < 0.005):
        with pytest.raises(Open) as reason:
            undecided()
        assert not isinstance(reason.value, Noise)
    cost = from_repeats([1.0, 1.05, 1.1])
    for undecided in (lambda: cost / known.high > 100, lambda: smallest([cost, 5.0]) < 1, lambda: cost ** 0.5 < 1, lambda: -cost > -1,
                      lambda: exponent([1, 10], [cost, 10 * cost]) < 1):
        with pytest.raises(Noise):
            undecided()


def test_a_function_is_measured_on_the_processor():
    cost = measure(lambda: sum(range(20000)), repeat=3)
    assert 0 < cost.low < cost.value < cost.high


# -- Findings


def test_findings_say_their_numbers():
    assert below("the error", 0.02, 0.1) == (True, "the error is 0.02, not more than 0.1")
    assert above("the ratio", lambda: 1.5, 2).words == "the ratio is 1.5, less than 2"
    assert "outside 1 to 2" in between("x", 3, 1, 2).words
    assert near("r", 0.5, 0.536, 0.1).holds and "7 % less" in near("r", 0.5, 0.536, 0.1).words.replace("6.72", "7")
    assert said(False, "it ends").words == "it is not so that it ends"
    assert rising("c", [1, 2, 3]).holds and not falling("c", [3, 1, 2]).holds
    with pytest.raises(Open):
        below("x", float("nan"), 1)
    cost = Measured(2, 1, 3, noisy=True)
    for undecided in (lambda: above("the cost", cost, 2), lambda: near("the cost", cost, 2, 0.1)):
        with pytest.raises(Noise, match="the cost: .*2 .1 to 3.* within the noise"):
            undecided()


def test_a_failure_decides_where_others_are_open():
    def unknown():
        raise Open("not known")

    assert not both(unknown, said(False, "a"))
    with pytest.raises(Open):
        every([said(True, "a"), unknown])
    assert either(unknown, said(True, "a"))
    with pytest.raises(Open):
        either(unknown, said(False, "a"))


def test_a_generator_that_ends_in_an_open_finding_does_not_hide_a_failure():
    def number(k):
        if k == 1:
            raise Open("not known")
        return k

    assert not every(lambda: below("k", number(k), 1.5) for k in (0, 1, 2))  # as programs do: each is called where it comes
    assert not every(below("k", number(k), -1) for k in (0, 1))
    with pytest.raises(Open):
        every(below("k", number(k), 5) for k in (0, 1, 2))


def test_findings_are_sentences():
    undecided = from_repeats([2.0, 2.1, 2.2])
    with pytest.raises(Noise, match="^the larger of both: 2.1 "):
        below("the larger of both,", undecided, 2.2)
    assert below("the error", np.inf, 0.1, unit="m").words == "the error is infinite, more than 0.1 m"
    assert above("the step", at_least(0.1), 0.05, unit="s").words == "the step is 0.1 s or more, not less than 0.05 s"
    assert above("the step", Measured(2, 1, 3), 0.5, unit="s").words == "the step is 2 (1 to 3) s, not less than 0.5 s"
    assert rising("the substeps", [1, 2, 3]).words == "the substeps: 1, 2, 3 (each larger than the one before)"
    assert falling("the substeps", [3, 1, 2]).words == "the substeps: 3, 1, 2 (not each smaller than the one before)"


def run_of(status="done", diverged_at=0, steps=10, phases=(), **columns):
    kept = types.SimpleNamespace(status=status, diverged_at=diverged_at, steps=steps, h=0.01, reason="why", column=columns.get,
                                 costs=[1.0, 1.1, 1.2], info={"counts": {"force_evaluations": 3, "stiffness_products": 4, "solves": 5}},
                                 phases=list(phases))
    return Run(types.SimpleNamespace(coarser=0, measured=lambda *_: None), "r", [kept])


def test_only_a_run_that_was_made_is_stable_or_not():
    assert stable(run_of()) and not unstable(run_of())
    assert unstable(run_of("failed", 3, 2)) and not stable(run_of("failed", 3, 2)) and "step 3" in stable(run_of("failed", 3, 2)).words
    assert unstable(run_of("limit", 3, 5))  # it diverged before it was stopped
    for nothing in (run_of("failed", 1, 0), run_of("limit"), run_of("limit", steps=0)):
        for finding in (stable, unstable):
            with pytest.raises(Open):
                finding(nothing)


def test_a_run_that_diverged_has_no_loss():
    assert run_of(numerical_loss=np.array([0.0, 2.0])).loss == 2
    for wild in (run_of("done", 3, numerical_loss=np.array([0.0, -1e9])), run_of("limit", numerical_loss=np.array([0.0, 1.0])),
                 run_of("failed", 1, 0)):
        with pytest.raises(Open):
            wild.loss


def test_what_a_run_cost_after_it_diverged_is_open():
    phases = [{"modes": 1.0, "solve": 3.0}]
    sound = run_of(phases=phases)
    assert sound.cost.value == 1.1 and sound.work == 12 and sound.count("solves") == 5
    assert sound.seconds("solve").value == 3 and sound.share("modes", ("modes", "solve")).value == 0.25
    for nothing in (run_of("failed", 3, 2, phases), run_of("done", 3, phases=phases), run_of("failed", 1, 0, phases)):
        for asked in (lambda: nothing.cost, lambda: nothing.work, lambda: nothing.count("solves"), lambda: nothing.seconds("solve"),
                      lambda: nothing.share("modes", ("modes", "solve"))):
            with pytest.raises(Open):
                asked()
    with pytest.raises(Open, match="diverged at step 3: what its steps cost says nothing"):
        run_of("failed", 3, 2).cost


def test_seconds_of_phases_have_the_band_of_their_repeats():
    alone = run_of(phases=[{"modes": 1.0, "solve": 3.0}])
    assert alone.share("modes", ("modes", "solve")).high == pytest.approx(1.3 * 0.25)  # measured once
    # The second repeat had half of a core: its seconds are twice those of the others, its share is not.
    loaded = run_of(phases=[{"modes": 1.0, "solve": 3.0}, {"modes": 2.0, "solve": 6.0}, {"modes": 1.05, "solve": 3.0}])
    seconds, share = loaded.seconds("modes"), loaded.share("modes", ("modes", "solve"))
    assert (seconds.value, seconds.high) == (1.05, pytest.approx(2.2)) and seconds.noisy
    assert share.low == pytest.approx(0.225) and share.high == pytest.approx(1.1 * 1.05 / 4.05) and share.noisy
    with pytest.raises(Noise):
        below("the share", share, 0.26)
    for wrong in (lambda: loaded.seconds("nothing"), lambda: run_of(phases=[{"modes": 0.0}]).share("modes", ("modes",))):
        with pytest.raises(Open):
            wrong()


# -- Signals


def test_signals():
    t = np.linspace(0, 10, 2001)
    y = np.exp(-0.1 * t) * np.cos(2 * np.pi * t / 0.8)
    assert strongest_period(t, y) == pytest.approx(0.8, rel=0.01)
    assert kept_amplitude(t, y, 0.8) == pytest.approx(np.exp(-0.92), rel=0.03)
    assert amplitude(t, 3 + np.sin(t)) == pytest.approx(1, rel=1e-3)
    assert peaks([0, 1, 0, 2, 2, 1]) == [1, 2]
    assert order_changes([[1, 2, 3], [2, 1, 4]]) == 2
    assert exponent([1, 10, 100], [2, 20, 200]) == pytest.approx(1)
    band = exponent([1, 10], [Measured(1, 0.9, 1.1), Measured(10, 9, 11)])
    assert band.low < 1 < band.high
    with pytest.raises(Open):
        strongest_period(t, 0 * t)


def test_the_scalar_equation_by_its_formulas():
    x = geometric(0.1, 10, 5)
    assert spectral_radius("be", x) == pytest.approx(1 / np.sqrt(1 + x ** 2))
    assert oscillator("be", 1, 0, 0.1, 1, 1, 0)[1] == pytest.approx(1 / 1.01)
    assert exact_oscillator(2, 0, np.pi / 2, 1, 0) == pytest.approx(-1)
    assert stiffened_radius("zheng", 10.0, 4) > 1 and spectral_radius("zheng", 10.0) == pytest.approx(1)


def test_studies():
    assert studies.wave_eigenvalue(64) == pytest.approx(np.pi ** 2, rel=1e-3)
    assert studies.square_root("eigen", 20, 100).residual < 1e-12
    assert studies.square_root("newton", 20, 100).residual > 1 > studies.square_root("newton", 20, 100).best
    found = studies.siere_jacobian(2, 2)
    assert found.rank == 4 and found.fill < found.reduced_fill


# -- Kept runs


@pytest.fixture
def scene(tmp_path):
    (tmp_path / "bar.scene.json").write_text(json.dumps(BAR))
    return str(tmp_path / "bar.scene.json")


def test_a_run_is_made_once_and_again_when_something_changed(scene, tmp_path):
    said_words = []
    store = Store(tmp_path / "runs", said_words.append)
    order = Order(scene, ("time.end=0.05",))
    first = store.run(order)
    made = store.made
    assert first.steps == 5 and first.motion["positions"].shape[0] == 6 and store.run(order).folder == first.folder
    assert store.made == made
    again = store.run(order, repeat=3)
    assert again.costs[0] == first.costs[0] and len(again.costs) >= 3
    assert len(again.phases) == len(again.costs) and again.phases[0] == first.info["seconds"] != again.phases[1]
    noted = json.loads((again.folder / "kept.json").read_text())
    (again.folder / "kept.json").write_text(json.dumps({name: noted[name] for name in ("seconds_per_step", "processor_seconds")}))
    assert Kept(again.folder, order).phases == [first.info["seconds"]]  # kept before phases were noted: one repeat
    assert store.run(order._replace(overrides=("time.end=0.06",))).folder != first.folder
    (first.folder / "motion.npz").write_bytes(b"damaged")
    assert store.run(order).motion["positions"].shape[0] == 6
    assert len(said_words) == 1 and "is damaged and is made again" in said_words[0]
    (first.folder / "kept.json").unlink()  # as a killed process leaves it
    assert store.run(order).steps == 5
    assert len(said_words) == 2 and "was not finished and is made again" in said_words[1]


def test_another_engine_makes_its_own_runs(scene, tmp_path, monkeypatch):
    store, order = Store(tmp_path / "runs"), Order(scene, ("time.end=0.02",))
    first = store.run(order)
    monkeypatch.setattr("phiflex.experiments.store.program_mark", lambda: "another engine")
    assert store.run(order).folder != first.folder


def test_divergence_is_energy_out_of_nothing(scene, tmp_path):
    calm = Store(tmp_path / "runs").run(Order(scene, ()))
    assert calm.diverged_at == 0
    lines = (calm.folder / "energy.csv").read_text().splitlines()
    place = lines[0].split(",").index("numerical_loss")
    row = lines[8].split(",")
    row[place] = "-1e6"  # J, in step 7
    (calm.folder / "energy.csv").write_text("\n".join([*lines[:8], ",".join(row), *lines[9:]]) + "\n")
    wild = Kept(calm.folder, calm.order)
    assert wild.diverged_at == 7 and "at step 7" in wild.reason


def test_a_run_stops_at_its_limit_of_processor_seconds(scene, tmp_path):
    stopped = Store(tmp_path / "runs").run(Order(scene, ("time.end=200",), max_seconds=0.2))
    assert stopped.status == "limit" and 0 < stopped.steps < 20000


# -- Claims


def claim(verdict, text="c", kind="behaviour", **more):
    return Claim(kind, text, verdict, **more)


def test_an_answer_that_changes_within_the_sweep_is_open():
    claims = [claim("fails", "a", cause="paper", why="w"), claim("holds", "b"), claim("holds", "d")]
    swept(claims, [("load = 1", [claim("holds", "a"), claim("holds", "b"), claim("open", "d")])])
    assert [one.verdict for one in claims] == ["open", "holds", "holds"] and "load = 1" in claims[0].measured


def test_a_failure_by_an_open_parameter_that_the_sweep_leaves_undecided_is_open():
    def after(cause, alternative, own="fails"):
        claims = [claim(own, "a", cause=cause)]
        swept(claims, [("load = 1", [alternative])])
        return claims[0]

    bounds, within = claim("open", "a", measured="known from one side"), claim("open", "a", noise=True)
    made = after("open parameter", bounds)
    assert made.verdict == "open" and "cannot be decided with load = 1 (known from one side)" in made.measured
    assert after("paper", bounds).verdict == "fails" and after("open parameter", within).verdict == "fails"
    assert after("", bounds, "holds").verdict == "holds" and after("open parameter", claim("fails", "a")).verdict == "fails"


def test_what_was_not_swept_at_the_papers_size_hangs_as_in_the_small_variant():
    small = [claim("fails", "a", cause="paper", why="w"), claim("open", "b", measured="within the noise")]
    swept(small, [("load = 1", [claim("holds", "a"), claim("open", "b")])])
    full = [claim("holds", "a"), claim("holds", "b"), claim("fails", "c", cause="paper", why="w")]
    not_swept(full, small)
    assert [one.verdict for one in full] == ["open", "holds", "fails"]
    assert full[0].measured.startswith("the answer hangs on") and "load = 1" in full[0].measured and "not swept" in full[0].measured


def test_costs_that_came_within_their_noise_are_not_counted_as_changes():
    before = [claim("holds", "a", "cost"), claim("holds", "b")]
    counted, told = differences([claim("open", "a", "cost", noise=True), claim("fails", "b", cause="paper")], before)
    assert len(told) == 1 and len(counted) == 1 and '"b" fails instead of holds' in counted[0]
    ratio, bound = claim("open", "r", "number", noise=True), claim("open", "s", "number")
    for now, old in ([ratio], [claim("holds", "r", "number")]), ([claim("fails", "r", "number", cause="paper")], [ratio]):
        assert differences(now, old)[0] == []
    assert len(differences([bound], [claim("holds", "s", "number")])[0]) == 1


def test_a_sweep_whose_costs_come_within_their_noise_is_not_counted_as_a_change():
    def after(alternative, own="holds"):
        claims = [claim(own, "a", "cost", cause="paper" * (own == "fails"))]
        swept(claims, [("load = 1", [alternative])])
        return claims

    apart, within = claim("fails", "a", "cost", cause="paper"), claim("open", "a", "cost", noise=True)
    assert after(apart)[0].verdict == "open" and not after(apart)[0].noise
    assert after(within)[0].verdict == "holds" and after(within)[0].noise
    for now, before in (after(within), after(apart)), (after(apart), after(within)):
        counted, told = differences(now, before)
        assert counted == [] and len(told) == 1
    assert len(differences(after(apart), after(claim("holds", "a", "cost")))[0]) == 1  # no noise: a change
    assert len(differences(after(within), [apart])[0]) == 1  # holds instead of fails: a change, too


def test_rows_show_bounds_and_bands():
    def row(value, printed=0.05):
        band = [value.low, value.high] if isinstance(value, Measured) else None
        return finite({"what": "step", "unit": "s", "printed": printed, "measured": float(value), "missing": "",
                       **({"band": band} if band else {})})

    told = [row_words(row(one)) for one in (0.2, at_least(0.1), Measured(0, 0, 0.01), Measured(2, 1, 3))]
    assert told == ["0.2", "at least 0.1", "at most 0.01", "2 (1 to 3)"]
    page = pages._numbers_table([row(at_least(0.1)), row(Measured(2, 1, 3))])
    assert "at least 0.1" in page and "1 to 3" in page and 'at least <span class="ratio">2' in page
    assert row_words({"measured": None}) == "-"


# -- A catalogue of its own

PROGRAM = '''"""A bar"""
from phiflex.experiments import above, below, item, said

ITEM = item(number="Figure 1", grade="B", says="Section 1: it hangs.", asks="Does it?", differs=["All."],
            full=dict(end=0.1, mesh_file="nowhere.mesh", load=9.81), quick=dict(end=0.05),
            open=dict(load=("not printed", [0.0])))


def run(x):
    body = x.mesh("bodies.0.mesh", x.mesh_file, stand_in="a box")
    bar = x.run("bar", "bar", {**body, "gravity": [0, -x.load, 0]}, end=x.end, frames=True)
    fine = x.truth("truth", "bar", {"gravity": [0, -x.load, 0]}, end=x.end, judges=[bar])
    nothing = x.run("stopped", "bar", {"time.end": 1000}, max_seconds=0.05)
    x.claim("behaviour", "It sags", lambda: below("the tip", bar["tip_y"][-1], -1e-6, unit="m"), cause="engine", why="w")
    x.claim("behaviour", "It ends", lambda: said(bar.done, "it does"))
    x.claim("cost", "It is cheap", lambda: above("its cost over itself", bar.cost / bar.cost, 1))
    x.claim("number", "As exact as the truth", lambda: below("the error", bar.err(fine), 1, unit="m"))
    x.claim("behaviour", "The stopped run ends", lambda: below("its error", nothing.err(bar, 500.0), 1))
    x.claim("remark", "Fingers move", open="the body has no fingers")
    x.row("tip", lambda: bar["tip_y"][-1], printed=-0.1, unit="m")
    x.row("missing", lambda: bar["nothing"])
    plot = x.plot("Tip", "time, s", "m")
    plot.line("bar", lambda: bar.t, lambda: bar["tip_y"])
    x.strip([bar], ["bar"])
'''


@pytest.fixture
def catalogue(tmp_path, monkeypatch):
    folder = tmp_path / "experiments"
    (folder / "ere" / "scenes").mkdir(parents=True)
    (folder / "ere" / "scenes" / "bar.scene.json").write_text(json.dumps(BAR))
    (folder / "ere" / "fig1.py").write_text(PROGRAM)
    monkeypatch.setenv("PHIFLEX_EXPERIMENTS", str(folder))
    monkeypatch.setenv("PHIFLEX_COMMAND", BINARY)
    monkeypatch.setenv("PHIFLEX_MESHES", str(tmp_path / "no meshes"))
    monkeypatch.chdir(tmp_path)
    return folder


def outcome(tmp_path, name="ere-fig1"):
    return json.loads((tmp_path / "out" / "experiments" / name / "verdict.json").read_text())


def test_an_item_from_its_program_to_its_page(catalogue, tmp_path, capsys):
    assert main(["ere-fig1", "--quick"]) == 0
    made = outcome(tmp_path)
    assert [one["verdict"] for one in made["claims"]] == ["holds", "holds", "open", "holds", "open", "open"]
    assert made["hold"] == 3 and made["of"] == 6 and made["claims"][2]["noise"]
    assert made["missing_meshes"] == ["nowhere.mesh"] and "a box" in made["stand_ins"]
    page = (tmp_path / "out" / "experiments" / "ere-fig1" / "index.html").read_text()
    assert "3 of 6 hold" in page and "<svg" in page and "data:image/png" in page
    assert "http" not in re.sub(r"xmlns(:\w+)?=\"[^\"]*\"|http-equiv", "", page)
    assert "3 of 6 hold" in (tmp_path / "out" / "experiments" / "index.html").read_text()
    assert "have no column" in made["table"][1]["missing"]
    assert "missing: nowhere.mesh" in capsys.readouterr().out
    assert main(["ere-fig1", "--quick"]) == 0 and "finished on" in capsys.readouterr().out


def test_a_verdict_of_another_program_or_engine_is_stale(catalogue, tmp_path, capsys, monkeypatch):
    assert main(["ere-fig1", "--quick"]) == 0
    file = catalogue / "ere" / "fig1.py"
    file.write_text(PROGRAM.replace('"It ends"', '"It comes to its end"'))
    capsys.readouterr()
    assert main(["ere-fig1", "--quick"]) == 0
    assert "made again: its program changed since" in capsys.readouterr().out
    assert outcome(tmp_path)["claims"][1]["text"] == "It comes to its end"
    monkeypatch.setattr("phiflex.experiments.command.program_mark", lambda: "another engine")
    assert main(["ere-fig1", "--quick"]) == 0 and "made again: the engine changed since" in capsys.readouterr().out
    (tmp_path / "out" / "experiments" / "ere-fig1" / "verdict.json").write_text("{")
    assert main(["ere-fig1", "--quick"]) == 0 and "is damaged, or of an older version" in capsys.readouterr().out
    assert main(["ere-fig1", "--quick", "--sweep"]) == 0 and "made again" not in capsys.readouterr().out  # another request


def test_a_command_that_was_stopped_goes_on(catalogue, tmp_path, capsys):
    second = catalogue / "ere" / "fig2.py"
    second.write_text(PROGRAM.replace("def run(x):", "def run(x):\n    raise KeyboardInterrupt"))
    (catalogue / "ere" / "fig3.py").write_text(PROGRAM)
    assert main(["--all", "--quick"]) == 130
    assert "interrupted; the same command goes on" in capsys.readouterr().err
    assert not (tmp_path / "out" / "experiments" / "ere-fig3").exists()
    second.write_text(PROGRAM)
    assert main(["--all", "--quick"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [("finished on" in one) for one in lines if one.startswith("[")] == [True, False, False]


def test_a_wrong_name_is_said_and_the_others_go_on(catalogue, tmp_path, capsys):
    assert main(["ere-fig11", "ere-fig1", "--quick"]) == 65
    errors = capsys.readouterr().err
    assert 'ere-fig11: there is no such experiment; did you mean "ere-fig1"?' in errors and "1 could not be carried out" in errors
    assert outcome(tmp_path)["of"] == 6


def test_what_is_open_is_swept_stored_and_checked(catalogue, tmp_path, capsys):
    assert main(["ere-fig1", "--quick", "--store"]) == 0
    made = outcome(tmp_path)
    assert made["claims"][0]["verdict"] == "open" and "load = 0.0" in made["claims"][0]["measured"]
    assert json.loads((catalogue / "ere" / "verdicts.json").read_text())["fig1"]["quick"]["swept"]
    assert main(["ere-fig1", "--quick", "--check"]) == 0
    text = (catalogue / "ere" / "verdicts.json").read_text()
    (catalogue / "ere" / "verdicts.json").write_text(text.replace('"It ends", "kind": "behaviour", "verdict": "holds"',
                                                                  '"It ends", "kind": "behaviour", "verdict": "open"'))
    shutil.rmtree(tmp_path / "out" / "experiments" / "ere-fig1")
    capsys.readouterr()
    assert main(["ere-fig1", "--quick", "--check"]) == 0  # a mesh is missing: said, and not counted
    errors = capsys.readouterr().err
    assert '"It ends" holds instead of open (not counted)' in errors
    assert errors.count("nowhere.mesh") == 1 and "ere-fig1: nowhere.mesh is missing" in errors


def test_estimates_lists_and_tables(catalogue, tmp_path, capsys):
    assert main(["ere-fig1", "--full", "--estimate", "--store"]) == 0
    assert "estimated_seconds" in json.loads((catalogue / "ere" / "verdicts.json").read_text())["fig1"]["full"]
    capsys.readouterr()
    assert main(["--list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["full"]["estimated_seconds"] > 0
    assert main(["--list", "--markdown"]) == 0
    assert "| ere-fig1 | B |" in capsys.readouterr().out


@pytest.mark.parametrize("words, code, sentence", [
    (["ere-fig11"], 65, 'did you mean "ere-fig1"?'),
    ([], 2, "name experiments"),
    (["ere-fig1", "--quick", "--full"], 2, "one of --quick and --full"),
    (["ere-fig1", "--set", "nothing"], 2, "PLACE=VALUE"),
    (["ere-fig1", "--set", "bodies.7.name=1"], 65, "bodies")])
def test_wrong_words_get_a_sentence(catalogue, capsys, words, code, sentence):
    try:
        assert main(words) == code
    except SystemExit as stop:
        assert stop.code == code
    assert sentence in capsys.readouterr().err


def test_what_cannot_be_carried_out_is_said_and_the_others_go_on(catalogue, tmp_path, capsys):
    (catalogue / "ere" / "fig0.py").write_text("import no_such_package\n")
    (catalogue / "ere" / "fig2.py").write_text(PROGRAM.replace('"bar", {**body', '"gone", {**body'))
    (catalogue / "ere" / "fig3.py").write_text(PROGRAM.replace("x.strip", "x.no_such_thing"))
    assert main(["--all", "--quick"]) in (65, 70, 74)
    errors = capsys.readouterr().err
    assert "no_such_package" in errors and "gone.scene.json" in errors and "no value 'no_such_thing'" in errors
    assert "3 could not be carried out" in errors and outcome(tmp_path)["of"] == 6


def test_without_matplotlib_the_claims_are_judged(catalogue, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["ere-fig1", "--quick"]) == 0
    assert "they need matplotlib (Debian: python3-matplotlib)" in capsys.readouterr().err
    assert outcome(tmp_path)["of"] == 6


def test_a_program_that_is_wrong(catalogue):
    file = catalogue / "ere" / "fig1.py"
    for old, new, sentence in (('grade="B"', 'grade="D"', "a grade of"), ("load=(", "weight=(", "open values that full has too"),
                               ('"""A bar"""', "", "the title"), ("def run(x)", "def walk(x)", "a function run(x)")):
        file.write_text(PROGRAM.replace(old, new))
        with pytest.raises(InputError, match=re.escape(sentence)):
            read_item(file)


# -- The catalogue of the papers


ITEMS = [read_item(file) for file in list_items(ROOT / "experiments")]


def names_in(file):
    lines = (ROOT / "experiments" / file).read_text().splitlines()
    return {one for one in lines if one and not one.startswith("#")}


def test_findings_of_programs_are_given_as_callables():
    """One that is open must not end the others (findings.every)."""
    for file in sorted((ROOT / "experiments").glob("*/*.py")):
        for call in ast.walk(ast.parse(file.read_text())):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("every", "both", "either"):
                parts = [one.elt if isinstance(one, (ast.GeneratorExp, ast.ListComp)) else one for one in call.args]
                parts = [part for one in parts for part in (one.elts if isinstance(one, (ast.List, ast.Tuple)) else [one])]
                assert all(isinstance(one, (ast.Lambda, ast.Name)) for one in parts), f"{file.name}:{call.lineno}"


def test_steps_whose_runs_were_stopped_say_nothing(monkeypatch):
    folder = ROOT / "experiments" / "sai"
    spec = importlib.util.spec_from_file_location("sai_methods", folder / "_methods.py")
    methods = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(methods)
    error = {0.4: np.inf, 0.2: 0.5, 0.1: np.inf, 0.05: 0.01}
    runs = {0.4: run_of("failed", 3, 2), 0.2: run_of(), 0.1: run_of("limit"), 0.05: run_of()}
    made = methods.admissible(runs, lambda one: next(error[h] for h, r in runs.items() if r is one), 0.1)
    assert 0.05 < made < 0.2
    with pytest.raises(Open):
        methods.admissible({0.1: run_of("limit")}, lambda one: np.inf, 0.1)


def test_every_item_is_there_and_stored():
    assert len(ITEMS) == 109 and {one.folder.name for one in ITEMS} == set(FOLDERS)
    assert all(one.says and one.asks and one.title for one in ITEMS)
    missing = {one.id for one in ITEMS if "claims" not in (stored(one, one.variant(True)) or {})}
    assert missing == names_in("not_stored.txt"), "phiflex reproduce ID --quick --store stores them"


def test_failures_have_a_cause_and_a_reason():
    for one in ITEMS:
        for variant in ("quick", "full"):
            for claim_ in (stored(one, variant) or {}).get("claims", []):
                if claim_["verdict"] == "fails":
                    assert claim_["cause"] and claim_["why"], f"{one.id}: {claim_['text']}"


def test_the_table_of_costs_is_as_stored():
    assert (ROOT / "docs" / "experiment_costs.md").read_text() == documents.costs_table(ITEMS), "make docs writes it"


@pytest.mark.parametrize("name", ["README.md", "docs/experiments.md", "docs/experiment_changes.md"])
def test_documents_have_the_stored_numbers(name):
    text = (ROOT / name).read_text()
    assert text == documents.renewed(text, ITEMS), "make docs writes them"
    assert f"the claims of {len(ITEMS) - len(names_in('not_stored.txt'))} items are stored" in text or name != "README.md"


def test_readme_and_documentation_promise_the_same():
    def headlines(name):
        text = (ROOT / name).read_text()
        return text[text.index("| paper | it promises |"):].split("\n\n")[0]

    assert headlines("README.md") == headlines("docs/experiments.md")
    cells = [line.strip("|").split("|")[-1].strip() for line in headlines("README.md").splitlines()[2:]]
    named = {one for cell in cells for one in documents.ids_of(cell)}
    assert len(cells) > 10 and named <= {one.id for one in ITEMS}


def test_numbers_of_documents_are_renewed():
    old = ("On a day the claims of 3 items are stored, 1 of the other 2 full variants were run:\n\n| kind | claims | hold | fail | open |\n"
           "| cost | 1 | 1 | 0 | 0 |\n\n| this engine | 0 |\nend\n| ere-fig1 | 3 of 4, refuted | - | - |\n| ere-fig1 | a | b | c |\n")
    new = documents.renewed(old, ITEMS)
    assert documents.counts_table(ITEMS) in new and "of the other 77 full variants were run" in new
    assert "| ere-fig1 | 3 of 4, refuted | = | 4 of 5 hold, 1 fails |" in new and "| ere-fig1 | a | b | c |" in new
    assert documents.ids_of("ere-fig1, -table1-stretch, zheng-fig2") == ["ere-fig1", "ere-table1-stretch", "zheng-fig2"]
    row = "| a | b | c | d | quick | 0 s | zheng-fig7, -fig8 |"
    cost = sum(stored(one, "full")["seconds"] for one in ITEMS if one.id in ("zheng-fig7", "zheng-fig8"))
    assert documents.renewed(row, ITEMS) == f"| a | b | c | d | the paper's | {cost:.1f} s | zheng-fig7, -fig8 |"


def test_the_items_of_the_tests_exist():
    known = {one.id for one in ITEMS}
    names = names_in("in_tests.txt")
    assert names <= known - names_in("not_stored.txt") and len(names) >= len(known) / 3


def test_the_command_starts_the_programs(catalogue, tmp_path):
    made = subprocess.run([BINARY, "reproduce", "ere-fig1", "--quick", "--json", "-o", str(tmp_path / "out")], capture_output=True,
                          text=True,
                          check=False)
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)[0]["id"] == "ere-fig1"
    wrong = subprocess.run([BINARY, "reproduce", "--paper", "nobody"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2


def test_the_catalogue_is_found_from_a_clone(monkeypatch):
    monkeypatch.delenv("PHIFLEX_EXPERIMENTS", raising=False)
    monkeypatch.chdir(ROOT / "docs")
    assert find_catalogue() == ROOT / "experiments"
    assert pathlib.Path(ROOT / "experiments").is_dir()
