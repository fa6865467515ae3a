#include "phiflex/run/version.h"

#include <fmt/format.h>

#include <Eigen/Core>

#include "phiflex/base/pack.h"

namespace phiflex {

std::string version() {
  return PHIFLEX_VERSION;
}

std::string build_summary() {
  return fmt::format("GCC {}, -march={}, {} lanes, Eigen {}.{}.{}, CHOLMOD, OpenBLAS", __VERSION__,
                     PHIFLEX_ARCH, kLanes, EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
}

}  // namespace phiflex
