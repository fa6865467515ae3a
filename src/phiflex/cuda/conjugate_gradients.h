// Conjugate gradients for A x = b, A = s M + K, on a device, preconditioned by B, the inverse of A's diagonal blocks or
// a cycle of the multigrid (multigrid.h), with one reduction in an iteration:
//
//   u = B r,   w = A u,   gamma = r.u,   delta = w.u                                                      (1)
//   beta = gamma/gamma_-,   alpha = gamma/(delta - beta gamma/alpha_-)       (0 and gamma/delta at first)   (2)
//   p = u + beta p,   z = w + beta z,   x += alpha p,   r -= alpha z                                      (3)
//
// until gamma <= tolerance^2 gamma_0. Chronopoulos, Gear, s-step iterative methods for symmetric linear systems (1989).
// The multigrid costs five to seven times as much in an iteration, and a setup: by itself it is taken for long steps
// only, where
//
//   |M^-1 K|_rest > 20^2 s                                                                                (4)
//
// which of em, at s = 4/h^2, are substeps with h w_max above some 40. The choice depends on s alone, so that a restart
// repeats it.
// The tangent of em (em_kernels.h) is not symmetric. For it stabilized bi-conjugate gradients, with q.r = sum of q_i
// r_i/m_i,
//
//   u = B p,   v = A u,   alpha = rho/(r_0.v),   x += alpha u,   r -= alpha v                              (5)
//   u = B r,   t = A u,   omega = t.r/t.t,       x += omega u,   r -= omega t
//   rho' = r_0.r,   beta = rho'/rho alpha/omega,   p = r + beta (p - omega v)
//
// until r.r <= tolerance^2 r_0.r_0: two products in an iteration, and so two cycles of the multigrid. van der Vorst,
// Bi-CGSTAB (1992).
//
// B and u are in float, which makes B another preconditioner, a positive one too; everything else is in double. The
// numbers of (2) stay on the device: the host looks at their status once in kRounds iterations, or kCycles with the
// multigrid.
#pragma once

#include <limits>
#include <memory>

#include "phiflex/cuda/multigrid.h"

namespace phiflex::device {

// (1 + time alpha) m
struct MassWithDrag {
  double time;
  const double *mass, *alpha;
  double* sum;
  PHIFLEX_HD void operator()(int i) const { sum[i] = (1 + time * load(alpha + i)) * load(mass + i); }
};

template <class BackEnd>
class ConjugateGradients {
 public:
  static constexpr int kRounds = 16, kCycles = 4;

  // mass, alpha: of each free vertex; alpha null: no drag. All are referred to.
  ConjugateGradients(TetBody<BackEnd>& body, const double* mass, const double* alpha)
      : on_(body.back_end()),
        body_(body),
        given_mass_(mass),
        alpha_(alpha),
        with_drag_(on_, alpha ? std::size_t(body.free()) : 0),
        mass_(alpha ? with_drag_.data() : mass),
        numbers_(on_, 1),
        inverse_(on_, 2 * std::size_t(body.free())),
        u_(on_, std::size_t(body.vertices())),
        x_(on_, size()),
        r_(on_, size()),
        p_(on_, size()),
        z_(on_, size()),
        w_(on_, size()) {
    if (body.has_levels())
      levels_ = std::make_unique<Multigrid<BackEnd>>(
          body, FineMatrix{body.K(), mass_, numbers_.data(), inverse_.data()});
  }

  // |M^-1 K| at rest, 1/s^2, for (4). Without it the multigrid is taken whenever the body has one.
  void choose_by(double stiffness) { stiffness_ = stiffness; }

  // K has changed, and the body is at x; the M of A is (1 + time alpha) M.
  void matrix_changed(const double* x, double time = 0) {
    if (alpha_) on_.for_each(body_.free(), MassWithDrag{time, given_mass_, alpha_, with_drag_.data()});
    if (levels_) levels_->set_positions(x);
    stale_ = true;
  }
  double* right_side() { return r_.data(); }  // b; the solve overwrites it
  const double* solution() const { return x_.data(); }

  // What stands in the place of the multigrid's coarse matrices may stay while the body moves little: the next matrix
  // leaves them as they are.
  void keep_levels() { keeps_levels_ = true; }
  // Memory of solve_stabilized().
  void reserve_stabilized() {
    if (!shadow_) shadow_ = std::make_unique<DeviceArray<BackEnd, double>>(on_, size());
  }

  // (5), with K as it is assembled now. limit: of iterations with the diagonal blocks; a quarter with the multigrid.
  CgNumbers solve_stabilized(double mass_scale, double tolerance, int limit) {
    reserve_stabilized();
    const bool with_levels = prepare(mass_scale, tolerance, takes_levels(mass_scale) ? limit / 4 : limit);
    on_.template sum<1>(
        body_.free(),
        StartStabilized{inverse_.data(), mass_, r_.data(), x_.data(), shadow_->data(), p_.data(), u_.data()},
        StartStabilizedNumbers{numbers_.data()});
    CgNumbers numbers;
    do {
      (with_levels ? stabilized_cycles_ : stabilized_rounds_).run(on_, [&] {
        for (int k = 0; k < (with_levels ? kCycles : kRounds) / 4; ++k) iterate_stabilized(with_levels);
      });
      numbers = numbers_.first();
    } while (numbers.status == CgNumbers::going);
    return numbers;
  }

  // With K as it is assembled now.
  CgNumbers solve(double mass_scale, double tolerance, int limit) {
    const bool with_levels = prepare(mass_scale, tolerance, limit);
    on_.for_each(body_.free(),
                 StartCg{inverse_.data(), x_.data(), r_.data(), p_.data(), z_.data(), u_.data()});
    if (with_levels) levels_->apply(r_.data(), u_.data());
    CgNumbers numbers;
    do {
      (with_levels ? cycles_ : rounds_).run(on_, [&] {
        for (int k = 0; k < (with_levels ? kCycles : kRounds); ++k) iterate(with_levels);
      });
      numbers = numbers_.first();
    } while (numbers.status == CgNumbers::going);
    return numbers;
  }

 private:
  static constexpr double kLongStep = 20;

  bool takes_levels(double mass_scale) const {
    return levels_ && stiffness_ > kLongStep * kLongStep * mass_scale;  // (4)
  }
  // The numbers and the preconditioner; whether that is the multigrid.
  bool prepare(double mass_scale, double tolerance, int limit) {
    const CgNumbers start{.alpha = 0,
                          .beta = 0,
                          .gamma = 0,
                          .gamma_start = 0,
                          .tolerance2 = tolerance * tolerance,
                          .mass_scale = mass_scale,
                          .iterations = 0,
                          .limit = limit,
                          .status = CgNumbers::going};
    on_.for_each(1, StartNumbers{start, numbers_.data()});  // a copy from the host would wait
    const bool with_levels = takes_levels(mass_scale);
    if (stale_ || mass_scale != mass_scale_) {
      on_.for_each(body_.free(), InvertDiagonal{body_.K(), mass_, mass_scale, inverse_.data()});
      if (with_levels && !(keeps_levels_ && mass_scale == scale_of_levels_)) {
        levels_->refresh(mass_scale);
        scale_of_levels_ = mass_scale;
      }
      stale_ = keeps_levels_ = false;
      mass_scale_ = mass_scale;
    }
    return with_levels;
  }
  void iterate_stabilized(bool with_levels) {
    constexpr int lanes = TetBody<BackEnd>::kRowLanes;
    const StabilizedProduct<lanes> A{body_.K(), mass_, numbers_.data(), u_.data()};
    if (with_levels) levels_->apply(p_.data(), u_.data());
    on_.template sum_groups<lanes, 1>(body_.free(), FirstStabilized<lanes>{A, shadow_->data(), z_.data()},
                                      FirstStabilizedNumbers{numbers_.data()});
    on_.for_each(body_.free(), HalfStabilized{numbers_.data(), inverse_.data(), z_.data(), x_.data(),
                                              r_.data(), u_.data()});
    if (with_levels) levels_->apply(r_.data(), u_.data());
    on_.template sum_groups<lanes, 5>(body_.free(),
                                      SecondStabilized<lanes>{A, shadow_->data(), r_.data(), w_.data()},
                                      SecondStabilizedNumbers{numbers_.data()});
    on_.for_each(body_.free(), UpdateStabilized{numbers_.data(), inverse_.data(), z_.data(), w_.data(),
                                                x_.data(), r_.data(), p_.data(), u_.data()});
  }
  void iterate(bool with_levels) {
    constexpr int lanes = TetBody<BackEnd>::kRowLanes;
    on_.template sum_groups<lanes, 2>(
        body_.free(), CgProduct<lanes>{body_.K(), mass_, numbers_.data(), u_.data(), r_.data(), w_.data()},
        CgScalars{numbers_.data()});
    on_.for_each(body_.free(), CgUpdate{numbers_.data(), inverse_.data(), x_.data(), r_.data(), p_.data(),
                                        z_.data(), w_.data(), u_.data()});
    if (with_levels) levels_->apply(r_.data(), u_.data());
  }
  std::size_t size() const { return 3 * std::size_t(body_.free()); }

  BackEnd& on_;
  TetBody<BackEnd>& body_;
  const double *given_mass_, *alpha_;
  DeviceArray<BackEnd, double> with_drag_;
  const double* mass_;
  DeviceArray<BackEnd, CgNumbers> numbers_;
  DeviceArray<BackEnd, Float4> inverse_, u_;  // u of held vertices stays 0
  DeviceArray<BackEnd, double> x_, r_, p_, z_, w_;
  std::unique_ptr<Multigrid<BackEnd>> levels_;            // null: B is the inverse of the diagonal blocks
  std::unique_ptr<DeviceArray<BackEnd, double>> shadow_;  // r_0 of (5)
  bool stale_ = true, keeps_levels_ = false;
  double mass_scale_ = 0, scale_of_levels_ = 0, stiffness_ = std::numeric_limits<double>::infinity();
  typename BackEnd::Recording rounds_, cycles_, stabilized_rounds_, stabilized_cycles_;
};

}  // namespace phiflex::device
