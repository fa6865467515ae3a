// A phase that keeps to itself what is timed within it: the solves of a search for modes are `modes`, the
// factorizations of a matrix function are `matfun`. So the phases of a step sum to no more than its seconds.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>

#include "phiflex/base/work.h"

namespace phiflex {

class OuterPhase {
 public:
  OuterPhase(Work& work, double Work::*phase) : work_(work), phase_(phase), start_(Clock::now()) {
    for (std::size_t i = 0; i < std::size(work_phases); ++i) before_[i] = work.*work_phases[i].seconds;
  }
  OuterPhase(const OuterPhase&) = delete;
  OuterPhase& operator=(const OuterPhase&) = delete;
  ~OuterPhase() {
    for (std::size_t i = 0; i < std::size(work_phases); ++i) work_.*work_phases[i].seconds = before_[i];
    work_.*phase_ += std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Work& work_;
  double Work::*phase_;
  Clock::time_point start_;
  std::array<double, std::size(work_phases)> before_;
};

}  // namespace phiflex
