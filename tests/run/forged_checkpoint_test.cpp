// A run folder that was changed, by an accident or on purpose, after its run: resume refuses what is not the run's own,
// names the file, and never fails in another way.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "phiflex/record/checkpoint.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"
#include "tests/run/process.h"
#include "tests/run/small_scenes.h"

namespace phiflex {
namespace {

using testing::eventful_scene;
using testing::Finished;
using testing::read_text;
using testing::run_command;
using testing::ScratchFolder;

// One entry of an archive (base/archive.h): a letter and its bytes.
struct ArchiveItem {
  char kind;
  std::string bytes;
};

std::vector<ArchiveItem> items_of(std::string_view archive) {
  std::vector<ArchiveItem> items;
  while (!archive.empty()) {
    std::uint64_t length = 0;
    std::memcpy(&length, archive.data() + 1, sizeof length);
    items.push_back({archive[0], std::string(archive.substr(1 + sizeof length, length))});
    archive.remove_prefix(1 + sizeof length + length);
  }
  return items;
}

std::string archive_of(const std::vector<ArchiveItem>& items) {
  std::string archive;
  for (const ArchiveItem& item : items) {
    const std::uint64_t length = item.bytes.size();
    archive.push_back(item.kind);
    archive.append(reinterpret_cast<const char*>(&length), sizeof length);
    archive += item.bytes;
  }
  return archive;
}

template <class T>
std::string bytes_of(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

// What could stand in place of an item, of the same kind.
std::vector<std::string> forgeries_of(const ArchiveItem& item) {
  std::vector<std::string> forged;
  switch (item.kind) {
    case 'i':
      for (const std::int64_t value :
           {std::int64_t{-1}, std::int64_t{0}, std::int64_t{3}, std::int64_t{1} << 31, std::int64_t{1} << 62,
            std::numeric_limits<std::int64_t>::min()})
        forged.push_back(bytes_of(value));
      break;
    case 'd':
      for (const double value : {std::nan(""), double(INFINITY), -1.0, 0.0, 1e-300, 1e300})
        forged.push_back(bytes_of(value));
      break;
    case 'v':
      forged = {"", item.bytes.substr(0, item.bytes.size() / 16 * 8), item.bytes + bytes_of(1.0)};
      if (!item.bytes.empty()) forged.push_back(bytes_of(std::nan("")) + item.bytes.substr(8));
      break;
    default:
      forged = {"", std::string(1000, 'x')};
  }
  std::erase(forged, item.bytes);
  return forged;
}

Scene forged_scene(const std::string& method, const std::string& more = "") {
  std::vector<Problem> unused;
  return parse_scene(R"({ "time": { "step": 0.005, "end": 0.03 }, "gravity": [0, -9.81, 0],
    "integrator": { "type": ")" +
                         method + "\"" + more + R"( },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [3, 1, 1] },
      "material": { "type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ],
    "output": { "measures": true, "modes": 2 } })",
                     "test.json", read_options(), unused);
}

struct ForgedCase {
  const char* method;
  const char* more;
};

class ForgedCheckpoint : public ::testing::TestWithParam<ForgedCase> {};

// A run of 6 steps, stopped after 4; each item of its checkpoint is replaced or left out, with a hash that is right.
TEST_P(ForgedCheckpoint, IsRefusedByNameOrContinuedButNeverAnInternalError) {
  ScratchFolder scratch;
  const Scene scene = forged_scene(GetParam().method, GetParam().more);
  RunOptions options;
  options.folder = scratch.path() / "run";
  options.control.threads = 1;
  std::atomic<bool> stop{false};
  options.control.stop = &stop;
  options.control.progress = [&](const Progress& progress) { stop = progress.step == 4; };
  ASSERT_EQ(run_scene(scene, "test.json", {}, options).status, RunStatus::interrupted);
  options.control.stop = nullptr;
  options.control.progress = nullptr;

  const std::filesystem::path folder = scratch.path() / "forged";
  const Checkpoint good = *newest_complete_checkpoint(options.folder / "checkpoint").newest;
  const auto resume_with = [&](const std::string& piece,
                               const std::vector<ArchiveItem>& items) -> std::string {
    std::filesystem::remove_all(folder);
    std::filesystem::copy(options.folder, folder, std::filesystem::copy_options::recursive);
    std::filesystem::remove_all(folder / "checkpoint");
    Checkpoint forged = good;
    forged.pieces[piece] = archive_of(items);
    write_checkpoint(folder / "checkpoint", forged);
    try {
      resume_run(folder, options.control);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  int refused = 0;
  for (const auto& [name, bytes] : good.pieces) {
    const std::vector<ArchiveItem> items = items_of(bytes);
    for (std::size_t i = 0; i < items.size(); ++i) {
      std::vector<ArchiveItem> changed = items;
      changed.erase(changed.begin() + std::ptrdiff_t(i));
      const std::string missing = resume_with(name, changed);
      EXPECT_NE(missing.find("step_000000000004.ckpt"), std::string::npos)
          << "item " << i << " of " << name << " is missing: " << missing;
      for (const std::string& forgery : forgeries_of(items[i])) {
        changed = items;
        changed[i].bytes = forgery;
        std::string words;
        EXPECT_NO_THROW(words = resume_with(name, changed)) << "item " << i << " of " << name;
        if (words.empty()) continue;
        ++refused;
        EXPECT_TRUE(words.find(".ckpt") != std::string::npos || words.find("run.json") != std::string::npos ||
                    words.find("frames.pvd") != std::string::npos)
            << "item " << i << " of " << name << ": " << words;
      }
    }
  }
  EXPECT_GT(refused, 10);
}

INSTANTIATE_TEST_SUITE_P(Methods, ForgedCheckpoint,
                         ::testing::Values(ForgedCase{"si", ""}, ForgedCase{"siere", R"(, "modes": 3)"},
                                           ForgedCase{"emx", R"(, "modes": 2, "dissipation": 0.9)"},
                                           ForgedCase{"ere", R"(, "evaluator": "rational")"},
                                           ForgedCase{"pexprb43", R"(, "error_tolerance": 1e-3)"},
                                           ForgedCase{"verlet", ""}, ForgedCase{"zheng", ""}),
                         [](const auto& one) { return std::string(one.param.method); });

nlohmann::json account_in(const std::filesystem::path& folder) {
  return nlohmann::json::parse(read_text(folder / "run.json"));
}

TEST(ChangedRunFolder, ASceneThatIsNotThatOfTheCheckpointsIsRefusedAndNothingIsTouched) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const std::filesystem::path folder = scratch.path() / "run";
  ASSERT_EQ(run_command(scratch, {"run", scene, "-o", folder.string(), "--quiet"}).code, 0);
  const nlohmann::json account = account_in(folder);
  const std::string energy = read_text(folder / "energy.csv");
  for (const auto& [place, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"/gravity", "[0, -9.80, 0]"},
                                                                  {"/time/step", "0.00025"},
                                                                  {"/time/end", "0.024"},
                                                                  {"/forces", "[]"},
                                                                  {"/integrator/linear_tolerance", "1e-9"},
                                                                  {"/output/every", "2"},
                                                                  {"/bodies/0/damping/stiffness", "0.0006"},
                                                                  {"/bodies/0/damping/mass", "0.2"}}) {
    const std::string change = std::string(place) + " = " + value;
    nlohmann::json changed = account;
    changed["scene"][nlohmann::json::json_pointer(place)] = nlohmann::json::parse(value);
    ASSERT_NE(changed, account) << change;
    std::ofstream(folder / "run.json") << changed;
    const Finished end = run_command(scratch, {"resume", folder.string()});
    EXPECT_EQ(end.code, 65) << change;
    EXPECT_NE(end.err.find("run.json: /scene: is not the scene"), std::string::npos) << end.err;
    EXPECT_EQ(read_text(folder / "energy.csv"), energy);
    EXPECT_EQ(account_in(folder), changed);
  }
  nlohmann::json longer = account;
  longer["steps_planned"] = 1'000'000;
  std::ofstream(folder / "run.json") << longer;
  const Finished end = run_command(scratch, {"resume", folder.string()});
  EXPECT_EQ(end.code, 65);
  EXPECT_NE(end.err.find("run.json: /steps_planned: is not"), std::string::npos) << end.err;

  std::ofstream(folder / "run.json") << account;
  EXPECT_EQ(run_command(scratch, {"resume", folder.string(), "--quiet"}).code, 0);
}

TEST(ChangedRunFolder, ASummaryThatCannotBeReadIsBadInputForEveryVerb) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const std::filesystem::path folder = scratch.path() / "run";
  ASSERT_EQ(run_command(scratch, {"run", scene, "-o", folder.string(), "--quiet"}).code, 0);
  const std::string deep = "{\"scene\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  for (const std::string& text : {deep, std::string("{ \"steps\": 1e999 }"), std::string("{ \"steps\": ")}) {
    std::ofstream(folder / "run.json") << text;
    for (const std::vector<std::string>& verb :
         {std::vector<std::string>{"resume"}, std::vector<std::string>{"report"},
          std::vector<std::string>{"view", "--no-open"}}) {
      std::vector<std::string> arguments = verb;
      arguments.insert(arguments.begin() + 1, folder.string());
      const Finished end = run_command(scratch, arguments);
      EXPECT_EQ(end.code, 65) << verb[0] << ": " << end.err;
      EXPECT_NE(end.err.find("run.json"), std::string::npos) << end.err;
    }
  }
}

TEST(ChangedRunFolder, AMeshThatWasMovedMayBeNamedAtItsNewPlace) {
  ScratchFolder scratch;
  const std::filesystem::path mesh = scratch.path() / "bar.mesh", moved = scratch.path() / "moved.mesh";
  ASSERT_EQ(run_command(scratch, {"mesh", "generate", "box", "-o", mesh.string(), "-p", "cells=2,1,1"}).code,
            0);
  const std::string scene = scratch
                                .write("scene.json", R"({ "time": { "step": 0.01, "end": 0.05 },
    "gravity": [0, -9.81, 0], "integrator": { "type": "si" }, "bodies": [ { "name": "bar",
      "mesh": { "file": "bar.mesh" }, "material": { "type": "linear", "young": 1e5, "density": 1000 } } ] })")
                                .string();
  const std::filesystem::path folder = scratch.path() / "run";
  ASSERT_EQ(
      run_command(scratch, {"run", scene, "-o", folder.string(), "--quiet", "--max-seconds", "1e-9"}).code,
      75);
  std::filesystem::rename(mesh, moved);
  EXPECT_EQ(run_command(scratch, {"resume", folder.string(), "--quiet"}).code, 74);
  nlohmann::json account = account_in(folder);
  account["scene"]["bodies"][0]["mesh"]["file"] = moved.string();
  std::ofstream(folder / "run.json") << account;
  const Finished end = run_command(scratch, {"resume", folder.string(), "--quiet"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(account_in(folder).at("steps"), 5);
}

}  // namespace
}  // namespace phiflex
