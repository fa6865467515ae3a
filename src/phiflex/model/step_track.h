// Values at the ends of steps, linear in between. With s = (t - start)/h, n = floor(s), u = s - n:
//
//   y(t) = y_n + u (y_{n+1} - y_n)                                                                        (1)
//
// A time within 1e-6 of a step of an end counts as that end: y is then y_n itself, however t was rounded, and does not
// depend on y_{n+1}. So a track that grows by one value before each step and the finished track give the same bits, as
// long as no step asks for times beyond its end. Held before the first value and after the last.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <vector>

namespace phiflex {

// The times of the ends of steps: start + n h.
struct StepTimes {
  double start = 0;  // s
  double h = 1;      // s

  struct Place {
    std::int64_t n = 0;
    double u = 0;  // 0 <= u < 1
  };
  Place place(double t) const {
    constexpr double same = 1e-6;
    const double s = (t - start) / h, nearest = std::round(s);
    if (std::abs(s - nearest) < same) return {static_cast<std::int64_t>(nearest), 0};
    const double below = std::floor(s);
    return {static_cast<std::int64_t>(below), s - below};
  }
  double time(std::int64_t n) const { return start + static_cast<double>(n) * h; }
};

template <int size>
struct StepTrack {
  using Value = Eigen::Matrix<double, size, 1>;
  std::int64_t first = 0;     // the end to which the first value belongs
  std::vector<Value> values;  // at least one

  std::int64_t last() const { return first + static_cast<std::int64_t>(values.size()) - 1; }

  Value at(const StepTimes::Place& place) const {
    const std::int64_t n = place.n - first;
    if (n < 0) return values.front();
    if (place.n >= last()) return values.back();
    const Value& from = values[static_cast<std::size_t>(n)];
    if (place.u == 0) return from;
    return from + place.u * (values[static_cast<std::size_t>(n) + 1] - from);  // (1)
  }
  // dy/dt in the interval after the place, or before it where the place is an end and `before` is true.
  Value rate(const StepTimes::Place& place, double h, bool before = false) const {
    const std::int64_t n = place.n - first - (before && place.u == 0 ? 1 : 0);
    if (n < 0 || first + n >= last()) return Value::Zero();
    return (values[static_cast<std::size_t>(n) + 1] - values[static_cast<std::size_t>(n)]) / h;
  }
};

}  // namespace phiflex
