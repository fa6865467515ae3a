#include "phiflex/run/method_watch.h"

#include <algorithm>
#include <cmath>

namespace phiflex {
namespace {

constexpr std::int64_t kLongestMemory = 10;  // steps, of the running mean
constexpr std::int64_t kFewest = 5;          // steps before (1) applies
constexpr double kDearMean = 1;              // of (4)
constexpr std::int64_t kFirstWindow = 10;
constexpr std::int64_t kLongestWindow = std::int64_t{1} << 40;

}  // namespace

MethodWatch::Due MethodWatch::add(AutoRole method, double counted, double gain, bool barriers,
                                  FunctionRef<double()> price) {
  const double before = mean_;
  ++steps_;
  // The first step makes what the others keep: it counts only while it is alone.
  mean_ += (counted - mean_) / double(std::clamp(steps_ - 1, std::int64_t{1}, kLongestMemory));
  const bool implicit = method == AutoRole::implicit_step || method == AutoRole::fitted_step;
  if (implicit) implicit_mean_ = mean_;
  const bool touches = barriers && method == AutoRole::explicit_step;
  if (gain - gain_ > (touches ? kTouchGain : kGain)) return Due::energy;  // (3)
  if (barriers && implicit && gain > kTouchGain) return Due::nothing;
  if (method == AutoRole::last_resort) return steps_ >= window_ ? Due::recovery : Due::nothing;
  if (implicit && barred_ > 0) {  // (5)
    --barred_;
    return Due::nothing;
  }
  if (barriers) {
    if (implicit && counted > kDearTouch * price() && before > kDearMean * price()) {  // (4)
      implicit_mean_ = counted;
      return Due::dear_touch;
    }
  } else if (steps_ > kFewest && counted > kDearStep * before && counted > kDearer * price()) {
    return Due::dear_step;  // (1)
  }
  const double dearer = barriers && implicit ? kDearTouch : kDearer;
  if (steps_ % window_ == 0 && mean_ > dearer * price()) return Due::dear_run;  // (2)
  return Due::nothing;
}

void MethodWatch::restart(double gain) {
  mean_ = 0;
  steps_ = 0;
  gain_ = gain;
}

void MethodWatch::change(Due why, double gain, bool barriers) {
  const bool again = !barriers || (why == Due::dear_touch && steps_ < window_);
  if (why == Due::dear_touch && !again) window_ = kFirstWindow;
  if (why != Due::energy && again) window_ = std::min(2 * window_, kLongestWindow);
  restart(gain);
}

void MethodWatch::change_after_failure(AutoRole failed, double gain) {
  if (failed == AutoRole::explicit_step) {
    barred_ = window_;
    window_ = std::min(2 * window_, kLongestWindow);
  }
  restart(gain);
}

void MethodWatch::save(ArchiveWriter& out) const {
  for (const double number : {mean_, implicit_mean_, gain_}) out.put(number);
  out.put(steps_);
  out.put(window_);
  out.put(barred_);
}

void MethodWatch::load(ArchiveReader& in) {
  for (double* number : {&mean_, &implicit_mean_, &gain_}) {
    *number = in.get_double();
    if (!std::isfinite(*number)) throw ArchiveError("counted work that no run has");
  }
  steps_ = in.get_integer(0, std::int64_t{1} << 62);
  window_ = in.get_integer(1, kLongestWindow);
  barred_ = in.get_integer(0, kLongestWindow);
}

}  // namespace phiflex
