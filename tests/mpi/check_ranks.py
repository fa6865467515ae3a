#!/usr/bin/env python3
"""Facts about phiflex-mpi (docs/cluster.md): several ranks move as the serial engine does, repeat their bits, go on after a
checkpoint, and end together.    check_ranks.py BUILD_FOLDER"""

import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

METHODS = {
    "symplectic-euler": {"step": 2e-4},
    "verlet": {"step": 2e-3},
    "rk4": {"step": 5e-4},
    "si": {"linear_tolerance": 1e-10},
    "be": {"newton_tolerance": 1e-12},
    "midpoint": {"newton_tolerance": 1e-12},
    "newmark": {"newton_tolerance": 1e-12},
    "em": {"em_tolerance": 1e-12, "energy_tolerance": 1e-12},
    "ere": {"tolerance": 1e-10},
    "siere": {"linear_tolerance": 1e-10, "modes_tolerance": 1e-9},
}
STEPS = 20
ALLOWED = 1e-8  # of the motion

build = pathlib.Path(sys.argv[1])
serial, parallel, nap = build / "phiflex", build / "phiflex-mpi", build / "libphiflex_nap.so"
if not parallel.exists() or not shutil.which("mpirun"):
    print("tests/mpi/check_ranks.py:1: Skipped\nMPI is absent: build/phiflex-mpi is made by `make mpi`")
    sys.exit(77)

failures = 0


def fact(holds, words):
    global failures
    failures += not holds
    print(("ok    " if holds else "FAILED ") + words, flush=True)


ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def command_of(count, arguments, before=(), program=parallel):
    """phiflex-mpi, or another program, on so many ranks, which sleep where they wait; before: the command by which each rank
    runs it."""
    return ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "--mca", "btl",
            "self,vader", "-x", f"LD_PRELOAD={nap}", "-n", str(count), *before, program, *arguments]


def ranks(count, *arguments, limit=120, before=(), program=parallel):
    try:
        return subprocess.run(command_of(count, arguments, before, program), env=ENVIRONMENT, capture_output=True,
                              text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        fact(False, f"{count} ranks end within {limit} s: {arguments}")
        sys.exit(1)


def write_scene(folder, name, method, **changes):
    options = dict(METHODS[method])
    step = options.pop("step", 0.01)
    size, cells = [0.4, 0.1, 0.1], [12, 3, 3]
    scene = {
        "phiflex": 1, "name": name, "time": {"step": step, "end": STEPS * step},
        "integrator": {"type": method, **options}, "gravity": [0, -9.81, 0],
        "bodies": [{"name": "bar", "mesh": {"generate": "box", "size": size, "cells": cells},
                    "material": {"type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000}}],
        "constraints": [{"body": "bar", "where": {"box": [[0, 0, 0], [0, 1, 1]]}, "type": "fix"}],
        "probes": [{"name": f"p{i}{j}{k}", "body": "bar",
                    "at": [size[0] * i / 8, size[1] * j / 2, size[2] * k / 2]}
                   for i in range(9) for j in range(3) for k in range(3)],
    }
    for key, value in changes.items():
        if key == "body":
            scene["bodies"][0].update(value)
        else:
            scene[key] = value
    file = folder / f"{name.replace(' ', '-')}-{method}.json"
    file.write_text(json.dumps(scene))
    return file


def table(file):
    lines = file.read_text().splitlines()
    return [[float(x) for x in line.split(",")] for line in lines[1:]]


def summary(folder):
    return json.loads((folder / "run.json").read_text())


def differences(one, other):
    """The largest difference of probes over their largest motion, of energies over the largest energy, and of momenta and
    angular momenta over the largest of theirs."""
    a, b = table(one / "probes.csv"), table(other / "probes.csv")
    motion = max(abs(x - y) for x, y in zip(a[-1][2:], a[0][2:]))
    apart = max(abs(x - y) for x, y in zip(a[-1][2:], b[-1][2:]))
    e, f = table(one / "energy.csv"), table(other / "energy.csv")
    largest = max(abs(x) for row in e for x in row[2:7])
    energy = max(abs(x - y) for p, q in zip(e, f) for x, y in zip(p[2:13], q[2:13]))
    momentum = max(max(abs(x - y) for p, q in zip(e, f) for x, y in zip(p[of], q[of])) /
                   max(abs(x) for row in e for x in row[of]) for of in (slice(13, 16), slice(16, 19)))
    return apart / motion, energy / largest, momentum, len(b) == len(f) == len(a)


def compare(folder, name, method, counts, options=(), **changes):
    """options: PETSc's own."""
    scene = write_scene(folder, name, method, **changes)
    base = folder / f"{name}-{method}-serial"
    subprocess.run([serial, "run", scene, "-o", base, "--no-frames", "--quiet", "--threads", "1"], check=True)
    for count in counts:
        out = folder / f"{name}-{method}-{count}"
        done = ranks(count, "run", scene, "-o", out, "--no-frames", "--quiet", "--", *options)
        if done.returncode != 0:
            fact(False, f"{name}, {method}, {count} ranks: exit code {done.returncode}: {done.stderr[-500:]}")
            continue
        apart, energy, momentum, whole = differences(base, out)
        end = summary(out)
        fact(max(apart, energy, momentum) <= ALLOWED and whole,
             f"{name}, {method}, {count} ranks: {apart:.1e} of the motion from the serial engine, energies {energy:.1e}, "
             f"momenta {momentum:.1e}")
        fact(end["ranks"]["tetrahedra_counted"] == end["sizes"]["elements"] and
             set(options) <= set(end["ranks"]["options"].split()),
             f"{name}, {method}, {count} ranks: each tetrahedron is counted once, PETSc's options are recorded")
        if count == 1:
            fact(summary(out)["hash"] == summary(base)["hash"], f"{name}, {method}: one rank has the serial bits")


def repeat_and_resume(folder, method):
    # Modes to nine digits take a V-cycle many sweeps.
    scene = write_scene(folder, "repeat", method, **({"integrator": {"type": "siere"}} if method == "siere" else {}))
    first, second = folder / f"{method}-first", folder / f"{method}-second"
    for out in first, second:
        done = ranks(4, "run", scene, "-o", out, "--no-frames", "--quiet", "--checkpoint-every", "5")
        fact(done.returncode == 0, f"{method} on 4 ranks: {done.stderr[-300:]}")
    expected = summary(first)["hash"]
    fact(summary(second)["hash"] == expected, f"{method}: the same command twice on 4 ranks has the same bits")
    newest = f"step_{STEPS:012}.ckpt"
    torn = second / "checkpoint" / "rank_00002" / newest
    torn.write_bytes(torn.read_bytes()[:-100])
    done = ranks(4, "resume", second, "--quiet")
    notes = " ".join(summary(second)["notes"])
    fact(done.returncode == 0 and "step 15" in notes,
         f"{method}: where a rank's checkpoint is torn, the one before is taken: {done.stderr[-300:]}")
    fact(summary(second)["hash"] == expected, f"{method}: a resumed run ends in the same bits")
    if method != "rk4":
        return
    fact(ranks(2, "resume", second, "--quiet").returncode == 65, f"{method}: another number of ranks is refused")
    account = summary(second)
    for ranks_there in None, 4, {"count": "four"}, {"count": 4, "pieces": "no"}:
        (second / "run.json").write_text(json.dumps(account | {"ranks": ranks_there}))
        codes = [ranks(1, verb, second, "--quiet").returncode for verb in ("resume", "gather")]
        fact(codes == [65, 65], f"a run.json whose `ranks` is {ranks_there} is bad input: exit codes {codes}")


def end_together(folder):
    scene = write_scene(folder, "diverges", "symplectic-euler", time={"step": 0.05, "end": 5})
    alone = subprocess.run([serial, "run", scene, "-o", folder / "alone", "--no-frames", "--quiet"],
                           capture_output=True, text=True)
    done = ranks(4, "run", scene, "-o", folder / "diverges", "--no-frames", "--quiet", limit=60)
    fact(done.returncode == alone.returncode == 76, f"a motion that fails: exit code {done.returncode} on all ranks")
    fact(done.stderr.count("the simulation failed") == 1, "it is told once")
    # Only the end of the bar is torn beyond its material's domain: the force is not finite on the rank that has it.
    scene = write_scene(folder, "torn", "rk4", forces=[{"type": "region", "body": "bar", "force": [-1e6, 0, 0],
                                                        "where": {"box": [[0.39, 0, 0], [0.41, 1, 1]]}}])
    begin = time.monotonic()
    done = ranks(4, "run", scene, "-o", folder / "torn", "--no-frames", "--quiet", limit=60)
    fact(done.returncode == 76 and done.stderr.count("the simulation failed") == 1 and time.monotonic() - begin < 10,
         f"a force that is not finite on one rank ends all within 10 s, told once: {done.stderr[:300]}")
    for name, changes, words in (
            ("emx", {"integrator": {"type": "emx"}}, "does not have \"emx\""),
            ("particles", {"contacts": [{"type": "particles", "distance": 0.01}]}, "contacts between particles"),
            ("dense", {"integrator": {"type": "ere", "evaluator": "dense"}}, "does not have \"dense\""),
            ("settle", {"settle": True}, "the search for an equilibrium")):
        scene = write_scene(folder, f"refused-{name}", "si", **changes)
        done = ranks(2, "check", scene, limit=60)
        fact(done.returncode == 65 and done.stderr.count(words) == 1, f"{name} is refused by name, once")
    done = ranks(2, "run", folder / "no-such.json", "-o", folder / "none", limit=60)
    fact(done.returncode in (65, 74) and done.stderr.count("no-such.json") == 1, f"a missing scene: {done.stderr[-300:]}")
    blocked = folder / "blocked"
    scene = write_scene(folder, "blocked", "rk4")
    (blocked / "checkpoint").mkdir(parents=True)
    (blocked / "checkpoint" / "rank_00001").write_text("a file where a folder should be")
    done = ranks(2, "run", scene, "-o", blocked, "--force", "--no-frames", "--quiet", limit=60)
    fact(done.returncode == 74 and "rank 1" in done.stderr, f"a rank that cannot write ends all: {done.stderr[-300:]}")
    tiny = {"mesh": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}}
    for method in "rk4", "si", "ere", "siere":
        scene = write_scene(folder, "tiny", method, body=tiny)
        done = ranks(10, "run", scene, "-o", folder / f"tiny-{method}", "--no-frames", "--quiet", limit=60)
        fact(done.returncode == 0, f"{method}: more ranks than vertices, ranks without a free one: {done.stderr[-300:]}")


def frames_in_pieces(folder):
    """What the ranks write apart is, gathered, what rank 0 writes: the same files."""
    scene = write_scene(folder, "pieces", "rk4", output={"every": 5})
    whole, apart = folder / "whole-frames", folder / "apart"
    options = ["--quiet", "--checkpoint-every", "10"]
    ranks(3, "run", scene, "-o", whole, *options)
    done = ranks(3, "run", scene, "-o", apart, *options, "--pieces")
    listed = sorted(file.name for file in (apart / "pieces" / "frames").glob("*.pvtu"))
    fact(done.returncode == 0 and len(listed) == 5 and not (apart / "frames.pvd").exists(),
         f"frames in pieces: {len(listed)} lists of pieces: {done.stderr[-300:]}")
    # It goes on from step 10: the frames behind it are listed once.
    for name in "checkpoint", "checkpoint/rank_00001", "checkpoint/rank_00002":
        (apart / name / f"step_{STEPS:012}.ckpt").unlink()
    done = ranks(3, "resume", apart, "--quiet")
    entries = (apart / "pieces" / "frames.pvd").read_text().count("<DataSet")
    fact(done.returncode == 0 and entries == 5, f"resumed, the run lists {entries} frames: {done.stderr[-300:]}")
    done = ranks(1, "gather", apart, "--quiet")
    names = sorted(file.name for file in (whole / "frames").glob("*.vtu"))
    same = [(apart / "frames" / name).read_bytes() == (whole / "frames" / name).read_bytes() for name in names]
    fact(done.returncode == 0 and len(same) == 5 and all(same) and (apart / "report.html").exists() and
         (apart / "frames.pvd").read_bytes() == (whole / "frames.pvd").read_bytes(),
         f"gathered, they are the frames that rank 0 writes, byte for byte: {done.stderr[-300:]}")
    (apart / "pieces" / "frames" / "frame_000002" / "rank_00001.vtu").unlink()
    done = ranks(1, "gather", apart, "--quiet")
    fact(done.returncode == 74 and done.stderr.count("rank_00001.vtu") == 1, "a piece that is missing is named")
    fact(ranks(1, "gather", whole, "--quiet").returncode == 65, "a run without pieces is refused")
    done = ranks(3, "run", scene, "-o", apart, *options, "--force")
    fact(done.returncode == 0 and not (apart / "pieces").exists(), "--force clears the pieces of the run before")


def iterations(folder):
    """They stay where they are whatever the number of ranks: 10 a step, of conjugate gradients to 1e-6."""
    scene = write_scene(folder, "iterations", "si", time={"step": 0.01, "end": 0.02}, probes=[],
                        integrator={"type": "si", "solver": "multigrid"}, body={
        "mesh": {"generate": "box", "size": [1, 0.25, 0.25], "cells": [32, 8, 8]},
        "material": {"type": "neo-hookean", "young": 1e7, "poisson": 0.3, "density": 1000}})
    for count in 1, 4, 8, 16:
        out = folder / f"iterations-{count}"
        done = ranks(count, "run", scene, "-o", out, "--no-frames", "--quiet")
        taken = summary(out)["counts"]["cg_iterations"] / 2 if done.returncode == 0 else None
        fact(taken is not None and abs(taken - 10) <= 2, f"{count} ranks: {taken} iterations a step: {done.stderr[-300:]}")


def keeps_energy_and_momenta(folder):
    """`em` on ranks, to the bounds of the serial test (energy_momentum_fem_test.cpp)."""
    scene = write_scene(folder, "thrown", "em", gravity=[0, 0, 0], constraints=[], body={
        "initial": {"velocity": [1, 2, 0.5], "angular_velocity": [0, 0, 20]}})
    out = folder / "thrown"
    done = ranks(4, "run", scene, "-o", out, "--no-frames", "--quiet")
    rows = table(out / "energy.csv") if done.returncode == 0 else [[0] * 19] * 2
    first = rows[0]

    def change(of):
        size = sum(x * x for x in first[of]) ** 0.5
        return max(sum((x - y) ** 2 for x, y in zip(row[of], first[of])) ** 0.5 for row in rows) / (size or 1e-300)
    energy, linear, angular = (change(of) for of in (slice(6, 7), slice(13, 16), slice(16, 19)))
    fact(first[6] > 0 and energy <= 1e-10 and linear <= 1e-12 and angular <= 1e-10,
         f"em on 4 ranks keeps energy to {energy:.1e}, momenta to {linear:.1e} and {angular:.1e}: {done.stderr[-300:]}")


def compiled_facts():
    """parts_test.cpp and, where SLEPc is, slepc_test.cpp."""
    for count in 1, 3, 4:
        done = ranks(count, "--gtest_brief=1", limit=60, program=build / "test_mpi")
        by_slepc = "" if "chebyshev:" in done.stdout else "; SLEPc is absent: matrix functions are not compared with it"
        failed = done.stdout[-2000:] + done.stderr[-500:] if done.returncode != 0 else ""
        fact(done.returncode == 0, f"parts have the forces and the stiffness of the whole, {count} ranks{by_slepc}{failed}")


def dry_partition(folder):
    scene = write_scene(folder, "dry", "si")
    done = ranks(1, "check", scene, "--dry-partition", "64", limit=60)
    words = ("64 ranks: ", " vertices each", "halo: ", " kB for each exchange", "memory, by the model: ", "time, by the model: ")
    fact(done.returncode == 0 and all(done.stdout.count(word) == 1 for word in words),
         f"--dry-partition says parts, halo, memory and time: {done.stdout[-500:]} {done.stderr[-300:]}")


def go_on_after_signals(folder):
    """SIGTERM to one rank ends all with a checkpoint; a rank that is killed, or whose disk is full, ends all within 10 s; the run
    resumes each time and ends in the bits of one that nothing met."""
    steps = 160
    scene = write_scene(folder, "signals", "rk4", time={"step": 5e-4, "end": steps * 5e-4})
    options = ["--no-frames", "--quiet", "--checkpoint-every", "10"]
    whole, out, pids = folder / "whole", folder / "signals", folder / "pids"
    pids.mkdir()
    done = ranks(4, "run", scene, "-o", whole, *options)
    fact(done.returncode == 0, f"a run of {steps} steps: {done.stderr[-300:]}")
    expected = summary(whole)["hash"]
    keep_pid = ["bash", "-c", f'trap "" XFSZ; echo $$ > {pids}/$OMPI_COMM_WORLD_RANK; exec "$@"', "rank"]

    def newest(of=out):
        steps_there = [int(file.stem[5:]) for file in (of / "checkpoint").glob("step_*.ckpt")]
        return max(steps_there, default=-1)

    def interrupt(arguments, rank, act, of=out):
        """Runs until there is another checkpoint and calls act(process of the rank)."""
        first = newest(of)
        process = subprocess.Popen(command_of(4, arguments, keep_pid), env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        begin = time.monotonic()
        while newest(of) <= max(first, 9) and process.poll() is None and time.monotonic() - begin < 60:
            time.sleep(0.01)
        begin = time.monotonic()
        act(int((pids / str(rank)).read_text()))
        try:
            words = process.communicate(timeout=60)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            words = "it does not end"
        return process.returncode, time.monotonic() - begin, words

    code, seconds, words = interrupt(["run", scene, "-o", out, *options], 1,
                                     lambda pid: os.kill(pid, signal.SIGTERM))
    fact(code == 130 and seconds < 10 and newest() < steps and summary(out)["status"] == "interrupted",
         f"SIGTERM to one rank: exit code {code} after {seconds:.1f} s, checkpoint at step {newest()}: {words[:200]}")
    code, seconds, words = interrupt(["resume", out, "--quiet"], 2, lambda pid: os.kill(pid, signal.SIGKILL))
    fact(code != 0 and seconds < 10, f"a rank that is killed: all have ended after {seconds:.1f} s, exit code {code}")
    # From here on no file of rank 2 can grow, as on a full disk.
    full = folder / "full"
    code, seconds, words = interrupt(["run", scene, "-o", full, *options], 2,
                                     lambda pid: resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, 0)), of=full)
    fact(code == 74 and seconds < 10 and words.count("File too large") == 1 and "rank 2" in words,
         f"a rank whose files cannot grow: exit code {code} after {seconds:.1f} s: {words[:300]}")
    for name in out, full:
        done = ranks(4, "resume", name, "--quiet")
        fact(done.returncode == 0 and summary(name)["hash"] == expected,
             f"{name.name}: resumed, it ends in the bits of a run that nothing met: {done.stderr[-300:]}")


begin = time.monotonic()
with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    for method in METHODS:
        compare(scratch, "clamped", method, (1, 2, 4))
    loaded = {
        "body": {"damping": {"mass": 0.5, "stiffness": 0.002}},
        "constraints": [
            {"body": "bar", "where": {"box": [[0, 0, 0], [0, 1, 1]]}, "type": "frame",
             "keys": [{"time": 0}, {"time": 0.1, "translate": [0, 0.01, 0]}, {"time": 1, "translate": [0, 0, 0]}]},
            {"body": "bar", "where": {"box": [[0.4, 0, 0], [0.4, 1, 1]]}, "type": "fix", "until": 0.05}],
        "forces": [{"type": "wind", "velocity": [0, 0, 20]},
                   {"type": "region", "body": "bar", "where": {"box": [[0.2, 0, 0], [0.4, 1, 1]]}, "force": [0, 5, 0]}],
    }
    for method in "rk4", "si", "newmark", "em", "ere", "siere":
        compare(scratch, "loaded", method, (4,), **loaded)
    for method in "be", "midpoint":
        compare(scratch, "loaded", method, (2,), **loaded)
    end = {"box": [[0.39, 0, 0], [0.41, 1, 1]]}
    compare(scratch, "loads", "si", (4,), forces=[
        {"type": "uniform", "acceleration": [0, 0, 3]}, {"type": "point", "body": "bar", "at": [0.4, 0, 0], "force": [0, 0, 0.5]},
        {"type": "pressure", "body": "bar", "where": end, "pressure": 500},
        {"type": "traction", "body": "bar", "where": end, "traction": [0, 0, 300]}])
    stiffness = {"young": 2e5, "poisson": 0.4}
    for law, constants in (("linear", stiffness), ("corotated", stiffness), ("arap", {"young": 2e5}), ("stvk", stiffness),
                           ("stable-neo-hookean", stiffness), ("spline", stiffness),
                           ("mooney-rivlin", {"c1": 2e4, "c2": 1e4, "bulk": 3e5}),
                           ("holzapfel", {"mu": 6e4, "k1": 2e4, "k2": 1, "bulk": 3e5, "direction": [1, 1, 0]})):
        compare(scratch, law, "si", (4,), body={"material": {"type": law, "density": 1000, **constants}})
    for element, poisson in ("tet10", 0.4), ("tet10-mean", 0.49):  # the mean is of what is beyond 0.4
        compare(scratch, element, "si", (4,), body={
            "element": element, "mesh": {"generate": "box", "size": [0.4, 0.1, 0.1], "cells": [8, 2, 2]},
            "material": {"type": "neo-hookean", "young": 2e5, "poisson": poisson, "density": 1000}})
    for options in (["-phiflex_pc_type", "hypre"],
                    ["-phiflex_pc_type", "cholesky", "-phiflex_pc_factor_mat_solver_type", "mumps"]):
        compare(scratch, options[-1], "si", (4,), options)
    free = {"constraints": [], "body": {"initial": {"twist": {"axis": "x", "angle": 40}}}}
    for method in "verlet", "be", "em", "ere":
        compare(scratch, "free", method, (4,), **free)
    for method in "si", "midpoint", "newmark":
        compare(scratch, "free", method, (2,), **free)
    keeps_energy_and_momenta(scratch)
    # All rigid modes and the first pair of bending modes: fewer would be some of a space, and which is chance.
    compare(scratch, "free", "siere", (4,), **free, integrator={"type": "siere", "modes": 8, **METHODS["siere"]})
    falls = {"constraints": [], "body": {"initial": {"velocity": [0, -1, 0]}}}
    sphere = {"type": "sphere", "center": [0.2, -0.115, 0.05], "radius": 0.1}
    moving = {"type": "box", "center": [0.2, -0.06, 0.05], "size": [0.3, 0.1, 0.3], "friction": 0.3,
              "motion": {"keys": [{"time": 0}, {"time": 1, "translate": [0.5, 0.2, 0]}]}}
    for name, method, obstacle in (
            ("barrier", "si", {"type": "floor", "height": -0.02}),
            ("barrier", "ere", {"type": "floor", "height": -0.02}),
            ("penalty", "verlet", sphere | {"mode": "penalty"}),
            ("stiff floor", "newmark", {"type": "floor", "height": -0.02, "mode": "penalty", "stiffness": 500}),
            ("moving", "be", moving | {"mode": "penalty"}),
            ("moving", "em", moving | {"mode": "penalty"}),
            ("project", "verlet", moving | {"mode": "project"})):
        compare(scratch, name, method, (4,), contacts=[obstacle], **falls)
    # Energy-momentum steps against barriers: along the whole bar, at the end that few ranks own, and moved.
    met = falls | {"time": {"step": 0.005, "end": STEPS * 0.005}, "body": falls["body"] | {
        "mesh": {"generate": "box", "size": [0.4, 0.1, 0.1], "cells": [8, 2, 2]}}}
    for name, counts, obstacle in (
            ("barrier", (1, 2, 4), {"type": "floor", "height": -0.02}),
            ("barrier at an end", (4,), sphere | {"center": [0.37, -0.115, 0.05]}),
            ("moving barrier", (2,), moving | {"center": [0.2, -0.07, 0.05], "friction": 0})):
        compare(scratch, name, "em", counts, contacts=[obstacle], **met)
    # What the solver leaves is magnified by friction: a tighter tolerance than the other scenes'.
    compare(scratch, "project", "si", (4,), contacts=[sphere | {"mode": "project", "friction": 0.3}], **falls,
            integrator={"type": "si", "linear_tolerance": 1e-12})
    bar = {"mesh": {"generate": "box", "size": [0.2, 0.1, 0.1], "cells": [6, 3, 3]},
           "material": {"type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000}}
    compare(scratch, "two bodies", "si", (4,), constraints=[], probes=[{"name": "p", "body": "b", "at": [0.2, 0.5, 0]}],
            bodies=[bar | {"name": "a"}, bar | {"name": "b", "transform": {"translate": [0, 0.5, 0]}}],
            contacts=[{"type": "bodies", "between": "none", "self": False}, {"type": "floor", "height": -0.02}])
    for method in "rk4", "si", "em", "ere", "siere":
        repeat_and_resume(scratch, method)
    iterations(scratch)
    dry_partition(scratch)
    compiled_facts()
    end_together(scratch)
    go_on_after_signals(scratch)
    frames_in_pieces(scratch)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{failures} facts failed; {time.monotonic() - begin:.0f} s by the clock, {usage.ru_utime + usage.ru_stime:.0f} s of processors")
sys.exit(1 if failures else 0)
