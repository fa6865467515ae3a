#include "phiflex/record/appending_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "phiflex/base/errors.h"

namespace phiflex {
namespace {

constexpr std::size_t buffer_bytes = 1 << 16;
constexpr std::chrono::seconds longest_wait{1};

}  // namespace

AppendingFile::AppendingFile(const std::filesystem::path& path, std::uint64_t keep_bytes)
    : path_(path), written_(keep_bytes), last_flush_(std::chrono::steady_clock::now()) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (keep_bytes == 0 ? O_TRUNC : 0), 0666);
  if (descriptor_ < 0) fail("cannot write");
  if (keep_bytes > 0 && ::ftruncate(descriptor_, static_cast<off_t>(keep_bytes)) != 0) {
    const int reason = errno;
    ::close(descriptor_);
    errno = reason;
    fail("cannot write");
  }
}

AppendingFile::~AppendingFile() {
  try {
    flush();
  } catch (const FileError&) {  // a destructor cannot report it; call flush() to see the error
  }
  ::close(descriptor_);
}

void AppendingFile::append(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= buffer_bytes || std::chrono::steady_clock::now() - last_flush_ >= longest_wait)
    flush();
}

void AppendingFile::overwrite_tail(std::uint64_t tail_bytes, std::string_view bytes) {
  flush();
  if (tail_bytes > written_ || tail_bytes > bytes.size())
    throw std::logic_error("AppendingFile::overwrite_tail: the file would shrink");
  write_all(bytes, written_ - tail_bytes);
  written_ += bytes.size() - tail_bytes;
}

void AppendingFile::flush() {
  write_all(buffer_, written_);
  written_ += buffer_.size();
  buffer_.clear();
  last_flush_ = std::chrono::steady_clock::now();
}

void AppendingFile::require_in_place() const {
  struct stat there {
  }, open{};
  if (::fstat(descriptor_, &open) != 0) fail("cannot write");
  if (::stat(path_.c_str(), &there) != 0 || there.st_dev != open.st_dev || there.st_ino != open.st_ino)
    throw FileError(path_.string(), "was removed or replaced while it was being written");
}

void AppendingFile::sync() {
  flush();
  require_in_place();
  // EINVAL: something that cannot be synchronised, such as a pipe.
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL) fail("cannot write");
}

void AppendingFile::write_all(std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
  }
}

void AppendingFile::fail(const char* action) const {
  throw FileError(path_.string(), std::string(action) + ": " + std::strerror(errno));
}

}  // namespace phiflex
