// The machine a run was made on, in words.
#pragma once

#include <string>

namespace phiflex {

struct Machine {
  std::string cpu;  // model name as the system gives it; "unknown" when it does not
  int cores = 0;    // logical, usable by this process
  double memory_gigabytes = 0;
  std::string system;        // "Linux 6.1.0"
  std::string text() const;  // "AMD EPYC 7763, 2 cores, 7.6 GB of memory, Linux 6.1.0"
};
Machine this_machine();

}  // namespace phiflex
