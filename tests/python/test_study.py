"""Comparisons, analyses, sweeps, batches, run folders."""

import json

import numpy as np
import pytest

import phiflex
from conftest import command


def test_a_comparison_has_a_table_errors_runs_and_a_page(bar, tmp_path):
    bar["time"]["end"] = 0.1
    messages = []
    made = phiflex.compare(bar, ["si", "em", "siere:modes=4"], steps=[0.01], on_message=messages.append)
    table = made.table()
    assert list(table["run"]) == ["si@0.01", "em@0.01", "siere:modes=4@0.01"] and messages
    errors = dict(zip(table["method"], table["position_error"]))
    assert errors["em"] < errors["si"] and made.info["runs"]
    assert set(made.errors()) == {"run", "time", "position_error", "velocity_error"}
    assert made.runs["em@0.01"].status == "done" and "em@0.01" in repr(made)
    assert made._repr_html_().startswith('<iframe sandbox="allow-scripts"')
    folder = made.folder
    assert folder.exists()
    del made
    assert not folder.exists()  # the temporary folder goes with its comparison


def test_wrong_comparisons_are_refused_before_anything_runs(bar, tmp_path):
    with pytest.raises(phiflex.InputError, match='"nonsense" is not an integrator'):
        phiflex.compare(bar, ["nonsense"])
    for integrators, steps in (("si", [0.01]), ([], [0.01]), (["si"], [-1]), (["si"], ["x"]), (["si:modes"], [])):
        with pytest.raises(phiflex.InputError):
            phiflex.compare(bar, integrators, steps)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("")
    with pytest.raises(phiflex.FolderNotEmpty):
        phiflex.compare(bar, ["si"], folder=tmp_path / "full")
    with pytest.raises(phiflex.FileError):
        phiflex.compare(tmp_path / "none.json", ["si"])


def test_an_analysis_measures_what_backward_euler_is_known_for():
    analysis = phiflex.analyze("stability", ["be", "midpoint"], start=0.1, end=10, points=21)
    be = analysis.curves["be"]
    assert np.allclose(be["spectral_radius"], 1 / np.sqrt(1 + be[analysis.abscissa] ** 2), rtol=1e-6)
    assert np.allclose(analysis.curves["midpoint"]["spectral_radius"], 1, atol=1e-9)
    assert len(analysis.table()["method"]) == 42 and len(analysis.findings) == 2
    for wrong in (dict(topic="nonsense"), dict(topic="damping", start=-1), dict(topic="damping", points=1)):
        with pytest.raises(phiflex.InputError):
            phiflex.analyze(wrong.pop("topic"), ["be"], **wrong)


def test_a_sweep_runs_all_combinations_and_does_not_depend_on_its_workers(bar):
    values = {"bodies.0.material.young": [1e5, 2e5, 4e5], "integrator.type": ["si", "em"]}
    tip = lambda sim: {"drop": -sim.probes["tip"][:, 1].min()}
    one, two = (phiflex.sweep(bar, values, until=0.1, measure=tip, workers=workers) for workers in (1, 2))
    assert len(one) == 6 and one["hash"] == two["hash"] and set(one["status"]) == {"done"}
    drops = one["drop"][::2]
    assert drops[0] > drops[1] > drops[2] and list(one["integrator.type"]) == ["si", "em"] * 3
    kept = phiflex.sweep(bar, {"bodies.0.material.young": [1e5]}, until=0.05, keep=True)
    assert kept.simulations[0].hash == kept["hash"][0]


def test_a_run_that_fails_is_a_row_of_the_sweep(bar):
    rows = phiflex.sweep(bar, {"integrator.type": ["rk4", "em"]})
    assert "rk4 is stable only" in rows["status"][0] and rows["status"][1] == "done"
    with pytest.raises(phiflex.InputError, match="young"):
        phiflex.sweep(bar, {"bodies.0.material.young": [-1]})


def test_a_batch_moves_like_its_simulations_alone(bar):
    values = [1e5, 2e5, 3e5]
    batch = phiflex.Batch([phiflex.Simulation(bar, set={"bodies.0.material.young": E}) for E in values])
    assert batch.positions.shape == (3, 20, 3)
    x = batch.step(10)
    assert x is batch.positions and not x.flags.writeable
    for E, sim, at in zip(values, batch.simulations, x):
        alone = phiflex.Simulation(bar, set={"bodies.0.material.young": E}).advance(until=0.1)
        assert sim.hash == alone.hash and np.array_equal(at, alone.positions())


def test_one_failure_does_not_stop_a_batch(bar):
    sims = [phiflex.Simulation(bar, set={"integrator.type": method}) for method in ("em", "rk4", "si")]
    batch = phiflex.Batch(sims)
    with pytest.raises(phiflex.StepError, match="simulation 1: .*rk4"):
        batch.step(15)
    assert [sim.step_count for sim in sims[::2]] == [15, 15]
    batch.step(5)
    assert sims[0].step_count == 20 and batch.failures[1] and batch.failures[0] is None
    assert np.array_equal(batch.positions[2], sims[2].positions())
    batch.step(5)  # at its end: nothing moves
    assert sims[0].step_count == 20


def test_a_batch_takes_integrators_and_loads_in_python(bar):
    from test_integrator import Leapfrog

    body = phiflex.Body.box((0.4, 0.1, 0.1), (4, 1, 1), phiflex.NeoHookean(2e5, 0.4, 1000))
    model = phiflex.Model([body, phiflex.Load(lambda t, x, v: -v)], gravity=(0, -9.81, 0))
    batch = phiflex.Batch([model.simulate(step=1e-4, integrator=Leapfrog) for _ in range(4)])
    batch.step(20)
    assert len({sim.hash for sim in batch.simulations}) == 1


def test_wrong_batches_are_refused(bar):
    sim = phiflex.Simulation(bar)
    other = phiflex.Simulation(bar, set={"bodies.0.mesh.cells": [2, 1, 1]})
    for wrong in ([], [sim, sim], [sim, other], [sim, 5]):
        with pytest.raises(phiflex.InputError):
            phiflex.Batch(wrong)


def test_a_run_of_the_command_is_read_back(bar, tmp_path):
    second = json.loads(json.dumps(bar["bodies"][0]))
    second.update(name="other", transform={"translate": [0, 0, 1]})
    bar["bodies"].append(second)
    (tmp_path / "two.json").write_text(json.dumps(bar))
    command("run", tmp_path / "two.json", "-o", tmp_path / "run", "--quiet")
    run = phiflex.Run(tmp_path / "run")
    sim = phiflex.Simulation(bar)
    rest = sim.positions("other").copy()
    sim.step(10)
    frame = run.frames[10]
    assert len(run.frames) == 21 and frame.time == pytest.approx(0.1) and run.bodies == ["bar", "other"]
    assert np.allclose(frame.displacement("other"), sim.positions("other") - rest, atol=1e-15)
    assert np.array_equal(frame.velocity("bar"), sim.velocities("bar"))
    assert frame.strain_energy_density.shape == (48,)
    assert run.probes["tip"].shape == (21, 3) and run.ledger.table()["step"][-1] == 20
    assert run.report().name == "report.html" and run._repr_html_().startswith("<iframe sandbox")
    with pytest.raises(phiflex.InputError, match='"none" is not a body'):
        frame.positions("none")
    with pytest.raises(phiflex.InputError, match='"none" is not a probe'):
        run.probes["none"]


def test_what_is_no_run_folder_is_refused(tmp_path):
    with pytest.raises(phiflex.FileError):
        phiflex.Run(tmp_path)
    (tmp_path / "run.json").write_text("[")
    with pytest.raises(phiflex.InputError):
        phiflex.Run(tmp_path)


def test_plots_are_matplotlibs(bar):
    pytest.importorskip("matplotlib")
    swept = phiflex.sweep(bar, {"bodies.0.material.young": [1e5, 2e5]}, until=0.02)
    assert swept.plot("bodies.0.material.young", "total").lines
    assert phiflex.analyze("damping", ["be"], start=0.1, end=1, points=3).plot().lines
