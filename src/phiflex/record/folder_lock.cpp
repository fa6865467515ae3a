#include "phiflex/record/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "phiflex/base/errors.h"
#include "phiflex/base/printable.h"

namespace phiflex {
namespace {

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Whether the path leads to the open file.
bool leads_to(const std::filesystem::path& path, int descriptor) {
  struct stat there {
  }, open{};
  return ::lstat(path.c_str(), &there) == 0 && ::fstat(descriptor, &open) == 0 && same_file(there, open);
}

// "process 4711", as its owner wrote it into the file.
std::string owner_of(int lock) {
  char digits[32];
  const ssize_t size = ::pread(lock, digits, sizeof digits, 0);
  long process = 0;
  if (size > 0) std::from_chars(digits, digits + size, process);
  return process > 0 ? fmt::format("process {}", process) : "another process";
}

}  // namespace

FolderLock::FolderLock(const RunFolder& folder) : folder_(folder) {
  const std::filesystem::path path = folder.lock();
  const auto fail = [&](const std::filesystem::path& place) {
    throw FileError(place.string(), std::string("cannot write: ") + std::strerror(errno));
  };
  root_.reset(::open(folder.root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (root_.get() < 0 || ::fstat(root_.get(), &identity_) != 0) fail(folder.root);
  for (;;) {
    lock_.reset(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
    if (lock_.get() < 0) fail(path);
    int status = 0;
    while ((status = ::flock(lock_.get(), LOCK_EX | LOCK_NB)) != 0 && errno == EINTR) {
    }
    if (status != 0 && errno == EWOULDBLOCK)
      throw FileError(folder.root.string(), owner_of(lock_.get()) +
                                                " is running in this results folder; wait for its end or "
                                                "choose another folder");
    if (leads_to(path, lock_.get())) break;  // else its last owner has removed the file since we opened it
  }
  // Only for the message above: a process that cannot write it has the lock nevertheless.
  const std::string process = fmt::format("{}\n", ::getpid());
  if (::ftruncate(lock_.get(), 0) != 0 || ::pwrite(lock_.get(), process.data(), process.size(), 0) < 0)
    return;
}

FolderLock::~FolderLock() {
  if (leads_to(folder_.lock(), lock_.get())) ::unlink(folder_.lock().c_str());
}

bool FolderLock::in_place() const {
  struct stat now {};
  return ::stat(folder_.root.c_str(), &now) == 0 && same_file(now, identity_);
}

void FolderLock::require_in_place() const {
  if (!in_place())
    throw FileError(folder_.root.string(),
                    "the results folder was removed, moved or replaced while the run was going on");
}

// Linux shows every open folder as a link in /proc, which follows the folder when it is moved. Where there is no /proc,
// the user's path is all there is.
void FolderLock::write_in(FunctionRef<void(const RunFolder&)> write) const {
  const std::string link = fmt::format("/proc/self/fd/{}", root_.get());
  struct stat there {};
  if (::stat(link.c_str(), &there) != 0 || !same_file(there, identity_)) return write(folder_);
  try {
    write(RunFolder{link});
  } catch (const FileError& error) {
    const std::string shown = printable(folder_.root.string());
    std::string message = error.what();
    for (std::size_t at = 0; (at = message.find(link, at)) != message.npos; at += shown.size())
      message.replace(at, link.size(), shown);
    throw FileError(message);
  }
}

}  // namespace phiflex
