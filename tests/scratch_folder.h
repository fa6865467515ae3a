// A folder of its own for a test, removed with everything in it at the end.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace phiflex::testing {

// Memory where the machine offers a file system there, with room: runs wait for the disk at every checkpoint, on a busy
// disk for most of a test's time, and no test looks at what survives a loss of power. TMPDIR decides otherwise.
inline std::filesystem::path scratch_place() {
  const std::filesystem::path memory = "/dev/shm";
  constexpr std::uintmax_t room = 2'000'000'000;  // bytes; the largest test writes some 100 MB
  std::error_code problem;
  const std::filesystem::space_info space = std::filesystem::space(memory, problem);
  if (::getenv("TMPDIR") == nullptr && !problem && space.available > room &&
      ::access(memory.c_str(), W_OK) == 0)
    return memory;
  return std::filesystem::temp_directory_path();
}

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (scratch_place() / "phiflex-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace phiflex::testing
