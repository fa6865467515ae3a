// The largest resident memory of the process, and how to begin anew.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

namespace phiflex::bench {

inline double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::atof(line.c_str() + 6) / 1024;
  return 0;
}
inline void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace phiflex::bench
