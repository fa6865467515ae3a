// The command in surroundings that it did not choose: closed streams, limits, pipes, hostile names.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

TEST(Surroundings, APipeInPlaceOfASceneOrATableIsRefusedAtOnce) {
  ScratchFolder scratch;
  const std::filesystem::path pipe = scratch.path() / "pipe.json";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const char* verb : {"check", "run", "modes"}) {
    Process process(scratch, {verb, pipe.string()});
    ASSERT_TRUE(eventually([&] { return process.ended(); })) << verb;
    const Finished end = process.wait();
    EXPECT_EQ(end.code, 74) << verb;
    EXPECT_NE(end.err.find("pipe.json: is not a regular file"), std::string::npos) << end.err;
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
