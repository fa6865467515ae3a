// One substep of the energy-momentum step on a device. With w its mean velocity and h its length,
//
//   r(w) = M (w - v) - h/2 (f_em(x, x + h w) + load(t + h/2) - alpha M w + M gravity) = 0              (1)
//   d = -(M + h/2 alpha M + h^2/4 K)^-1 r,   w <- w + d                                                  (2)
//
// This is Newton's method: K is the tangent of f_em (em_kernels.h), which is not symmetric; with its symmetric part
// alone the iteration slows down where elements turn far in a step. (2) is solved to kForcing by stabilized
// bi-conjugate gradients, and d is halved until r'M^-1 r falls. K is made anew for each iteration but after small
// updates that took r down; the coarse matrices of the multigrid are those of the step's first K. Where the solve
// breaks down, the projected stiffness at x + h w takes the place of K. The start is the best of some guesses; iterates
// stop by the tests of integrate/em_solver.h:
//
//   |d|_M <= tol (|w - v|_M + 0.01 |w|_M)   and   2 |w'r| <= etol (w'M w + 1e-8 largest so far)           (3)
//   or  h |d|_M <= 1e-12 extent sqrt(sum of masses)  and the second of (3) holds, or d no longer falls    (4)
//   w + beta dw,   beta = -w'r/(dw'r + w'dr),   |beta| <= 1/2:   takes out what is left of 2 w'r          (5)
//
// or, without another solve, where the next d is foreseen to meet them with half to spare:
//
//   |d_next| = |d| max(|r_next|/|r|, kForcing)                                                            (6)
//
// What differs from there: the matrix, which costs less here than a few iterations.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/cuda/stepper.h"

namespace phiflex::device {

// (w - t)'r and w's, the products of (5); t, s: the iterate before and its residual.
struct SecantProducts {
  const double *w, *t, *r, *s;
  PHIFLEX_HD Sums<2> operator()(int i) const {
    const Vec3<double> wi = load3(w, i);
    return {{dot(wi - load3(t, i), load3(r, i)), dot(wi, load3(s, i))}};
  }
};
// What a substep is: from x and v, of all vertices.
struct EmSubstep {
  const double *x, *v;
  double t, h;
  double chi, ratio;      // of the dial
  const double* before;   // its memory; null: 0
  double largest_energy;  // so far
};

template <class BackEnd>
class EmSolver : Stepper<BackEnd> {
 public:
  using typename Stepper<BackEnd>::Array;

  explicit EmSolver(const StepperParts<BackEnd>& parts)
      : Stepper<BackEnd>(parts),
        psi_(on_, std::size_t(body_.tets())),
        w_(on_, all()),
        trial_(on_, all()),
        result_(on_, all()),
        place_(on_, all()),
        r_(on_, of_free()),
        r_trial_(on_, of_free()),
        position_floor_(kPositionFloor * parts.extent * std::sqrt(free_mass(parts))) {}

  void reserve() {
    body_.reserve_two_state();
    solver_.reserve_stabilized();
  }
  // A step begins: its settings, and where its work is counted. Both are referred to.
  void begin(const DeviceEmOptions& options, DeviceStep& report) {
    options_ = &options;
    report_ = &report;
    has_levels_ = false;
  }
  // guess(i, w) puts a guess into w, of the free vertices, while it returns true; the first is part of the velocity
  // where none is inside the domain.
  template <class Guess>
  DeviceStatus solve(const EmSubstep& substep, const Guess& guess) {
    substep_ = substep;
    outside_ = loads_.at(substep.t + substep.h / 2);
    for (Array* w : {&w_, &trial_}) moved_.put_means(substep.t, substep.h, w->data());
    body_.start_densities(substep.x, psi_.data());
    const DeviceStatus status = start(guess);
    return status == DeviceStatus::ok ? iterate() : status;
  }
  // The w that solve() found, of all vertices.
  Array& result() { return result_; }
  // Of the movers of vertices, at that w.
  double mover_power() {
    body_.mover_power(view(result_), moved_, loads_.gravity(), mass_, sums_.data());
    return sums_.first();
  }
  // What acted in the middle of the substep.
  const Outside& outside() const { return outside_; }

 private:
  static constexpr int kMostIterations = 30, kMostStabilized = 400, kMostDrawnBack = 10;
  static constexpr int kMostCgIterations = 5000;
  static constexpr double kForcing = 0.1, kWorthwhile = 0.1, kDescent = 2e-4, kSmall = 0.1, kFast = 0.5;
  static constexpr double kQuiet = 0.01, kEnergyFloor = 1e-8, kPositionFloor = 1e-12;
  static constexpr double kLargestBeta = 0.5, kUncorrected = 0.1;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  // The sums of EmResidual.
  struct Residual {
    double wr, wMw, change, rr;
    bool finite() const { return std::isfinite(rr); }
  };

  // result_ solves (1).
  DeviceStatus iterate() {
    double size_before = kInfinity;
    bool stays = false;
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      ++report_->newton_iterations;
      if (!stays) assemble();
      if (const DeviceStatus status = find_direction(); status != DeviceStatus::ok) return status;
      const double size = size_in_mass(solver_.solution());
      if (!std::isfinite(size)) return DeviceStatus::not_finite;
      if (converged(size, size_before)) {
        result_.assign(w_);
        const bool corrected = iteration > 0 && follow_secant();
        if (!corrected && energy_error() > kUncorrected) correct_by_another_iterate();
        return DeviceStatus::ok;
      }
      const double residual = now_.rr;
      if (!search_line(residual)) return DeviceStatus::not_converged;
      const double fall = std::sqrt(now_.rr / residual);
      if (converged(2 * size * std::max(fall, kForcing), size)) {  // (6)
        result_.assign(w_);
        if (follow_secant() || energy_error() <= kUncorrected) return DeviceStatus::ok;
      }
      stays = size <= kSmall * std::sqrt(now_.change) && fall < kFast;
      size_before = size;
    }
    return DeviceStatus::not_converged;
  }
  // w + d, or less of d, so that the residual falls; w before is in trial_.
  bool search_line(double residual) {
    double part = 1;
    for (int k = 0; k <= kMostDrawnBack; ++k, part /= 2) {
      if (k > 0) ++report_->line_search_steps;
      combine(1, w_.data(), part, solver_.solution(), trial_.data());
      const Residual found = evaluate(trial_, r_trial_);
      if (!found.finite() || !(found.rr <= (1 - kDescent * part) * residual)) continue;
      take(found);
      return true;
    }
    return false;
  }

  // The guess whose residual is the smallest. Where none is inside the domain: part of the first; w = 0 is inside if x
  // is.
  template <class Guess>
  DeviceStatus start(const Guess& guess) {
    double least = kInfinity;
    for (int i = 0; guess(i, trial_); ++i) {
      const Residual found = evaluate(trial_, r_trial_);
      if (!found.finite() || !(found.rr < least)) continue;
      least = found.rr;
      take(found);
    }
    if (least < kInfinity) return DeviceStatus::ok;
    guess(0, trial_);
    for (int k = 0; k < kMostDrawnBack; ++k) {
      ++report_->line_search_steps;
      combine(0.5, trial_, 0, trial_, trial_);
      if (take_trial()) return DeviceStatus::ok;
    }
    return DeviceStatus::not_finite;
  }
  bool take_trial() {
    const Residual residual = evaluate(trial_, r_trial_);
    if (!residual.finite()) return false;
    take(residual);
    return true;
  }
  void take(const Residual& residual) {
    w_.swap(trial_);
    r_.swap(r_trial_);
    now_ = residual;
  }
  Residual evaluate(const Array& w, Array& r) {
    body_.em_residual(view(w), outside_, mass_, substep_.v, r.data(), sums_.data());
    const Sums<4> sums = this->template read_sums<4>();
    return {sums.e[0], sums.e[1], sums.e[2], sums.e[3]};
  }
  TwoStateView view(const Array& w) const {
    return {.x = substep_.x,
            .w = w.data(),
            .h = substep_.h,
            .psi = psi_.data(),
            .rest = nullptr,
            .chi = substep_.chi,
            .ratio = substep_.ratio,
            .before = substep_.before};
  }

  void assemble() {
    ++report_->assemblies;
    body_.assemble_two_state(view(w_));
    place_on_way(0.5);
    solver_.matrix_changed(place_.data(), 0.5 * substep_.h);
    if (has_levels_) solver_.keep_levels();
    has_levels_ = true;
  }
  void assemble_projected() {
    ++report_->assemblies;
    report_->projected = true;
    place_on_way(1);
    body_.assemble(place_.data(), Curvature::projected, 2 / substep_.h);
    solver_.matrix_changed(place_.data(), 0.5 * substep_.h);
    has_levels_ = false;
  }
  // place_ = x + part h w
  void place_on_way(double part) {
    on_.for_each(body_.vertices(), Combine{1, part * substep_.h, substep_.x, w_.data(), place_.data()});
  }
  // (2); d is the solver's solution.
  DeviceStatus find_direction() {
    const double scale = 4 / (substep_.h * substep_.h);
    const auto set_right_side = [&] { combine(-scale, r_.data(), 0, r_.data(), solver_.right_side()); };
    set_right_side();
    CgNumbers end = solver_.solve_stabilized(scale, kForcing, kMostStabilized);
    report_->iterations += 2 * end.iterations;  // of two products each
    if (end.status == CgNumbers::converged) return DeviceStatus::ok;
    if (end.status == CgNumbers::out_of_iterations && end.left <= kWorthwhile * end.gamma_start)
      return DeviceStatus::ok;
    assemble_projected();
    set_right_side();
    end = solver_.solve(scale, kForcing, kMostCgIterations);
    report_->iterations += end.iterations;
    if (end.status == CgNumbers::not_finite) return DeviceStatus::not_finite;
    return end.status == CgNumbers::not_positive ? DeviceStatus::not_positive_definite : DeviceStatus::ok;
  }
  bool converged(double size, double size_before) const {
    const bool energy = energy_error() <= 1;
    if (substep_.h * size <= position_floor_) return energy || size > size_before / 2;  // (4)
    return energy &&
           size <= options_->em_tolerance * (std::sqrt(now_.change) + kQuiet * std::sqrt(now_.wMw));  // (3)
  }
  double energy_error() const { return energy_error(now_); }
  double energy_error(const Residual& at) const {
    const double allowed = options_->energy_tolerance * (at.wMw + kEnergyFloor * substep_.largest_energy);
    const double error = 2 * std::abs(at.wr);
    return error > 0 ? error / allowed : 0;
  }
  // (5); the iterate before, and its r, are in trial_ and r_trial_.
  bool follow_secant() {
    const Sums<2> products = sum(SecantProducts{w_.data(), trial_.data(), r_.data(), r_trial_.data()});
    const double beta = -now_.wr / (products.e[0] + now_.wr - products.e[1]);
    if (!(std::abs(beta) <= kLargestBeta)) return false;
    combine(1 + beta, w_, -beta, trial_, result_);
    return true;
  }
  void correct_by_another_iterate() {
    const double error = energy_error();
    combine(1, w_.data(), 1, solver_.solution(), trial_.data());
    if (!take_trial() || !(energy_error() < error)) return;
    result_.assign(w_);
    follow_secant();
  }

  using Stepper<BackEnd>::all, Stepper<BackEnd>::of_free, Stepper<BackEnd>::sum, Stepper<BackEnd>::combine,
      Stepper<BackEnd>::size_in_mass;
  using Stepper<BackEnd>::on_, Stepper<BackEnd>::body_, Stepper<BackEnd>::mass_, Stepper<BackEnd>::loads_,
      Stepper<BackEnd>::moved_, Stepper<BackEnd>::solver_, Stepper<BackEnd>::sums_;
  Array psi_, w_, trial_, result_, place_, r_, r_trial_;
  double position_floor_;
  // Of the step and the substep under way.
  const DeviceEmOptions* options_ = nullptr;
  DeviceStep* report_ = nullptr;
  EmSubstep substep_{};
  Outside outside_{};
  Residual now_{};
  bool has_levels_ = false;  // of this step
};

}  // namespace phiflex::device
