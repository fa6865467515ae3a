"""Contact between bodies of a model: the same as a scene's."""

import json

import numpy as np
import pytest

import phiflex
from conftest import command

SOFT = phiflex.NeoHookean(young=1e5, poisson=0.3, density=1000)


def cube(x=0.0, y=0.0, speed=0.0, name=None):
    vertices, tets = phiflex.box_mesh((0.1, 0.1, 0.1), (1, 1, 1))
    return phiflex.Body(vertices + [x, y, 0], tets, SOFT, name=name, velocities=np.tile([speed, 0, 0], (8, 1)))


def collide(*contacts, method="em", until=0.1):
    left, right = cube(0, speed=1, name="left"), cube(0.12, y=0.01, speed=-1, name="right")
    model = phiflex.Model([left, right, *contacts])
    return model, model.simulate(step=0.005, integrator=method, end=until).advance()


def gap(sim):
    return sim.positions("right")[:, 0].min() - sim.positions("left")[:, 0].max()


def test_two_bodies_of_a_model_meet_each_other_unless_told_otherwise():
    for contacts in ((), (phiflex.Contact(),), (phiflex.Contact([("left", "right")], itself=False),)):
        _, sim = collide(*contacts)
        assert gap(sim) > 0 and sim.velocities("right")[:, 0].mean() > 0.2, contacts
        # The method's error: the step is an eighth of the time of contact.
        assert abs(sim.ledger.numerical_loss) < 0.02 * 1.0
        momentum = sim.ledger.table()["momentum_x"]
        assert np.abs(momentum).max() < 1e-9
    _, through = collide(phiflex.Contact("none", itself=False))
    assert gap(through) < -0.05


def test_the_bits_are_those_of_the_scene_that_the_model_writes(tmp_path):
    for number, contacts in enumerate(((), (phiflex.Contact(friction=0.3, itself=False),),
                                       (phiflex.Contact([("right", "left")], distance=0.004, stiffness=2e4),),
                                       (phiflex.Contact("none"), phiflex.Floor(-0.2)))):
        model, sim = collide(*contacts, until=0.05)
        scene = tmp_path / f"{number}.json"
        assert model.to_scene(scene, step=0.005, end=0.05, integrator="em") == []
        summary = json.loads(command("run", scene, "-o", tmp_path / f"run{number}", "--no-frames", "--json"))
        assert sim.hash == summary["hash"], contacts


def test_pairs_are_bodies_or_their_names():
    left, right = cube(speed=1), cube(0.12, speed=-1)
    hashes = {phiflex.Model([left, right, phiflex.Contact(pairs)]).simulate(step=0.005, integrator="em")
              .advance(until=0.05).hash for pairs in ([(left, right)], [("body1", "body2")], [[right, left]])}
    assert len(hashes) == 1


def test_a_rope_and_a_cloth_meet_a_body():
    x = np.array([[i * 0.05, 0.13, 0.05] for i in range(3)])
    grid = np.array([[i * 0.05, 0.13, j * 0.05] for j in range(3) for i in range(3)])
    edges = [[3 * j + i, 3 * j + i + 1] for j in range(3) for i in range(2)] + [[3 * j + i, 3 * j + i + 3]
                                                                             for j in range(2) for i in range(3)]
    corners = [(3 * j + i, 3 * j + i + 1, 3 * j + i + 3, 3 * j + i + 4) for j in range(2) for i in range(2)]
    triangles = [[a, c, b] for a, b, c, d in corners] + [[b, c, d] for a, b, c, d in corners]
    for springs in (phiflex.Springs(x, [[0, 1], [1, 2]], 0.001, stiffness=20, name="above"),
                    phiflex.Springs(grid, edges, 0.001, stiffness=20, triangles=triangles, name="above")):
        table = cube(name="table")
        model = phiflex.Model([table, springs, phiflex.Fix(table, lambda x: x[:, 1] == 0)], gravity=(0, -9.81, 0))
        sim = model.simulate(step=0.005, integrator="be").advance(until=0.3)
        assert 0.09 < sim.positions("above")[:, 1].min() < 0.13  # free fall: 0.44 m


def problems_of(*parts):
    with pytest.raises(phiflex.InputError) as error:
        phiflex.Model(list(parts))
    return {problem.place: problem.message for problem in error.value.problems}


def test_what_is_wrong_with_a_contact_is_said():
    left, right = cube(name="left"), cube(0.12, name="right")
    contact = phiflex.Contact(friction=-1, slip_speed=0, distance=-1, stiffness=np.nan)
    assert problems_of(left, right, contact) == {
        "contact 1/friction": "-1 is not allowed; expected a number >= 0",
        "contact 1/slip_speed": "0 is not allowed; expected a number > 0",
        "contact 1/distance": "-1 is not allowed; expected a number > 0",
        "contact 1/stiffness": "nan is not allowed; expected a number > 0"}
    assert '"none" is not a body' in problems_of(left, right, phiflex.Contact([("none", left)]))["contact 1/between/0/body"]
    assert "paired with itself" in problems_of(left, right, phiflex.Contact([(left, left)]))["contact 1/between/0"]
    assert "described twice" in problems_of(left, right, phiflex.Contact(), phiflex.Contact())["contact 2"]
    assert "start intersected" in problems_of(left, cube(0.05, 0.03, name="right"))["contact"]
    for wrong in ("some", 5, [1], [(1, 2, 3)], None):
        with pytest.raises(phiflex.InputError, match="all, none or pairs"):
            phiflex.Contact(wrong)
    with pytest.raises(phiflex.InputError, match="friction"):
        phiflex.Contact(friction="much")


def test_numbers_of_obstacles_winds_and_times_are_checked_as_in_a_scene():
    body = cube(name="bar")
    found = problems_of(body, phiflex.Floor(-1, friction=-1, distance=0), phiflex.Wind((1, 0, 0), air_density=0, gust=(-1, 0)),
                        phiflex.Force(body, (0, 0, 1), start=1, until=1))
    assert found == {"floor 1/friction": "-1 is not allowed; expected a number >= 0",
                     "floor 1/distance": "0 is not allowed; expected a number > 0",
                     "wind 1/gust/amplitude": "-1 is not allowed; expected a number >= 0",
                     "wind 1/air_density": "0 is not allowed; expected a number > 0",
                     "force 1/until": '1 s does not come after "from", 1 s'}
