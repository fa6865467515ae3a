// render and export as a user calls them: what they write, what they say, their exit codes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/record/fake_run.h"
#include "tests/run/process.h"

namespace phiflex::testing {
namespace {

namespace fs = std::filesystem;

struct BarRun {
  ScratchFolder scratch;
  std::string folder = (scratch.path() / "bar").string();
  BarRun() { make_fake_run(folder, {.steps = 10}); }
  std::string file(const std::string& name) const { return (scratch.path() / name).string(); }
  Finished operator()(std::vector<std::string> arguments) const {
    return run_command(scratch, std::move(arguments));
  }
};

TEST(Command, RenderWritesAStrip) {
  const BarRun run;
  const Finished done = run({"render", run.folder, "--frames", "0,5,10", "-o", run.file("strip.png"),
                             "--width", "300", "--samples", "2"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(read_text(run.file("strip.png")).substr(1, 3), "PNG");
  EXPECT_NE(done.out.find("300 x"), std::string::npos);
}

TEST(Command, RenderMakesTheSameBytesWithAnyNumberOfThreads) {
  const BarRun run;
  std::string first;
  for (const char* threads : {"1", "2", "3"}) {
    const std::string file = run.file(std::string("strip") + threads + ".png");
    ASSERT_EQ(run({"render", run.folder, run.folder, "--moments", "3", "-o", file, "--width", "240",
                   "--samples", "4", "--ground", "--colour", "displacement", "--threads", threads})
                  .code,
              0);
    if (first.empty()) first = read_text(file);
    EXPECT_EQ(read_text(file), first) << threads << " threads";
  }
}

TEST(Command, ExportTakesItsFormatFromTheFilesName) {
  const BarRun run;
  for (const char* ending : {"pvd", "pc2", "mdd", "gltf", "glb"}) {
    const std::string file = run.file(std::string("motion.") + ending);
    const Finished done = run({"export", run.folder, "-o", file, "--every", "5"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_TRUE(fs::exists(file));
    EXPECT_NE(done.out.find("3 frames"), std::string::npos) << done.out;
  }
  ASSERT_EQ(run({"export", run.folder, "--format", "obj", "-o", run.file("motion"), "--frames", "last"}).code,
            0);
  EXPECT_TRUE(fs::exists(run.file("motion_000010.obj")));
}

// What a summary of the run may hold after somebody else's program has written it.
TEST(Command, RenderAndExportTakeASummaryWhoseEntriesAreOfOtherKinds) {
  const BarRun run;
  for (const char* summary :
       {R"({"sizes": null, "scene": null})", R"({"sizes": 3, "scene": {"bodies": 5}})",
        R"({"sizes": {"elements": "many"}, "scene": {"bodies": [null, {"name": 7}], "contacts": [null]}})"}) {
    std::ofstream(fs::path(run.folder) / "run.json") << summary;
    const Finished drawn = run(
        {"render", run.folder, "--frames", "0", "-o", run.file("x.png"), "--width", "60", "--samples", "1"});
    EXPECT_EQ(drawn.code, 0) << summary << drawn.err;
    const Finished written = run({"export", run.folder, "-o", run.file("x.glb")});
    EXPECT_EQ(written.code, 0) << summary << written.err;
  }
}

TEST(Command, RenderAndExportSayWhatIsWrong) {
  const BarRun run;
  const std::string bare = run.file("bare"), png = run.file("x.png");
  make_fake_run(bare, {.steps = 2, .frames = false});
  struct Case {
    std::vector<std::string> arguments;
    int code;
    const char* says;
  };
  const std::vector<Case> cases = {
      {{"render", run.folder, "--frames", "0,99", "-o", png}, 65, "0 to 10"},
      {{"render", run.folder, "--times", "0,99", "-o", png}, 65, "from 0 to 0.2 s"},
      {{"render", bare, "-o", png}, 65, "--no-frames"},
      {{"render", run.file("nothing"), "-o", png}, 74, "no such folder"},
      {{"render", run.folder, "-o", run.file("nowhere/x.png")}, 74, "cannot write"},
      {{"render", run.folder, "-o", run.file("x.jpg")}, 65, ".png"},
      {{"render", run.folder}, 2, "-o FILE.png"},
      {{"render", run.folder, "-o", png, "--colour", "sped"}, 65, "did you mean \"speed\"?"},
      {{"render", run.folder, "-o", png, "--range", "3,1"}, 65, "two numbers"},
      {{"render", run.folder, "-o", png, "--names", "a,b"}, 65, "2 names for 1 runs"},
      {{"render", run.folder, "-o", png, "--width", "16", "--height", "16"}, 65, "8 x 8"},
      {{"render", run.folder, "-o", png, "--zoom", "nan"}, 2, "--zoom"},
      {{"render", run.folder, "--video", run.file("x.avi")}, 74, ".mp4"},
      {{"export", run.folder, "-o", run.file("x.gtlf")}, 65, "did you mean \"gltf\"?"},
      {{"export", run.folder, "-o", run.file("x")}, 65, "\"pvd\", \"obj\""},
      {{"export", run.folder, "-o", run.file("x.glb"), "--frames", "11"}, 65, "0 to 10"},
      {{"export", run.folder, "-o", run.file("x.glb"), "--frames", "5,1"}, 65, "ascend"},
      {{"export", run.folder, "-o", run.file("x.obj"), "--whole"}, 65, "pvd"},
      {{"export", bare, "-o", run.file("x.glb")}, 65, "--no-frames"},
      {{"export", run.folder, "-o", run.file("nowhere/x.glb")}, 74, "cannot write"},
  };
  for (const Case& one : cases) {
    const Finished done = run(one.arguments);
    EXPECT_EQ(done.code, one.code) << done.err;
    EXPECT_NE(done.err.find(one.says), std::string::npos) << done.err;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(run.scratch.path()))
    EXPECT_NE(entry.path().stem(), "x") << "nothing is written";
}

TEST(Command, AFilmThatIsInterruptedLeavesNothingBehind) {
  const BarRun run;
  const fs::path programs = run.scratch.path() / "programs", began = run.scratch.path() / "began";
  fs::create_directory(programs);
  std::ofstream(programs / "ffmpeg") << "#!/bin/sh\n: > " << began.string() << "\nexec cat > /dev/null\n";
  fs::permissions(programs / "ffmpeg", fs::perms::owner_all);
  const char* path = ::getenv("PATH");
  const std::string before = path != nullptr ? path : "";
  // 48,000 pictures.
  Process render(run.scratch,
                 {"render", run.folder, "--video", run.file("x.mp4"), "--width", "640", "--samples", "1",
                  "--fps", "240", "--speed", "0.001"},
                 [&] { ::setenv("PATH", (programs.string() + ":" + before).c_str(), 1); });
  ASSERT_TRUE(eventually([&] { return fs::exists(began) || render.ended(); }));
  ::kill(render.id(), SIGINT);
  const Finished done = render.wait();
  EXPECT_EQ(done.code, 130) << done.err;
  EXPECT_NE(done.err.find("interrupted: no film was made"), std::string::npos) << done.err;
  for (const fs::directory_entry& entry : fs::directory_iterator(run.scratch.path()))
    EXPECT_NE(entry.path().filename().string().rfind("x.", 0), 0u) << entry.path();
}

TEST(Command, AFilmWithoutFfmpegEndsWith74) {
  const BarRun run;
  const char* path = ::getenv("PATH");
  const std::string before = path != nullptr ? path : "";
  ::setenv("PATH", "/nonexistent", 1);
  const Finished done =
      run({"render", run.folder, "--video", run.file("x.mp4"), "--width", "64", "--samples", "1"});
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(done.code, 74);
  EXPECT_NE(done.err.find("package ffmpeg"), std::string::npos) << done.err;
  EXPECT_FALSE(fs::exists(run.file("x.mp4")));
}

}  // namespace
}  // namespace phiflex::testing
