// A short, reproducible stand-in for the fuzzer (fuzz/fuzz_scene.cpp): whatever the text, reading it either
// gives a scene that survives writing and reading, or an InputError whose problems all name
// the file and say something.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "tests/effort.h"
#include "tests/scene/scene_texts.h"

namespace phiflex {
namespace {

using nlohmann::json;

class Mutation : public testing::Test {
 protected:
  std::mt19937 random{20240607};
  std::size_t accepted = 0, refused = 0;

  std::size_t below(std::size_t n) { return random() % n; }

  void expect_survival(const std::string& text) {
    std::vector<Problem> warnings;
    try {
      const Scene scene = parse_scene(text, "m.json", {}, warnings);
      ASSERT_EQ(parse_scene(to_json(scene).dump(), "m.json", {}, warnings), scene) << text;
      ++accepted;
    } catch (const InputError& error) {
      ASSERT_FALSE(error.problems().empty());
      for (const Problem& problem : error.problems()) {
        ASSERT_EQ(problem.file, "m.json");
        ASSERT_FALSE(problem.message.empty());
        ASSERT_LT(problem.message.size(), 2000u) << problem.message;
      }
      ++refused;
    }
  }
};

TEST_F(Mutation, OfBytesNeverBreaksTheReader) {
  const std::string alphabet = "{}[],:\"\\ \n0123456789.eE+-truefalsn\x01\x7f\xc3\xff/*'";
  for (int round = 0; round < samples(6000) && !HasFatalFailure(); ++round) {
    std::string text = round % 4 == 0 ? test::full_scene : test::small_scene;
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      const std::size_t at = below(text.size());
      switch (below(5)) {
        case 0:
          text[at] = alphabet[below(alphabet.size())];
          break;
        case 1:
          text.insert(at, 1, alphabet[below(alphabet.size())]);
          break;
        case 2:
          text.erase(at, 1 + below(20));
          break;
        case 3:
          text.insert(at, text.substr(below(text.size()), below(40)));
          break;
        default:
          text.resize(at + 1);
      }
    }
    expect_survival(text);
  }
  EXPECT_GE(accepted, unsigned(samples(50)));
  EXPECT_GE(refused, unsigned(samples(1000)));
}

TEST_F(Mutation, OfValuesNeverBreaksTheReader) {
  const json values[] = {nullptr,
                         true,
                         false,
                         0,
                         -1,
                         1,
                         1e308,
                         -1e308,
                         5e-324,
                         9007199254740993,
                         "",
                         "x",
                         "bar",
                         "all",
                         std::string("\0", 1),
                         json::array(),
                         json::object(),
                         {1, 2, 3},
                         {{"type", "fix"}},
                         {{"field", "E"}},
                         {{"all", true}},
                         {{"generate", "ball"}, {"radius", 1}}};
  const json flat = json::parse(test::full_scene).flatten();
  std::vector<std::string> pointers;
  for (const auto& item : flat.items()) {
    // Every leaf and everything above it.
    for (std::string p = item.key(); !p.empty(); p = p.substr(0, p.rfind('/'))) pointers.push_back(p);
  }
  for (int round = 0; round < samples(4000) && !HasFatalFailure(); ++round) {
    json scene = json::parse(test::full_scene);
    for (std::size_t edits = 1 + below(2); edits > 0; --edits) {
      const json::json_pointer place(pointers[below(pointers.size())]);
      if (!scene.contains(place)) continue;
      json& parent = scene[place.parent_pointer()];
      if (below(4) == 0 && parent.is_object()) {
        parent.erase(place.back());
      } else if (below(4) == 0 && parent.is_object()) {
        parent[place.back() + "x"] = values[below(std::size(values))];
      } else {
        scene[place] = values[below(std::size(values))];
      }
    }
    expect_survival(scene.dump());
  }
  EXPECT_GE(accepted, unsigned(samples(50)));
  EXPECT_GE(refused, unsigned(samples(1000)));
}

TEST_F(Mutation, LargeInputsAreReadInLinearTime) {
  // Quadratic work on a hundred thousand names, keys or references would take minutes.
  std::string bodies, constraints, keys;
  for (int i = 0; i < samples(20000); ++i) {
    const std::string comma = i == 0 ? "" : ",";
    bodies += comma + R"({"name":"b)" + std::to_string(i) +
              R"(","mesh":{"file":"a"},"material":{"type":"arap","young":1,"density":1}})";
    constraints += comma + R"({"type":"fix","body":"c)" + std::to_string(i) + R"(","where":{"all":true}})";
    keys += comma + "\"key" + std::to_string(i) + "\":0";
  }
  const std::string head = R"({"time":{"step":1,"end":1},"bodies":[)" + bodies + "]";
  expect_survival(head + "}");
  expect_survival(head + R"(,"constraints":[)" + constraints + "]}");
  expect_survival(head + R"(,"output":{)" + keys + "}}");
  EXPECT_EQ(accepted, 1u);
  EXPECT_EQ(refused, 2u);
}

}  // namespace
}  // namespace phiflex
