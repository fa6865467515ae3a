// The energy-momentum step on a device,
//
//   M (w - v) = h/2 (f_em(x, x + h w) + load - alpha M w + M gravity),   x+ = x + h w,   v+ = 2 w - v     (1)
//
// in substeps (em_solver.h), divided by how fast the elements turn and strain (integrate/substep_control.h, (1)). One
// that does not converge is halved, five times at most, and then has failed: there is no other method behind it. Steps
// after a halved one begin at the length that converged, and come back by a factor of two after four steps. Guesses of
// w: v, w_(n-1) and 2 w_(n-1) - w_(n-2). The rigid part of (1) of a body without held vertices is taken out at the end;
// its turning only for laws whose force has no torque (material/two_state.h: no chords).
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "phiflex/cuda/em_solver.h"
#include "phiflex/cuda/rigid_part.h"

namespace phiflex::device {

// x += h w, v = 2 w - v; twice the kinetic energy of v, and the powers of the load and of the drag.
struct EmUpdate {
  double h;
  Outside outside;
  const double *mass, *w;
  double *x, *v;
  PHIFLEX_HD Sums<3> operator()(int i) const {
    Vec3<double> next;
    for (int k = 0; k < 3; ++k) {
      const std::size_t q = 3 * static_cast<std::size_t>(i) + std::size_t(k);
      x[q] += h * w[q];
      next[k] = v[q] = 2 * w[q] - v[q];
    }
    const double m = load(mass + i);
    const Vec3<double> wi = load3(w, i);
    return {{m * dot(next, next), outside.load ? dot(wi, load3(outside.load, i)) : 0.0,
             outside.alpha ? load(outside.alpha + i) * m * dot(wi, wi) : 0.0}};
  }
};

template <class BackEnd>
class EmStepper : Stepper<BackEnd> {
 public:
  using typename Stepper<BackEnd>::Array;

  explicit EmStepper(const StepperParts<BackEnd>& parts)
      : Stepper<BackEnd>(parts),
        solution_(parts),
        last_w_(on_, all()),
        last_w_before_(on_, all()),
        total_mass_(free_mass(parts)) {}

  // The state is another than the last step led to.
  void forget() {
    known_ = 0;
    has_strain_ = false;
  }

  // Takes the memory of the dial where there will be one.
  void reserve(const DeviceEmOptions& options) {
    if ((options.dissipation != 1 || body_.has_damping()) && !strain_)
      strain_ = std::make_unique<Array>(on_, 6 * std::size_t(body_.tets()));
    solution_.reserve();
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
  DeviceStep step(double t, double h, const DeviceEmOptions& options, Array& x, Array& v) {
    const double rho = options.dissipation;
    chi_ = rho * (1 - rho) / (2 * (1 + rho) * (1 + rho));
    reserve(options);
    x_ = &x;
    v_ = &v;
    report_ = {};
    deepest_ = 0;
    solution_.begin(options, report_);
    const int asked = options.substeps > 0 ? options.substeps : choose_substeps(h);
    const int parts = asked << level_;
    report_.substeps = parts;
    for (int k = 0; k < parts && report_.status == DeviceStatus::ok; ++k)
      report_.status = advance_part(t + k * (h / parts), h / parts, level_);
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
  static constexpr int kMostHalvings = 5, kRests = 4, kMostSubsteps = 64;
  static constexpr double kTurn = 0.45, kStrain = 0.4, kEnough = 0.7,
                          kFastPart = 0.1;  // of substep_control.h

  int choose_substeps(double h) {
    for (;;) {
      const double limits[2] = {kEnough * chosen_ / 2, double(chosen_)};
      body_.rate_counts(x_->data(), v_->data(), h, kTurn, kStrain, limits, sums_.data());
      const Sums<4> counts = this->template read_sums<4>();
      const auto asks_for_more = [&](int k) {
        return std::max(counts.e[k], counts.e[2 + k]) > kFastPart * body_.tets();
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

  DeviceStatus advance_part(double t, double h, int depth) {
    DeviceStatus status = advance(t, h);
    if (status == DeviceStatus::ok) {
      deepest_ = std::max(deepest_, depth);
      return status;
    }
    if (depth == kMostHalvings) return status;
    ++report_.halved_steps;
    status = advance_part(t, h / 2, depth + 1);
    return status == DeviceStatus::ok ? advance_part(t + h / 2, h / 2, depth + 1) : status;
  }

  DeviceStatus advance(double t, double h) {
    const EmSubstep substep{.x = x_->data(),
                            .v = v_->data(),
                            .t = t,
                            .h = h,
                            .chi = chi_,
                            .ratio = std::min(1.0, h / length_),
                            .before = chi_ != 0 && has_strain_ ? strain_->data() : nullptr,
                            .largest_energy = largest_energy_};
    const DeviceStatus status = solution_.solve(substep, [&](int i, Array& w) { return guess(i, h, w); });
    if (status != DeviceStatus::ok) return status;
    remove_rigid_part(h);
    const Array& w = solution_.result();
    if (!std::isfinite(size_in_mass(w.data()))) return DeviceStatus::not_finite;
    if (moved_.count() > 0) report_.external_work += h * solution_.mover_power();
    if (chi_ != 0 || body_.has_damping()) body_.strain_change(x_->data(), w.data(), h, strain_->data());
    if (body_.has_damping()) {
      body_.damping_energy(strain_->data(), sums_.data());
      report_.dissipated += sums_.first() / h;
    }
    has_strain_ = chi_ != 0;
    const Sums<3> done = sum(EmUpdate{h, solution_.outside(), mass_, w.data(), x_->data(), v_->data()});
    largest_energy_ = std::max(largest_energy_, 0.5 * done.e[0]);
    report_.external_work += h * done.e[1];
    report_.dissipated += h * done.e[2];
    moved_.put_positions(t + h, x_->data());
    moved_.put_velocities(t + h, v_->data());
    known_ = length_ == h ? std::min(known_ + 1, 2) : 1;
    length_ = h;
    last_w_before_.swap(last_w_);
    last_w_.assign(w);
    return DeviceStatus::ok;
  }
  bool guess(int i, double h, Array& w) {
    if (i == 0)
      combine(1, *v_, 0, *v_, w);
    else if (i == 1 && known_ > 0)
      combine(1, last_w_, 0, last_w_, w);
    else if (i == 2 && known_ == 2 && length_ == h)
      combine(2, last_w_, -1, last_w_before_, w);
    else
      return false;
    return true;
  }

  // rigid_part.h
  void remove_rigid_part(double h) {
    if (body_.free() != body_.vertices()) return;
    Array& w = solution_.result();
    constexpr int kRepeats = 2;  // each changes the middle that the next one takes
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      const RigidMomentum momentum{h, solution_.outside(), mass_, x_->data(), v_->data(), w.data()};
      const auto [sums] = sum(momentum);
      const double part = 1 / total_mass_;
      const Vec3<double> a = part * Vec3<double>{sums[0], sums[1], sums[2]},
                         c = part * Vec3<double>{sums[3], sums[4], sums[5]};
      Vec3<double> omega = {0.0, 0.0, 0.0};
      if (!body_.turns_bodies()) omega = rigid_turning(momentum, c);
      on_.for_each(body_.free(), RemoveRigid{h, a, omega, c, x_->data(), w.data()});
    }
  }
  // I omega = torque.
  Vec3<double> rigid_turning(const RigidMomentum& momentum, const Vec3<double>& c) {
    const auto [sums] = sum(RigidTorque{momentum, c});
    const double xx = sums[3], yy = sums[4], zz = sums[5], yz = sums[6], xz = sums[7], xy = sums[8];
    const Mat3<double> I = {yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy};
    return inverse(I) * Vec3<double>{sums[0], sums[1], sums[2]};
  }

  static void append(const Array& array, std::size_t count, std::vector<double>& numbers) {
    const std::size_t before = numbers.size();
    numbers.resize(before + count);
    array.read(std::span(numbers).subspan(before));
  }

  using Stepper<BackEnd>::all, Stepper<BackEnd>::of_free, Stepper<BackEnd>::sum, Stepper<BackEnd>::combine,
      Stepper<BackEnd>::size_in_mass, Stepper<BackEnd>::moved_;
  using Stepper<BackEnd>::on_, Stepper<BackEnd>::body_, Stepper<BackEnd>::mass_, Stepper<BackEnd>::sums_;
  EmSolver<BackEnd> solution_;
  Array last_w_, last_w_before_;
  std::unique_ptr<Array> strain_;  // the dial's memory; null where it was never used
  double total_mass_;
  // Kept from step to step.
  int known_ = 0;  // how many of last_w_ and last_w_before_ are of steps of length_
  double length_ = 0, largest_energy_ = 0;
  bool has_strain_ = false;
  int chosen_ = 1, level_ = 0, rests_ = 0;
  // Of the step under way.
  Array *x_ = nullptr, *v_ = nullptr;
  double chi_ = 0;
  int deepest_ = 0;
  DeviceStep report_;
};

}  // namespace phiflex::device
