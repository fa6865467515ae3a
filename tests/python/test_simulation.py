"""Simulations of scenes: steps, arrays, ledger, saved states, threads."""

import gc
import json
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import phiflex
from conftest import BAR, ROOT, bar_model, command


def test_a_scene_file_ends_in_the_hash_that_the_command_writes(tmp_path):
    scene = ROOT / "scenes" / "bar-drop" / "scene.json"
    for method in ("si", "em", "bdf2"):
        settings = ["--set", f"integrator.type={method}", "--set", "time.end=0.1"]
        summary = json.loads(command("run", scene, "-o", tmp_path / method, "--no-frames", "--json", *settings))
        sim = phiflex.Simulation(scene, set={"integrator.type": method, "time.end": 0.1})
        assert sim.advance().hash == summary["hash"]


def test_a_dict_a_file_and_a_model_from_arrays_give_the_same_bits(bar, tmp_path):
    (tmp_path / "bar.json").write_text(json.dumps(bar))
    hashes = {phiflex.Simulation(bar).advance().hash, phiflex.Simulation(tmp_path / "bar.json").advance().hash,
              bar_model().simulate(step=0.01, integrator="em", end=0.2).advance().hash,
              bar_model().simulate(step=0.01, integrator="em").advance(until=0.2).hash}
    assert len(hashes) == 1


def test_set_changes_values_by_their_places(bar):
    sim = phiflex.Simulation(bar, set={"integrator.type": "be", "time.step": 0.02, "gravity": np.array([0, 0, -1.0])})
    assert sim.integrator == "be" and sim.step_size == 0.02
    sim.step()
    assert sim.positions("bar")[:, 2].min() < 0


def test_frames_come_after_every_so_many_steps_and_after_the_last(bar):
    sim = phiflex.Simulation(bar)
    assert [frame.step for frame in sim.run(until=0.17, every=5)] == [5, 10, 15, 17]
    assert [frame.step for frame in sim.run(every=2)] == [19, 20]
    assert sim.time == pytest.approx(0.2, abs=1e-15)
    with pytest.raises(phiflex.StepError, match="the end, t = 0.2 s"):
        sim.step()


def test_progress_is_a_line_on_stderr(bar, capfd):
    phiflex.Simulation(bar).advance(progress=True)
    assert "step 20/20" in capfd.readouterr().err


def test_positions_are_the_same_array_at_every_call_and_no_copy(bar):
    sim = phiflex.Simulation(bar)
    x = sim.positions("bar")
    before = x.copy()
    sim.step()
    assert sim.positions("bar") is x and np.shares_memory(x, sim.positions())
    assert x.shape == (20, 3) and x.dtype == np.float64 and not np.array_equal(x, before)
    with pytest.raises(ValueError):
        x[0, 0] = 1
    with pytest.raises(ValueError):
        x.flags.writeable = True


def test_bodies_have_their_own_parts_of_the_array(bar):
    second = json.loads(json.dumps(bar["bodies"][0]))
    second.update(name="other", transform={"translate": [0, 0, 1]})
    bar["bodies"].append(second)
    sim = phiflex.Simulation(bar)
    assert sim.bodies == ["bar", "other"]
    assert np.array_equal(np.vstack([sim.positions("bar"), sim.positions("other")]), sim.positions())


def test_velocities_that_are_written_are_seen_by_the_next_step_and_booked_as_work(bar):
    bar["gravity"] = [0, 0, 0]
    sim = phiflex.Simulation(bar)
    sim.step(3)
    sim.velocities("bar")[:] = [0, 1, 0]
    sim.step(10)
    held = sim.positions("bar")[:, 0] == 0
    # Held vertices keep their zero velocity; the others started with 1 m/s.
    system = phiflex.Simulation(bar).system
    v = np.tile([0, 1.0, 0], system.dofs // 3)
    assert held.sum() == 4 and sim.ledger.external_work == pytest.approx(system.kinetic_energy(v), rel=1e-12)
    assert abs(sim.ledger.numerical_loss) < 1e-3 * sim.ledger.external_work
    assert np.abs(sim.positions("bar")[:, 1]).max() > 0.01


def test_an_integrator_with_memory_is_told_of_written_velocities(bar):
    bar["integrator"] = {"type": "bdf2"}
    changed, untouched = phiflex.Simulation(bar), phiflex.Simulation(bar)
    for sim in (changed, untouched):
        sim.step(5)
    changed.velocities("bar")[:] = 0
    changed.step()
    fresh = phiflex.Simulation(bar)
    fresh.step(5)
    fresh.velocities("bar")[:] = 0
    fresh.step()
    untouched.step()
    assert changed.hash == fresh.hash != untouched.hash


def test_written_velocities_that_are_no_numbers_are_refused_and_undone(bar):
    sim = phiflex.Simulation(bar)
    sim.step()
    before = sim.hash
    sim.velocities("bar")[7, 1] = np.nan
    with pytest.raises(phiflex.InputError, match="vertex 7 was given nan"):
        sim.step()
    assert sim.hash == before and np.isfinite(sim.velocities()).all()


def test_the_ledger_has_named_fields_and_a_table_for_every_step(bar):
    sim = phiflex.Simulation(bar).advance()
    table = sim.ledger.table()
    assert len(table["time"]) == 21 and table["numerical_loss"][-1] == sim.ledger.numerical_loss
    assert sim.energy.total == pytest.approx(sum(sim.energy[:4]))
    loss = table["total"][0] + table["external_work"] - table["dissipated"] - table["total"]
    assert np.allclose(loss, table["numerical_loss"], atol=1e-12 * abs(table["total"]).max())


def test_the_ledger_and_the_probes_are_those_of_the_command(bar, tmp_path):
    (tmp_path / "bar.json").write_text(json.dumps(bar))
    command("run", tmp_path / "bar.json", "-o", tmp_path / "run", "--quiet")
    run, sim = phiflex.Run(tmp_path / "run"), phiflex.Simulation(bar).advance()
    assert np.array_equal(run.probes["tip"], sim.probes["tip"])
    for name, column in sim.ledger.table().items():
        assert np.array_equal(column, run.ledger.table()[name]), name
    assert sim.probes.table()["tip_y"].shape == (21,) and list(sim.probes) == ["tip"]


def test_a_restored_state_continues_with_the_same_bits(bar, tmp_path):
    for method in ("bdf2", "em", "siere"):
        bar["integrator"] = {"type": method}
        sim = phiflex.Simulation(bar)
        sim.step(7)
        sim.save(tmp_path / "state.bin")
        whole = sim.advance().hash
        table = sim.ledger.table()
        again = phiflex.Simulation(bar)
        again.restore(tmp_path / "state.bin")
        assert again.step_count == 7 and again.advance().hash == whole
        assert np.array_equal(again.ledger.table()["total"], table["total"])
        sim.restore(tmp_path / "state.bin")  # back in the same simulation
        assert sim.step_count == 7 and sim.advance().hash == whole


def test_a_state_of_another_model_or_a_damaged_one_is_refused(bar, tmp_path):
    sim = phiflex.Simulation(bar)
    sim.step(2)
    sim.save(tmp_path / "state.bin")
    before = sim.hash
    with pytest.raises(phiflex.InputError, match="another model, step or integrator"):
        phiflex.Simulation(bar, set={"bodies.0.material.young": 1e6}).restore(tmp_path / "state.bin")
    bytes_ = bytearray((tmp_path / "state.bin").read_bytes())
    bytes_[200] ^= 1
    (tmp_path / "bad.bin").write_bytes(bytes_)
    with pytest.raises(phiflex.InputError, match="check sum"):
        sim.restore(tmp_path / "bad.bin")
    (tmp_path / "none.bin").write_bytes(b"nothing")
    with pytest.raises(phiflex.InputError, match="is not a state"):
        sim.restore(tmp_path / "none.bin")
    with pytest.raises(phiflex.FileError):
        sim.restore(tmp_path / "missing.bin")
    assert sim.hash == before


def test_views_outlive_their_simulation(bar):
    sim = phiflex.Simulation(bar)
    x, v, K = sim.positions("bar"), sim.velocities("bar"), sim.system.stiffness(np.zeros(sim.system.dofs))
    sim.step(5)
    expected = x.copy()
    del sim
    gc.collect()
    junk = [phiflex.Simulation(bar) for _ in range(3)]  # something else in the memory, if it were free
    v[:] = 1
    assert np.array_equal(x, expected) and np.isfinite(K.data).all() and len(junk) == 3


def test_a_failed_step_raises_and_leaves_the_state(bar):
    bar["integrator"] = {"type": "rk4"}  # far above its stability limit
    sim = phiflex.Simulation(bar)
    with pytest.raises(phiflex.StepError) as failure:
        sim.advance()
    assert "rk4 is stable only for" in str(failure.value) and failure.value.status
    step, state = sim.step_count, sim.hash
    with pytest.raises(phiflex.StepError):
        sim.step()
    assert (sim.step_count, sim.hash) == (step, state)


def test_several_simulations_in_threads_give_the_bits_of_one_after_the_other(bar):
    values = [1e5, 2e5, 3e5, 4e5]
    expected = [phiflex.Simulation(bar, set={"bodies.0.material.young": E}).advance().hash for E in values]
    found = [None] * 4

    def run(i):
        found[i] = phiflex.Simulation(bar, set={"bodies.0.material.young": values[i]}).advance().hash

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def hash_of(young):
    return phiflex.Simulation(BAR, set={"bodies.0.material.young": young}).advance().hash


def test_forked_processes_give_the_same_bits():
    import multiprocessing

    phiflex.set_threads(2)
    expected = [hash_of(young) for young in (1e5, 2e5, 3e5)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(hash_of, (1e5, 2e5, 3e5)).get(timeout=60) == expected


def test_a_step_releases_the_interpreters_lock(bar):
    bar["bodies"][0]["mesh"]["cells"] = [20, 6, 6]
    bar["time"] = {"step": 0.01, "end": 1}
    sim = phiflex.Simulation(bar)
    counted = 0
    thread = threading.Thread(target=sim.step, args=(20,))
    thread.start()
    while thread.is_alive():
        counted += 1
        time.sleep(0.0005)
    assert counted > 20  # the loop would have stood still otherwise


def test_a_simulation_serves_one_thread_at_a_time(bar):
    bar["bodies"][0]["mesh"]["cells"] = [20, 6, 6]
    sim = phiflex.Simulation(bar)
    thread = threading.Thread(target=sim.step, args=(10,))
    thread.start()
    while sim.step_count == 0 and thread.is_alive():
        time.sleep(0.001)
    refused = 0
    try:
        sim.step()
    except RuntimeError as error:
        refused += "one thread" in str(error)
    thread.join()
    assert refused == 1


def test_ctrl_c_ends_a_run_after_the_step_at_hand():
    program = f"""
import json, phiflex, sys
scene = json.loads({json.dumps(json.dumps(BAR))})
scene["time"] = dict(step=0.01, end=10000)
sim = phiflex.Simulation(scene)
print("ready", flush=True)
try:
    sim.advance()
except KeyboardInterrupt:
    step = sim.step_count
    sim.step()
    print("stopped", 0 < step < 1000000, sim.step_count == step + 1, flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=30)[0] == "stopped True True\n"


def test_ctrl_c_works_within_a_step():
    # One step of some hundred milliseconds, interrupted after twenty: it is dropped, and can be made again.
    program = f"""
import json, os, phiflex, signal, threading
scene = json.loads({json.dumps(json.dumps(BAR))})
scene["bodies"][0]["mesh"]["cells"] = [32, 12, 12]
sim = phiflex.Simulation(scene)
before = sim.hash
threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    sim.step()
except KeyboardInterrupt:
    print("stopped", sim.step_count, sim.hash == before, flush=True)
    sim.step()
    print(sim.step_count, sim.energy.kinetic > 0, flush=True)
"""
    child = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, timeout=120)
    assert child.stdout == "stopped 0 True\n1 True\n"


def test_the_state_of_the_free_degrees_of_freedom_can_be_had(bar):
    sim = phiflex.Simulation(bar)
    sim.step(3)
    state = sim.state
    assert state.t == sim.time and state.q.size == sim.system.dofs == 3 * 16
    assert np.array_equal(sim.system.positions(state.q, state.t), sim.positions())


def test_a_written_run_folder_reads_back_and_has_its_page(bar, tmp_path):
    sim = phiflex.Simulation(bar).advance()
    run = sim.write(tmp_path / "run")
    assert run.status == "done" and run.hash == sim.hash and len(run.frames) == 21
    assert np.array_equal(run.frames[20].positions("bar"), sim.positions("bar"))
    assert np.array_equal(run.ledger.table()["total"], sim.ledger.table()["total"])
    assert np.array_equal(run.probes["tip"], sim.probes["tip"])
    with pytest.raises(phiflex.FolderNotEmpty):
        sim.write(tmp_path / "run")
    sim.write(tmp_path / "run", overwrite=True)
    page = sim._repr_html_()
    assert page.startswith('<iframe sandbox="allow-scripts"') and "numerical_loss" in page


def test_long_runs_keep_few_snapshots(bar, tmp_path):
    bar["time"] = {"step": 0.001, "end": 0.3}
    bar["integrator"] = {"type": "si"}
    run = phiflex.Simulation(bar).advance().write(tmp_path / "run")
    assert 32 <= len(run.frames) <= 65 and run.frames[-1].time == pytest.approx(0.3)


def test_warnings_say_what_has_no_effect(bar):
    bar["integrator"]["modes"] = 3
    assert any("modes" in warning for warning in phiflex.Simulation(bar).warnings)
