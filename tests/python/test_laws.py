"""Materials: every law of the catalogue with its own parameters, for bodies, regions and single tetrahedra."""

import inspect
import json
import pickle

import numpy as np
import pytest

import phiflex
from conftest import ROOT, command

LAWS = phiflex._phiflex.material_laws()
ARTERY = dict(mu=4e5, bulk=1e6, k1=4e5, k2=0.1, density=1000)


def example(law):
    """Soft rubber, by the law's own examples."""
    sizes = {"number": lambda value: value[0], "direction": list}
    return {p["key"]: sizes[p["kind"]](p["example"]) for p in law["parameters"] if p["kind"] != "curve"}


def bar(material, cells=(4, 1, 1), **settings):
    return phiflex.Body.box((0.4, 0.1, 0.1), cells, material, name="bar", **settings)


def swing(body, **settings):
    model = phiflex.Model([body, phiflex.Fix(body, lambda x: x[:, 0] == 0)], gravity=(0, -9.81, 0), **settings)
    return model, model.simulate(step=0.005, integrator="si", end=0.1).advance()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law["name"])
def test_every_law_has_a_class_and_gives_the_bits_of_its_scene(law, tmp_path):
    kind = getattr(phiflex, phiflex.laws._class_name(law["name"]))
    model, sim = swing(bar(kind(density=1000, **example(law))))
    assert model.to_scene(tmp_path / "scene.json", step=0.005, end=0.1, integrator="si") == []
    summary = json.loads(command("run", tmp_path / "scene.json", "-o", tmp_path / "run", "--no-frames", "--json"))
    assert sim.hash == summary["hash"]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law["name"])
def test_every_parameter_is_documented_with_its_unit(law):
    kind = getattr(phiflex, phiflex.laws._class_name(law["name"]))
    for parameter in law["parameters"]:
        assert f"{parameter['key']}: {parameter['doc']}" in kind.__doc__
        assert parameter["unit"] in kind.__doc__
    assert list(inspect.signature(kind).parameters) == [p["key"] for p in law["parameters"]] + ["density", "prony"]


def test_branches_relax_a_body_as_those_of_a_scene_do(tmp_path):
    elastic = dict(young=1e5, poisson=0.3, density=1000)
    gel = phiflex.NeoHookean(**elastic, prony=[(0.5, 0.01), {"ratio": 1, "time": 0.2}])
    model, sim = swing(bar(gel))
    assert sim.hash != swing(bar(phiflex.NeoHookean(**elastic)))[1].hash
    assert model.to_scene(tmp_path / "scene.json", step=0.005, end=0.1, integrator="si") == []
    written = json.loads((tmp_path / "scene.json").read_text())["bodies"][0]["material"]["prony"]
    assert written == [{"ratio": 0.5, "time": 0.01}, {"ratio": 1.0, "time": 0.2}]
    summary = json.loads(command("run", tmp_path / "scene.json", "-o", tmp_path / "run", "--no-frames", "--json"))
    assert sim.hash == summary["hash"]


@pytest.mark.parametrize("prony, place", [
    (3, "prony"), ("abc", "prony"), ([0.5, 0.1], "prony/0"), ([(0.5,)], "prony/0"), ([{"ratio": 1}], "prony/0"),
    ([(0.5, "x")], "prony/0/time"), ([(0.5, 0.1), (-1, 0.1)], "prony/1/ratio"), ([(0.5, 0)], "prony/0/time")])
def test_branches_that_cannot_be_are_refused_with_their_place(prony, place):
    with pytest.raises(phiflex.InputError) as refused:
        swing(bar(phiflex.NeoHookean(young=1e5, density=1000, prony=prony)))
    assert place in str(refused.value)


def test_a_law_by_its_name_is_that_of_its_class():
    named = phiflex.Material("mooney-rivlin", c1=1.5e5, c2=5e4, bulk=1e6, density=1000)
    by_class = phiflex.MooneyRivlin(1.5e5, 5e4, 1e6, 1000)
    assert swing(bar(named))[1].hash == swing(bar(by_class))[1].hash
    assert named.c1 == by_class.c1 == 1.5e5 and by_class.density == 1000
    assert phiflex.NeoHookean(young=1e5, density=1000).poisson == 0.3  # the law's default
    assert repr(by_class) == "MooneyRivlin(c1=150000.0, c2=50000.0, bulk=1000000.0, density=1000)"
    assert pickle.loads(pickle.dumps(by_class)).bulk == 1e6


def test_fibres_stiffen_a_body_along_their_direction():
    ends = []
    for direction in ([1, 0, 0], [0, 0, 1]):
        body = bar(phiflex.Holzapfel(direction=direction, **{**ARTERY, "k1": 4e7}))
        pull = phiflex.Force(body, (1000, 0, 0), lambda x: x[:, 0] > 0.39, measure="shared_by_mass")
        model = phiflex.Model([body, phiflex.Fix(body, lambda x: x[:, 0] == 0), pull])
        ends.append(model.simulate(step=0.005, integrator="be").advance(until=0.5).positions("bar")[:, 0].max())
    assert ends[0] - 0.4 < 0.5 * (ends[1] - 0.4)


def test_numbers_and_directions_for_every_tetrahedron_are_those_of_a_mesh_file(tmp_path):
    tets = len(bar(phiflex.Linear(1e5, 0.3, 1000)).tetrahedra)
    turned = np.column_stack([np.cos(np.arange(tets)), np.sin(np.arange(tets)), np.zeros(tets)])
    material = phiflex.Holzapfel(direction=turned, **{**ARTERY, "mu": np.linspace(3e5, 5e5, tets),
                                                     "density": np.linspace(900, 1100, tets)})
    model, sim = swing(bar(material))
    assert model.to_scene(tmp_path / "scene.json", step=0.005, end=0.1, integrator="si") == []
    summary = json.loads(command("run", tmp_path / "scene.json", "-o", tmp_path / "run", "--no-frames", "--json"))
    assert sim.hash == summary["hash"]


def test_curves_of_a_spline_are_those_of_a_scene(tmp_path):
    # f' = 2 mu (s - 1) of young 1 and poisson 0.3, stiffer from a stretch of 1.2 on.
    curve = {"knots": [0.5, 1.0, 1.2, 2.0], "values": [-0.3846, 0.0, 0.1538, 1.5]}
    model, sim = swing(bar(phiflex.Spline(2e5, 0.3, f=curve, density=1000)))
    assert sim.hash != swing(bar(phiflex.Spline(2e5, 0.3, density=1000)))[1].hash
    assert sim.hash == swing(bar(phiflex.Spline(2e5, 0.3, f=(curve["knots"], curve["values"]), density=1000)))[1].hash
    assert model.to_scene(tmp_path / "scene.json", step=0.005, end=0.1, integrator="si") == []
    summary = json.loads(command("run", tmp_path / "scene.json", "-o", tmp_path / "run", "--no-frames", "--json"))
    assert sim.hash == summary["hash"]


def test_regions_have_materials_of_their_own(tmp_path):
    stiff = phiflex.MooneyRivlin(c1=1.5e6, c2=5e5, bulk=1e7, density=2000)
    soft = phiflex.NeoHookean(2e5, 0.4, 1000)
    hashes = set()
    for where in (lambda x: x[:, 0] < 0.2, np.arange(12), np.arange(24) < 12):
        model, sim = swing(bar(soft, regions=[(where, stiff)]))
        hashes.add(sim.hash)
    assert len(hashes) == 1
    assert sim.hash == swing(bar(soft, regions=[phiflex.Region(np.arange(24), soft), (np.arange(12), stiff)]))[1].hash
    frequency = [phiflex.modes(m, 1).frequencies[0] for m in (model, swing(bar(soft))[0], swing(bar(stiff))[0])]
    assert frequency[1] < frequency[0] < frequency[2]
    assert model.to_scene(tmp_path / "scene.json", step=0.005, end=0.1, integrator="si") == []
    summary = json.loads(command("run", tmp_path / "scene.json", "-o", tmp_path / "run", "--no-frames", "--json"))
    assert sim.hash == summary["hash"]


def problems_of(material, **settings):
    with pytest.raises(phiflex.InputError) as error:
        phiflex.Model([bar(material, **settings)])
    return {problem.place: problem.message for problem in error.value.problems}


def test_what_is_wrong_with_a_material_is_said_by_the_engine():
    at = 'body "bar"/material/'
    missing = problems_of(phiflex.MooneyRivlin(c1=1, bulk=1e6))
    assert list(missing) == [at + "density", at + "c2"]
    assert missing[at + "density"] == "missing; expected a number > 0"
    assert missing[at + "c2"].startswith("missing; expected a number >= 0: factor of the second invariant")
    assert problems_of(phiflex.MooneyRivlin(-1, 0, 1e6, 1000)) == {at + "c1": "-1 is not allowed; expected a number > 0"}
    assert problems_of(phiflex.MooneyRivlin(young=1e5, c1=1, c2=1, bulk=1, density=1000)) == {
        at + "young": '"mooney-rivlin" has no such parameter; it has c1, c2, bulk'}
    assert "expected one of linear" in problems_of(phiflex.Material("rubber", young=1e5, density=1000))[at + "type"]
    assert "shape (3,)" in problems_of(phiflex.NeoHookean([1e5] * 3, 0.3, 1000))[at + "young"]
    assert "tetrahedron 2: -1" in problems_of(phiflex.NeoHookean([1, 1, -1] + [1] * 21, 0.3, 1000))[at + "young"]
    assert problems_of(phiflex.Holzapfel(direction=[0, 0, 0], **ARTERY)) == {
        at + "direction": "0 is not allowed; expected a direction of some length"}
    assert "shape (2,)" in problems_of(phiflex.Holzapfel(direction=[0, 1], **ARTERY))[at + "direction"]
    assert "'x' is not allowed" in problems_of(phiflex.NeoHookean(np.str_("x"), 0.3, 1000))[at + "young"]


def test_what_is_wrong_with_a_curve_is_said_with_the_scenes_words(tmp_path):
    at = 'body "bar"/material'
    for curve, place, words in (({"knots": [1, 1], "values": [0, 0]}, "/f/knots/1", "expected ascending numbers"),
                                ({"knots": [1, 2], "values": [0]}, "/f/values", "1 values for 2 knots"),
                                ({"knots": [0.5, 2], "values": [1, 2]}, "", "the rest shape is under stress"),
                                ({"knots": [0.5, 1, 2], "values": [1, 0, -1]}, "", "the rest shape is unstable"),
                                ("nonsense", "/f", "expected a curve"), ({"knots": [1, 2]}, "/f", "expected a curve")):
        assert words in problems_of(phiflex.Spline(1e5, 0.3, f=curve, density=1000))[at + place]


def test_what_is_wrong_with_a_region_is_said():
    soft, at = phiflex.NeoHookean(2e5, 0.4, 1000), 'body "bar"/regions/0/'
    assert "99 is not allowed" in problems_of(soft, regions=[([99], soft)])[at + "where"]
    assert problems_of(soft, regions=[([], soft)])[at + "where"] == "selects nothing"
    assert "a mask of shape (3,)" in problems_of(soft, regions=[(np.ones(3, bool), soft)])[at + "where"]
    assert "a int is not allowed" in problems_of(soft, regions=[([0], 5)])[at + "material"]
    assert problems_of(soft, regions=[([0], phiflex.NeoHookean(-1, 0.4, 1000))])[at + "material/young"]
    for wrong in (5, [5], [(1, 2, 3)]):
        with pytest.raises(phiflex.InputError, match="pairs"):
            bar(soft, regions=wrong)


def test_values_that_no_parameter_takes_are_refused_at_once():
    with pytest.raises(TypeError, match="at most 3: young, poisson, density"):
        phiflex.NeoHookean(1, 2, 3, 4)
    with pytest.raises(TypeError, match="given twice"):
        phiflex.NeoHookean(1, young=1)
    with pytest.raises(phiflex.InputError, match="expected one of"):
        phiflex.Material("rubber", 1e5)
    with pytest.raises(AttributeError):
        phiflex.NeoHookean(1e5, 0.3, 1000).c1


def test_the_stub_is_that_of_the_catalogue():
    assert (ROOT / "python" / "phiflex" / "laws.pyi").read_text() == phiflex.laws.stub()
