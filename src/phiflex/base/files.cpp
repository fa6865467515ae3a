#include "phiflex/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>

#include "phiflex/base/descriptor.h"
#include "phiflex/base/errors.h"

namespace phiflex {
namespace {

// Without O_NONBLOCK, open() blocks on a pipe that has no writer.
int open_to_read(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

// Fills `bytes` from `offset` on and gives how many there were: fewer when the file was shortened meanwhile. Nothing:
// it cannot be read, and errno says why.
std::optional<std::size_t> read_at(int file, std::size_t offset, std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got =
        ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

[[noreturn]] void fail(const std::filesystem::path& path, const char* action) {
  throw FileError(path.string(), std::string(action) + ": " + std::strerror(errno));
}

}  // namespace

std::size_t largest_content() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  constexpr std::size_t if_unknown = std::size_t{1} << 30;
  return pages > 0 && bytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes) / 8
                                : if_unknown;
}

std::string read_file(const std::filesystem::path& path, std::size_t limit) {
  const Descriptor file(open_to_read(path));
  if (file.get() < 0) fail(path, "cannot open");
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(path, "cannot read");
  if (S_ISDIR(status.st_mode)) throw FileError(path.string(), "is a folder, a file is needed");
  if (!S_ISREG(status.st_mode)) throw FileError(path.string(), "is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit)
    throw InputError(path.string(), "",
                     "is " + std::to_string(size >> 20) + " MB large; at most " +
                         std::to_string(limit >> 20) + " MB can be read");
  std::string bytes;
  try {
    bytes.resize(size);
  } catch (const std::bad_alloc&) {
    throw InputError(path.string(), "",
                     "is " + std::to_string(size >> 20) + " MB large: there is no memory for it");
  }
  const std::optional<std::size_t> done = read_at(file.get(), 0, bytes);
  if (!done) fail(path, "cannot read");
  bytes.resize(*done);
  return bytes;
}

std::string read_file_end(const std::filesystem::path& path, std::size_t count) {
  const Descriptor file(open_to_read(path));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return "";
  const auto size = static_cast<std::size_t>(status.st_size);
  std::string bytes(std::min(size, count), '\0');
  bytes.resize(read_at(file.get(), size - bytes.size(), bytes).value_or(0));
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
