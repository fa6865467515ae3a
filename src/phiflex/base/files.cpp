#include "phiflex/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "phiflex/base/errors.h"

namespace phiflex {
namespace {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

[[noreturn]] void fail(const std::filesystem::path& path, const char* action) {
  throw FileError(path.string(), std::string(action) + ": " + std::strerror(errno));
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  // Without O_NONBLOCK a pipe that nobody writes to would hold us here for ever.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail(path, "cannot open");
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(path, "cannot read");
  if (S_ISDIR(status.st_mode)) throw FileError(path.string(), "is a folder, a file is needed");
  if (!S_ISREG(status.st_mode)) throw FileError(path.string(), "is not a regular file");
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot read");
    if (got == 0) break;  // shortened while we read it
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes, Durability durability) {
  std::filesystem::path draft = path;
  draft += ".part" + std::to_string(::getpid());
  Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) fail(path, "cannot write");
  const auto abandon = [&] {
    const int reason = errno;
    ::unlink(draft.c_str());
    errno = reason;
    fail(path, "cannot write");
  };
  while (!bytes.empty()) {
    const ssize_t put = ::write(file.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) abandon();
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  if (durability == Durability::power_loss && ::fsync(file.get()) != 0) abandon();
  if (!file.close() || ::rename(draft.c_str(), path.c_str()) != 0) abandon();
  if (durability == Durability::power_loss) {
    // The new name is an entry of the folder, which must reach the disk too.
    sync_path(path.has_parent_path() ? path.parent_path() : ".");
  }
}

void sync_path(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 || ::fsync(file.get()) != 0) fail(path, "cannot write");
}

}  // namespace phiflex
