// The command in surroundings that it did not choose: closed streams, limits, pipes, hostile names.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/run/process.h"
#include "tests/run/small_scenes.h"

namespace phiflex::testing {
namespace {

std::string hash_told(const std::filesystem::path& folder) {
  return nlohmann::json::parse(read_text(folder / "run.json")).at("hash").get<std::string>();
}

TEST(Surroundings, StreamsThatAreClosedAtTheStartDoNotEndUpInTheTablesOfARun) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const std::filesystem::path whole = scratch.path() / "whole";
  ASSERT_EQ(run_command(scratch, {"run", scene, "-o", whole.string()}).code, 0);
  for (int closed = 1; closed < 8; ++closed) {  // every choice of the three streams
    const std::filesystem::path folder = scratch.path() / std::to_string(closed);
    const Finished end =
        run_command(scratch, {"run", scene, "-o", folder.string(), "--log-level", "debug"}, [&] {
          for (int stream = 0; stream < 3; ++stream)
            if ((closed >> stream & 1) != 0) ::close(stream);
        });
    EXPECT_EQ(end.code, 0) << closed;
    EXPECT_EQ(hash_told(folder), hash_told(whole)) << closed;
    for (const char* table : {"energy.csv", "probes.csv", "measures.csv", "frames.pvd"})
      EXPECT_EQ(read_text(folder / table), read_text(whole / table)) << table << ", closed: " << closed;
  }
}

// No escape character, no other control character but line breaks.
bool is_plain(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
  });
}

TEST(Surroundings, KeysNamesAndPathsDoNotSteerTheTerminal) {
  ScratchFolder scratch;
  const std::string escape = "\x1b]0;title\x07\x1b[31m", written = "\\u001b]0;title\\u0007\\u001b[31m";
  const std::string good = eventful_scene("si");
  const std::filesystem::path odd = scratch.path() / ("odd" + escape);
  std::filesystem::create_directory(odd);
  const auto with = [&](const std::string& from, const std::string& to) {
    return std::string(good).replace(good.find(from), from.size(), to);
  };
  const std::string scenes[] = {with("\"gravity\"", "\"" + written + "\""),
                                with("\"si\"", "\"" + written + "\""),
                                with("\"body\": \"rope\"", "\"body\": \"" + written + "\""),
                                with("\"generate\": \"box\", \"size\": [0.4, 0.1, 0.1], \"cells\": [4, 2, 2]",
                                     "\"file\": \"" + written + ".mesh\"")};
  for (const std::string& text : scenes) {
    std::ofstream(odd / "scene.json") << text;
    const Finished end = run_command(scratch, {"check", (odd / "scene.json").string()});
    EXPECT_TRUE(end.code == 65 || end.code == 74) << end.code;
    EXPECT_TRUE(is_plain(end.err)) << end.err;
    EXPECT_NE(end.err.find("\\x1b]0;title"), std::string::npos) << end.err;
  }
  std::ofstream(odd / "scene.json") << good;
  for (const std::vector<std::string>& arguments : {
           std::vector<std::string>{"run", (odd / "scene.json").string(), "-o", (odd / "run").string()},
           std::vector<std::string>{"report", (odd / "run").string()},
           std::vector<std::string>{"report", (odd / "none").string()},
           std::vector<std::string>{"mesh", "info", (odd / "none.mesh").string()},
           std::vector<std::string>{escape},
           std::vector<std::string>{"run", "--" + escape},
       }) {
    const Finished end = run_command(scratch, arguments);
    EXPECT_TRUE(is_plain(end.err + end.out)) << end.err << end.out;
  }
}

TEST(Surroundings, MessagesThatCannotBeWrittenCostNoRun) {
  ScratchFolder scratch;
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const auto fill = [] { dup2(::open("/dev/full", O_WRONLY), STDERR_FILENO); };
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const std::string folder = (scratch.path() / "run").string();
  EXPECT_EQ(run_command(scratch, {"run", scene, "-o", folder, "--log-level", "debug"}, fill).code, 0);
  EXPECT_EQ(run_command(scratch, {"run", scene + ".none"}, fill).code, 74);
}

TEST(Surroundings, AFileSizeLimitIsAFailedWriteThatNamesTheFileAndNoSignal) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const std::filesystem::path folder = scratch.path() / "run";
  const Finished end = run_command(scratch, {"run", scene, "-o", folder.string()}, [] {
    const rlimit small{6000, 6000};  // bytes: enough for the first table, not for a frame
    ::setrlimit(RLIMIT_FSIZE, &small);
  });
  EXPECT_EQ(end.code, 74) << end.err;
  EXPECT_NE(end.err.find("cannot write: File too large"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find(folder.string()), std::string::npos) << end.err;
}

TEST(Surroundings, APipeInPlaceOfASceneOrTableIsRefusedAtOnce) {
  ScratchFolder scratch;
  const std::filesystem::path pipe = scratch.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto refused = [&](const std::vector<std::string>& arguments) {
    const std::string command = arguments.at(0) + " " + arguments.at(1);
    Process process(scratch, arguments);
    ASSERT_TRUE(eventually([&] { return process.ended(); })) << command;
    const Finished end = process.wait();
    EXPECT_EQ(end.code, 74) << command << ": " << end.err;
    EXPECT_NE(end.err.find("pipe: is not a regular file"), std::string::npos) << command << ": " << end.err;
  };
  for (const char* verb : {"check", "run", "modes"}) refused({verb, pipe.string()});
  refused({"fit-material", pipe.string()});
  refused({"matfun", pipe.string(), pipe.string()});
  // The tables that a scene names: a load, the grips of a hand, a recorded motion.
  for (const auto& [name, more] : std::vector<std::pair<std::string, std::string>>{
           {"load.json", R"("forces": [ { "type": "table", "file": "pipe" } ])"},
           {"grips.json", R"("forces": [ { "type": "grips", "file": "pipe" } ])"},
           {"motion.json", R"("constraints": [ { "type": "motion", "body": "bar", "file": "pipe" } ])"}}) {
    const std::string scene =
        scratch
            .write(name, R"({ "time": { "step": 0.01, "end": 0.01 }, "integrator": { "type": "si" },
        "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] },
                      "material": { "type": "linear", "young": 1e5, "density": 1000 } } ], )" +
                             more + " }")
            .string();
    refused({"check", scene});
    refused({"run", scene});
  }
}

TEST(Surroundings, AFileWithALargeHoleIsBadInputThatIsNamed) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const std::filesystem::path folder = scratch.path() / "run", mesh = scratch.write("a.mesh", "");
  ASSERT_EQ(run_command(scratch, {"run", scene, "-o", folder.string(), "--quiet"}).code, 0);
  constexpr std::uintmax_t terabyte = std::uintmax_t{1} << 40;
  std::filesystem::resize_file(mesh, terabyte);
  std::filesystem::resize_file(folder / "energy.csv", terabyte);
  std::filesystem::resize_file(scene, terabyte);
  for (const auto& [arguments, file] : std::vector<std::pair<std::vector<std::string>, const char*>>{
           {{"mesh", "info", mesh.string()}, "a.mesh"},
           {{"report", folder.string()}, "energy.csv"},
           {{"resume", folder.string()}, "energy.csv"},
           {{"check", scene}, "scene.json"}}) {
    const Finished end = run_command(scratch, arguments);
    EXPECT_EQ(end.code, 65) << end.err;
    EXPECT_NE(end.err.find(file), std::string::npos) << end.err;
  }
}

}  // namespace
}  // namespace phiflex::testing
