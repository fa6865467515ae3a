// A file that grows at its end, with a buffer of our own: rows reach the disk when flushed, and at least once
// a second while rows arrive, so that a killed run loses little and a reader sees the run grow.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace phiflex {

class AppendingFile {
 public:
  // Starts an empty file (`keep_bytes` 0), or goes on after the first `keep_bytes` of one that is there.
  // FileError with the system's words when that cannot be done.
  explicit AppendingFile(const std::filesystem::path& path, std::uint64_t keep_bytes = 0);
  ~AppendingFile();  // flushes without reporting errors; flush() throws them
  AppendingFile(const AppendingFile&) = delete;
  AppendingFile& operator=(const AppendingFile&) = delete;

  void append(std::string_view bytes);
  // Replaces the last `tail_bytes` bytes of the file by `bytes`, at least as many, in one system call: a
  // reader or a kill sees the file before or after, never between.
  void overwrite_tail(std::uint64_t tail_bytes, std::string_view bytes);
  void flush();  // hands everything to the system: survives a kill of this process
  // Waits until it is on the disk: survives a loss of power. FileError when the file is no longer at its place.
  void sync();
  // FileError when the file was removed or replaced since it was opened: rows written to it would be lost.
  void require_in_place() const;
  std::uint64_t size() const { return written_ + buffer_.size(); }

 private:
  [[noreturn]] void fail(const char* action) const;
  void write_all(std::string_view bytes, std::uint64_t offset);

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t written_ = 0;  // bytes handed to the system
  std::string buffer_;
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace phiflex
