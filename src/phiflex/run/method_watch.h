// Watches the steps of a run whose method `auto` chose, and says when another one should go on. With c_k the counted
// work of step k (step_prices.h), C the running mean of the method at work, P the price of a step of the other one
// where the body is, w = 10 steps at first, g the gain of energy without a source (model/energy_watch.h):
//
//   c_k > 10 C and c_k > 1.5 P                   a step ten times dearer than those before it                      (1)
//   C > 1.5 P, looked at every w steps           the other one is cheaper                                          (2)
//   g - (g at the last change) > 1/100           energy without a source; 1/5000 of explicit steps in contact      (3)
//   c_k > 6 P and C_(k-1) > P                    steps of em that press on a barrier, not the first of them           (4)
//
// w is doubled by each change for (1) or (2), so that what changes to and fro cost is bounded. P of `em` is the mean of
// its own steps, once it made some. After a step that only `be` could make, the other methods are tried again after w
// steps.
//
// Where barriers may touch, (4) takes the place of (1), and em leaves by (2) from 6 P on: the first step that touches
// is dear whatever the method, and explicit steps take up to three times P there. Bodies touch and part many times in a
// run, so w is doubled by a change for (4) alone, where em made fewer than w steps since it came back; where it made
// more, w is 10 again. P of `em` is that of the step which was too dear, while something touches, and that of a smooth
// step while nothing does.
//
// Where g is above that 1/5000 em stays: explicit steps do not gain it again and again. Where explicit steps failed,
// their
// price is not believed: nothing leaves for them in the next w steps, and w is doubled by each such failure.          (5)
//
// Everything is counted and saved: a resumed run changes where the run that was not interrupted does.
#pragma once

#include <cstdint>

#include "phiflex/base/archive.h"
#include "phiflex/base/function_ref.h"
#include "phiflex/integrate/integrator.h"

namespace phiflex {

class MethodWatch {
 public:
  enum class Due { nothing, dear_step, dear_run, dear_touch, energy, recovery };
  static constexpr double kGain = 0.01, kTouchGain = 2e-4;                // of (3)
  static constexpr double kDearStep = 10, kDearer = 1.5, kDearTouch = 6;  // of (1), (2), (4)

  // Of the latest step: its counted work, and the gain so far. barriers: something may touch. price: P of the other
  // method, infinite where it is not a candidate; asked only where it matters.
  Due add(AutoRole method, double counted, double gain, bool barriers, FunctionRef<double()> price);
  // Another method goes on. barriers: as for add.
  void change(Due why, double gain, bool barriers);
  // A step of `failed` failed, and another method made it.
  void change_after_failure(AutoRole failed, double gain);
  // No other method takes the place of the one that gained energy: (3) counts from here.
  void keep_in_spite_of(double gain) { gain_ = gain; }

  double mean() const { return mean_; }                    // C; 0: no step was made since the last change
  double implicit_mean() const { return implicit_mean_; }  // of the steps of em so far; 0: none

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  void restart(double gain);

  double mean_ = 0, implicit_mean_ = 0;
  double gain_ = 0;           // g at the last change
  std::int64_t steps_ = 0;    // since then
  std::int64_t window_ = 10;  // w
  std::int64_t barred_ = 0;   // steps of (5) that are left
};

}  // namespace phiflex
