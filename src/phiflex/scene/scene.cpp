#include "phiflex/scene/scene.h"

#include <cmath>

namespace phiflex {

std::int64_t step_count(const TimeSpec& time) {
  return std::llround(time.end / time.step);
}

}  // namespace phiflex
