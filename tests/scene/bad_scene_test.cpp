// What a user is told about a bad scene: the file, the place, the value given and what is allowed.
#include <gtest/gtest.h>

#include <algorithm>

#include "phiflex/scene/material_keys.h"
#include "phiflex/scene/nearest.h"
#include "tests/scene/scene_texts.h"

namespace phiflex {
namespace {

using test::complaints;
using Lines = std::vector<std::string>;

// The small scene with one text replaced; the replaced text must be there.
std::string with(const std::string& old_text, const std::string& new_text,
                 std::string scene = test::small_scene) {
  const std::size_t found = scene.find(old_text);
  EXPECT_NE(found, std::string::npos) << old_text;
  return scene.replace(found, old_text.size(), new_text);
}

// The small scene with further keys of the scene.
std::string with_more(const std::string& keys) {
  return with("{\n", "{ " + keys + ",\n");
}

// The keys of a material, those of the laws from the catalogue.
std::string material_key_list() {
  std::vector<std::string> keys = {"type"};
  for (const MaterialKey& key : material_keys())
    if (key.parameter.kind == ParameterKind::number) keys.emplace_back(key.parameter.key);
  keys.insert(keys.end(), {"density", "volumetric", "prony"});
  for (const MaterialKey& key : material_keys())
    if (key.parameter.kind != ParameterKind::number) keys.emplace_back(key.parameter.key);
  keys.emplace_back("field");
  return quoted_list(keys);
}

struct Case {
  std::string text;
  std::string complaint;  // after "folder/test.json: "
};

void expect_single_complaints(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    EXPECT_EQ(complaints(c.text), Lines{"folder/test.json: " + c.complaint}) << c.text;
  }
}

TEST(BadScene, MalformedJsonIsLocatedByLineAndColumn) {
  expect_single_complaints({
      {"",
       "line 1, column 1: malformed JSON: syntax error while parsing value - unexpected end of input; "
       "expected "
       "'[', '{', or a literal"},
      {"{\n  \"time\": NaN }",
       "line 2, column 11: malformed JSON: syntax error while parsing value - invalid literal; last read: "
       "'\"time\": "
       "N' (JSON has no NaN or infinity)"},
      {"{\n  \"bodies\": [1, 2,] }",
       "line 2, column 19: malformed JSON: syntax error while parsing value - unexpected ']'; expected '[', "
       "'{', or a "
       "literal (a comma may not stand before a closing bracket)"},
      {"{ // note\n}",
       "line 1, column 3: malformed JSON: syntax error while parsing object key - invalid literal; last "
       "read: '{ /'; "
       "expected string literal (JSON has no comments)"},
      {"{\n  \"a\": 1\n  \"b\": 2 }",
       "line 3, column 5: malformed JSON: syntax error while parsing object - unexpected string literal; "
       "expected "
       "'}' (is a comma missing before it?)"},
      {"{ \"gravity\": 1e999 }", "line 1, column 18: malformed JSON: number overflow parsing '1e999'"},
  });
}

TEST(BadScene, DeepNestingIsRefusedWithoutRecursion) {
  const std::string deep(100000, '[');
  expect_single_complaints(
      {{deep, "line 1, column 65: nested more than 64 levels deep; a scene needs fewer than 10"}});
}

TEST(BadScene, AKeyGivenTwiceIsAnError) {
  expect_single_complaints({{with("\"end\": 1", "\"end\": 1, \"end\": 2"),
                             "/time/end: this key is given twice in the same object; keep one"}});
}

TEST(BadScene, AnUnknownKeyIsToldTheNearestKnownOne) {
  expect_single_complaints(
      {{with("\"end\": 1", "\"end\": 1, \"stpe\": 2"),
        "/time/stpe: unknown key; did you mean \"step\"? Known here: \"step\", \"end\", \"start\""},
       {with("\"poisson\"", "\"poison\""),
        "/bodies/0/material/poison: unknown key; did you mean \"poisson\"? Known here: " +
            material_key_list()},
       {with_more("\"constrain\": []"),
        "/constrain: unknown key; did you mean \"constraints\"? Known here: \"phiflex\", \"name\", \"time\", "
        "\"integrator\", \"device\", \"gravity\", \"bodies\", \"constraints\", \"forces\", \"contacts\", "
        "\"probes\", "
        "\"coarsening\", \"settle\", \"output\", \"limits\""},
       {with("\"end\": 1", "\"end\": 1, \"colour\": 2"),
        "/time/colour: unknown key. Known here: \"step\", \"end\", \"start\""}});
}

TEST(BadScene, AValueOutOfRangeIsToldTheRangeAndTheUnit) {
  expect_single_complaints({
      {with("0.3", "0.5"),
       "/bodies/0/material/poisson: 0.5 is not allowed; expected a number > -1 and < 0.5"},
      {with("1000", "-1"), "/bodies/0/material/density: -1 is not allowed; expected a number > 0 in kg/m^3"},
      {with("0.01", "0"), "/time/step: 0 is not allowed; expected a number > 0 in s"},
      {with("0.01", "\"fast\""), "/time/step: \"fast\" is not allowed; expected a number > 0 in s"},
      {with("[1, 1, 1]", "[1, 1]"),
       "/bodies/0/mesh/size: [1,1] is not allowed; expected a list of 3 numbers > 0 in m"},
      {with("[1, 1, 1] }", "[1, 1, 1.5] }"),
       "/bodies/0/mesh/cells/2: 1.5 is not allowed; expected a whole number >= 1"},
      {with_more("\"phiflex\": 2"), "/phiflex: 2 is not allowed; expected 1"},
      {with_more("\"name\": \"../../etc\""),
       "/name: \"../../etc\" is not allowed; expected a name of 1 to 100 characters, without / \\ , \" and "
       "control "
       "characters, not . or .."},
      {with_more("\"integrator\": { \"halve_step\": 1 }"),
       "/integrator/halve_step: 1 is not allowed; expected true or false"},
      {with_more("\"probes\": {}"), "/probes: {} is not allowed; expected a list of objects"},
      {"[]", "/: [] is not allowed; expected an object { ... }"},
  });
}

TEST(BadScene, WhatIsMissingIsNamedWithItsMeaning) {
  expect_single_complaints({
      {with("\"step\": 0.01,", ""),
       "/time/step: missing; expected a number > 0 in s: length h of a time step"},
      {with("\"young\": 1e5,", ""),
       "/bodies/0/material/young: missing; expected a number > 0 in Pa or { \"field\": ... }: Young's "
       "modulus at rest"},
      {R"({ "time": { "step": 1, "end": 1 }, "bodies": [] })",
       "/bodies: [] is not allowed; expected a list of at least 1 objects"},
      {R"({ "time": { "step": 1, "end": 1 }, "bodies": [ { "name": "a" } ] })",
       "/bodies/0: missing; expected one of the keys \"mesh\", \"springs\""},
      {R"({ "time": { "step": 1, "end": 1 }, "bodies": [ { "name": "a", "mesh": { "file": "a.msh" } } ] })",
       "/bodies/0/material: missing; \"mesh\" needs it: material of a solid body; where a value varies from "
       "element to "
       "element, `{ \"field\": name }` takes it from a field of the mesh file"},
  });
}

TEST(BadScene, AnUnknownWordIsToldAllKnownOnes) {
  expect_single_complaints({
      {with("\"linear\"", "\"neohookean\""),
       "/bodies/0/material/type: \"neohookean\" is not known; expected one of " +
           quoted_list(LawName::names()) + "; did you mean \"neo-hookean\"?"},
      {with("\"box\"", "\"boxx\""),
       "/bodies/0/mesh/generate: \"boxx\" is not known; expected one of \"box\", \"ball\", \"cylinder\", "
       "\"helix\", \"honeycomb\", \"spheroid\", \"tree\", \"tower\", \"bridge\", \"moebius\", \"body\", "
       "\"arm\", "
       "\"kidney\", \"cow\", \"rectangle\", \"triangle\"; did you mean \"box\"?"},
      {with_more("\"integrator\": { \"type\": \"newmrak\" }"),
       "/integrator/type: \"newmrak\" is not an integrator of this version; expected one of \"si\", \"be\", "
       "\"newmark\", \"auto\"; did you mean \"newmark\"?"},
      {with_more("\"forces\": [ { \"type\": \"unifrom\", \"acceleration\": [0, 0, 0] } ]"),
       "/forces/0/type: \"unifrom\" is not known; expected one of \"uniform\", \"point\", \"region\", "
       "\"pressure\", "
       "\"traction\", \"torque\", \"muscle\", \"chamber\", \"wind\", \"stokes\", \"motor\", \"grips\", "
       "\"table\"; did "
       "you mean "
       "\"uniform\"?"},
      {with_more("\"forces\": [ { \"type\": \"muscle\", \"body\": \"bar\", \"direction\": [0, 0, 0], "
                 "\"stress\": 1 } ]"),
       "/forces/0/direction: has no length; expected a direction of the fibres"},
      {with_more("\"forces\": [ { \"type\": \"muscle\", \"body\": \"bar\", \"direction\": [1, 0, 0], "
                 "\"stress\": 1, "
                 "\"activation\": [ { \"time\": 0, \"factor\": -1 } ] } ]"),
       "/forces/0/activation/0/factor: -1 is not allowed; a muscle only pulls: expected a number >= 0"},
      {with_more("\"forces\": [ { \"type\": \"chamber\", \"body\": \"bar\", \"pressure\": [] } ]"),
       "/forces/0/pressure: has no points; expected a number, or at least one point"},
      {with_more("\"probes\": [ { \"name\": \"tip\", \"body\": \"bra\", \"at\": [0, 0, 0] } ]"),
       "/probes/0/body: \"bra\" is not a body of this scene; expected one of \"bar\"; did you mean \"bar\"?"},
  });
}

TEST(BadScene, AnObstacleThatCannotBeIsToldWhy) {
  const auto contact = [](const std::string& rest) {
    return with_more("\"contacts\": [ { " + rest + " } ]");
  };
  expect_single_complaints({
      {contact(R"("type": "sphere", "center": [0, 0, 0], "radius": 0)"),
       "/contacts/0/radius: 0 is not allowed; expected a number > 0 in m"},
      {contact(R"("type": "sphere", "center": [0, 0, 0], "radius": 1, "mode": "penalty", "slip_speed": 0)"),
       "/contacts/0/slip_speed: 0 is not allowed; expected a number > 0 in m/s"},
      {contact(R"("type": "floor", "motion": { "keys": [ { "time": 1 }, { "time": 1 } ] })"),
       "/contacts/0/motion/keys/1/time: 1 s does not come after the point before, 1 s; expected increasing "
       "times"},
      {contact(R"("type": "plane", "point": [0, 0, 0], "normal": [0, 0, 0])"),
       "/contacts/0/normal: [0, 0, 0] is no direction; expected a normal that is not zero"},
      {contact(R"("type": "capsule", "from": [0, 0, 0], "to": [0, 0, 0], "radius": 1)"),
       "/contacts/0/to: both ends of the axis are at the same place; expected a capsule of some length, or a "
       "sphere"},
      {contact(R"("type": "surface", "mesh": { "file": "a.obj" }, "mode": "penalty")"),
       "/contacts/0/mode: a surface has no penalty energy; expected the mode \"barrier\" or \"project\""},
      {contact(R"("type": "particles", "distance": 0.1, "bodies": [ "bra" ])"),
       "/contacts/0/bodies/0: \"bra\" is not a body of this scene; expected one of \"bar\"; did you mean "
       "\"bar\"?"},
      {contact(R"("type": "box", "center": [0, 0, 0], "size": [1, 1, 1], "body": "bra")"),
       "/contacts/0/body: \"bra\" is not a body of this scene; expected one of \"bar\"; did you mean "
       "\"bar\"?"},
  });
}

TEST(BadScene, AFrameNeedsAscendingTimesAndAxes) {
  const auto frame = [](const std::string& keys) {
    return with_more(
        R"("constraints": [ { "type": "frame", "body": "bar", "where": { "all": true }, "keys": [)" + keys +
        "] } ]");
  };
  expect_single_complaints({
      {frame(R"({ "time": 1 }, { "time": 1 })"),
       "/constraints/0/keys/1/time: 1 s does not come after the point before, 1 s; expected increasing "
       "times"},
      {frame(R"({ "time": 1, "rotate": [[0, 0, 0], 30] })"),
       "/constraints/0/keys/0/rotate: the axis [0, 0, 0] has no direction; expected an axis that is not "
       "zero"},
      {frame(""), "/constraints/0: does not say how it moves; expected \"keys\" or \"sine\""},
  });
}

TEST(BadScene, CurvesThatAreNoneAreRefused) {
  const auto curve = [](const char* text) {
    return with("\"linear\"", std::string("\"spline\", \"f\": ") + text);
  };
  expect_single_complaints({
      {curve(R"({ "knots": [0.5, 1, 2], "values": [-1, 0] })"),
       "/bodies/0/material/f/values: 2 values for 3 knots; expected one for each"},
      {curve(R"({ "knots": [0.5, 2, 1], "values": [-1, 0, 1] })"),
       "/bodies/0/material/f/knots/2: 1 does not lie above the knot before it, 2; expected ascending "
       "numbers"},
      {curve(R"({ "knots": [1], "values": [0, 1] })"),
       "/bodies/0/material/f/knots: [1] is not allowed; expected a list of at least 2 numbers"},
      {with("\"linear\"", R"("linear", "h": { "knots": [0.5, 1], "values": [-1, 0] })"),
       "/bodies/0/material/h: is a curve of \"spline\"; this material is \"linear\""},
  });
}

TEST(BadScene, ParametersOfAnotherLawAndThoseThatALawMissesAreNamed) {
  const std::string elastic = "\"linear\", \"young\": 1e5, \"poisson\": 0.3";
  const auto material = [&](const std::string& text) { return with(elastic, text); };
  const auto region = [](const std::string& text) {
    return with("\"density\": 1000 } }",
                "\"density\": 1000 }, \"regions\": [ { \"where\": { \"all\": true }, "
                "\"material\": { " +
                    text + " } } ] }");
  };
  const std::string fibres = "\"holzapfel\", \"mu\": 1e4, \"bulk\": 1e5, \"k1\": 1e4, \"k2\": 1";
  EXPECT_EQ(complaints(material("\"mooney-rivlin\", \"c1\": 1e5, \"c2\": 1e4, \"bulk\": 1e6")), Lines{});
  EXPECT_EQ(complaints(material(fibres + ", \"direction\": [1, 0, 1]")), Lines{});
  expect_single_complaints({
      {with("\"linear\"", "\"linear\", \"c1\": 1e5"),
       "/bodies/0/material/c1: is a parameter of \"mooney-rivlin\"; this material is \"linear\""},
      {material("\"mooney-rivlin\", \"c1\": 1e5, \"bulk\": 1e6"),
       "/bodies/0/material/c2: missing; expected a number >= 0 in Pa or { \"field\": ... }: `mooney-rivlin`: "
       "factor of "
       "the second invariant's part; 0: neo-Hookean"},
      {material(fibres),
       "/bodies/0/material/direction: missing; expected a direction that is not [0, 0, 0] (or \"field\", one "
       "for "
       "each element): direction of the fibres at rest, of any length above 0"},
      {material(fibres + ", \"direction\": [0, 0, 0]"),
       "/bodies/0/material/direction: [0, 0, 0] is no direction; expected a vector that is not zero"},
      {material(fibres + ", \"direction\": [0, 0, 1], \"dispersion\": 0.4"),
       "/bodies/0/material/dispersion: 0.4 is not allowed; expected a number >= 0 and <= 0.3333333333333333"},
      {material(fibres + ", \"field\": \"fibre\""),
       "/bodies/0/material/field: the field \"fibre\" needs a mesh file; a generated mesh has no fields"},
      {region("\"type\": \"mooney-rivlin\", \"c1\": 1e5, \"c2\": 0"),
       "/bodies/0/regions/0/material/bulk: missing; expected a number > 0: bulk modulus at rest"},
      {region("\"c1\": 1e5"),
       "/bodies/0/regions/0/material/c1: is a parameter of \"mooney-rivlin\"; this material is \"linear\""},
  });
}

TEST(BadScene, AnIntegratorThatTheProgramDoesNotHaveIsRefused) {
  expect_single_complaints({
      {with_more(R"("integrator": { "type": "siere", "modes": 5 })"),
       "/integrator/type: \"siere\" is not an integrator of this version; expected one of \"si\", \"be\", "
       "\"newmark\", \"auto\""},
  });
}

TEST(BadScene, CoarseningNeedsASolidBodyAndOneSourceOfRatios) {
  expect_single_complaints({
      {with_more(R"("coarsening": { "type": "dac", "ratios": [0.5, 0.6] })"),
       "/coarsening/ratios: has 2 numbers; \"dac\" takes one"},
      {with_more(R"("coarsening": { "type": "eigenfit", "modes": 3, "ratios": [0.5, 0.6] })"),
       "/coarsening/ratios: has 2 numbers for 3 modes"},
      {with_more(R"("coarsening": { "type": "eigenfit", "body": "sphere", "ratios": [0.5] })"),
       "/coarsening/body: \"sphere\" is not a body of this scene; expected one of \"bar\""},
      {with_more(R"("coarsening": { "type": "eigenfit", "fine": { "refine": 9 } })"),
       "/coarsening/fine/refine: 9 is not allowed; expected a whole number >= 1 and <= 4"},
  });
}

TEST(BadScene, AlternativesMustBeRecognisable) {
  expect_single_complaints({
      {with(R"("generate": "box", )", ""),
       "/bodies/0/mesh: {\"cells\":[1,1,1],\"size\":[1,1,1]} has none of the keys that say what it is: "
       "\"file\", "
       "\"generate\""},
      {with(R"("generate": "box")", R"("generate": "box", "file": "x")"),
       "/bodies/0/mesh: the keys \"file\", \"generate\" exclude each other; give only one"},
      {with_more(
           R"("constraints": [ { "type": "fix", "body": "bar", "where": { "boxx": [[0, 0, 0], [1, 1, 1]] } } ])"),
       "/constraints/0/where: {\"boxx\":[[0,0,0],[1,1,1]]} has none of the keys that say what it is: "
       "\"box\", "
       "\"sphere\", \"half_space\", \"capsule\", \"cylinder\", \"axis\", \"outline\", \"tag\", \"vertices\", "
       "\"elements\", \"all\", \"not\", \"any\", \"every\"; did you mean \"box\"?"},
      {with_more(R"("constraints": [ { "body": "bar", "where": { "all": true } } ])"),
       "/constraints/0: {\"body\":\"bar\",\"where\":{\"all\":true}} has none of the keys that say what it "
       "is: "
       "\"type\""},
      {with_more(R"("forces": [ { "type": "point", "body": "bar", "force": [0, 0, 1] } ])"),
       "/forces/0: missing; expected one of the keys \"at\", \"where\""},
      {with_more(
           R"("forces": [ { "type": "region", "body": "bar", "where": { "all": true }, "force": [0, 0, 1], "acceleration": [0, 0, 1] } ])"),
       "/forces/0: the keys \"force\", \"acceleration\" exclude each other; give only one"},
      {with_more(R"("constraints": [ { "type": "fix", "body": "bar", "where": { "box": [0, 0, 0] } } ])"),
       "/constraints/0/where/box: [0,0,0] is not allowed; expected a list [low, high]"},
  });
}

TEST(BadScene, TimesMustMakeSense) {
  expect_single_complaints({
      {with("\"end\": 1", "\"end\": 1.005"),
       "/time/end: 1.005 s are 100.5 steps of 0.01 s; expected a whole number of steps, such as 1 or 1.01 s"},
      {with("\"end\": 1", "\"end\": 0.001"),
       "/time/end: 0.001 s lies before the end of the first step; expected at least one step of 0.01 s"},
      {with("\"end\": 1", "\"end\": 1e300"),
       "/time/end: 1e+300 s are 1e+302 steps of 0.01 s; at most 1e+09 are allowed"},
      {with_more(R"("forces": [ { "type": "uniform", "acceleration": [0, 0, 0], "from": 2, "until": 1 } ])"),
       "/forces/0/until: 1 s does not come after \"from\", 2 s"},
      {with_more(
           R"("constraints": [ { "type": "fix", "body": "bar", "where": { "all": true }, "until": 0 } ])"),
       "/constraints/0/until: 0 is not allowed; expected a number > 0 in s"},
      {with_more(
           R"("constraints": [ { "type": "move", "body": "bar", "where": { "all": true }, "path": [ { "time": 1, "offset": [0, 0, 0] }, { "time": 1, "offset": [1, 0, 0] } ] } ])"),
       "/constraints/0/path/1/time: 1 s does not come after the point before, 1 s; expected increasing "
       "times"},
      {with_more(R"("constraints": [ { "type": "move", "body": "bar", "where": { "all": true } } ])"),
       "/constraints/0: does not say how it moves; expected \"path\" or \"sine\""},
      {with_more(
           R"("constraints": [ { "type": "move", "body": "bar", "where": { "all": true }, "sine": [ { "frequency": 1, "rotate": [[0, 1, 0], 9] } ] } ])"),
       "/constraints/0/sine/0/rotate: \"move\" only shifts; expected \"type\": \"frame\" for a rotation"},
      {with_more(
           R"("constraints": [ { "type": "frame", "body": "bar", "where": { "all": true }, "sine": [ { "frequency": 1, "from": 2, "until": 1 } ] } ])"),
       "/constraints/0/sine/0/until: 1 s does not come after \"from\", 2 s"},
      {with_more(
           R"("forces": [ { "type": "uniform", "acceleration": [0, 0, 1], "profile": [ { "time": 1, "factor": 0 }, { "time": 0, "factor": 1 } ] } ])"),
       "/forces/0/profile/1/time: 0 s does not come after the point before, 1 s; expected increasing times"},
  });
}

TEST(BadScene, RelationsBetweenValuesAreChecked) {
  const std::string fix = R"("constraints": [ { "type": "fix", "body": "bar", "where": )";
  expect_single_complaints({
      {with_more(fix + R"({ "box": [[0, 1, 0], [1, 0, 1]] } } ])"),
       "/constraints/0/where/box: the box is empty: its low y = 1 is above its high y = 0"},
      {with_more(fix + R"({ "half_space": { "point": [0, 0, 0], "normal": [0, 0, 0] } } } ])"),
       "/constraints/0/where/half_space/normal: [0, 0, 0] is no direction; expected a normal that is not "
       "zero"},
      {with_more(fix + R"({ "vertices": [] } } ])"),
       "/constraints/0/where/vertices: [] is not allowed; expected a list of at least 1 whole numbers >= 0"},
      {with_more(fix + R"({ "vertices": [1, -1] } } ])"),
       "/constraints/0/where/vertices/1: -1 is not allowed; expected a whole number >= 0"},
      {with_more(fix + R"({ "elements": [1] } } ])"),
       "/constraints/0/where/elements: vertices are selected here, not elements; expected \"vertices\", "
       "\"tag\" or a "
       "volume"},
      {with_more(fix + R"({ "cylinder": { "from": [0, 0, 0], "to": [0, 0, 0], "radius": 1 } } } ])"),
       "/constraints/0/where/cylinder/to: both ends of the axis are at the same place; expected some length, "
       "or a "
       "sphere"},
      {with_more(fix + R"({ "axis": { "point": [0, 0, 0], "direction": [0, 0, 0], "radius": 1 } } } ])"),
       "/constraints/0/where/axis/direction: [0, 0, 0] is no direction; expected one that is not zero"},
      {with_more(fix + R"({ "any": [ { "all": true }, { "not": { "elements": [1] } } ] } } ])"),
       "/constraints/0/where/any/1/not/elements: vertices are selected here, not elements; expected "
       "\"vertices\", "
       "\"tag\" or a volume"},
      {with_more(fix + R"({ "all": false } } ])"),
       "/constraints/0/where/all: false selects nothing; expected true, or another selection"},
      {with("\"name\": \"tower\"", "\"name\": \"rope\"",
            with("\"body\": \"tower\"", "\"body\": \"rope\"",
                 with("\"body\": \"tower\", \"where\": { \"tag\"", "\"body\": \"bar\", \"where\": { \"tag\"",
                      test::full_scene))),
       "/bodies/4/name: \"rope\" is the name of an earlier body; expected a name of its own"},
      {with("1e5", "{ \"field\": \"E\" }"),
       "/bodies/0/material/young: the field \"E\" needs a mesh file; a generated mesh has no fields"},
      {with("\"linear\"", "\"stvk\", \"volumetric\": \"isochoric\""),
       "/bodies/0/material/volumetric: \"isochoric\" is a form of \"neo-hookean\"; this material is "
       "\"stvk\""},
      {with("[1, 1, 1] }", "[1000, 1000, 1000] }"),
       "/bodies/0/mesh: asks for 6e+09 tetrahedra; at most 2e+07 are generated"},
      {with("\"toward\": \"z\"", "\"toward\": \"y\"", test::full_scene),
       "/bodies/1/initial/bend/toward: \"y\" is the direction of \"axis\" as well; expected another one"},
      {with("\"shell\": 0.02", "\"shell\": 0.2", test::full_scene),
       "/bodies/2/mesh/shell: 0.2 m is not thinner than the ball; expected less than its radius, 0.1 m"},
      {with("\"to\": [1, 0, 0]", "\"to\": [0, 0, 0]", test::full_scene),
       "/bodies/4/springs/to: both ends of the rope are at the same place; expected a rope of some length"},
      {with("\"name\": \"rope\",", "\"name\": \"rope\", \"mass\": \"consistent\",", test::full_scene),
       "/bodies/4/mass: \"consistent\" is for bodies with a mesh; springs have \"lumped\" mass"},
      {with("[[0, 0, 1], 30]", "[[0, 0, 0], 30]", test::full_scene),
       "/bodies/0/transform/rotate/0: [0, 0, 0] is no direction; expected an axis that is not zero"},
      {with(R"("body": "tower", "where": { "tag": "top" }, "force_d)",
            R"("body": "rope", "where": { "all": true }, "force_d)", test::full_scene),
       "/forces/4/force_density: \"rope\" is made of springs and has no volume; expected \"force\" or "
       "\"acceleration\""},
  });
}

TEST(BadScene, AllProblemsAreReportedAtOnce) {
  const std::string text = R"({
    "time": { "step": -1, "end": 1 },
    "integrator": { "type": "sj" },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] },
                  "material": { "type": "linear", "young": 1e5, "poisson": 0.5, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "body": "baz", "where": { "all": true } } ],
    "probess": []
  })";
  Lines found = complaints(text);
  for (std::string& line : found) line = line.substr(0, line.find(": ", 18));
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (Lines{"folder/test.json: /bodies/0/material/poisson",
                          "folder/test.json: /constraints/0/body", "folder/test.json: /integrator/type",
                          "folder/test.json: /probess", "folder/test.json: /time/step"}));
}

TEST(BadScene, OneMistakeGivesOneComplaint) {
  // A body whose name is wrong must not make every reference to it wrong as well.
  EXPECT_EQ(complaints(with("\"name\": \"bar\"", "\"name\": 5", test::full_scene)).size(), 1u);
  EXPECT_EQ(complaints(with("\"type\": \"move\"", "\"type\": \"mvoe\"", test::full_scene)).size(), 1u);
  EXPECT_EQ(complaints(with("\"time\": 1,", "\"time\": \"one\",", test::full_scene)).size(), 1u);
}

TEST(BadScene, TheListOfProblemsHasAnEnd) {
  std::string zeros;
  for (int i = 0; i < 100000; ++i) zeros += i == 0 ? "0" : ",0";
  const Lines found = complaints(R"({ "time": { "step": 1, "end": 1 }, "bodies": [)" + zeros + "] }");
  ASSERT_EQ(found.size(), 101u);
  EXPECT_EQ(found.back(), "folder/test.json: only the first 100 problems are listed");
}

}  // namespace
}  // namespace phiflex
