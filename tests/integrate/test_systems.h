// Small mechanical systems for the tests of integrators: masses with one coordinate each, joined by springs
// of any law to each other or to the ground, with dashpots and loads a_i sin(w t).
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "phiflex/system/mechanical_system.h"

namespace phiflex::testing {

// A state of one degree of freedom at t = 0.
inline State at(double q, double v) {
  State state;
  state.q = Vector::Constant(1, q);
  state.v = Vector::Constant(1, v);
  return state;
}

// Of the elongation e: energy W, force dW/de, stiffness d2W/de2.
struct Law {
  std::function<double(double)> energy, force, stiffness;
};

inline Law linear_law(double k) {
  return {[=](double e) { return k * e * e / 2; }, [=](double e) { return k * e; },
          [=](double) { return k; }};
}
inline Law cubic_law(double k, double c) {
  return {[=](double e) { return k * e * e / 2 + c * e * e * e * e / 4; },
          [=](double e) { return k * e + c * e * e * e; }, [=](double e) { return k + 3 * c * e * e; }};
}
// A pendulum in its angle: q'' = -w^2 sin q for a unit mass.
inline Law pendulum_law(double w) {
  return {[=](double e) { return w * w * (1 - std::cos(e)); }, [=](double e) { return w * w * std::sin(e); },
          [=](double e) { return w * w * std::cos(e); }};
}
// Finite only for |e| < 1, like a material that resists inversion.
inline Law barrier_law(double k) {
  const auto inside = [](double e, double value) {
    return std::abs(e) < 1 ? value : std::numeric_limits<double>::quiet_NaN();
  };
  return {[=](double e) {
            return std::abs(e) < 1 ? -k * std::log(1 - e * e) : std::numeric_limits<double>::infinity();
          },
          [=](double e) { return inside(e, 2 * k * e / (1 - e * e)); },
          [=](double e) { return inside(e, 2 * k * (1 + e * e) / ((1 - e * e) * (1 - e * e))); }};
}

constexpr int ground = -1;

struct Spring {
  int i, j;  // j may be the ground
  Law law;
  double dashpot = 0;  // N s/m
};

class SpringNetwork final : public MechanicalSystem {
 public:
  SpringNetwork(Vector masses, std::vector<Spring> springs)
      : SpringNetwork(MassMatrix(std::move(masses)), std::move(springs)) {}
  SpringNetwork(MassMatrix mass, std::vector<Spring> springs)
      : mass_(std::move(mass)), springs_(std::move(springs)), pattern_(make_pattern(mass_.rows(), springs_)) {
    amplitude_.setZero(mass_.rows());
  }
  void set_load(Vector amplitude, double frequency) {
    amplitude_ = std::move(amplitude);
    frequency_ = frequency;
  }
  // Damping alpha M + beta K with the stiffness as it is, beside the dashpots (a lumped mass is needed).
  void set_rayleigh(Rayleigh damping) { rayleigh_ = damping; }
  const std::optional<Rayleigh>& rayleigh() const { return rayleigh_; }
  const std::vector<Spring>& springs() const { return springs_; }
  bool damped() const {
    if (rayleigh_) return true;
    for (const Spring& spring : springs_)
      if (spring.dashpot != 0) return true;
    return false;
  }

  bool force_depends_on_velocity() const override { return damped(); }
  Index dofs() const override { return mass_.rows(); }
  const MassMatrix& mass() const override { return mass_; }
  double potential_energy(const State& at) const override {
    double energy = 0;
    for (const Spring& spring : springs_) energy += spring.law.energy(elongation(spring, at.q));
    return energy;
  }
  void force(const State& at, Vector& f) const override {
    f = amplitude_ * std::sin(frequency_ * at.t);
    for (const Spring& spring : springs_) {
      double dashpot = spring.dashpot;
      if (rayleigh_) dashpot += rayleigh_->beta * spring.law.stiffness(elongation(spring, at.q));
      const double pull = spring.law.force(elongation(spring, at.q)) + dashpot * elongation(spring, at.v);
      f[spring.i] -= pull;
      if (spring.j != ground) f[spring.j] += pull;
    }
    if (rayleigh_) f -= rayleigh_->alpha * mass_.diagonal().cwiseProduct(at.v);
  }
  void load_rate(double t, Vector& g) const { g = amplitude_ * frequency_ * std::cos(frequency_ * t); }
  std::shared_ptr<const SparsityPattern> pattern() const override { return pattern_; }
  std::unique_ptr<AssembledTangent> assembled_tangent(Definiteness definiteness) const override;

  static double elongation(const Spring& spring, const Vector& x) {
    return x[spring.i] - (spring.j == ground ? 0 : x[spring.j]);
  }
  static std::shared_ptr<const SparsityPattern> make_pattern(Index rows, const std::vector<Spring>& springs) {
    std::vector<Coupling> couplings;
    for (const Spring& spring : springs)
      if (spring.j != ground) couplings.push_back({spring.i, spring.j});
    return std::make_shared<SparsityPattern>(1, static_cast<int>(rows), couplings);
  }

 private:
  MassMatrix mass_;
  std::vector<Spring> springs_;
  std::shared_ptr<const SparsityPattern> pattern_;
  Vector amplitude_;
  double frequency_ = 0;
  std::optional<Rayleigh> rayleigh_;
};

class SpringNetworkTangent final : public AssembledTangent {
 public:
  SpringNetworkTangent(const SpringNetwork& network, Definiteness definiteness)
      : network_(network), definiteness_(definiteness), K_(network.pattern()) {
    if (network.damped()) D_.emplace(network.pattern());
  }
  void update(const State& at) override {
    t_ = at.t;
    K_.set_zero();
    if (D_) D_->set_zero();
    for (const Spring& spring : network_.springs()) {
      double k = spring.law.stiffness(SpringNetwork::elongation(spring, at.q));
      if (definiteness_ == Definiteness::projected) k = std::max(k, 0.);
      add(spring, k, K_);
      if (D_) add(spring, spring.dashpot, *D_);
    }
    if (!network_.rayleigh()) return;
    D_->add(network_.rayleigh()->beta, K_);
    D_->add_to_diagonal(network_.rayleigh()->alpha, network_.mass().diagonal());
  }
  std::optional<Rayleigh> rayleigh() const override {
    for (const Spring& spring : network_.springs())
      if (spring.dashpot != 0) return std::nullopt;
    return network_.rayleigh().value_or(Rayleigh{});
  }
  void load_rate(Vector& g) const override { network_.load_rate(t_, g); }
  const SparseMatrix& K() const override { return K_; }
  const SparseMatrix* D() const override { return D_ ? &*D_ : nullptr; }

 private:
  void add(const Spring& spring, double k, SparseMatrix& A) const {
    const SparsityPattern& pattern = A.pattern();
    *A.block(pattern.diagonal(spring.i)) += k;
    if (spring.j == ground) return;
    *A.block(pattern.diagonal(spring.j)) += k;
    *A.block(pattern.find(spring.i, spring.j)) -= k;
    *A.block(pattern.find(spring.j, spring.i)) -= k;
  }

  const SpringNetwork& network_;
  Definiteness definiteness_;
  SparseMatrix K_;
  std::optional<SparseMatrix> D_;
  double t_ = 0;
};

inline std::unique_ptr<AssembledTangent> SpringNetwork::assembled_tangent(Definiteness definiteness) const {
  return std::make_unique<SpringNetworkTangent>(*this, definiteness);
}

// q'' + d q' + w^2 q = 0.
inline SpringNetwork oscillator(double w, double d = 0) {
  return SpringNetwork(Vector::Ones(1), {{0, ground, linear_law(w * w), d}});
}

enum class End { fixed, free };

// n masses 1, 1.1, 1.2, ... in a row, the first joined to the ground when its end is fixed.
inline std::vector<Spring> row_of_springs(int n, End end, const Law& law, double dashpot) {
  std::vector<Spring> springs;
  if (end == End::fixed) springs.push_back({0, ground, law, dashpot});
  for (int i = 1; i < n; ++i) springs.push_back({i, i - 1, law, dashpot});
  return springs;
}
inline Vector growing_masses(int n) {
  return Vector::LinSpaced(n, 1, 1 + 0.1 * (n - 1));
}
inline SpringNetwork chain(int n, End end, const Law& law, double dashpot = 0) {
  return SpringNetwork(growing_masses(n), row_of_springs(n, end, law, dashpot));
}

// A state with every mass displaced and moving, of size about one.
inline State lively_state(Index n) {
  State state;
  state.q = Vector::NullaryExpr(n, [](Index i) { return 0.4 * std::sin(1.3 * double(i) + 0.5); });
  state.v = Vector::NullaryExpr(n, [](Index i) { return 0.6 * std::cos(0.7 * double(i)); });
  return state;
}

}  // namespace phiflex::testing
