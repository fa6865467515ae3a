// DeviceBody on a back end.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "phiflex/cuda/em_stepper.h"
#include "phiflex/cuda/ere_stepper.h"
#include "phiflex/cuda/newton_stepper.h"

namespace phiflex::device {

// w = v + h/2 a, x = x + h w; a: by f and what acts from outside.
struct KickAndDrift {
  double h;
  Outside outside;
  const double *mass, *f;
  double *x, *v;
  double* predicted;  // v + h a; null: not asked for
  PHIFLEX_HD void operator()(int i) const {
    double* const own = v + 3 * static_cast<std::size_t>(i);
    const Vec3<double> before = {own[0], own[1], own[2]};
    const double m = load(mass + i);
    const Vec3<double> a = (1 / m) * outside.force(load3(f, i), i, m, before) + outside.gravity;
    if (predicted) store3(predicted, i, before + h * a);
    for (int k = 0; k < 3; ++k) {
      own[k] += 0.5 * h * a[k];
      x[3 * static_cast<std::size_t>(i) + std::size_t(k)] += h * own[k];
    }
  }
};
// v = w + h/2 a, with the force at the velocity that was predicted.
struct Kick {
  double h;
  Outside outside;
  const double *mass, *f, *predicted;  // predicted null: 0
  double* v;
  PHIFLEX_HD void operator()(int i) const {
    const double m = load(mass + i);
    const Vec3<double> at = predicted ? load3(predicted, i) : Vec3<double>{0.0, 0.0, 0.0};
    const Vec3<double> a = (1 / m) * outside.force(load3(f, i), i, m, at) + outside.gravity;
    for (int k = 0; k < 3; ++k) v[3 * static_cast<std::size_t>(i) + std::size_t(k)] += 0.5 * h * a[k];
  }
};
// v += y/h, x += h v
struct SiUpdate {
  double h;
  const double* y;
  double *x, *v;
  PHIFLEX_HD void operator()(int i) const {
    for (int k = 0; k < 3; ++k) {
      const std::size_t q = 3 * static_cast<std::size_t>(i) + std::size_t(k);
      v[q] += load(y + q) / h;
      x[q] += h * v[q];
    }
  }
};
// Kinetic energy of a free vertex, and potential of gravity of any.
struct VertexEnergies {
  int free;
  Vec3<double> gravity;
  const double *mass, *rest, *x, *v;
  PHIFLEX_HD Sums<2> operator()(int i) const {
    const double m = load(mass + i);
    const Vec3<double> vi = load3(v, i), d = load3(x, i) - load3(rest, i);
    return {{i < free ? 0.5 * m * dot(vi, vi) : 0.0, -m * dot(gravity, d)}};
  }
};

template <class BackEnd>
class MovingBody final : public DeviceBody {
 public:
  explicit MovingBody(const DeviceTets& given)
      : body_(on_, checked(given)),
        alpha_(alpha_in_order(given)),
        loads_(on_, given, body_.free(), alpha_,
               [this](const std::vector<double>& forces) { return in_order(forces); }),
        moved_(on_, given.motion, body_.number()),
        mass_(on_, masses_in_order(given)),
        rest_(on_, in_order(given.rest)),
        x_(on_, in_order(given.rest)),
        v_(on_, all()),
        next_x_(on_, all()),
        next_v_(on_, all()),
        direction_(on_, all()),
        f_(on_, of_free()),
        Kv_(on_, of_free()),
        sums_(on_, 4),
        predicted_(on_, is_damped() ? all() : 0),
        solver_(body_, mass_.data(), loads_.alpha()),
        extent_(longest_side(given)) {
    if (given.preconditioner != DevicePreconditioner::automatic || !body_.has_multigrid()) return;
    body_.assemble(rest_.data(), Curvature::exact);
    const double stiffness = largest_row(true, {});
    solver_.choose_by(std::isfinite(stiffness) ? stiffness : std::numeric_limits<double>::infinity());
  }

  void set_state(std::span<const double> x, std::span<const double> v) override {
    forget();
    x_.write(in_order(x));
    std::vector<double> velocity = in_order(v);
    std::fill(velocity.begin() + std::ptrdiff_t(of_free()), velocity.end(), 0.0);
    v_.write(velocity);
  }
  void set_time(double t) override {
    time_ = t;
    moved_.put_positions(t, x_.data());
    moved_.put_velocities(t, v_.data());
  }
  void state(std::span<double> x, std::span<double> v) const override {
    from_order(x_, x);
    from_order(v_, v);
  }
  DeviceEnergy energy() override {
    body_.energy(x_.data(), sums_.data());
    on_.template sum<2>(
        body_.vertices(),
        VertexEnergies{body_.free(), loads_.gravity(), mass_.data(), rest_.data(), x_.data(), v_.data()},
        StoreSums<2>{sums_.data() + 1});
    double sums[4];
    sums_.read(sums);
    return {.kinetic = sums[1], .elastic = sums[0], .gravity = sums[2]};
  }
  void elastic_force(std::span<double> f) override {
    body_.force(x_.data(), f_.data());
    from_order(f_, f);
  }
  void assemble(bool projected) override {
    body_.assemble(x_.data(), projected ? Curvature::projected : Curvature::exact);
  }
  void product(std::span<const double> p, std::span<double> y) override {
    std::vector<double> direction = in_order(p);
    std::fill(direction.begin() + std::ptrdiff_t(of_free()), direction.end(), 0.0);
    direction_.write(direction);
    body_.product(direction_.data(), Kv_.data());
    from_order(Kv_, y);
  }

  std::string device() const override { return on_.name(); }
  int free_vertices() const override { return body_.free(); }
  void free_state(std::span<double> x, std::span<double> v) const override {
    if (x.size() != of_free() || v.size() != of_free())
      throw std::invalid_argument("a body on a device: three numbers for each free vertex");
    x_.read(x);
    v_.read(v);
  }

  double stable_substep() override { return stable_substep_at(x_); }
  // As integrate/verlet.cpp chooses them; what the end of a step allows is known at the beginning of the next.
  DeviceStep step_verlet(double h, int substeps) override {
    const double known = stable_at_end_;
    forget();
    if (substeps > 0) {
      leap(h, substeps);
      return {.status = accept(h), .substeps = substeps};
    }
    DeviceStep step;
    const auto longest_at = [&](const Array& x) {
      ++step.assemblies;
      return stable_substep_at(x);
    };
    double stable = known >= 0 ? known : longest_at(x_);
    step.status = DeviceStatus::not_finite;
    for (int attempt = 0; attempt < kMostTries; ++attempt) {
      if (!(stable > 0)) return step;
      const double parts = std::max(1.0, std::ceil(h / stable));
      if (!(parts <= kMostSubsteps)) {
        step.status = DeviceStatus::not_stable;
        return step;
      }
      if (attempt > 0) ++step.rejected_steps;
      step.substeps = int(parts);
      leap(h, step.substeps);
      const double at_end = is_finite() ? longest_at(next_x_) : 0;
      if (at_end >= h / parts) {
        step.status = accept(h);
        if (step.status == DeviceStatus::ok) stable_at_end_ = at_end;
        return step;
      }
      step.status = at_end > 0 ? DeviceStatus::not_stable : DeviceStatus::not_finite;
      // What the end asks for; where there is no end, and from the second time on, half as long at most.
      const double half = h / parts / 2;
      stable = at_end == 0 ? half : attempt == 0 ? at_end : std::min(at_end, half);
    }
    return step;
  }

  DeviceStep step_si(double h, double tolerance) override {
    forget();
    DeviceStep step;
    step.assemblies = 1;
    CgNumbers end = solve_si(h, tolerance, Curvature::exact);
    step.iterations = end.iterations;
    if (end.status == CgNumbers::not_positive) {
      step.projected = true;
      ++step.assemblies;
      end = solve_si(h, tolerance, Curvature::projected);
      step.iterations += end.iterations;
    }
    switch (end.status) {
      case CgNumbers::converged:
        break;
      case CgNumbers::not_finite:
        step.status = DeviceStatus::not_finite;
        return step;
      case CgNumbers::not_positive:
        step.status = DeviceStatus::not_positive_definite;
        return step;
      default:
        step.status = DeviceStatus::not_converged;
        return step;
    }
    next_x_.assign(x_);
    next_v_.assign(v_);
    on_.for_each(body_.free(), SiUpdate{h, solver_.solution(), next_x_.data(), next_v_.data()});
    place_moved(time_ + h);
    step.status = accept(h);
    return step;
  }

  void reserve_em(const DeviceEmOptions& options) override { em().reserve(options); }
  DeviceStep step_em(double h, const DeviceEmOptions& options) override {
    stable_at_end_ = kUnknown;
    if (ere_) ere_->forget();
    em();
    next_x_.assign(x_);
    next_v_.assign(v_);
    DeviceStep step = em_->step(time_, h, options, next_x_, next_v_);
    if (step.status == DeviceStatus::ok) step.status = accept(h);
    if (step.status != DeviceStatus::ok) forget();
    return step;
  }

  void reserve_newton() override { newton(); }
  DeviceStep step_newton(double h, const DeviceNewtonOptions& options) override {
    forget();
    next_x_.assign(x_);
    next_v_.assign(v_);
    DeviceStep step = newton().step(time_, h, options, next_x_, next_v_);
    if (step.status == DeviceStatus::ok) step.status = accept(h);
    return step;
  }

  void reserve_ere() override { ere(); }
  DeviceStep step_ere(double h, const DeviceEreOptions& options, DeviceSeriesMaker& maker) override {
    stable_at_end_ = kUnknown;
    em_.reset();  // its memory is not saved beside that of ere
    next_x_.assign(x_);
    next_v_.assign(v_);
    DeviceStep step = ere().step(time_, h, options, maker, x_, v_, next_x_, next_v_);
    if (step.status == DeviceStatus::ok) step.status = accept(h);
    if (step.status != DeviceStatus::ok) forget();
    return step;
  }

  // x and v of the free vertices, the stable substep at the end of the last step of verlet, and the memory of ere where
  // it made the last step, else that of em.
  std::vector<double> saved() const override {
    std::vector<double> numbers(2 * of_free() + 1);
    x_.read(std::span(numbers).first(of_free()));
    v_.read(std::span(numbers).subspan(of_free(), of_free()));
    numbers.back() = stable_at_end_;
    if (ere_ && ere_->known())
      ere_->save(numbers);
    else if (em_)
      em_->save(numbers);
    return numbers;
  }
  bool restore(std::span<const double> numbers) override {
    const std::size_t own = 2 * of_free() + 1;
    if (numbers.size() < own) return false;
    for (const double number : numbers)
      if (!std::isfinite(number)) return false;
    if (numbers.size() == own + EreStepper<BackEnd>::kSaved) {
      if (!ere().restore(numbers.subspan(own))) return false;
      em_.reset();
    } else {
      if (numbers.size() > own && !em().restore(numbers.subspan(own))) return false;
      if (ere_) ere_->forget();
    }
    x_.write(numbers.first(of_free()));
    v_.write(numbers.subspan(of_free(), of_free()));
    stable_at_end_ = numbers[own - 1];
    return true;
  }

 private:
  using Array = DeviceArray<BackEnd, double>;
  static constexpr int kMostIterations = 20000;
  static constexpr int kMostSubsteps = 20000, kMostTries = 8;  // of verlet
  static constexpr double kUnknown = -1, kPartOfStable = 0.9;

  StepperParts<BackEnd> parts() { return {body_, mass_, loads_, moved_, extent_, solver_}; }
  EmStepper<BackEnd>& em() {
    if (!em_) em_ = std::make_unique<EmStepper<BackEnd>>(parts());
    return *em_;
  }
  NewtonStepper<BackEnd>& newton() {
    if (!newton_) newton_ = std::make_unique<NewtonStepper<BackEnd>>(parts());
    return *newton_;
  }
  EreStepper<BackEnd>& ere() {
    if (!ere_) ere_ = std::make_unique<EreStepper<BackEnd>>(parts());
    return *ere_;
  }
  // What methods remember of their last steps: the state is no longer the one they led to.
  void forget() {
    if (em_) em_->forget();
    if (ere_) ere_->forget();
    stable_at_end_ = kUnknown;
  }
  // Of the next state; and of the velocities that verlet predicts, where something damps.
  void place_moved(double t) {
    moved_.put_positions(t, next_x_.data());
    moved_.put_velocities(t, next_v_.data());
    if (is_damped()) moved_.put_velocities(t, predicted_.data());
  }
  bool is_damped() const { return loads_.alpha() || body_.has_damping(); }
  // next_x_ and next_v_ after so many substeps of verlet (integrate/leapfrog.h). Where something damps, the force at
  // the end of one is not that at the beginning of the next.
  void leap(double h, int substeps) {
    const double part = h / substeps;
    double* const predicted = is_damped() ? predicted_.data() : nullptr;
    next_x_.assign(x_);
    next_v_.assign(v_);
    for (int k = 0; k < substeps; ++k) {
      if (k == 0 || predicted) body_.force(next_x_.data(), f_.data(), next_v_.data());
      on_.for_each(body_.free(), KickAndDrift{part, loads_.at(time_ + k * part), mass_.data(), f_.data(),
                                              next_x_.data(), next_v_.data(), predicted});
      place_moved(time_ + (k + 1) * part);
      body_.force(next_x_.data(), f_.data(), predicted);
      on_.for_each(body_.free(), Kick{part, loads_.at(time_ + (k + 1) * part), mass_.data(), f_.data(),
                                      predicted, next_v_.data()});
    }
  }
  // The largest row sum of |M^-1 K|, with the K that is assembled, and of alpha: not finite where a sum is not.
  double largest_row(bool of_K, std::span<const double> alpha) {
    std::vector<double> bounds(std::size_t(body_.free()), 0.0);
    if (of_K) {
      body_.row_bounds(mass_.data(), direction_.data());
      direction_.read(bounds);
    }
    double largest = 0;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const double bound = bounds[i] + (alpha.empty() ? 0 : alpha[i]);
      if (!std::isfinite(bound)) return bound;
      largest = std::max(largest, bound);
    }
    return largest;
  }
  // As integrate/stable_step.h, (1), says it. Takes the place of K.
  double stable_substep_at(const Array& x) {
    body_.assemble(x.data(), Curvature::exact);
    const double lambda = largest_row(true, {});
    double d = 0;
    if (is_damped()) {
      if (body_.has_damping()) body_.assemble_damping(x.data());
      d = largest_row(body_.has_damping(), alpha_);
    }
    if (!std::isfinite(lambda + d)) return 0;
    const double rate = d / 2 + std::sqrt(d * d / 4 + lambda);
    return rate > 0 ? kPartOfStable * 2 / rate : std::numeric_limits<double>::max();
  }

  // The right-hand side holds K, so that both are made anew with the projected one.
  CgNumbers solve_si(double h, double tolerance, Curvature curvature) {
    body_.force(x_.data(), f_.data());
    body_.assemble(x_.data(), curvature, 1 / h);
    solver_.matrix_changed(x_.data(), h);
    body_.product(v_.data(), Kv_.data());
    on_.for_each(body_.free(), SiRightSide{h, loads_.at(time_, h), mass_.data(), f_.data(), v_.data(),
                                           Kv_.data(), solver_.right_side()});
    return solver_.solve(1 / (h * h), tolerance, kMostIterations);
  }
  bool is_finite() {
    on_.template sum<2>(
        body_.free(),
        VertexEnergies{
            body_.free(), {1.0, 1.0, 1.0}, mass_.data(), rest_.data(), next_x_.data(), next_v_.data()},
        StoreSums<2>{sums_.data()});
    double sums[4];
    sums_.read(sums);
    return std::isfinite(sums[0]) && std::isfinite(sums[1]);
  }
  // The next state becomes the state when it is finite.
  DeviceStatus accept(double h) {
    if (!is_finite()) return DeviceStatus::not_finite;
    x_.assign(next_x_);
    v_.assign(next_v_);
    time_ += h;
    return DeviceStatus::ok;
  }

  static const DeviceTets& checked(const DeviceTets& given) {
    if (given.masses.size() != given.held.size())
      throw std::invalid_argument("a body on a device: one mass for each vertex");
    for (std::size_t v = 0; v < given.held.size(); ++v)
      if (!given.held[v] && !(given.masses[v] > 0))
        throw std::invalid_argument("a body on a device: free vertices have a mass");
    return given;
  }
  // Of the box around the body at rest, m.
  static double longest_side(const DeviceTets& given) {
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t q = k; q < given.rest.size(); q += 3) {
        low = std::min(low, given.rest[q]);
        high = std::max(high, given.rest[q]);
      }
      longest = std::max(longest, high - low);
    }
    return longest;
  }
  std::size_t all() const { return 3 * std::size_t(body_.vertices()); }
  std::size_t of_free() const { return 3 * std::size_t(body_.free()); }
  std::vector<double> masses_in_order(const DeviceTets& given) const {
    std::vector<double> masses(given.masses.size());
    for (std::size_t v = 0; v < masses.size(); ++v) masses[std::size_t(body_.number()[v])] = given.masses[v];
    return masses;
  }
  std::vector<double> alpha_in_order(const DeviceTets& given) const {
    if (given.alpha.empty()) return {};
    std::vector<double> alpha(std::size_t(body_.free()));
    for (std::size_t v = 0; v < given.alpha.size(); ++v)
      if (const auto place = std::size_t(body_.number()[v]); place < alpha.size())
        alpha[place] = given.alpha[v];
    return alpha;
  }
  std::vector<double> in_order(std::span<const double> values) const {
    if (values.size() != all())
      throw std::invalid_argument("a body on a device: three numbers for each vertex");
    std::vector<double> ordered(values.size());
    for (std::size_t v = 0; v < values.size() / 3; ++v)
      for (std::size_t k = 0; k < 3; ++k) ordered[3 * std::size_t(body_.number()[v]) + k] = values[3 * v + k];
    return ordered;
  }
  // What an array holds no number for is 0.
  void from_order(const DeviceArray<BackEnd, double>& array, std::span<double> values) const {
    if (values.size() != all())
      throw std::invalid_argument("a body on a device: three numbers for each vertex");
    std::vector<double> ordered(array.size());
    array.read(ordered);
    for (std::size_t v = 0; v < values.size() / 3; ++v)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t at = 3 * std::size_t(body_.number()[v]) + k;
        values[3 * v + k] = at < ordered.size() ? ordered[at] : 0.0;
      }
  }

  BackEnd on_;
  TetBody<BackEnd> body_;
  std::vector<double> alpha_;  // of the free vertices; empty: none
  Loads<BackEnd> loads_;
  MovedVertices<BackEnd> moved_;
  DeviceArray<BackEnd, double> mass_, rest_, x_, v_, next_x_, next_v_, direction_, f_, Kv_, sums_, predicted_;
  ConjugateGradients<BackEnd> solver_;
  double extent_, time_ = 0;
  double stable_at_end_ = kUnknown;         // s, where the last step of verlet ended
  std::unique_ptr<EmStepper<BackEnd>> em_;  // null before the first step of em, as the others are of theirs
  std::unique_ptr<NewtonStepper<BackEnd>> newton_;
  std::unique_ptr<EreStepper<BackEnd>> ere_;
};

}  // namespace phiflex::device
