// Mistakes that users make, in scenes and on the command line: each is answered with a sentence and the right
// exit code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::Finished;
using testing::run_command;
using testing::ScratchFolder;

const char* const kScene = R"({ "time": { "step": 0.01, "end": 0.02 }, "gravity": [0, -9.81, 0],
  "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1] },
                "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.45, "density": 1000 } } ],
  "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 0.1, 0.1]] } } ] })";

// A change of the scene: the value at a JSON pointer, or its removal.
struct Edit {
  std::string at, value;  // an empty value removes
};
struct SceneMistake {
  std::vector<Edit> edits;
  int code;
  std::string sentence;  // a part of what is said
};

std::string edited(const std::vector<Edit>& edits) {
  nlohmann::json scene = nlohmann::json::parse(kScene);
  for (const auto& [at, value] : edits) {
    const nlohmann::json::json_pointer place(at);
    if (value.empty())
      scene[place.parent_pointer()].erase(place.back());
    else
      scene[place] = nlohmann::json::parse(value);
  }
  return scene.dump(1);
}

Finished check(const ScratchFolder& scratch, const std::string& text) {
  std::ofstream(scratch.path() / "scene.json") << text;
  return run_command(scratch, {"check", (scratch.path() / "scene.json").string()});
}

void expect_said(const Finished& finished, int code, const std::string& sentence,
                 const std::string& mistake) {
  EXPECT_EQ(finished.code, code) << mistake << "\n" << finished.out << finished.err;
  EXPECT_NE((finished.out + finished.err).find(sentence), std::string::npos)
      << mistake << "\nexpected: " << sentence << "\nsaid: " << finished.out << finished.err;
}

TEST(Mistakes, InTheSceneAreNamedWithTheirPlace) {
  const ScratchFolder scratch;
  const std::vector<SceneMistake> mistakes = {
      // Words and types
      {{{"/bodies/0/material/young", ""}, {"/bodies/0/material/youngs", "1e6"}},
       65,
       "did you mean \"young\"?"},
      {{{"/gravity", ""}, {"/gravty", "[0, -9.81, 0]"}}, 65, "did you mean \"gravity\"?"},
      {{{"/bodies/0/material/type", "\"neohookean\""}}, 65, "did you mean \"neo-hookean\"?"},
      {{{"/integrator", "{ \"type\": \"implicit\" }"}}, 65, "is not an integrator of this version"},
      {{{"/integrator", "\"rk5\""}}, 65, "did you mean \"rk4\"?"},
      {{{"/integrator", "7"}}, 65, "/integrator"},
      {{{"/gravity", "-9.81"}}, 65, "expected a list of 3 numbers in m/s^2"},
      {{{"/gravity", "[\"0\", \"-9.81\", \"0\"]"}}, 65, "expected a number in m/s^2"},
      {{{"/gravity", "[0, -9.81]"}}, 65, "expected a list of 3 numbers"},
      {{{"/bodies/0/material/young", "\"1e6\""}}, 65, "/bodies/0/material/young"},
      {{{"/bodies", ""}}, 65, "/bodies: missing"},
      {{{"/bodies", "[]"}}, 65, "at least 1"},
      {{{"/bodies/0/material", ""}}, 65, "/bodies/0"},
      {{{"/bodies/0/mesh", ""}}, 65, "/bodies/0"},
      {{{"/bodies/0/name", ""}}, 65, "/bodies/0/name: missing"},
      {{{"/bodies/0/name", "\"a/b\""}}, 65, "without /"},
      {{{"/time", ""}}, 65, "/time: missing"},
      {{{"/time/step", ""}}, 65, "/time/step: missing"},
      {{{"/phiflex", "2"}}, 65, "/phiflex"},
      {{{"/settle", "1"}}, 65, "true or false"},
      {{{"/output", "{ \"fields\": [\"mises\"] }"}}, 65, "\"von_mises\""},
      {{{"/output", "{ \"fields\": \"stress\" }"}}, 65, "a list of"},
      {{{"/output", "{ \"every\": 0 }"}}, 65, ">= 1"},
      // Numbers
      {{{"/bodies/0/material/poisson", "0.5"}}, 65, "< 0.5"},
      {{{"/bodies/0/material/poisson", "50"}}, 65, "< 0.5"},
      {{{"/bodies/0/material/density", "-1000"}}, 65, "> 0"},
      {{{"/bodies/0/material/density", "0"}}, 65, "> 0"},
      {{{"/bodies/0/material/young", "0"}}, 65, "> 0"},
      {{{"/time/step", "0"}}, 65, "> 0 in s"},
      {{{"/time/step", "-0.01"}}, 65, "> 0 in s"},
      {{{"/time/step", "0.007"}}, 65, "expected a whole number of steps"},
      {{{"/bodies/0/mesh/cells", "[4.5, 1, 1]"}}, 65, "whole number"},
      {{{"/bodies/0/mesh/size", "[0, 0.1, 0.1]"}}, 65, "> 0"},
      {{{"/integrator", "{ \"type\": \"em\", \"dissipation\": 2 }"}}, 65, "/integrator/dissipation"},
      // Selections, names, files
      {{{"/constraints/0/where", "{ \"box\": [[1, 0, 0], [2, 0.1, 0.1]] }"}}, 65, "/constraints/0/where"},
      {{{"/constraints/0/where", "{ \"boxx\": [[0, 0, 0], [0, 1, 1]] }"}}, 65, "did you mean \"box\"?"},
      {{{"/constraints/0/where", "{ \"vertices\": [1000] }"}}, 65, "/constraints/0/where"},
      {{{"/constraints/0/where", "{ \"tag\": \"base\" }"}}, 65, "/constraints/0/where"},
      {{{"/constraints/0/where", "{ \"all\": true }"}}, 65, "at least one must be free to move"},
      {{{"/constraints/0/where", ""}}, 65, "/constraints/0/where: missing"},
      {{{"/constraints/0/body", "\"Bar\""}}, 65, "/constraints/0/body"},
      {{{"/constraints/0/type", "\"fixed\""}}, 65, "did you mean \"fix\"?"},
      {{{"/constraints/1",
         R"({ "type": "fix", "name": "constraint0", "body": "bar", "where": { "vertices": [1] } })"}},
       65,
       "is the name of an earlier constraint"},
      {{{"/bodies/0/mesh", "{ \"file\": \"bunnny.msh\" }"}}, 74, "bunnny.msh"},
      {{{"/bodies/0/mesh/generate", "\"cube\""}}, 65, "/bodies/0/mesh/generate"},
      {{{"/bodies/1",
         R"({ "name": "bar", "springs": { "generate": "rope", "from": [0, 1, 0], "to": [1, 1, 0], "segments": 2,
         "stiffness": 10, "linear_density": 0.1 } })"}},
       65,
       "is the name of an earlier body"},
      {{{"/forces", R"([ { "type": "presure", "body": "bar", "where": { "all": true }, "pressure": 1 } ])"}},
       65,
       "did you mean \"pressure\"?"},
      {{{"/forces",
         R"([ { "type": "pressure", "body": "bar", "where": { "vertices": [0] }, "pressure": 1 } ])"}},
       65,
       "expected a part of its surface"},
      {{{"/forces",
         R"([ { "type": "torque", "body": "bar", "where": { "vertices": [0, 1] }, "torque": [1, 0, 0] } ])"}},
       65,
       "not in a line"},
      {{{"/forces", R"([ { "type": "uniform", "acceleration": [0, 1, 0], "from": 2, "until": 1 } ])"}},
       65,
       "does not come after"},
      {{{"/probes", R"([ { "name": "tip", "body": "rod", "at": [0, 0, 0] } ])"}}, 65, "/probes/0/body"},
      {{{"/limits", "{ \"energy\": -1 }"}}, 65, "/limits/energy"},
      {{{"/forces", R"([ { "type": "table", "file": "shake.csv" } ])"}}, 74, "shake.csv"},
      {{{"/forces", R"([ { "type": "table" } ])"}}, 65, "/forces/0/file: missing"},
      // Physics: accepted, with a warning
      {{{"/bodies/0/material/young", "0.2"}}, 0, "is it in MPa or GPa?"},
      {{{"/bodies/0/material/density", "1.0"}}, 0, "is it in g/cm^3?"},
      {{{"/bodies/0/mesh/size", "[400, 100, 100]"},
        {"/constraints/0/where", "{ \"box\": [[0, 0, 0], [0, 100, 100]] }"}},
       0,
       "lengths are in metres"},
      {{{"/constraints", "[]"}}, 0, "nothing holds body \"bar\" and there is no contact"},
      {{{"/probes", R"([ { "name": "tip", "body": "bar", "at": [40, 0, 0] } ])"}}, 0, "farther than an edge"},
      {{{"/bodies/0/material/young", "300"}}, 0, "will lose its shape"},
      {{{"/bodies/0/material/young", "1e11"}}, 0, "shorter than two steps"},
      {{{"/integrator", "\"rk4\""}, {"/time/end", "1"}}, 0, "the run will fail, as a trial"},
      {{{"/settle", "true"}, {"/constraints", "[]"}},
       0,
       "the run will fail, as the search for its equilibrium (`settle`) did: no equilibrium was found"},
      {{{"/bodies/0/material/young", "300"}, {"/time/end", "2000"}}, 0, "The run will take at least"},
      {{{"/integrator", "{ \"type\": \"si\", \"dissipation\": 0.9 }"}}, 0, "not used by \"si\""},
      {{{"/integrator", "\"rk4\""}, {"/bodies/0/material/young", "1e8"}}, 0, "is stable for h w_max below"},
      {{{"/bodies/0/material/poisson", "0.4999"}}, 0, "\"element\": \"tet10-mean\" is not"},
      // Viscoelasticity
      {{{"/bodies/0/material/prony", R"([ { "ratio": 0.5 } ])"}},
       65,
       "/bodies/0/material/prony/0/time: missing"},
      {{{"/bodies/0/material/prony", R"([ { "ratio": 0, "time": 1 } ])"}}, 65, "expected a number > 0"},
      {{{"/bodies/0/material/prony", R"([ { "modulus": 1, "time": 1 } ])"}}, 65, "unknown key"},
      {{{"/bodies/0/material/prony", R"([ { "ratio": 1, "time": 1 } ])"}, {"/integrator", "\"gautschi\""}},
       65,
       "builds on a linear part that stays"},
  };
  EXPECT_GE(mistakes.size(), 70u);
  for (const SceneMistake& mistake : mistakes) {
    std::string name;
    for (const Edit& edit : mistake.edits) name += edit.at + " = " + edit.value + "; ";
    expect_said(check(scratch, edited(mistake.edits)), mistake.code, mistake.sentence, name);
  }
}

struct TextMistake {
  std::string text;
  int code;
  std::string sentence;
};

TEST(Mistakes, InTheTextAreNamedByLineAndColumn) {
  const ScratchFolder scratch;
  const std::string good = nlohmann::json::parse(kScene).dump(1);
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  std::string single = good;
  std::replace(single.begin(), single.end(), '"', '\'');
  const std::vector<TextMistake> mistakes = {
      {replaced("0.01\n", "0.01,\n"), 65, "a comma may not stand before a closing bracket"},
      {replaced("],\n \"time\"", "]\n \"time\""), 65, "is a comma missing before it?"},
      {"// my scene\n" + good, 65, "JSON has no comments"},
      {"", 65, "malformed JSON"},
      {single, 65, "texts stand in double quotes"},
      {good.substr(0, good.size() - 1) + ", \"gravity\": [0, 0, 0] }", 65, "this key is given twice"},
      {"time:\n  step: 0.01\n", 65, "malformed JSON"},
      {replaced("0.45", "NaN"), 65, "JSON has no NaN or infinity"},
      {"[]", 65, "an object { ... }"},
      {good.substr(0, 100), 65, "malformed JSON"},
  };
  for (const TextMistake& mistake : mistakes)
    expect_said(check(scratch, mistake.text), mistake.code, mistake.sentence, mistake.text.substr(0, 60));
}

struct CommandMistake {
  std::vector<std::string> arguments;  // SCENE and DIR stand for a good scene and a folder
  int code;
  std::string sentence;
};

TEST(Mistakes, OnTheCommandLineAreAnswered) {
  const ScratchFolder scratch;
  const std::string scene = (scratch.path() / "scene.json").string(),
                    folder = (scratch.path() / "out").string();
  std::ofstream(scene) << kScene;
  const std::vector<CommandMistake> mistakes = {
      {{}, 2, "subcommand is required"},
      {{"rn", "SCENE"}, 2, "rn"},
      {{"run"}, 2, "SCENE"},
      {{"run", "missing.json"}, 74, "missing.json"},
      {{"run", "SCENE", "--steps", "0"}, 2, "expected a whole number from 1"},
      {{"run", "SCENE", "--steps", "ten"}, 2, "ten"},
      {{"run", "SCENE", "--step", "-1"}, 2, "expected a number > 0"},
      {{"run", "SCENE", "--end", "soon"}, 2, "expected a number > 0"},
      {{"run", "SCENE", "--threads", "0"}, 2, "--threads"},
      {{"run", "SCENE", "--set"}, 2, "--set"},
      {{"run", "SCENE", "--set", "young"}, 65, "expected path=value"},
      {{"run", "SCENE", "--set", "bodies.rod.material.young=1"}, 65, "named \"bar\"; there is no \"rod\""},
      {{"run", "SCENE", "--set", "bodies.3.material.young=1"}, 65, "there is no \"3\""},
      {{"run", "SCENE", "--set", "bodies.bar.material.yung=1"}, 65, "did you mean \"young\"?"},
      {{"run", "SCENE", "-i", "rk5"}, 65, "is not an integrator of this version"},
      {{"run", "SCENE", "-i", "em:0.01"}, 65, "a step is given with --step"},
      {{"run", "SCENE", "-i", "em:dissipation"}, 65, "neither key=value"},
      {{"run", "SCENE", "-i", "em:disipation=1"}, 65, "did you mean \"dissipation\"?"},
      {{"run", "SCENE", "--log-level", "loud"}, 2, "loud"},
      {{"run", "SCENE", "--step", "0.003", "-o", "DIR"}, 65, "expected a whole number of steps"},
      {{"resume", "nowhere"}, 74, "no such folder"},
      {{"check", "SCENE", "-i", "rk5"}, 65, "is not an integrator of this version"},
      {{"check", "SCENE", "--step", "0.003"}, 65, "expected a whole number of steps"},
      {{"sweep", "SCENE", "--vary", "time.step=0.01,0.005", "--measure", "max:nose.y", "-o", "DIR"},
       65,
       "the run has no \"nose.y\"; it has kinetic, elastic"},
      {{"sweep", "SCENE", "--vary", "time.step=0.01,0.005", "--vary", "time.step=0.01", "--measure",
        "max:kinetic", "-o", "DIR"},
       65,
       "is varied twice"},
      {{"view", "nowhere"}, 74, "nowhere"},
      {{"render", "nowhere", "-o", "x.png"}, 74, "nowhere"},
      {{"compare", "SCENE", "--integrators", "em,foo"}, 65, "foo"},
      {{"list", "methods"}, 2, "methods"},
      {{"mesh", "info", "nowhere.msh"}, 74, "nowhere.msh"},
      {{"settle", "SCENE", "--set", "constraints=[]", "-o", "DIR", "--quiet"},
       76,
       "no constraint holds the bodies"},
  };
  EXPECT_GE(mistakes.size(), 20u);
  for (CommandMistake mistake : mistakes) {
    std::string name;
    for (std::string& argument : mistake.arguments) {
      if (argument == "SCENE") argument = scene;
      if (argument == "DIR") argument = folder;
      name += argument + " ";
    }
    expect_said(run_command(scratch, mistake.arguments), mistake.code, mistake.sentence, name);
  }
}

// What people write, and what they meant.
TEST(Mistakes, WordsThatPeopleUseAreUnderstood) {
  const ScratchFolder scratch;
  for (const char* name : {"\"be\"", "\"backward-euler\"", "\"implicit-euler\"", "\"newmark-beta\"",
                           "{ \"type\": \"backward-euler\", \"comment\": \"stable\" }"}) {
    const Finished finished = check(scratch, edited({{"/integrator", name},
                                                     {"/comment", "\"a test\""},
                                                     {"/$schema", "\"scene.schema.json\""},
                                                     {"/bodies/0/comment", "[1, 2]"}}));
    EXPECT_EQ(finished.code, 0) << name << finished.err;
  }
  const std::string scene = (scratch.path() / "scene.json").string();
  std::ofstream(scene) << kScene;
  const Finished ran =
      run_command(scratch, {"run", scene, "-o", (scratch.path() / "out").string(), "-i", "em:dissipation=0.9",
                            "--step", "0.005", "--end", "0.01", "--set", "bodies.bar.material.young=2e6",
                            "--json", "--threads", "1"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const nlohmann::json summary = nlohmann::json::parse(ran.out);
  EXPECT_EQ(summary["method"], "em");
  EXPECT_EQ(summary["steps"], 2);
  EXPECT_EQ(summary["h"], 0.005);
  EXPECT_EQ(summary["scene"]["integrator"]["dissipation"], 0.9);
  EXPECT_EQ(summary["scene"]["bodies"][0]["material"]["young"], 2e6);
}

// One Newton iteration makes no step from the rest shape; from the equilibrium, with which the run begins, none is
// needed.
TEST(Mistakes, TheTrialOfARunThatSettlesBeginsInItsEquilibrium) {
  const ScratchFolder scratch;
  const auto said = [&](const char* settle) {
    const Finished finished =
        check(scratch, edited({{"/settle", settle},
                               {"/bodies/0/material/young", "1e5"},
                               {"/integrator",
                                "{ \"type\": \"be\", \"newton_limit\": 1, \"newton_tolerance\": 1e-8, "
                                "\"halve_step\": false }"}}));
    EXPECT_EQ(finished.code, 0) << finished.err;
    return finished.err;
  };
  EXPECT_NE(said("false").find("the run will fail, as a trial"), std::string::npos);
  EXPECT_EQ(said("true"), "");
}

// 10,571 vertices: no modes and no sag of a held body, but what its weight will do is told.
TEST(Mistakes, OfALargeBodyTheWeightIsToldWithoutItsModes) {
  const ScratchFolder scratch;
  const auto said = [&](const char* young, bool held) {
    std::vector<Edit> edits = {{"/bodies/0/mesh/cells", "[30, 30, 10]"}, {"/bodies/0/material/young", young}};
    if (!held) {
      edits.push_back({"/constraints", "[]"});
      edits.push_back({"/contacts", R"([ { "type": "floor", "height": -0.1 } ])"});
    }
    const Finished finished = check(scratch, edited(edits));
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_NE(finished.out.find("no frequency: more than 10000 vertices"), std::string::npos) << finished.out;
    return finished;
  };
  EXPECT_NE(said("300", true).err.find("300 Pa, is below rho g L = 3.92e+03 Pa"), std::string::npos);
  EXPECT_EQ(said("1e6", true).err, "");
  const Finished loose = said("30", false), firm = said("1e6", false);
  EXPECT_NE(loose.err.find("will lose its shape"), std::string::npos) << loose.err;
  EXPECT_NE(firm.out.find("its weight moves it by"), std::string::npos) << firm.out;
  EXPECT_EQ(firm.err, "");
}

TEST(Mistakes, ABodyThatFallsFreelyIsNotMovedByItsWeightAgainstAnything) {
  const ScratchFolder scratch;
  const Finished finished = check(scratch, edited({{"/constraints", "[]"}}));
  EXPECT_EQ(finished.out.find("its weight moves it by"), std::string::npos) << finished.out;
}

// The first step of `em` factorizes, and the later ones do not: a first step alone tells nothing of them.
TEST(Mistakes, TheTrialOfARunMakesASecondStepAfterAFactorization) {
  const ScratchFolder scratch;
  const std::string scene = scratch
                                .write("scene.json", edited({{"/bodies/0/mesh/cells", "[30, 12, 12]"},
                                                             {"/integrator", "\"em\""},
                                                             {"/time/end", "1"}}))
                                .string();
  const nlohmann::json said = nlohmann::json::parse(run_command(scratch, {"check", scene, "--json"}).out);
  EXPECT_GE(said["timed_steps"], 2);
}

TEST(Mistakes, OfUnitsAreToldByRunToo) {
  const ScratchFolder scratch;
  const auto said = [&](const std::vector<Edit>& edits) {
    const std::string scene = scratch.write("scene.json", edited(edits)).string();
    const Finished finished = run_command(
        scratch, {"run", scene, "-o", (scratch.path() / "out").string(), "--force", "--threads", "1"});
    EXPECT_EQ(finished.code, 0) << finished.err;
    return finished.err;
  };
  const std::string probe = R"([ { "name": "tip", "body": "bar", "at": [40, 0, 0] } ])";
  const std::vector<std::pair<Edit, std::string>> mistakes = {
      {{"/bodies/0/material/young", "0.2"}, "is it in MPa or GPa?"},
      {{"/bodies/0/material/density", "1.0"}, "is it in g/cm^3?"},
      {{"/constraints", "[]"}, "nothing holds body \"bar\""},
      {{"/probes", probe}, "farther than an edge"}};
  for (const auto& [edit, sentence] : mistakes) {
    const std::string err = said({edit, {"/integrator", "\"si\""}});
    const std::size_t at = err.find(sentence);
    EXPECT_NE(at, std::string::npos) << sentence << "\n" << err;
    EXPECT_EQ(err.find(sentence, at + 1), std::string::npos) << "twice: " << err;
    EXPECT_NE(err.rfind("warning: ", at), std::string::npos) << err;
  }
  EXPECT_EQ(said({{"/integrator", "\"em\""}}).find("warning"), std::string::npos);
}

// The sag goes as rho g L/E: what is told of the stiffness is true.
TEST(Mistakes, APuddleIsToldTheStiffnessThatKeepsItsShape) {
  const ScratchFolder scratch;
  const Finished finished = check(scratch, edited({{"/bodies/0/material/young", "300"}}));
  EXPECT_NE(finished.err.find("300 Pa, stands against rho g L = 3.92e+03 Pa"), std::string::npos)
      << finished.err;
  const std::string before = "with ";
  const std::size_t at = finished.err.find(before);
  ASSERT_NE(at, std::string::npos) << finished.err;
  const double young = std::stod(finished.err.substr(at + before.size()));
  const std::string scene =
      scratch.write("stiffer.json", edited({{"/bodies/0/material/young", fmt::format("{}", young)}}))
          .string();
  const nlohmann::json said = nlohmann::json::parse(run_command(scratch, {"check", scene, "--json"}).out);
  EXPECT_NEAR(said["bodies"].at(0)["sag"], 0.05 * 0.4, 0.05 * 0.05 * 0.4);  // two digits are told
}

// Steps in contact cost far more than those before: what a trial of the first steps tells is the least.
TEST(Mistakes, ATrialThatHardlyTouchesTellsTheLeastThatARunTakes) {
  const ScratchFolder scratch;
  const auto said = [&](const char* height) {
    const Finished finished = check(
        scratch, edited({{"/constraints", "[]"},
                         {"/time/end", "10000"},
                         {"/bodies/0/transform", std::string("{ \"translate\": [0, ") + height + ", 0] }"},
                         {"/contacts", R"([ { "type": "floor", "height": 0 } ])"}}));
    EXPECT_EQ(finished.code, 0) << finished.err;
    return finished.out;
  };
  EXPECT_NE(said("400").find("will take at least"), std::string::npos) << said("400");
  EXPECT_NE(said("400").find("while bodies touch"), std::string::npos) << said("400");
}

TEST(Mistakes, CheckSaysAsJsonWhatTheSceneIs) {
  const ScratchFolder scratch;
  const std::string scene = (scratch.path() / "scene.json").string();
  std::ofstream(scene) << kScene;
  const Finished finished = run_command(scratch, {"check", scene, "--json"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  const nlohmann::json said = nlohmann::json::parse(finished.out);
  EXPECT_TRUE(said["problems"].empty());
  EXPECT_TRUE(said["warnings"].empty()) << said["warnings"];
  const nlohmann::json& bar = said["bodies"].at(0);
  EXPECT_EQ(bar["name"], "bar");
  EXPECT_EQ(bar["held"], 4);
  EXPECT_EQ(bar["held_where"], "x = 0, y = 0..0.1, z = 0..0.1 m");
  EXPECT_EQ(bar["vertices"], 20);
  EXPECT_NEAR(bar["mass"], 4, 1e-12);
  EXPECT_NEAR(bar["extent"][0], 0.4, 1e-12);
  EXPECT_GT(bar["lowest_frequency"], 1);
  EXPECT_GT(bar["sag"], 0);
  EXPECT_EQ(said["steps"], 2);
  EXPECT_GT(said["expected_seconds"], 0);
  EXPECT_GT(said["expected_bytes"], 1000);

  std::ofstream(scene) << edited({{"/constraints", "[]"}});
  const Finished loose = run_command(scratch, {"check", scene, "--json"});
  EXPECT_TRUE(nlohmann::json::parse(loose.out)["bodies"].at(0)["held_where"].is_null());

  std::ofstream(scene) << edited({{"/bodies/0/material/young", "-1"}});
  const Finished bad = run_command(scratch, {"check", scene, "--json"});
  EXPECT_EQ(bad.code, 65);
  EXPECT_EQ(nlohmann::json::parse(bad.out)["problems"].size(), 1u);

  const Finished missing = run_command(scratch, {"check", "missing.json", "--json"});
  EXPECT_EQ(missing.code, 74);
  const nlohmann::json problems = nlohmann::json::parse(missing.out)["problems"];
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].get<std::string>().find("missing.json"), std::string::npos) << problems;

  std::ofstream(scene) << kScene;
  const Finished changed =
      run_command(scratch, {"check", scene, "--json", "-i", "si", "--step", "0.001", "--end", "0.003"});
  ASSERT_EQ(changed.code, 0) << changed.err;
  EXPECT_EQ(nlohmann::json::parse(changed.out)["method"], "si");
  EXPECT_EQ(nlohmann::json::parse(changed.out)["steps"], 3);
}

}  // namespace
}  // namespace phiflex
