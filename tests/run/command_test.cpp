// What the command answers: exit codes, messages, and that bad input writes nothing.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/run/process.h"
#include "tests/run/small_scenes.h"

namespace phiflex::testing {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::invalid_argument("the scene has no " + from);
  return text.replace(at, from.size(), to);
}

struct BadScene {
  const char* what;
  std::string text;
  int code;
  std::vector<const char*> says;  // words the message must hold
};

TEST(Command, RefusesBadScenesWithTheirReasonAndWritesNothing) {
  const std::string good = eventful_scene("si");
  const std::vector<BadScene> cases = {
      {"malformed JSON", good.substr(0, 200), 65, {"scene.json", "line"}},
      {"deep nesting", std::string(100000, '['), 65, {"scene.json", "deep"}},
      {"an unknown key", replaced(good, "\"gravity\"", "\"gravitty\""), 65, {"gravitty", "gravity"}},
      {"a wrong type", replaced(good, "0.0005, \"end\"", "\"fast\", \"end\""), 65, {"/time/step", "fast"}},
      {"Poisson's ratio 0.5",
       replaced(good, "\"poisson\": 0.4", "\"poisson\": 0.5"),
       65,
       {"/bodies/0/material/poisson", "0.5"}},
      {"a negative density",
       replaced(good, "\"density\": 1000", "\"density\": -1"),
       65,
       {"/bodies/0/material/density", "-1"}},
      {"a step of zero", replaced(good, "\"step\": 0.0005", "\"step\": 0"), 65, {"/time/step"}},
      {"a step that is not finite",
       replaced(good, "\"step\": 0.0005", "\"step\": 1e999"),
       65,
       {"scene.json"}},
      {"an end before the start", replaced(good, "\"end\": 0.012", "\"end\": -1"), 65, {"/time/end", "-1"}},
      {"an empty selection",
       replaced(good, "[[0.399, -1, -1], [1, 1, 1]]", "[[3, 3, 3], [4, 4, 4]]"),
       65,
       {"/constraints/1/where", "bar", "spans"}},
      {"an unknown integrator", eventful_scene("sii"), 65, {"/integrator/type", "sii", "midpoint"}},
      {"an evaluator that does not take the scene's damping",
       eventful_scene(R"(ere", "evaluator": "lanczos)"),
       65,
       {"scene.json: /integrator/evaluator", "lanczos", "auto"}},
      {"a method that does not take the scene's bodies",
       eventful_scene("emx"),
       65,
       {"scene.json: /integrator/type", "emx"}},
      {"an unknown material",
       replaced(good, "\"neo-hookean\"", "\"jelly\""),
       65,
       {"jelly", "stable-neo-hookean"}},
      {"an unknown body", replaced(good, "\"body\": \"rope\"", "\"body\": \"ropes\""), 65, {"ropes", "rope"}},
      {"an unknown generator",
       replaced(good, "\"generate\": \"box\"", "\"generate\": \"cube\""),
       65,
       {"cube", "box"}},
      {"a missing mesh file",
       replaced(good, "\"generate\": \"box\", \"size\": [0.4, 0.1, 0.1], \"cells\": [4, 2, 2]",
                "\"file\": \"none.mesh\""),
       74,
       {"none.mesh"}},
      {"a vertex out of range",
       replaced(good, "\"vertices\": [0]", "\"vertices\": [7]"),
       65,
       {"/constraints/2/where", "7"}},
      {"a transform that flattens the body",
       replaced(good, "\"regions\"", "\"transform\": { \"translate\": [1e17, 0, 0] }, \"regions\""),
       65,
       {"scene.json", "/bodies/0/mesh", "96 of 96", "volume"}},
  };
  for (const BadScene& bad : cases) {
    ScratchFolder scratch;
    const std::string scene = scratch.write("scene.json", bad.text).string();
    const std::filesystem::path folder = scratch.path() / "run";
    for (const bool only_check : {true, false}) {
      const Finished end = only_check ? run_command(scratch, {"check", scene})
                                      : run_command(scratch, {"run", scene, "-o", folder.string()});
      EXPECT_EQ(end.code, bad.code) << bad.what << "\n" << end.err;
      for (const char* words : bad.says)
        EXPECT_NE(end.err.find(words), std::string::npos) << bad.what << ": no '" << words << "' in\n"
                                                          << end.err;
      EXPECT_TRUE(end.out.empty()) << end.out;
      EXPECT_FALSE(std::filesystem::exists(folder)) << bad.what;
    }
  }
}

TEST(Command, ReportsAllProblemsAtOnce) {
  ScratchFolder scratch;
  std::string text = replaced(eventful_scene("nonsense"), "\"density\": 1000", "\"density\": -1");
  text = replaced(text, "\"name\": \"tip\"", "\"nam\": \"tip\"");
  const Finished end = run_command(scratch, {"check", scratch.write("scene.json", text).string()});
  EXPECT_EQ(end.code, 65);
  for (const char* words : {"nonsense", "density", "nam"})
    EXPECT_NE(end.err.find(words), std::string::npos) << end.err;
}

TEST(Command, ReportsWhatIsWrongWithEveryMeshAtOnce) {
  ScratchFolder scratch;
  scratch.write("cut.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n");
  const std::string material = R"("material": { "type": "linear", "young": 1e5, "density": 1000 } })";
  const std::string text = R"({ "time": { "step": 0.1, "end": 1 }, "bodies": [
      { "name": "a", "mesh": { "file": "none.mesh" }, )" +
                           material + R"(,
      { "name": "b", "mesh": { "file": "nil.vtu" }, )" +
                           material;
  const Finished absent = run_command(scratch, {"check", scratch.write("a.json", text + "] }").string()});
  EXPECT_EQ(absent.code, 74);
  for (const char* words : {"none.mesh", "nil.vtu"})
    EXPECT_NE(absent.err.find(words), std::string::npos) << absent.err;

  const std::string cut = R"(, { "name": "c", "mesh": { "file": "cut.mesh" }, )" + material + "] }";
  const Finished both = run_command(scratch, {"check", scratch.write("b.json", text + cut).string()});
  EXPECT_EQ(both.code, 65);
  for (const char* words : {"none.mesh", "nil.vtu", "cut.mesh"})
    EXPECT_NE(both.err.find(words), std::string::npos) << both.err;
}

TEST(Command, BadInputLeavesTheResultsOfAnEarlierRunAloneEvenWithForce) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const std::string folder = (scratch.path() / "run").string();
  ASSERT_EQ(run_command(scratch, {"run", scene, "-o", folder, "--quiet"}).code, 0);
  const std::string earlier = read_text(scratch.path() / "run/energy.csv");
  const std::string hold = R"(constraints=[{"type":"fix","body":"bar","where":{"all":true}},)"
                           R"({"type":"fix","body":"rope","where":{"all":true}}])";
  const Finished end = run_command(scratch, {"run", scene, "-o", folder, "--force", "--set", hold});
  EXPECT_EQ(end.code, 65);
  EXPECT_NE(end.err.find("scene.json: /constraints"), std::string::npos) << end.err;
  EXPECT_EQ(read_text(scratch.path() / "run/energy.csv"), earlier);
}

TEST(Command, ARunFolderThatWasChangedByHandIsBadInputForResume) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const std::filesystem::path folder = scratch.path() / "run";
  ASSERT_EQ(run_command(scratch, {"run", scene, "-o", folder.string(), "--quiet"}).code, 0);
  const nlohmann::json account = nlohmann::json::parse(read_text(folder / "run.json"));
  for (const char* change : {R"({ "warnings": 5 })", R"({ "deterministic": "no" })",
                             R"({ "scene": { "constraints": [] } })", R"({ "scene": null })"}) {
    nlohmann::json changed = account;
    changed.merge_patch(nlohmann::json::parse(change));
    std::ofstream(folder / "run.json") << changed;
    const Finished end = run_command(scratch, {"resume", folder.string()});
    EXPECT_EQ(end.code, 65) << change;
    EXPECT_NE(end.err.find("run.json"), std::string::npos) << end.err;
  }
}

TEST(Command, AFileThatCannotBeOpenedGives74) {
  ScratchFolder scratch;
  EXPECT_EQ(run_command(scratch, {"run", (scratch.path() / "absent.json").string()}).code, 74);
  EXPECT_EQ(run_command(scratch, {"run", scratch.path().string()}).code, 74);
  EXPECT_EQ(run_command(scratch, {"mesh", "info", scratch.path().string()}).code, 74);
  EXPECT_EQ(run_command(scratch, {"resume", scratch.path().string()}).code, 74);
  EXPECT_EQ(run_command(scratch, {"report", (scratch.path() / "absent").string()}).code, 74);
}

TEST(Command, WrongUsageGives2) {
  ScratchFolder scratch;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"fly"},
                                             {"run"},
                                             {"run", "a.json", "--wings"},
                                             {"list", "wishes"},
                                             {"run", "a.json", "--threads", "0"},
                                             {"run", "a.json", "--steps", "1.5"},
                                             {"run", "a.json", "--max-seconds", "nan"},
                                             {"compare", "a.json"}}) {
    const Finished end = run_command(scratch, arguments);
    EXPECT_EQ(end.code, 2) << end.err;
    EXPECT_FALSE(end.err.empty());
  }
}

// Of a verb, or of the verbs within one: those that a wrong one is answered with, or that its help lists.
std::vector<std::string> verbs_of(const ScratchFolder& scratch, const std::vector<std::string>& verb) {
  std::vector<std::string> arguments = verb;
  arguments.push_back("--help");
  std::istringstream help(run_command(scratch, arguments).out);
  std::vector<std::string> found;
  bool within = false;
  for (std::string line; std::getline(help, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (within && line.starts_with("  ") && !line.starts_with("   ")) found.push_back(first);
    if (!line.starts_with(" ") && !line.empty()) within = first == "SUBCOMMANDS:" || first == "Subcommands:";
  }
  return found;
}

TEST(Command, EveryVerbHasHelpWithAnExample) {
  ScratchFolder scratch;
  std::vector<std::vector<std::string>> verbs;
  for (const std::string& verb : verbs_of(scratch, {})) {
    verbs.push_back({verb});
    for (const std::string& within : verbs_of(scratch, {verb})) verbs.push_back({verb, within});
  }
  EXPECT_GE(verbs.size(), 24u);
  for (const char* verb : {"run",     "settle", "resume",  "check",     "report", "demo",         "mesh",
                           "compare", "sweep",  "analyze", "matfun",    "modes",  "fit-material", "render",
                           "export",  "view",   "live",    "reproduce", "list",   "schema"})
    EXPECT_NE(std::find(verbs.begin(), verbs.end(), std::vector<std::string>{verb}), verbs.end()) << verb;
  for (const std::vector<std::string>& verb : verbs) {
    std::vector<std::string> arguments = verb;
    arguments.push_back("--help");
    const Finished end = run_command(scratch, arguments);
    EXPECT_EQ(end.code, 0);
    const std::size_t example = end.out.find("Example");
    EXPECT_NE(example, std::string::npos) << verb[0];
    EXPECT_NE(end.out.find("phiflex " + verb[0], example), std::string::npos) << verb.back();
  }
  const Finished version = run_command(scratch, {"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_NE(version.out.find("phiflex 0."), std::string::npos);
}

TEST(Command, AResultsFolderThatIsNotEmptyIsRefusedWithoutForceAndKeepsWhatIsThere) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const std::filesystem::path folder = scratch.path() / "run";
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "thesis.txt") << "precious";
  const Finished refused = run_command(scratch, {"run", scene, "-o", folder.string()});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--force"), std::string::npos) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "run.json"));
  const Finished forced = run_command(scratch, {"run", scene, "-o", folder.string(), "--force", "--quiet"});
  EXPECT_EQ(forced.code, 0) << forced.err;
  EXPECT_EQ(read_text(folder / "thesis.txt"), "precious");
}

TEST(Command, ADivergingRunStopsThereKeepsEarlierOutputAndExitsWith76) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("symplectic-euler")).string();
  const std::filesystem::path folder = scratch.path() / "run";
  // Twenty times the stable step: an element inverts within a few steps.
  const Finished end = run_command(
      scratch, {"run", scene, "-o", folder.string(), "--set", "time.step=0.02", "--set", "time.end=2"});
  EXPECT_EQ(end.code, 76) << end.err;
  EXPECT_NE(end.err.find("step"), std::string::npos) << end.err;
  const nlohmann::json account = nlohmann::json::parse(read_text(folder / "run.json"));
  EXPECT_EQ(account.at("status"), "failed");
  const std::string energy = read_text(folder / "energy.csv");
  const auto rows = std::count(energy.begin(), energy.end(), '\n') - 1;
  EXPECT_EQ(rows, account.at("steps").get<int>() + 1);  // row 0 and every completed step
  EXPECT_EQ(energy.find("nan"), std::string::npos);
  EXPECT_EQ(energy.find("inf"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
}

TEST(Command, JsonPutsTheSummaryAloneOnStdout) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const Finished end = run_command(scratch, {"run", scene, "-o", (scratch.path() / "run").string(), "--json",
                                             "--steps", "3", "--no-frames"});
  ASSERT_EQ(end.code, 0) << end.err;
  const nlohmann::json summary = nlohmann::json::parse(end.out);
  EXPECT_EQ(summary.at("status"), "done");
  EXPECT_EQ(summary.at("steps"), 3);
  EXPECT_EQ(summary, nlohmann::json::parse(read_text(scratch.path() / "run" / "run.json")));
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "run" / "frames"));
  for (const char* key :
       {"assembly", "factorization", "solve", "modes", "matfun", "output", "total", "per_step"})
    EXPECT_TRUE(summary.at("seconds").contains(key)) << key;
}

// The ledger's other entries stand beside the method's loss, where there are any.
TEST(Command, NamesWhatCameInAndWentOut) {
  ScratchFolder scratch;
  const auto said = [&](const char* scene, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "run", scene, "-o", (scratch.path() / "run").string(), "--no-frames", "--force", "--threads", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Finished end = run_command(scratch, arguments);
    EXPECT_EQ(end.code, 0) << end.err;
    return end.out.substr(std::min(end.out.find("energy: "), end.out.size()));
  };
  const std::string plain =
      said(PHIFLEX_SOURCE_DIR "/scenes/bar-drop/scene.json", {"--end", "0.1", "-i", "em"});
  for (const char* words : {"friction", "damping", "outside", "contacts"})
    EXPECT_EQ(plain.find(words), std::string::npos) << plain;
  const std::string scene = scratch.write("scene.json", eventful_scene("em")).string();
  const std::string full = said(scene.c_str(), {});
  const nlohmann::json energy =
      nlohmann::json::parse(read_text(scratch.path() / "run/run.json")).at("energy");
  EXPECT_NE(energy.at("external_work"), 0);
  EXPECT_NE(energy.at("dissipated"), 0);
  EXPECT_NE(full.find("forces and motions from outside "), std::string::npos) << full;
  EXPECT_NE(full.find("damping took "), std::string::npos) << full;

  // Nothing is damped here: what is booked beside friction is what contacts took.
  const std::string fall = scratch
                               .write("fall.json", R"({
    "time": { "step": 0.01, "end": 0.2 }, "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "cube", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
                  "material": { "type": "neo-hookean", "young": 3e4, "poisson": 0.3, "density": 1000 },
                  "transform": { "translate": [0, 0.02, 0] } } ],
    "contacts": [ { "type": "floor" } ] })")
                               .string();
  const std::string touched = said(fall.c_str(), {});
  EXPECT_NE(touched.find("contacts that did not rebound took "), std::string::npos) << touched;
  EXPECT_EQ(touched.find("damping"), std::string::npos) << touched;
}

// What took the time of `settle` is the search.
TEST(Command, SettleCountsTheSearchAndNamesTheLoads) {
  ScratchFolder scratch;
  const std::string folder = (scratch.path() / "run").string();
  const auto start = std::chrono::steady_clock::now();
  const Finished end = run_command(
      scratch, {"settle", PHIFLEX_SOURCE_DIR "/scenes/bar-drop/scene.json", "-o", folder, "--threads", "1"});
  const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find("equilibrium under 100 % of the loads after "), std::string::npos) << end.out;
  const nlohmann::json seconds = nlohmann::json::parse(read_text(folder + "/run.json")).at("seconds");
  const double search = seconds.at("assembly").get<double>() + seconds.at("factorization").get<double>() +
                        seconds.at("solve").get<double>();
  EXPECT_GT(search, 0);
  EXPECT_GE(seconds.at("total").get<double>(), search);
  EXPECT_LE(seconds.at("total").get<double>(), passed);
}

TEST(Command, VerletIsNotComparedWithItself) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("verlet")).string();
  const Finished end = run_command(
      scratch, {"run", scene, "-o", (scratch.path() / "run").string(), "--steps", "1", "--no-frames"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(end.out.find("for comparison"), std::string::npos) << end.out;
}

TEST(Command, KeysOfAnotherMethodAreAcceptedAndReportedAsUnused) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const Finished end = run_command(scratch, {"run", scene, "-o", (scratch.path() / "run").string(), "--steps",
                                             "1", "--set", "integrator.rho_infinity=0.5"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.err.find("rho_infinity"), std::string::npos) << end.err;
}

TEST(Command, ListsItsCataloguesAsTextAndJson) {
  ScratchFolder scratch;
  setenv("PHIFLEX_SCENES", PHIFLEX_SOURCE_DIR "/scenes", 1);
  for (const char* what : {"integrators", "materials", "generators", "scenes"}) {
    const Finished text = run_command(scratch, {"list", what});
    EXPECT_EQ(text.code, 0);
    EXPECT_GT(std::count(text.out.begin(), text.out.end(), '\n'), 2) << what;
    const nlohmann::json json = nlohmann::json::parse(run_command(scratch, {"list", what, "--json"}).out);
    EXPECT_EQ(static_cast<long>(json.size()), std::count(text.out.begin(), text.out.end(), '\n')) << what;
    for (const nlohmann::json& entry : json)
      EXPECT_FALSE(entry.at("summary").get<std::string>().empty()) << entry;
  }
}

TEST(Command, DemoRunsTheDefaultSceneAndEndsByNamingItsReport) {
  ScratchFolder scratch;
  unsetenv("PHIFLEX_SCENES");  // it finds the gallery by itself
  const std::string folder = (scratch.path() / "demo").string();
  const Finished end = run_command(scratch, {"demo", "-o", folder, "--steps", "2"});
  ASSERT_EQ(end.code, 0) << end.err;
  const std::string report = folder + "/report.html",
                    last = "Open the report in a browser:  " + report + "\n";
  ASSERT_GE(end.out.size(), last.size());
  EXPECT_EQ(end.out.substr(end.out.size() - last.size()), last);
  EXPECT_TRUE(std::filesystem::is_regular_file(report));
  const nlohmann::json run = nlohmann::json::parse(read_text(folder + "/run.json"));
  EXPECT_EQ(run.at("scene").at("name"), "bar-drop");
  EXPECT_EQ(run.at("steps"), 2);

  const Finished again = run_command(scratch, {"demo", "-o", folder, "--steps", "2"});
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("--force"), std::string::npos) << again.err;
  const Finished forced = run_command(scratch, {"demo", "-o", folder, "--steps", "2", "--force", "--json"});
  EXPECT_EQ(forced.code, 0) << forced.err;
  EXPECT_TRUE(nlohmann::json::accept(forced.out)) << forced.out;
}

TEST(Command, DemoWithoutTheGallerySaysWhatIsMissing) {
  ScratchFolder scratch;
  setenv("PHIFLEX_SCENES", (scratch.path() / "nowhere").c_str(), 1);
  const Finished end = run_command(scratch, {"demo", "-o", (scratch.path() / "demo").string()});
  unsetenv("PHIFLEX_SCENES");
  EXPECT_EQ(end.code, 74);
  EXPECT_NE(end.err.find("nowhere/bar-drop/scene.json"), std::string::npos) << end.err;
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "demo"));
}

TEST(Command, MeshesAreGeneratedConvertedAndDescribed) {
  ScratchFolder scratch;
  const std::string mesh = (scratch.path() / "bar.mesh").string(),
                    vtu = (scratch.path() / "bar.vtu").string();
  ASSERT_EQ(
      run_command(scratch, {"mesh", "generate", "box", "-o", mesh, "-p", "size=2,1,1", "-p", "cells=4,2,2"})
          .code,
      0);
  ASSERT_EQ(run_command(scratch, {"mesh", "convert", mesh, vtu}).code, 0);
  const Finished info = run_command(scratch, {"mesh", "info", vtu, "--json"});
  ASSERT_EQ(info.code, 0) << info.err;
  const nlohmann::json json = nlohmann::json::parse(info.out);
  EXPECT_EQ(json.at("tetrahedra"), 96);
  EXPECT_NEAR(json.at("volume").get<double>(), 2.0, 1e-12);
  EXPECT_EQ(run_command(scratch, {"mesh", "generate", "box", "-o", mesh, "-p", "cells=0,2,2"}).code, 65);
  EXPECT_EQ(run_command(scratch, {"mesh", "generate", "box", "-o", mesh, "-p", "cells=many"}).code, 65);
}

}  // namespace
}  // namespace phiflex::testing
