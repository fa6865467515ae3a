#include "phiflex/integrate/chord_force.h"

#include <cmath>
#include <limits>
#include <utility>

namespace phiflex {
namespace {

struct GaussPoint {
  double g, weight;
};
constexpr double kOffset = 0.38729833462074168852;  // sqrt(3/5)/2
constexpr GaussPoint kPoints[] = {{0.5 - kOffset, 5. / 18}, {0.5, 8. / 18}, {0.5 + kOffset, 5. / 18}};

}  // namespace

ChordForce::ChordForce(const MechanicalSystem& system)
    : system_(system),
      exact_(system.assembled_tangent(Definiteness::exact)),
      current_(exact_.get()),
      K_(system.pattern()) {}

void ChordForce::begin(const State& now, double h, const Dial& dial) {
  now_ = &now;
  h_ = h;
  dial_ = dial;
}

void ChordForce::place(double g, const Vector& w) {
  at_.t = now_->t + g * h_;
  at_.q = now_->q + (g * h_) * w;
  at_.v = w;
}

void ChordForce::force(const Vector& w, Vector& f) {
  f.setZero(w.size());
  for (const GaussPoint& point : kPoints) {
    place(point.g, w);
    system_.force(at_, part_);
    f += point.weight * part_;  // (1)
  }
  if (dial_.chi != 0) {
    at_.v = h_ * w;
    if (dial_.memory) at_.v -= dial_.ratio * *dial_.memory;
    rest_stiffness().apply(at_.v, product_);
    f -= dial_.chi * product_;  // (2)
  }
  place(1, w);
  if (!std::isfinite(system_.potential_energy(at_)))  // the Gauss points do not see the end
    f.setConstant(std::numeric_limits<double>::quiet_NaN());
}

void ChordForce::linearize(const Vector& w, Definiteness definiteness) {
  if (definiteness == Definiteness::projected && !projected_)
    projected_ = system_.assembled_tangent(Definiteness::projected);
  current_ = definiteness == Definiteness::exact ? exact_.get() : projected_.get();
  if (dial_.chi != 0) rest_stiffness();
  place(0.5, w);
  current_->update(at_);
  K_.set(1, current_->K());
  if (dial_.chi != 0) K_.add(2 * dial_.chi, *K0_);
}

StepWork ChordForce::work(const Vector& w) {
  // What is not of the potential: a system does not say which part of it is a load and which is damping.
  Vector& f = product_;
  const Dial dial = std::exchange(dial_, Dial{});
  force(w, f);
  dial_ = dial;
  const double after = system_.potential_energy(at_);  // force() leaves at_ at the end
  at_.q = now_->q;
  at_.t = now_->t;
  return {.external = h_ * w.dot(f) + after - system_.potential_energy(at_), .dissipated = 0};
}

double ChordForce::dial_energy(double chi, const Vector& memory) {
  rest_stiffness().apply(memory, product_);
  return chi / 2 * memory.dot(product_);
}

const SparseMatrix& ChordForce::rest_stiffness() {
  if (K0_) return *K0_;
  State rest;
  rest.q = rest.v = Vector::Zero(system_.dofs());
  exact_->update(rest);
  K0_ = exact_->K();
  return *K0_;
}

std::unique_ptr<TwoStateForce> make_two_state_force(const MechanicalSystem& system) {
  std::unique_ptr<TwoStateForce> own = system.two_state_force();
  return own ? std::move(own) : std::make_unique<ChordForce>(system);
}

}  // namespace phiflex
