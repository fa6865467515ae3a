// A file descriptor that closes itself. Negative: none.
#pragma once

#include <unistd.h>

#include <utility>

namespace phiflex {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  // Closes the one it has and takes another.
  void reset(int fd) {
    close();
    fd_ = fd;
  }
  // Whether it could be closed; errno says why not. Some systems report here that what was written is lost.
  bool close() { return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

}  // namespace phiflex
