// The energy-momentum step on a device. With w the mean velocity of a step of length h,
//
//   r(w) = M (w - v) - h/2 (f_em(x, x + h w) + M gravity) = 0,   x+ = x + h w,   v+ = 2 w - v             (1)
//   d = -(M + h^2/4 K)^-1 r,   w <- w + d                                                                (2)
//
// This is Newton's method: K is the tangent of f_em (em_kernels.h), which is not symmetric; with its symmetric part alone the
// iteration slows down where elements turn far in a step. (2) is solved to kForcing by stabilized bi-conjugate gradients, and
// d is halved until r'M^-1 r falls. K is made anew for each iteration but after small updates that took r down; the coarse
// matrices of the multigrid are those of the step's first K. Where the solve breaks down, the projected stiffness at x + h w
// takes the place of K. The start is the best of v, w_(n-1) and 2 w_(n-1) - w_(n-2); iterates stop by the tests of
// integrate/em_solver.h:
//
//   |d|_M <= tol (|w - v|_M + 0.01 |w|_M)   and   2 |w'r| <= etol (w'M w + 1e-8 largest so far)           (3)
//   or  h |d|_M <= 1e-12 extent sqrt(sum of masses)  and the second of (3) holds, or d no longer falls    (4)
//   w + beta dw,   beta = -w'r/(dw'r + w'dr),   |beta| <= 1/2:   takes out what is left of 2 w'r          (5)
//
// or, without another solve, where the next d is foreseen to meet them with half to spare:
//
//   |d_next| = |d| max(|r_next|/|r|, kForcing)                                                            (6)
//
// What differs from there: the matrix, which costs less here than a few iterations. A step is divided by how fast the elements
// turn and strain (integrate/substep_control.h, (1)); one that does not converge is halved, five times at most, and then has
// failed: there is no other method behind it. Steps after a halved one begin at the length that converged, and come back by a
// factor of two after four steps. The rigid part of (1) of a body without held vertices is taken out at the end; its turning
// only for laws whose force has no torque (material/two_state.h: no chords).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "phiflex/cuda/conjugate_gradients.h"
#include "phiflex/cuda/vector_kernels.h"

namespace phiflex::device {

// (w - t)'r and w's, the products of (5); t, s: the iterate before and its residual.
struct SecantProducts {
  const double *w, *t, *r, *s;
  PHIFLEX_HD Sums<2> operator()(int i) const {
    const Vec3<double> wi = load3(w, i);
    return {{dot(wi - load3(t, i), load3(r, i)), dot(wi, load3(s, i))}};
  }
};
// x += h w, v = 2 w - v; twice the kinetic energy of v.
struct EmUpdate {
  double h;
  const double *mass, *w;
  double *x, *v;
  PHIFLEX_HD Sums<1> operator()(int i) const {
    Vec3<double> next;
    for (int k = 0; k < 3; ++k) {
      const std::size_t q = 3 * static_cast<std::size_t>(i) + std::size_t(k);
      x[q] += h * w[q];
      next[k] = v[q] = 2 * w[q] - v[q];
    }
    return {{load(mass + i) * dot(next, next)}};
  }
};
// Of a body that is free, with y = x + h/2 w the middle of the step and p = m (w - v - h/2 gravity): sums of p and m y.
struct RigidMomentum {
  double h;
  Vec3<double> gravity;
  const double *mass, *x, *v, *w;
  PHIFLEX_HD Vec3<double> middle(int i) const { return load3(x, i) + (0.5 * h) * load3(w, i); }
  PHIFLEX_HD Vec3<double> momentum(int i) const {
    return load(mass + i) * (load3(w, i) - load3(v, i) - (0.5 * h) * gravity);
  }
  PHIFLEX_HD Sums<6> operator()(int i) const {
    const Vec3<double> p = momentum(i), my = load(mass + i) * middle(i);
    return {{p[0], p[1], p[2], my[0], my[1], my[2]}};
  }
};
// The torque of p about c, and the entries of m (|y - c|^2 1 - (y - c)(y - c)') in the order of Sym3; the last of them is
// the sum's second part.
struct RigidTorque {
  RigidMomentum of;
  Vec3<double> c;
  PHIFLEX_HD Sums<8> operator()(int i) const {
    const Vec3<double> y = of.middle(i) - c, torque = cross(y, of.momentum(i));
    const double m = load(of.mass + i);
    return {{torque[0], torque[1], torque[2], m * y[0] * y[0], m * y[1] * y[1], m * y[2] * y[2],
             m * y[1] * y[2], m * y[0] * y[2]}};
  }
};
struct RigidLastProduct {
  RigidMomentum of;
  Vec3<double> c;
  PHIFLEX_HD Sums<1> operator()(int i) const {
    const Vec3<double> y = of.middle(i) - c;
    return {{load(of.mass + i) * y[0] * y[1]}};
  }
};
// w -= a + omega x (y - c), which must not change y under way: x and w of a vertex are its own.
struct RemoveRigid {
  double h;
  Vec3<double> a, omega, c;
  const double* x;
  double* w;
  PHIFLEX_HD void operator()(int i) const {
    const Vec3<double> own = {w[3 * std::size_t(i)], w[3 * std::size_t(i) + 1], w[3 * std::size_t(i) + 2]};
    const Vec3<double> y = load3(x, i) + (0.5 * h) * own - c;
    store3(w, i, own - a - cross(omega, y));
  }
};

template <class BackEnd>
class EmStepper {
 public:
  using Array = DeviceArray<BackEnd, double>;

  // mass: of each vertex. extent: of the body at rest, m. All are referred to.
  EmStepper(TetBody<BackEnd>& body, const Array& mass, const Vec3<double>& gravity, double extent,
            ConjugateGradients<BackEnd>& solver)
      : on_(body.back_end()),
        body_(body),
        mass_(mass.data()),
        gravity_(gravity),
        solver_(solver),
        psi_(on_, std::size_t(body.tets())),
        w_(on_, all()),
        trial_(on_, all()),
        result_(on_, all()),
        last_w_(on_, all()),
        last_w_before_(on_, all()),
        place_(on_, all()),
        r_(on_, of_free()),
        r_trial_(on_, of_free()),
        sums_(on_, kMostSums) {
    std::vector<double> masses(mass.size());
    mass.read(masses);
    for (int i = 0; i < body.free(); ++i) total_mass_ += masses[std::size_t(i)];
    position_floor_ = kPositionFloor * extent * std::sqrt(total_mass_);
  }

  // The state is another than the last step led to.
  void forget() {
    known_ = 0;
    has_strain_ = false;
  }

  // Takes the memory of the dial where there will be one.
  void reserve(const DeviceEmOptions& options) {
    if (options.dissipation != 1 && !strain_)
      strain_ = std::make_unique<Array>(on_, 6 * std::size_t(body_.tets()));
    body_.reserve_two_state();
    solver_.reserve_stabilized();
  }

  // What is kept from step to step, at the end of `numbers`.
  void save(std::vector<double>& numbers) const {
    numbers.insert(numbers.end(), {double(known_), length_, largest_energy_, double(has_strain_),
                                   double(chosen_), double(level_), double(rests_)});
    append(last_w_, of_free(), numbers);
    append(last_w_before_, of_free(), numbers);
    if (has_strain_) append(*strain_, strain_->size(), numbers);
  }
  // False: they are not what save() puts there.
  bool restore(std::span<const double> numbers) {
    constexpr std::size_t heads = 7;
    if (numbers.size() < heads + 2 * of_free()) return false;
    const auto whole = [&](std::size_t k, int low, int high) {
      return numbers[k] >= low && numbers[k] <= high && numbers[k] == std::floor(numbers[k]);
    };
    if (!whole(0, 0, 2) || !(numbers[1] >= 0) || !(numbers[2] >= 0) || !whole(3, 0, 1) ||
        !whole(4, 1, kMostSubsteps) || !whole(5, 0, kMostHalvings) || !whole(6, 0, kRests))
      return false;
    const bool has_strain = numbers[3] == 1;
    const std::size_t strains = has_strain ? 6 * std::size_t(body_.tets()) : 0;
    if (numbers.size() != heads + 2 * of_free() + strains) return false;
    known_ = int(numbers[0]);
    length_ = numbers[1];
    largest_energy_ = numbers[2];
    has_strain_ = has_strain;
    chosen_ = int(numbers[4]);
    level_ = int(numbers[5]);
    rests_ = int(numbers[6]);
    last_w_.write(numbers.subspan(heads, of_free()));
    last_w_before_.write(numbers.subspan(heads + of_free(), of_free()));
    if (has_strain) {
      if (!strain_) strain_ = std::make_unique<Array>(on_, strains);
      strain_->write(numbers.subspan(heads + 2 * of_free()));
    }
    return true;
  }

  // From x and v, of all vertices, to x and v; what it leaves there is of no use where it fails.
  DeviceStep step(double h, const DeviceEmOptions& options, Array& x, Array& v) {
    options_ = options;
    const double rho = options.dissipation;
    chi_ = rho * (1 - rho) / (2 * (1 + rho) * (1 + rho));
    reserve(options);
    x_ = &x;
    v_ = &v;
    report_ = {};
    deepest_ = 0;
    has_levels_ = false;
    const int asked = options.substeps > 0 ? options.substeps : choose_substeps(h);
    const int parts = asked << level_;
    report_.substeps = parts;
    for (int k = 0; k < parts && report_.status == DeviceStatus::ok; ++k)
      report_.status = advance_part(h / parts, level_);
    if (report_.status != DeviceStatus::ok) {
      forget();
      return report_;
    }
    settle_level();
    if (chi_ != 0) {
      body_.dial_energy(strain_->data(), sums_.data());
      report_.modified_energy = 0.5 * chi_ * sums_.first();
    }
    return report_;
  }

 private:
  static constexpr int kMostIterations = 30, kMostStabilized = 400;
  static constexpr int kMostHalvings = 5, kMostDrawnBack = 10, kRests = 4, kMostSubsteps = 64;
  static constexpr int kMostCgIterations = 5000;
  static constexpr double kForcing = 0.1, kWorthwhile = 0.1, kDescent = 2e-4, kSmall = 0.1, kFast = 0.5;
  static constexpr double kQuiet = 0.01, kEnergyFloor = 1e-8, kPositionFloor = 1e-12;
  static constexpr double kLargestBeta = 0.5, kUncorrected = 0.1;
  static constexpr double kTurn = 0.45, kStrain = 0.4, kEnough = 0.7,
                          kFastPart = 0.1;  // of substep_control.h
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  // The sums of EmResidual.
  struct Residual {
    double wr, wMw, change, rr;
    bool finite() const { return std::isfinite(rr); }
  };

  int choose_substeps(double h) {
    for (;;) {
      const double limits[2] = {kEnough * chosen_ / 2, double(chosen_)};
      body_.rate_counts(x_->data(), v_->data(), h, kTurn, kStrain, limits, sums_.data());
      double counts[kMostSums];
      sums_.read(counts);
      const auto asks_for_more = [&](int k) {
        return std::max(counts[k], counts[2 + k]) > kFastPart * body_.tets();
      };
      if (chosen_ > 1 && !asks_for_more(0))
        chosen_ /= 2;
      else if (chosen_ < kMostSubsteps && asks_for_more(1))
        chosen_ *= 2;
      else
        return chosen_;
    }
  }
  void settle_level() {
    if (deepest_ > level_) {
      level_ = deepest_;
      rests_ = 0;
    } else if (level_ > 0 && ++rests_ == kRests) {
      --level_;
      rests_ = 0;
    }
  }

  DeviceStatus advance_part(double h, int depth) {
    DeviceStatus status = advance(h);
    if (status == DeviceStatus::ok) {
      deepest_ = std::max(deepest_, depth);
      return status;
    }
    if (depth == kMostHalvings) return status;
    ++report_.halved_steps;
    status = advance_part(h / 2, depth + 1);
    return status == DeviceStatus::ok ? advance_part(h / 2, depth + 1) : status;
  }

  DeviceStatus advance(double h) {
    h_ = h;
    ratio_ = std::min(1.0, h / length_);
    body_.start_densities(x_->data(), psi_.data());
    DeviceStatus status = start(h);
    if (status == DeviceStatus::ok) status = iterate();
    if (status != DeviceStatus::ok) return status;
    remove_rigid_part();
    on_.template sum<1>(body_.free(), SquareInMass{mass_, result_.data()}, StoreSums<1>{sums_.data()});
    if (!std::isfinite(sums_.first())) return DeviceStatus::not_finite;
    if (chi_ != 0) body_.strain_change(x_->data(), result_.data(), h, strain_->data());
    has_strain_ = chi_ != 0;
    on_.template sum<1>(body_.free(), EmUpdate{h, mass_, result_.data(), x_->data(), v_->data()},
                        StoreSums<1>{sums_.data()});
    largest_energy_ = std::max(largest_energy_, 0.5 * sums_.first());
    known_ = length_ == h ? std::min(known_ + 1, 2) : 1;
    length_ = h;
    last_w_before_.swap(last_w_);
    last_w_.assign(result_);
    return DeviceStatus::ok;
  }

  // result_ solves (1).
  DeviceStatus iterate() {
    double size_before = kInfinity;
    bool stays = false;
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      ++report_.newton_iterations;
      if (!stays) assemble();
      if (const DeviceStatus status = find_direction(); status != DeviceStatus::ok) return status;
      const double size = size_of_direction();
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
      if (k > 0) ++report_.line_search_steps;
      on_.for_each(body_.free(), Combine{1, part, w_.data(), solver_.solution(), trial_.data()});
      const Residual found = evaluate(trial_, r_trial_);
      if (!found.finite() || !(found.rr <= (1 - kDescent * part) * residual)) continue;
      take(found);
      return true;
    }
    return false;
  }

  // The guess whose residual is the smallest: the velocity, the mean velocity of the step before, and where two steps are known
  // the line through both. Where none is inside the domain: part of the velocity; w = 0 is inside if x is.
  DeviceStatus start(double h) {
    double least = kInfinity;
    const auto consider = [&] {
      const Residual found = evaluate(trial_, r_trial_);
      if (!found.finite() || !(found.rr < least)) return;
      least = found.rr;
      take(found);
    };
    trial_.assign(*v_);
    consider();
    if (known_ > 0) {
      combine(1, last_w_, 0, last_w_, trial_);
      consider();
    }
    if (known_ == 2 && length_ == h) {
      combine(2, last_w_, -1, last_w_before_, trial_);
      consider();
    }
    if (least < kInfinity) return DeviceStatus::ok;
    trial_.assign(*v_);
    for (int k = 0; k < kMostDrawnBack; ++k) {
      ++report_.line_search_steps;
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
    body_.em_residual(view(w), gravity_, mass_, v_->data(), r.data(), sums_.data());
    double sums[kMostSums];
    sums_.read(sums);
    return {sums[0], sums[1], sums[2], sums[3]};
  }
  TwoStateView view(const Array& w) const {
    return {.x = x_->data(),
            .w = w.data(),
            .h = h_,
            .psi = psi_.data(),
            .rest = nullptr,
            .chi = chi_,
            .ratio = ratio_,
            .before = chi_ != 0 && has_strain_ ? strain_->data() : nullptr};
  }

  void assemble() {
    ++report_.assemblies;
    body_.assemble_two_state(view(w_));
    place_on_way(0.5);
    solver_.matrix_changed(place_.data());
    if (has_levels_) solver_.keep_levels();
    has_levels_ = true;
  }
  void assemble_projected() {
    ++report_.assemblies;
    report_.projected = true;
    place_on_way(1);
    body_.assemble(place_.data(), Curvature::projected);
    solver_.matrix_changed(place_.data());
    has_levels_ = false;
  }
  // place_ = x + part h w
  void place_on_way(double part) {
    place_.assign(*x_);
    combine(1, place_, part * h_, w_, place_);
  }
  // (2); d is the solver's solution.
  DeviceStatus find_direction() {
    const double scale = 4 / (h_ * h_);
    const auto set_right_side = [&] {
      on_.for_each(body_.free(), Combine{-scale, 0, r_.data(), r_.data(), solver_.right_side()});
    };
    set_right_side();
    CgNumbers end = solver_.solve_stabilized(scale, kForcing, kMostStabilized);
    report_.iterations += 2 * end.iterations;  // of two products each
    if (end.status == CgNumbers::converged) return DeviceStatus::ok;
    if (end.status == CgNumbers::out_of_iterations && end.left <= kWorthwhile * end.gamma_start)
      return DeviceStatus::ok;
    assemble_projected();
    set_right_side();
    end = solver_.solve(scale, kForcing, kMostCgIterations);
    report_.iterations += end.iterations;
    if (end.status == CgNumbers::not_finite) return DeviceStatus::not_finite;
    return end.status == CgNumbers::not_positive ? DeviceStatus::not_positive_definite : DeviceStatus::ok;
  }
  double size_of_direction() {
    on_.template sum<1>(body_.free(), SquareInMass{mass_, solver_.solution()}, StoreSums<1>{sums_.data()});
    return std::sqrt(sums_.first());
  }

  bool converged(double size, double size_before) const {
    const bool energy = energy_error() <= 1;
    if (h_ * size <= position_floor_) return energy || size > size_before / 2;  // (4)
    return energy &&
           size <= options_.em_tolerance * (std::sqrt(now_.change) + kQuiet * std::sqrt(now_.wMw));  // (3)
  }
  double energy_error() const { return energy_error(now_); }
  double energy_error(const Residual& at) const {
    const double allowed = options_.energy_tolerance * (at.wMw + kEnergyFloor * largest_energy_);
    const double error = 2 * std::abs(at.wr);
    return error > 0 ? error / allowed : 0;
  }
  // (5); the iterate before, and its r, are in trial_ and r_trial_.
  bool follow_secant() {
    on_.template sum<2>(body_.free(), SecantProducts{w_.data(), trial_.data(), r_.data(), r_trial_.data()},
                        StoreSums<2>{sums_.data()});
    double sums[kMostSums];
    sums_.read(sums);
    const double beta = -now_.wr / (sums[0] + now_.wr - sums[1]);
    if (!(std::abs(beta) <= kLargestBeta)) return false;
    combine(1 + beta, w_, -beta, trial_, result_);
    return true;
  }
  void correct_by_another_iterate() {
    const double error = energy_error();
    on_.for_each(body_.free(), Combine{1, 1, w_.data(), solver_.solution(), trial_.data()});
    if (!take_trial() || !(energy_error() < error)) return;
    result_.assign(w_);
    follow_secant();
  }

  // Internal forces have no resultant, and no torque about the middle of the step.
  void remove_rigid_part() {
    if (body_.free() != body_.vertices()) return;
    constexpr int kRepeats = 2;  // each changes the middle that the next one takes
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      const RigidMomentum momentum{h_, gravity_, mass_, x_->data(), v_->data(), result_.data()};
      double sums[kMostSums];
      on_.template sum<6>(body_.free(), momentum, StoreSums<6>{sums_.data()});
      sums_.read(sums);
      const double part = 1 / total_mass_;
      const Vec3<double> a = part * Vec3<double>{sums[0], sums[1], sums[2]},
                         c = part * Vec3<double>{sums[3], sums[4], sums[5]};
      Vec3<double> omega = {0.0, 0.0, 0.0};
      if (!body_.turns_bodies()) omega = rigid_turning(momentum, c);
      on_.for_each(body_.free(), RemoveRigid{h_, a, omega, c, x_->data(), result_.data()});
    }
  }
  // I omega = torque.
  Vec3<double> rigid_turning(const RigidMomentum& momentum, const Vec3<double>& c) {
    double sums[kMostSums];
    on_.template sum<8>(body_.free(), RigidTorque{momentum, c}, StoreSums<8>{sums_.data()});
    sums_.read(sums);
    on_.template sum<1>(body_.free(), RigidLastProduct{momentum, c}, StoreSums<1>{sums_.data()});
    const double xx = sums[3], yy = sums[4], zz = sums[5], yz = sums[6], xz = sums[7], xy = sums_.first();
    const Mat3<double> I = {yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy};
    return inverse(I) * Vec3<double>{sums[0], sums[1], sums[2]};
  }

  static void append(const Array& array, std::size_t count, std::vector<double>& numbers) {
    const std::size_t before = numbers.size();
    numbers.resize(before + count);
    array.read(std::span(numbers).subspan(before));
  }
  // y = a x + b z of the free vertices.
  void combine(double a, const Array& x, double b, const Array& z, Array& y) {
    on_.for_each(body_.free(), Combine{a, b, x.data(), z.data(), y.data()});
  }
  std::size_t all() const { return 3 * std::size_t(body_.vertices()); }
  std::size_t of_free() const { return 3 * std::size_t(body_.free()); }

  BackEnd& on_;
  TetBody<BackEnd>& body_;
  const double* mass_;
  Vec3<double> gravity_;
  ConjugateGradients<BackEnd>& solver_;
  Array psi_, w_, trial_, result_, last_w_, last_w_before_, place_, r_, r_trial_, sums_;
  std::unique_ptr<Array> strain_;  // the dial's memory; null where it was never used
  double total_mass_ = 0, position_floor_ = 0;
  // Kept from step to step.
  int known_ = 0;  // how many of last_w_ and last_w_before_ are of steps of length_
  double length_ = 0, largest_energy_ = 0;
  bool has_strain_ = false;
  int chosen_ = 1, level_ = 0, rests_ = 0;
  // Of the step under way.
  DeviceEmOptions options_;
  Array *x_ = nullptr, *v_ = nullptr;
  double h_ = 0, chi_ = 0, ratio_ = 1;
  int deepest_ = 0;
  bool has_levels_ = false;  // of this step
  Residual now_{};
  DeviceStep report_;
};

}  // namespace phiflex::device
