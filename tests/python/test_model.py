"""Models from arrays: the same checks, sentences and bits as scenes."""

import json

import numpy as np
import pytest

import phiflex
from conftest import bar_model, command

RUBBER = phiflex.NeoHookean(young=2e5, poisson=0.4, density=1000)


def box(**settings):
    return phiflex.Body.box((0.4, 0.1, 0.1), (4, 1, 1), RUBBER, **settings)


def test_vertices_are_chosen_by_numbers_masks_and_functions():
    hashes = set()
    for where in ([v for v in range(20) if v % 5 == 0], None, lambda x: x[:, 0] == 0,
                  lambda x: np.flatnonzero(x[:, 0] == 0)):
        body = box()
        if where is None:
            where = body.vertices[:, 0] == 0
        model = phiflex.Model([body, phiflex.Fix(body, where)], gravity=(0, -9.81, 0))
        hashes.add(model.simulate(step=0.01, integrator="em").advance(until=0.05).hash)
    assert len(hashes) == 1


def test_a_rope_of_springs_hangs_like_the_scenes_rope():
    x = np.column_stack([np.linspace(0, 1, 5), np.zeros(5), np.zeros(5)])
    masses = np.array([0.5, 1, 1, 1, 0.5]) * 0.1 / 4
    rope = phiflex.Springs(x, [[i, i + 1] for i in range(4)], masses, stiffness=50, name="rope")
    model = phiflex.Model([rope, phiflex.Fix(rope, [0, 4])], gravity=(0, -9.81, 0))
    scene = {"time": {"step": 0.01, "end": 0.5}, "integrator": {"type": "be"}, "gravity": [0, -9.81, 0],
             "bodies": [{"name": "rope", "springs": {"generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0],
                                                     "segments": 4, "stiffness": 50, "linear_density": 0.1}}],
             "constraints": [{"body": "rope", "where": {"vertices": [0, 4]}, "type": "fix"}]}
    made = model.simulate(step=0.01, integrator="be").advance(until=0.5)
    assert np.allclose(made.positions("rope"), phiflex.Simulation(scene).advance().positions("rope"), atol=1e-12)


def test_a_force_by_a_function_does_what_the_same_force_by_an_array_does():
    forces = np.zeros((20, 3))
    forces[4::5, 1] = 0.5
    results = []
    for load in (lambda b: phiflex.Force(b, forces), lambda b: phiflex.Load(lambda t, x, v: forces, b),
                 lambda b: phiflex.Load(lambda t, x, v: forces), lambda b: phiflex.Force(b, (0, 0.5, 0), range(4, 20, 5))):
        body = box()
        model = phiflex.Model([body, phiflex.Fix(body, lambda x: x[:, 0] == 0), load(body)])
        sim = model.simulate(step=0.01, integrator="em").advance(until=0.1)
        results.append((sim.positions().copy(), sim.ledger.external_work))
    for x, work in results[1:]:
        assert np.allclose(x, results[0][0], atol=1e-9) and work == pytest.approx(results[0][1], rel=1e-6)


def test_a_function_is_given_time_positions_and_velocities():
    seen = []

    def drag(t, x, v):
        seen.append((t, x, v))
        return -5.0 * v

    body = box(velocities=np.tile([1.0, 0, 0], (20, 1)))
    sim = phiflex.Model([body, phiflex.Load(drag, body)]).simulate(step=0.01, integrator="si")
    kinetic = sim.energy.kinetic
    sim.step(5)
    assert sim.energy.kinetic < 0.9 * kinetic and sim.ledger.external_work < 0
    times = [t for t, _, _ in seen]
    assert max(times) == pytest.approx(0.05) and seen[0][1].shape == seen[0][2].shape == (20, 3)
    assert seen[0][1][0, 0] <= seen[-1][1][0, 0]  # copies: what was kept did not change


def test_a_function_that_raises_or_returns_nonsense_ends_the_step():
    def broken(t, x, v):
        raise KeyError("mine")

    for function, error, words in ((broken, KeyError, "mine"), (lambda t, x, v: None, phiflex.InputError, "load 1"),
                                   (lambda t, x, v: x[:3], phiflex.InputError, r"shape \(3, 3\)"),
                                   (lambda t, x, v: x * np.nan, phiflex.InputError, "nan")):
        body = box()
        with pytest.raises(error, match=words):
            phiflex.Model([body, phiflex.Load(function)]).simulate(step=0.01, integrator="si").step()


@pytest.mark.parametrize("method", phiflex.integrators)
def test_a_function_that_raises_within_a_step_leaves_the_state_and_all_later_bits(method):
    def hash_after_ten_steps(raises_at):
        calls = []

        def load(t, x, v):
            calls.append(t)
            if len(calls) == raises_at:
                raise KeyError("once")
            return 0 * x

        body = box()
        sim = phiflex.Model([body, phiflex.Fix(body, lambda x: x[:, 0] == 0), phiflex.Load(load)],
                            gravity=(0, -9.81, 0)).simulate(step=1e-4, integrator=method)
        sim.step(5)
        before, count = sim.hash, len(calls)
        if raises_at:
            with pytest.raises(KeyError):
                sim.step()
            assert (sim.hash, sim.step_count) == (before, 5)
        sim.step(5)
        return sim.hash, count

    expected, calls = hash_after_ten_steps(None)
    assert hash_after_ten_steps(calls + 1)[0] == expected  # the first force of the sixth step


def test_a_function_cannot_step_its_own_simulation():
    holder = []

    def load(t, x, v):
        if holder:
            holder[0].step()
        return 0 * x

    sim = phiflex.Model([box(), phiflex.Load(load)]).simulate(step=0.01, integrator="si")
    holder.append(sim)
    with pytest.raises(RuntimeError, match="in a step"):
        sim.step()


def test_moved_vertices_follow_their_path_until_they_are_released():
    body = box()
    path = [(0, 0, 0, 0), (0.1, 0, 0.05, 0)]
    model = phiflex.Model([body, phiflex.Move(body, lambda x: x[:, 0] == 0, path, until=0.2)])
    sim = model.simulate(step=0.01, integrator="em")
    sim.step(20)
    assert np.allclose(sim.positions()[0], body.vertices[0] + [0, 0.05, 0])
    sim.step(10)
    assert not np.allclose(sim.positions()[0], body.vertices[0] + [0, 0.05, 0])


def test_obstacles_stop_what_falls():
    for obstacle in (phiflex.Floor(-0.2), phiflex.Plane((0, -0.2, 0)), phiflex.Sphere((0.2, -1.2, 0.05), 1.0),
                     phiflex.Cuboid((0, -0.7, 0), (3, 1, 3)), phiflex.Capsule((-1, -1.2, 0.05), (2, -1.2, 0.05), 1.0)):
        body = box(damping={"mass": 0.5})
        sim = phiflex.Model([body, obstacle], gravity=(0, -9.81, 0)).simulate(step=0.01, integrator="be")
        sim.advance(until=0.6)
        assert -0.4 < sim.positions()[:, 1].mean() < 0, type(obstacle).__name__  # free fall: 1.7 m


def test_every_generator_of_the_catalogue_makes_a_mesh_and_refuses_what_it_does_not_know():
    assert {"box", "ball", "cylinder"} <= set(phiflex.generators)
    for name in ("box", "ball", "cylinder", "honeycomb", "spheroid", "kidney"):
        vertices, tets = phiflex.generate_mesh(name)
        assert vertices.shape[1] == 3 and tets.shape[1] == 4 and tets.max() == len(vertices) - 1
    vertices, tets = phiflex.generate_mesh("ball", radius=0.1, resolution=3)
    assert len(tets) == 20 * 27 and np.allclose(np.linalg.norm(vertices, axis=1).max(), 0.1)
    assert np.array_equal(phiflex.Body.generated("ball", {"radius": 0.1, "resolution": 3}, RUBBER).vertices, vertices)
    for bad in ({"radius": -1}, {"radius": "wide"}, {"radius": [1, 2]}, {"resolution": 1.5}, {"radios": 1}, {"shell": 3}):
        with pytest.raises(phiflex.InputError, match=list(bad)[0]):
            phiflex.generate_mesh("ball", **bad)
    with pytest.raises(phiflex.InputError, match="'boks' is no generator"):
        phiflex.generate_mesh("boks")
    with pytest.raises(phiflex.InputError, match="flat"):
        phiflex.generate_mesh("rectangle")


def test_values_for_every_element_are_taken():
    vertices, tets = phiflex.box_mesh((0.4, 0.1, 0.1), (4, 1, 1))
    young = np.where(vertices[tets].mean(axis=1)[:, 0] < 0.2, 1e7, 1e5)
    body = phiflex.Body(vertices, tets, phiflex.StableNeoHookean(young, 0.4, 1000))
    model = phiflex.Model([body, phiflex.Fix(body, lambda x: x[:, 0] == 0)], gravity=(0, -9.81, 0))
    frequency = phiflex.modes(model, 1).frequencies[0]
    soft, hard = (phiflex.modes(phiflex.Model([b, phiflex.Fix(b, lambda x: x[:, 0] == 0)]), 1).frequencies[0]
                  for b in (phiflex.Body(vertices, tets, phiflex.StableNeoHookean(E, 0.4, 1000)) for E in (1e5, 1e7)))
    assert soft < frequency < hard


def test_every_problem_is_reported_at_once_with_the_engines_sentences():
    body = phiflex.Body.box((0.4, 0.1, 0.1), (2, 1, 1), phiflex.NeoHookean(young=-1, poisson=0.7, density=1000), name="bar")
    other = box(name="other")
    with pytest.raises(phiflex.InputError) as error:
        phiflex.Model([body, other, phiflex.Fix(other, [99]), phiflex.Fix(other, []), phiflex.Probe("tip", "none", (0, 0, 0)),
                       phiflex.Sphere((0, 0, 0), -1), 5])
    problems = {problem.place: problem.message for problem in error.value.problems}
    assert problems['body "bar"/material/poisson'] == "0.7 is not allowed; expected a number > -1 and < 0.5"
    assert 'body "bar"/material/young' in problems and "99 is not allowed" in problems["fix 1/where"]
    assert problems["fix 2/where"] == "selects nothing" and "parts/6" in problems
    assert problems["probe 1/body"] == '"none" is not a body; there are: bar, other'
    assert problems["sphere 1/radius"] == "-1 is not allowed; expected a number > 0"


def test_the_sentences_are_those_of_a_scene(bar):
    bar["bodies"][0]["material"]["poisson"] = 0.7
    with pytest.raises(phiflex.InputError) as of_scene:
        phiflex.Simulation(bar)
    with pytest.raises(phiflex.InputError) as of_model:
        phiflex.Model([phiflex.Body.box((1, 1, 1), (1, 1, 1), phiflex.NeoHookean(2e5, 0.7, 1000))])
    assert of_scene.value.problems[0].message == of_model.value.problems[0].message
    assert of_scene.value.problems[0].place == "/bodies/0/material/poisson"


def test_an_inverted_tetrahedron_is_refused():
    vertices, tets = phiflex.box_mesh((1, 1, 1), (1, 1, 1))
    with pytest.raises(phiflex.InputError, match="inverted|negative|volume"):
        phiflex.Model([phiflex.Body(vertices, tets[:, [1, 0, 2, 3]], RUBBER)])


def test_settings_of_simulate_are_checked_like_a_scenes():
    model = bar_model()
    with pytest.raises(phiflex.InputError, match="time"):
        model.simulate(step=-1)
    with pytest.raises(phiflex.InputError, match='"nonsense"'):
        model.simulate(step=0.01, integrator="nonsense")
    with pytest.raises(phiflex.InputError, match="rho_infinity"):
        model.simulate(step=0.01, integrator="generalized-alpha:rho_infinity=2")
    with pytest.raises(phiflex.InputError, match="no end of its own"):
        model.simulate(step=0.01).advance()
    sim = model.simulate(step=0.01, integrator={"type": "siere", "modes": 4})
    assert sim.integrator == "siere"


def test_a_model_written_as_a_scene_gives_the_same_bits_by_the_command(tmp_path):
    vertices, tets = phiflex.box_mesh((0.4, 0.1, 0.1), (4, 1, 1))
    young = 1e5 * (1 + np.arange(len(tets)) % 3)
    body = phiflex.Body(vertices, tets, phiflex.NeoHookean(young, 0.4, 1000), name="my bar", damping={"stiffness": 0.001},
                        velocities=np.tile([0.1, 0, 0], (20, 1)))
    model = phiflex.Model(
        [body, phiflex.Fix(body, lambda x: x[:, 0] == 0, until=0.1),
         phiflex.Move(body, [4], [(0, 0, 0, 0), (0.05, 0, 0.01, 0)], until=0.1), phiflex.Force(body, (0, 0, 1), [9]),
         phiflex.Force(body, (0, 0, 2), measure="acceleration", until=0.1), phiflex.Wind((3, 0, 0), gust=(0.2, 3.0)),
         phiflex.Floor(-0.3), phiflex.Sphere((0.2, -0.5, 0), 0.1, friction=0.3), phiflex.Probe("tip", body, (0.4, 0, 0))],
        gravity=(0, -9.81, 0))
    assert model.to_scene(tmp_path / "scene.json", step=0.01, end=0.2, integrator="si") == []
    summary = json.loads(command("run", tmp_path / "scene.json", "-o", tmp_path / "run", "--no-frames", "--json"))
    assert model.simulate(step=0.01, integrator="si", end=0.2).advance().hash == summary["hash"]


def test_what_a_scene_file_cannot_hold_is_said(tmp_path):
    body = box(name="bar", positions=phiflex.box_mesh((0.4, 0.1, 0.1), (4, 1, 1))[0] * [1.01, 1, 1])
    rope = phiflex.Springs([[0, 1, 0], [1, 1, 0]], [[0, 1]], 0.1, constant=10, name="rope")
    model = phiflex.Model([body, rope, phiflex.Fix(rope, [0]), phiflex.Load(lambda t, x, v: 0 * x)])
    left_out = model.to_scene(tmp_path / "new" / "scene.json")
    assert len(left_out) == 3 and any("function" in words for words in left_out)
    assert command("check", tmp_path / "new" / "scene.json")


def test_a_mesh_file_becomes_a_body(tmp_path):
    model = bar_model()
    model.to_scene(tmp_path / "bar.json")
    body = phiflex.Body.from_file(tmp_path / "bar_bar.msh", RUBBER, name="bar")
    assert np.array_equal(body.vertices, model.bodies[0].vertices)
    with pytest.raises(phiflex.FileError):
        phiflex.Body.from_file(tmp_path / "none.msh", RUBBER)
