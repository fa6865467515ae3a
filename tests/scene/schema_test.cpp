// The schema and the documentation are generated, checked in, and held against an independent validator.
// PHIFLEX_UPDATE=1 rewrites the files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/scene/spring_generators.h"
#include "tests/scene/scene_texts.h"

namespace phiflex {
namespace {

using nlohmann::json;

std::string content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

void expect_up_to_date(const std::string& name, const std::string& generated) {
  const std::filesystem::path file = std::filesystem::path(PHIFLEX_SOURCE_DIR) / name;
  if (std::getenv("PHIFLEX_UPDATE")) std::ofstream(file) << generated;
  EXPECT_EQ(content(file), generated) << name << " is out of date: run test_scene with PHIFLEX_UPDATE=1";
}

TEST(Schema, TheFileInTheTreeIsUpToDate) {
  expect_up_to_date("schema/scene.schema.json", json_schema().dump(2) + "\n");
}

TEST(Documentation, TheFileInTheTreeIsUpToDate) {
  expect_up_to_date("docs/scene.md", scene_documentation());
}

TEST(Documentation, ItsExampleIsAGoodScene) {
  const std::string text = scene_documentation();
  const std::size_t start = text.find("```json\n") + 8;
  EXPECT_EQ(test::complaints(text.substr(start, text.find("```", start) - start)),
            std::vector<std::string>{});
}

TEST(Documentation, EveryKeyOfAFullSceneIsExplained) {
  const std::string text = scene_documentation();
  std::vector<nlohmann::ordered_json> open = {to_json(test::parse(test::full_scene))};
  while (!open.empty()) {
    const nlohmann::ordered_json value = open.back();
    open.pop_back();
    for (const auto& [key, item] : value.items()) {
      if (value.is_object()) {
        const bool is_row = text.find("| `" + key + "` |") != std::string::npos;
        const bool is_tag = text.find("With `\"" + key + "\": ") != std::string::npos;
        const bool is_form = text.find("`{ \"" + key + "\": ") != std::string::npos;
        EXPECT_TRUE(is_row || is_tag || is_form) << key;
      }
      if (item.is_structured()) open.push_back(item);
    }
  }
}

// Every name that `generate` may have below a part of the schema, in order.
void collect_generators(const nlohmann::ordered_json& part, std::vector<std::string>& names) {
  if (!part.is_structured()) return;
  if (part.is_object() && part.contains("generate") && part["generate"].contains("const"))
    names.push_back(part["generate"]["const"]);
  for (const auto& [key, inner] : part.items()) collect_generators(inner, names);
}

TEST(Schema, EveryGeneratorOfMeshesAndSpringsIsInTheListThatUsersSee) {
  std::vector<std::string> names, listed;
  collect_generators(json_schema(), names);
  for (const Generator& generator : generator_catalogue()) listed.push_back(generator.name);
  for (const SpringGenerator& generator : spring_generators) listed.emplace_back(generator.name);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()),
            std::set<std::string>(listed.begin(), listed.end()));
}

TEST(Schema, EveryKeyOfEveryGeneratorOfMeshesReachesItAndIsWrittenBack) {
  for (const Generator& generator : generator_catalogue()) {
    SCOPED_TRACE(generator.name);
    json mesh = {{"generate", generator.name}};
    for (const GeneratorParameter& parameter : generator.parameters) {
      json numbers = json::array();
      for (const double value : parameter.fallback)
        parameter.whole ? numbers.push_back(std::int64_t(value) + 1) : numbers.push_back(value * 1.25);
      mesh[parameter.key] = parameter.list ? numbers : numbers[0];
    }
    json scene = json::parse(test::small_scene);
    scene["bodies"][0]["mesh"] = mesh;
    if (generator.flat) scene["bodies"][0]["element"] = "tri3";
    const Scene read = test::parse(scene.dump());
    const auto& generated = std::get<GeneratedMesh>(*read.bodies[0].mesh);
    EXPECT_EQ(generated.kind, generator.name);
    for (const GeneratorParameter& parameter : generator.parameters)
      EXPECT_EQ(json(generated.arguments.at(parameter.key)),
                parameter.list ? mesh[parameter.key] : json::array({mesh[parameter.key]}));
    EXPECT_EQ(json(to_json(read)["bodies"][0]["mesh"]), mesh);
  }
}

TEST(Schema, CanBeRestrictedToTheIntegratorsOfACatalogue) {
  const nlohmann::ordered_json schema = json_schema({"si", "be"});
  const auto& ways = schema["properties"]["integrator"]["oneOf"];
  EXPECT_EQ(ways[0]["enum"], (nlohmann::ordered_json{"si", "be"}));
  EXPECT_EQ(ways[1]["properties"]["type"]["enum"], (nlohmann::ordered_json{"si", "be"}));
}

// Variants of the full scene, good and bad, that differ in shape, not in the rules that relate values.
std::vector<json> variants() {
  const json full = json::parse(test::full_scene);
  const std::pair<const char*, json> changes[] = {
      {"/time/step", 0},
      {"/time/step", "fast"},
      {"/time/stpe", 1},
      {"/integrator/modes", 5},
      {"/integrator/rho_infinity", 1},
      {"/integrator/rho_infinity", 1.01},
      {"/integrator/halve_step", false},
      {"/integrator/halve_step", 0},
      {"/integrator/newton_limit", 2.5},
      {"/integrator/newton_limit", 20.0},
      {"/gravity", {0, 0}},
      {"/gravity/0", "x"},
      {"/bodies", json::array()},
      {"/bodies/0/name", "a/b"},
      {"/bodies/0/name", ".."},
      {"/bodies/0/name", ""},
      {"/bodies/0/material/poisson", 0.5},
      {"/bodies/0/material/poisson", -0.99},
      {"/bodies/0/material/young", {{"field", "E"}, {"unit", "Pa"}}},
      {"/bodies/0/material/type", "granite"},
      {"/bodies/0/mesh/generate", "ball"},
      {"/bodies/0/mesh/file", "x.msh"},
      {"/bodies/0/springs", json::parse(test::full_scene)["bodies"][4]["springs"]},
      {"/bodies/4/material", json::parse(test::full_scene)["bodies"][0]["material"]},
      {"/bodies/4/springs/spring_constant", 3},
      {"/bodies/0/transform/rotate", {{0, 0, 1}, 30, 1}},
      {"/bodies/0/transform/rotate", json::array({json::array({0, 0, 1})})},
      {"/bodies/0/transform/scale", 0},
      {"/bodies/0/initial/twist", json::object()},
      {"/bodies/1/regions/1/where/tag", 1.5},
      {"/constraints/0/type", "glue"},
      {"/constraints/0/where/sphere", {{"center", {0, 0, 0}}, {"radius", 1}}},
      {"/constraints/1/where/vertices", json::array()},
      {"/constraints/1/until", -1},
      {"/forces/1/where", {{"all", true}}},
      {"/forces/3/force", {0, 0}},
      {"/forces/5/gust/frequency", -1},
      {"/contacts/0/type", "sphere"},
      {"/coarsening", json::object()},
      {"/output/formats/0", "obj"},
      {"/output/formats", json::array()},
  };
  std::vector<json> all = {full, json::parse(test::small_scene),
                           json::parse(to_json(test::parse(test::full_scene)).dump())};
  for (const auto& [pointer, value] : changes) {
    all.push_back(full);
    all.back()[json::json_pointer(pointer)] = value;
  }
  for (const char* pointer :
       {"/time", "/time/end", "/bodies/0/mesh", "/bodies/0/material", "/bodies/4/springs/stiffness",
        "/constraints/0/type", "/forces/1/at", "/forces/3/force", "/probes/0/at", "/name"}) {
    all.push_back(full);
    const json::json_pointer place(pointer);
    all.back()[place.parent_pointer()].erase(place.back());
  }
  return all;
}

TEST(Schema, AnIndependentValidatorAgreesWithOurs) {
  const char* python = "/usr/bin/python3";
  const std::string probe = std::string(python) + " -c 'import jsonschema' 2>/dev/null";
  if (std::system(probe.c_str()) != 0) GTEST_SKIP() << "python3-jsonschema is not installed";

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("phiflex_schema_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::vector<json> scenes = variants();
  std::ofstream(folder / "scenes.json") << json(scenes).dump();
  std::ofstream(folder / "schema.json") << json_schema().dump();
  std::ofstream(folder / "validate.py") << R"(import json, jsonschema, sys
folder = sys.argv[1]
schema = json.load(open(folder + "/schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
print("".join("1" if validator.is_valid(s) else "0" for s in json.load(open(folder + "/scenes.json"))), end="",
      file=open(folder + "/verdicts", "w"))
)";
  const std::string command =
      std::string(python) + " " + (folder / "validate.py").string() + " " + folder.string();
  EXPECT_EQ(std::system(command.c_str()), 0);
  const std::string verdicts = content(folder / "verdicts");
  std::filesystem::remove_all(folder);

  ASSERT_EQ(verdicts.size(), scenes.size());
  EXPECT_GT(std::count(verdicts.begin(), verdicts.end(), '1'), 5);
  EXPECT_GT(std::count(verdicts.begin(), verdicts.end(), '0'), 30);
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const std::vector<std::string> ours = test::complaints(scenes[i].dump());
    EXPECT_EQ(verdicts[i] == '1', ours.empty()) << scenes[i].dump(2) << "\n"
                                                << (ours.empty() ? "no complaint" : ours[0]);
  }
}

}  // namespace
}  // namespace phiflex
