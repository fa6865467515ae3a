// What a computation needs of the machine is not there: a graphics card, its driver, memory on it. The input is right,
// and the same command works on another machine. The command maps it to exit code 69. It needs no package: the cuda
// room includes it.
#pragma once

#include <stdexcept>

namespace phiflex {

class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace phiflex
