#include "phiflex/record/run_folder.h"

#include <gtest/gtest.h>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/checkpoint.h"
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
