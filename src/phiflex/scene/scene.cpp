#include "phiflex/scene/scene.h"

#include <cmath>

namespace phiflex {

double start_of(const TimeSpec& time) {
  return time.start.value_or(0);
}

double duration_of(const TimeSpec& time) {
  return time.end - start_of(time);
}

std::int64_t step_count(const TimeSpec& time) {
  return std::llround(duration_of(time) / time.step);
}

}  // namespace phiflex
