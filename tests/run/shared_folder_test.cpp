// A results folder that others touch while a run writes it, or after it was killed.
#include <gtest/gtest.h>
#include <signal.h>

#include <nlohmann/json.hpp>

#include "tests/run/process.h"
#include "tests/run/small_scenes.h"

namespace phiflex::testing {
namespace {

namespace fs = std::filesystem;

// A run that goes on until it is stopped, with a few checkpoints behind it.
class SharedFolder : public ::testing::Test {
 protected:
  void begin() {
    process_.emplace(scratch_,
                     std::vector<std::string>{"run", scene_, "-o", folder_.string(), "--steps", "100000000",
                                              "--checkpoint-every", "5", "--no-frames", "--quiet"});
    ASSERT_TRUE(eventually([&] {
      const std::string account = read_text(folder_ / "run.json");
      return !account.empty() && nlohmann::json::parse(account).at("steps") >= 5;
    }));
  }
  // Of another command, whose output is not that of the run.
  Finished ask(std::vector<std::string> arguments) { return run_command(other_, std::move(arguments)); }
  bool ends_by_itself() {
    return eventually([&] { return process_->ended(); });
  }

  ScratchFolder scratch_, other_;
  const fs::path folder_ = scratch_.path() / "run";
  const std::string scene_ = scratch_.write("scene.json", eventful_scene("si")).string();
  std::optional<Process> process_;
};

TEST_F(SharedFolder, IsRefusedToOthersWhileARunIsGoingOnThereAndTheRunIsNamed) {
  begin();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", scene_, "-o", folder_.string(), "--force"},
        std::vector<std::string>{"resume", folder_.string()}}) {
    const Finished refused = ask(arguments);
    EXPECT_EQ(refused.code, 74);
    EXPECT_NE(refused.err.find("process " + std::to_string(process_->id())), std::string::npos)
        << refused.err;
  }
  EXPECT_FALSE(process_->ended());
  kill(process_->id(), SIGINT);
  EXPECT_EQ(process_->wait().code, 130);
  EXPECT_FALSE(fs::exists(folder_ / "run.lock"));
}

TEST_F(SharedFolder, AKilledRunLeavesNoLockThatHoldsUpTheNext) {
  begin();
  kill(process_->id(), SIGKILL);
  process_->wait();
  EXPECT_TRUE(fs::exists(folder_ / "run.lock"));
  EXPECT_EQ(ask({"resume", folder_.string(), "--max-seconds", "0.05", "--quiet"}).code, 75);
  EXPECT_EQ(ask({"run", scene_, "-o", folder_.string(), "--force", "--quiet"}).code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "run.lock"));
}

TEST_F(SharedFolder, ATableThatIsRemovedDuringARunEndsItWithAnErrorThatNamesIt) {
  for (const char* table : {"energy.csv", "probes.csv", "measures.csv"}) {
    fs::remove_all(folder_);
    begin();
    fs::remove(folder_ / table);
    ASSERT_TRUE(ends_by_itself()) << table;
    const Finished end = process_->wait();
    EXPECT_EQ(end.code, 74) << table;
    EXPECT_NE(end.err.find(table), std::string::npos) << end.err;
    EXPECT_EQ(nlohmann::json::parse(read_text(folder_ / "run.json")).at("status"), "failed");
  }
}

TEST_F(SharedFolder, IsNotMadeAgainWhenItIsRemovedDuringARun) {
  begin();
  // A file that the run writes while its folder is being removed makes remove_all fail.
  ASSERT_TRUE(eventually([&] {
    std::error_code error;
    fs::remove_all(folder_, error);
    return !fs::exists(folder_);
  }));
  ASSERT_TRUE(ends_by_itself());
  const Finished end = process_->wait();
  EXPECT_EQ(end.code, 74);
  EXPECT_NE(end.err.find(folder_.string()), std::string::npos) << end.err;
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(SharedFolder, NothingIsWrittenIntoTheOneThatTookItsPlace) {
  begin();
  const fs::path aside = scratch_.path() / "aside";
  fs::rename(folder_, aside);
  fs::create_directory(folder_);
  ASSERT_TRUE(ends_by_itself());
  EXPECT_EQ(process_->wait().code, 74);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(SharedFolder, DraftsThatAKilledRunLeftAreGoneAfterResumeAndForce) {
  const auto has_drafts = [&] {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_))
      if (entry.path().filename().string().find(".part") != std::string::npos) return true;
    return false;
  };
  for (const bool resumed : {true, false}) {
    ASSERT_EQ(ask({"run", scene_, "-o", folder_.string(), "--force", "--quiet"}).code, 0);
    for (const char* draft : {"run.json.part7", "report.html.part7", "frames.pvd.part7",
                              "frames/frame_000003.vtu.part7", "checkpoint/step_000000000003.ckpt.part7"})
      std::ofstream(folder_ / draft) << "half of it";
    ASSERT_TRUE(has_drafts());
    const Finished end = resumed ? ask({"resume", folder_.string(), "--quiet"})
                                 : ask({"run", scene_, "-o", folder_.string(), "--force", "--quiet"});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_FALSE(has_drafts()) << (resumed ? "resume" : "--force");
  }
}

TEST_F(SharedFolder, ALinkInItIsNotFollowedByResume) {
  ASSERT_EQ(ask({"run", scene_, "-o", folder_.string(), "--quiet"}).code, 0);
  for (const char* name : {"frames", "energy.csv"}) {
    fs::rename(folder_ / name, scratch_.path() / name);
    fs::create_symlink(scratch_.path() / name, folder_ / name);
    const Finished end = ask({"resume", folder_.string()});
    EXPECT_EQ(end.code, 74) << name;
    EXPECT_NE(end.err.find(name), std::string::npos) << end.err;
    fs::remove(folder_ / name);
    fs::rename(scratch_.path() / name, folder_ / name);
  }
}

}  // namespace
}  // namespace phiflex::testing
