#include "phiflex/record/checkpoint.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "phiflex/base/archive.h"
#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/state_hash.h"
#include "tests/record/fake_run.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

Checkpoint checkpoint_of(std::int64_t step, std::size_t size = 1000) {
  return {.step = step,
          .pieces = {{"state", std::string(size, static_cast<char>('a' + step % 26))}, {"empty", ""}}};
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Record, ACheckpointComesBackAsItWasWritten) {
  const ScratchFolder scratch;
  write_checkpoint(scratch.path() / "checkpoint", checkpoint_of(7));
  const CheckpointSearch found = newest_complete_checkpoint(scratch.path() / "checkpoint");
  ASSERT_TRUE(found.newest);
  EXPECT_TRUE(found.skipped.empty());
  EXPECT_EQ(found.newest->step, 7);
  EXPECT_EQ(found.newest->pieces, checkpoint_of(7).pieces);
  EXPECT_THROW(found.newest->piece("integrator"), ArchiveError);
}

TEST(Record, TheLastTwoCheckpointsAreKept) {
  const ScratchFolder scratch;
  for (const int step : {10, 20, 9'999'999, 10'000'000})
    write_checkpoint(scratch.path(), checkpoint_of(step));
  EXPECT_EQ(files_in(scratch.path()), 2u);
  EXPECT_EQ(newest_complete_checkpoint(scratch.path()).newest->step, 10'000'000);
}

TEST(Record, NoFolderAndAnEmptyFolderHaveNoCheckpoint) {
  const ScratchFolder scratch;
  EXPECT_FALSE(newest_complete_checkpoint(scratch.path() / "nowhere").newest);
  EXPECT_FALSE(newest_complete_checkpoint(scratch.path()).newest);
}

TEST(Record, ATornCheckpointIsSkippedAtWhateverByteItEnds) {
  const ScratchFolder scratch;
  write_checkpoint(scratch.path(), checkpoint_of(1));
  write_checkpoint(scratch.path(), checkpoint_of(2, 40));
  const fs::path newest = scratch.path() / "step_000000000002.ckpt";
  const std::string whole = read_file(newest);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_file_atomically(newest, whole.substr(0, size));
    const CheckpointSearch found = newest_complete_checkpoint(scratch.path());
    ASSERT_TRUE(found.newest);
    EXPECT_EQ(found.newest->step, 1) << "cut at byte " << size;
    ASSERT_EQ(found.skipped.size(), 1u);
    EXPECT_NE(found.skipped[0].find("step_000000000002.ckpt"), std::string::npos);
  }
}

TEST(Record, ACheckpointWithAnyOneBitChangedIsSkipped) {
  const ScratchFolder scratch;
  write_checkpoint(scratch.path(), checkpoint_of(1));
  write_checkpoint(scratch.path(), checkpoint_of(2, 40));
  const fs::path newest = scratch.path() / "step_000000000002.ckpt";
  const std::string whole = read_file(newest);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1 << at % 8);
    write_file_atomically(newest, changed);
    EXPECT_EQ(newest_complete_checkpoint(scratch.path()).newest->step, 1) << "byte " << at;
  }
}

TEST(Record, ADamagedLaterCheckpointGoesWhenTheResumedRunWritesItsOwn) {
  const ScratchFolder scratch;
  write_checkpoint(scratch.path(), checkpoint_of(100));
  write_file_atomically(scratch.path() / "step_000000000200.ckpt", "torn");
  write_file_atomically(scratch.path() / "step_000000000150.ckpt.part77", "draft");
  write_checkpoint(scratch.path(), checkpoint_of(150));
  EXPECT_EQ(files_in(scratch.path()), 2u);
  EXPECT_EQ(newest_complete_checkpoint(scratch.path()).newest->step, 150);
}

TEST(Record, AKillAtAnyMomentLosesNoCompletedCheckpoint) {
  const ScratchFolder scratch;
  for (int attempt = 0; attempt < 12; ++attempt) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe(pipe_ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {  // writes checkpoints for ever and reports each one that is complete
      for (std::int64_t step = attempt * 1'000'000 + 1;; ++step) {
        write_checkpoint(scratch.path(), checkpoint_of(step, 200'000));
        if (::write(pipe_ends[1], &step, sizeof step) != sizeof step) ::_exit(1);
      }
    }
    ::close(pipe_ends[1]);
    std::int64_t completed = 0, step = 0;
    ASSERT_EQ(::read(pipe_ends[0], &completed, sizeof completed), static_cast<ssize_t>(sizeof completed));
    ::usleep(static_cast<useconds_t>(500 + 1700 * attempt));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    while (::read(pipe_ends[0], &step, sizeof step) == static_cast<ssize_t>(sizeof step)) completed = step;
    ::close(pipe_ends[0]);
    const CheckpointSearch found = newest_complete_checkpoint(scratch.path());
    ASSERT_TRUE(found.newest);
    EXPECT_GE(found.newest->step, completed);
    EXPECT_EQ(found.newest->pieces, checkpoint_of(found.newest->step, 200'000).pieces);
  }
}

TEST(Record, ACheckpointThatCannotBeWrittenIsAFileErrorAndTheOldOneStays) {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "file", "");
  EXPECT_THROW(write_checkpoint(scratch.path() / "file" / "checkpoint", checkpoint_of(1)), FileError);
}

TEST(Record, TheHashOfAStateChangesWithEveryBitOfIt) {
  State state{.t = 0.5, .q = Vector::LinSpaced(4, 0, 1), .v = Vector::Zero(4)};
  const std::string hash = state_hash(state);
  EXPECT_EQ(hash.size(), 16u);
  EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
  State other = state;
  EXPECT_EQ(state_hash(other), hash);
  other.v[2] = -0.0;
  EXPECT_NE(state_hash(other), hash);
  other = state;
  other.q[3] = std::nextafter(other.q[3], 2);
  EXPECT_NE(state_hash(other), hash);
  other = state;
  other.t = 0.25;
  EXPECT_NE(state_hash(other), hash);
}

}  // namespace
}  // namespace phiflex
