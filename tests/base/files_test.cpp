#include "phiflex/base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "phiflex/base/errors.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  Files() { fs::create_directories(folder_); }
  ~Files() override { fs::remove_all(folder_); }
  const fs::path folder_ = fs::temp_directory_path() / ("phiflex-files-" + std::to_string(::getpid()));
};

TEST_F(Files, AFileComesBackAsItWasWritten) {
  const std::string bytes("line\r\n\0end", 10);
  for (const Durability durability : {Durability::kill, Durability::power_loss}) {
    write_file_atomically(folder_ / "a", bytes, durability);
    EXPECT_EQ(read_file(folder_ / "a"), bytes);
  }
  write_file_atomically(folder_ / "a", "");
  EXPECT_EQ(read_file(folder_ / "a"), "");
}

TEST_F(Files, WritingLeavesNothingElseBehind) {
  write_file_atomically(folder_ / "a", "one");
  write_file_atomically(folder_ / "a", "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Files, MissingFilesAndFoldersCannotBeRead) {
  EXPECT_THROW(read_file(folder_ / "missing"), FileError);
  EXPECT_THROW(read_file(folder_), FileError);
  EXPECT_THROW(read_file("/dev/null"), FileError);
}

TEST_F(Files, APipeIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(read_file(folder_ / "pipe"), FileError);
}

TEST_F(Files, AFileThatIsLargerThanItsLimitIsBadInputAndIsNotRead) {
  write_file_atomically(folder_ / "a", "12345");
  EXPECT_EQ(read_file(folder_ / "a", 5), "12345");
  EXPECT_THROW(read_file(folder_ / "a", 4), InputError);
  // A hole takes no place on the disk; read, it would take all memory.
  fs::resize_file(folder_ / "a", std::uintmax_t{largest_content()} + 1);
  EXPECT_THROW(read_file(folder_ / "a"), InputError);
}

TEST_F(Files, TheEndOfAFileIsReadAlone) {
  write_file_atomically(folder_ / "a", "12345");
  EXPECT_EQ(read_file_end(folder_ / "a", 2), "45");
  EXPECT_EQ(read_file_end(folder_ / "a", 100), "12345");
  EXPECT_EQ(read_file_end(folder_ / "missing", 100), "");
  EXPECT_EQ(read_file_end(folder_, 100), "");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file_end(folder_ / "pipe", 100), "");
}

TEST_F(Files, AFailedWriteKeepsTheOldFileAndLeavesNoDraft) {
  fs::create_directories(folder_ / "taken" / "inside");
  EXPECT_THROW(write_file_atomically(folder_ / "taken", "x"), FileError);
  EXPECT_THROW(write_file_atomically(folder_ / "no" / "such" / "folder", "x"), FileError);
  EXPECT_TRUE(fs::exists(folder_ / "taken" / "inside"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace phiflex
