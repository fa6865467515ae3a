#include "phiflex/record/run_folder.h"

#include <gtest/gtest.h>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/checkpoint.h"
#include "phiflex/record/folder_lock.h"
#include "tests/record/fake_run.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

TEST(Record, ANewFolderIsMadeWithItsParents) {
  const ScratchFolder scratch;
  const RunFolder folder = prepare_run_folder(scratch.path() / "out" / "bar", ExistingFolder::refuse);
  EXPECT_TRUE(fs::is_directory(folder.root));
}

TEST(Record, AFolderThatHoldsAnythingIsRefusedAndLeftAsItIs) {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "thesis.tex", "years of work");
  EXPECT_THROW(prepare_run_folder(scratch.path(), ExistingFolder::refuse), FolderNotEmpty);
  EXPECT_EQ(read_file(scratch.path() / "thesis.tex"), "years of work");
}

TEST(Record, ReusingAFolderRemovesWhatARunMadeAndNothingElse) {
  const ScratchFolder scratch;
  const RunFolder folder = make_fake_run(scratch.path() / "run", {.steps = 3});
  write_checkpoint(folder.checkpoints(), {.step = 2, .pieces = {}});
  write_file_atomically(folder.report_html(), "old");
  write_file_atomically(folder.root / "run.json.part4711", "draft of a killed run");
  write_file_atomically(folder.root / "notes.txt", "mine");
  write_file_atomically(folder.frames() / "frame_final.vtu", "mine too");
  fs::create_directories(folder.root / "energy.csv.d");

  prepare_run_folder(folder.root, ExistingFolder::reuse);

  std::vector<std::string> left;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder.root))
    left.push_back(fs::relative(entry.path(), folder.root).string());
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left,
            (std::vector<std::string>{"energy.csv.d", "frames", "frames/frame_final.vtu", "notes.txt"}));
}

TEST(Record, ReusingAFolderRemovesLinksAndNothingThatTheyLeadTo) {
  const ScratchFolder scratch;
  const RunFolder elsewhere = make_fake_run(scratch.path() / "elsewhere", {.steps = 2});
  write_checkpoint(elsewhere.checkpoints(), {.step = 2, .pieces = {}});
  const RunFolder folder{scratch.path() / "run"};
  fs::create_directories(folder.root);
  fs::create_directory_symlink(elsewhere.frames(), folder.frames());
  fs::create_directory_symlink(elsewhere.checkpoints(), folder.checkpoints());
  fs::create_symlink(elsewhere.energy_csv(), folder.energy_csv());
  fs::create_symlink(scratch.path() / "nowhere", folder.probes_csv());

  prepare_run_folder(folder.root, ExistingFolder::reuse);

  EXPECT_TRUE(fs::is_empty(folder.root));
  EXPECT_TRUE(fs::exists(elsewhere.frame(1)));
  EXPECT_TRUE(fs::exists(elsewhere.energy_csv()));
  EXPECT_TRUE(newest_complete_checkpoint(elsewhere.checkpoints()).newest);
}

TEST(Record, AFolderHasOneOwnerAtATime) {
  const ScratchFolder scratch;
  const RunFolder folder{scratch.path()};
  {
    const FolderLock lock(folder);
    EXPECT_THROW(FolderLock{folder}, FileError);
    EXPECT_THROW(prepare_run_folder(folder.root, ExistingFolder::reuse), FileError);
    EXPECT_TRUE(fs::exists(folder.lock()));
  }
  EXPECT_TRUE(fs::is_empty(folder.root));
  write_file_atomically(folder.lock(), "4711\n");  // as a killed process leaves it
  prepare_run_folder(folder.root, ExistingFolder::refuse);
  EXPECT_TRUE(fs::is_empty(folder.root));
}

TEST(Record, AFolderThatWasReplacedIsNotThatOfTheLock) {
  const ScratchFolder scratch;
  const RunFolder folder{scratch.path() / "run"};
  fs::create_directory(folder.root);
  const FolderLock lock(folder);
  EXPECT_TRUE(lock.in_place());
  fs::rename(folder.root, scratch.path() / "aside");
  EXPECT_FALSE(lock.in_place());
  fs::create_directory(folder.root);
  EXPECT_FALSE(lock.in_place());
  EXPECT_THROW(lock.require_in_place(), FileError);
}

TEST(Record, TheOwnerOfALockWritesIntoItsFolderWhereverThatIsNow) {
  const ScratchFolder scratch;
  const RunFolder folder{scratch.path() / "run"}, aside{scratch.path() / "aside"};
  fs::create_directory(folder.root);
  const FolderLock lock(folder);
  fs::rename(folder.root, aside.root);
  fs::create_directory(folder.root);
  lock.write_in([](const RunFolder& held) { write_file_atomically(held.run_json(), "{}"); });
  EXPECT_TRUE(fs::is_empty(folder.root));
  EXPECT_TRUE(fs::exists(aside.run_json()));
  try {
    lock.write_in([](const RunFolder& held) { write_file_atomically(held.frame(0), ""); });
    FAIL() << "there is no folder of frames";
  } catch (const FileError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(folder.frame(0).string())) << error.what();
  }
}

TEST(Record, FramesAreRemovedAndNothingElse) {
  const ScratchFolder scratch;
  const RunFolder folder = prepare_run_folder(scratch.path() / "run", ExistingFolder::refuse);
  write_file_atomically(folder.run_json(), "{}");
  remove_frames(folder);  // there are none
  fs::create_directories(folder.frames());
  write_file_atomically(folder.frames_pvd(), "");
  write_file_atomically(folder.frame(0), "");
  remove_frames(folder);
  EXPECT_FALSE(fs::exists(folder.frames()) || fs::exists(folder.frames_pvd()));
  EXPECT_TRUE(fs::exists(folder.run_json()));
}

TEST(Record, AFileInPlaceOfAFolderIsAFileError) {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "out", "a file");
  EXPECT_THROW(prepare_run_folder(scratch.path() / "out", ExistingFolder::reuse), FileError);
  EXPECT_THROW(prepare_run_folder(scratch.path() / "out" / "bar", ExistingFolder::refuse), FileError);
  EXPECT_THROW(open_run_folder(scratch.path() / "out"), FileError);
}

TEST(Record, AFolderWithoutASummaryIsNotARun) {
  const ScratchFolder scratch;
  EXPECT_THROW(open_run_folder(scratch.path()), FileError);
  EXPECT_THROW(open_run_folder(scratch.path() / "nowhere"), FileError);
}

}  // namespace
}  // namespace phiflex
