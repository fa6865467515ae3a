// Backward Euler and the implicit midpoint rule on a device (integrate/be.cpp, integrate/midpoint.cpp), with s = h and
// s = h/2:
//
//   r(w) = M (w - v) - s (f(t + s, x + s w, w) + M gravity) = 0,   x+ = x + h w,   v+ = w  or  v+ = 2 w - v         (1)
//   (M/s^2 + D/s + K) d = -r/s^2,   w <- w + alpha d,   D and K at x + s w                                (2)
//
// by Newton's method as integrate/newton.h describes it, which also says what the settings do. Start: w = alpha (v +
// y/s) with
//
//   (M/s^2 + D/s + K) y = f + s df/dt + M gravity - s K v,   all at t and x                              (3)
//
// and alpha = 1, 1/2, 1/4, ... until the force is finite. Then alpha = 1, 1/2, ... until the force is finite and
//
//   d'r(w + alpha d) <= |d'r(w)|/2                                                                        (4)
//
// and it ends with w + d where, with theta = |d|_M/|d_before|_M,
//
//   min(1, max(theta/(1 - theta), 1e-3)) |d|_M <= tolerance (|w|_M + |v|_M)                               (5)
//   or  s |d|_M <= 1e-12 extent sqrt(sum of masses)                                                       (6)
//
// Where the matrix is not positive definite, the projected stiffness takes the place of K, or the mass is raised to
// (1 + tau) M, tau = 0.1, 1, 10, ...; such a d does not end the iteration by (5). A step that fails is halved, five
// times at most. Residuals are in double, K of (2) in float: it only leads.
//
// What differs: the host's d has an error of 1e-3 in all directions, since its conjugate gradients are preconditioned
// by a factorization. Here they are preconditioned by diagonal blocks or by the multigrid, whose norm says little of
// soft directions, and so they go to 1e-5. Nothing is kept from step to step.
#pragma once

#include <algorithm>
#include <cmath>

#include "phiflex/cuda/stepper.h"

namespace phiflex::device {

// Squares in the norm of M, of d, w and v, and d'r.
struct NewtonSizes {
  const double *mass, *d, *w, *v, *r;
  PHIFLEX_HD Sums<4> operator()(int i) const {
    const double m = load(mass + i);
    const Vec3<double> di = load3(d, i), wi = load3(w, i), vi = load3(v, i);
    return {{m * dot(di, di), m * dot(wi, wi), m * dot(vi, vi), dot(di, load3(r, i))}};
  }
};

template <class BackEnd>
class NewtonStepper : Stepper<BackEnd> {
 public:
  using typename Stepper<BackEnd>::Array;

  explicit NewtonStepper(const StepperParts<BackEnd>& parts)
      : Stepper<BackEnd>(parts),
        at_(on_, all()),
        next_v_(on_, all()),
        w_(on_, all()),
        trial_(on_, all()),
        d_(on_, of_free()),
        f_(on_, of_free()),
        r_(on_, of_free()),
        r_trial_(on_, of_free()),
        position_floor_(kPositionFloor * parts.extent * std::sqrt(3 * free_mass(parts))) {
  }  // 3: of all coordinates

  // From x and v, of all vertices, to x and v; what it leaves there is of no use where it fails.
  DeviceStep step(double t, double h, const DeviceNewtonOptions& options, Array& x, Array& v) {
    options_ = options;
    x_ = &x;
    v_ = &v;
    report_ = {};
    at_.assign(x);  // the places of held vertices
    report_.status = advance_part(t, h, 0);
    return report_;
  }

 private:
  static constexpr int kMostHalvings = 5;       // integrate/halving.h
  static constexpr int kMostLineHalvings = 10;  // the next six: integrate/newton.cpp
  static constexpr double kContraction = 1e-3;  // of (5)
  static constexpr double kFirstTau = 0.1, kTauGrowth = 10, kLargestTau = 1e12;
  static constexpr double kPositionFloor = 1e-12;  // integrate/evaluate.h
  static constexpr double kLinearTolerance = 1e-5;
  static constexpr int kMostCgIterations = 20000;

  struct Products {
    double dr, rr;
    bool finite() const { return std::isfinite(rr); }
  };
  struct Direction {
    DeviceStatus status;
    bool raised;
  };

  // What integrate/halving.h does.
  DeviceStatus advance_part(double t, double h, int depth) {
    DeviceStatus status = advance(t, h);
    if (status == DeviceStatus::ok || !options_.halve_step || depth == kMostHalvings) return status;
    ++report_.halved_steps;
    status = advance_part(t, h / 2, depth + 1);
    return status == DeviceStatus::ok ? advance_part(t + h / 2, h / 2, depth + 1) : status;
  }

  // Changes x and v where it succeeds.
  DeviceStatus advance(double t, double h) {
    s_ = options_.midpoint ? h / 2 : h;
    if (const DeviceStatus status = solve(t); status != DeviceStatus::ok) return status;
    const double of_w = options_.midpoint ? 2 : 1, of_v = options_.midpoint ? -1 : 0;
    combine(1, *x_, h, w_, at_);
    combine(of_w, w_, of_v, *v_, next_v_);
    moved_.put_positions(t + h, at_.data());
    moved_.put_velocities(t + h, next_v_.data());
    const Sums<2> sizes = sum(SquaresOfTwo{at_.data(), next_v_.data()});
    if (!std::isfinite(sizes.e[0]) || !std::isfinite(sizes.e[1])) return DeviceStatus::not_finite;
    if (options_.midpoint) {
      body_.energy(at_.data(), sums_.data());
      if (!std::isfinite(sums_.first())) return DeviceStatus::not_finite;  // outside the domain
    }
    x_->swap(at_);
    v_->swap(next_v_);
    return DeviceStatus::ok;
  }

  // w_ solves (1).
  DeviceStatus solve(double t) {
    double size_before = 0;
    outside_ = loads_.at(t, s_);
    if (const DeviceStatus status = find_start(size_before); status != DeviceStatus::ok) return status;
    outside_ = loads_.at(t + s_);
    moved_.put_positions(t + s_, at_.data());
    for (Array* w : {&w_, &trial_}) moved_.put_velocities(t + s_, w->data());
    bool whole = true;
    if (const DeviceStatus status = begin_along_d(whole); status != DeviceStatus::ok) return status;
    if (!whole) size_before = 0;
    for (int iteration = 0;; ++iteration) {
      if (iteration == options_.newton_limit) return DeviceStatus::not_converged;
      ++report_.newton_iterations;
      const Direction direction = find_direction();
      if (direction.status != DeviceStatus::ok) return direction.status;
      const Sums<4> sizes = sum(NewtonSizes{mass_, d_.data(), w_.data(), v_->data(), r_.data()});
      const double size = std::sqrt(sizes.e[0]);
      if (!std::isfinite(size)) return DeviceStatus::not_finite;
      if (!direction.raised &&
          converged(size, size_before,
                    options_.newton_tolerance * (std::sqrt(sizes.e[1]) + std::sqrt(sizes.e[2])))) {
        combine(1, w_, 1, d_, w_);
        return DeviceStatus::ok;
      }
      if (const DeviceStatus status = advance_along_d(0.5 * std::abs(sizes.e[3]), whole);
          status != DeviceStatus::ok)
        return status;
      size_before = whole && !direction.raised ? size : 0;
    }
  }
  bool converged(double size, double size_before, double allowed) const {
    if (s_ * size <= position_floor_) return true;  // (6)
    const double theta = size < size_before ? size / size_before : 1;
    const double left = theta < 0.5 ? std::max(theta / (1 - theta), kContraction) : 1;
    return left * size <= allowed;  // (5)
  }

  // d_ = v + y/s by (3), and |y/s|_M.
  DeviceStatus find_start(double& size) {
    body_.force(x_->data(), f_.data());
    assemble(*x_, Curvature::exact);
    CgNumbers end = solve_for_start();
    if (end.status == CgNumbers::not_positive && may_project()) {
      assemble(*x_, Curvature::projected);
      end = solve_for_start();
    }
    double of_y = 1 / s_;
    if (end.status == CgNumbers::not_positive && options_.raise_diagonal)
      of_y = 0;  // raising needs an r
    else if (end.status != CgNumbers::converged)
      return status_of(end);
    combine(of_y, solver_.solution(), 0, v_->data(), d_.data());
    size = size_in_mass(d_.data());
    combine(1, d_, 1, *v_, d_);
    return DeviceStatus::ok;
  }
  CgNumbers solve_for_start() {
    body_.product(v_->data(), r_.data());
    on_.for_each(body_.free(),
                 SiRightSide{s_, outside_, mass_, f_.data(), v_->data(), r_.data(), solver_.right_side()});
    return run(1 / (s_ * s_));
  }

  // (2)
  Direction find_direction() {
    const double scale = 1 / (s_ * s_);
    place(w_);
    assemble(at_, Curvature::exact);
    CgNumbers end = solve_for_direction(scale, scale);
    if (end.status == CgNumbers::not_positive && may_project()) {
      assemble(at_, Curvature::projected);
      end = solve_for_direction(scale, scale);
    }
    double tau = 0;
    while (end.status == CgNumbers::not_positive && options_.raise_diagonal && tau < kLargestTau) {
      tau = tau > 0 ? kTauGrowth * tau : kFirstTau;
      ++report_.raised;
      end = solve_for_direction(scale, (1 + tau) * scale);
    }
    if (end.status != CgNumbers::converged) return {status_of(end), false};
    combine(1, solver_.solution(), 0, w_.data(), d_.data());
    return {DeviceStatus::ok, tau > 0};
  }
  CgNumbers solve_for_direction(double scale, double mass_scale) {
    combine(-scale, r_.data(), 0, r_.data(), solver_.right_side());
    return run(mass_scale);
  }
  CgNumbers run(double mass_scale) {
    const CgNumbers end = solver_.solve(mass_scale, kLinearTolerance, kMostCgIterations);
    report_.iterations += end.iterations;
    return end;
  }
  bool may_project() const { return options_.project_hessian && !options_.raise_diagonal; }
  void assemble(const Array& at, Curvature curvature) {
    ++report_.assemblies;
    report_.projected |= curvature == Curvature::projected;
    body_.assemble(at.data(), curvature, 1 / s_);
    solver_.matrix_changed(at.data(), s_);
  }
  static DeviceStatus status_of(const CgNumbers& end) {
    switch (end.status) {
      case CgNumbers::not_finite:
        return DeviceStatus::not_finite;
      case CgNumbers::not_positive:
        return DeviceStatus::not_positive_definite;
      default:
        return DeviceStatus::not_converged;
    }
  }

  // w_ = alpha d_. whole: alpha is 1.
  DeviceStatus begin_along_d(bool& whole) {
    double alpha = 1;
    for (int halving = 0; halving <= kMostLineHalvings; ++halving, alpha /= 2) {
      if (halving > 0) ++report_.line_search_steps;
      combine(alpha, d_, 0, d_, trial_);
      if (evaluate_trial().finite()) return take_trial(alpha, whole);
    }
    return DeviceStatus::not_finite;
  }
  // w_ += alpha d_ by (4).
  DeviceStatus advance_along_d(double slope_limit, bool& whole) {
    bool finite = false;
    double alpha = 1;
    for (int halving = 0; halving <= kMostLineHalvings; ++halving, alpha /= 2) {
      if (halving > 0) ++report_.line_search_steps;
      combine(1, w_, alpha, d_, trial_);
      const Products products = evaluate_trial();
      finite = products.finite();
      if (finite && products.dr <= slope_limit) return take_trial(alpha, whole);
    }
    return finite ? DeviceStatus::not_converged : DeviceStatus::not_finite;
  }
  DeviceStatus take_trial(double alpha, bool& whole) {
    whole = alpha == 1;
    w_.swap(trial_);
    r_.swap(r_trial_);
    return DeviceStatus::ok;
  }
  // r_trial_ at trial_.
  Products evaluate_trial() {
    place(trial_);
    body_.stage_residual(at_.data(), s_, outside_, mass_, v_->data(), trial_.data(), d_.data(),
                         r_trial_.data(), sums_.data());
    const Sums<2> sums = this->template read_sums<2>();
    return {sums.e[0], sums.e[1]};
  }

  // at_ = x + s w
  void place(const Array& w) { combine(1, *x_, s_, w, at_); }

  using Stepper<BackEnd>::all, Stepper<BackEnd>::of_free, Stepper<BackEnd>::sum, Stepper<BackEnd>::combine,
      Stepper<BackEnd>::size_in_mass;
  using Stepper<BackEnd>::on_, Stepper<BackEnd>::body_, Stepper<BackEnd>::mass_, Stepper<BackEnd>::loads_,
      Stepper<BackEnd>::moved_, Stepper<BackEnd>::solver_, Stepper<BackEnd>::sums_;
  Array at_, next_v_, w_, trial_, d_, f_, r_, r_trial_;  // of held vertices: their velocities
  double position_floor_;
  // Of the step under way.
  DeviceNewtonOptions options_;
  Array *x_ = nullptr, *v_ = nullptr;
  double s_ = 0;
  Outside outside_{};
  DeviceStep report_;
};

}  // namespace phiflex::device
