// The exact solution of (1): with s = d/2, e^2 = w^2 - s^2,
//
//   q(t) = e^(-s t) (q0 cos(e t) + (v0 + s q0) sin(e t)/e)                                                (2)
//
// and cosh, sinh where e^2 < 0, the limit t where e = 0.
#include "phiflex/study/oscillator.h"

#include <cmath>
#include <optional>

namespace phiflex {
namespace {

class OscillatorTangent final : public AssembledTangent {
 public:
  explicit OscillatorTangent(const Oscillator& oscillator)
      : oscillator_(oscillator), d_(oscillator.d()), K_(oscillator.pattern()) {
    update(oscillator_state(1, 0));
    if (d_ == 0) return;
    D_.emplace(oscillator.pattern());
    *D_->block(D_->pattern().diagonal(0)) = d_;
  }
  void update(const State& at) override {
    const bool at_rest = at.q[0] == 0 && at.v[0] == 0;
    *K_.block(K_.pattern().diagonal(0)) =
        at_rest ? oscillator_.stiffness_at_rest() : oscillator_.w() * oscillator_.w();
  }
  void load_rate(Vector& g) const override { g.setZero(1); }
  std::optional<Rayleigh> rayleigh() const override { return Rayleigh{.alpha = d_}; }
  const SparseMatrix& K() const override { return K_; }
  const SparseMatrix* D() const override { return D_ ? &*D_ : nullptr; }

 private:
  const Oscillator& oscillator_;
  double d_;
  SparseMatrix K_;
  std::optional<SparseMatrix> D_;
};

}  // namespace

Oscillator::Oscillator(double w, double d, double stiffness_at_rest)
    : w_(w),
      d_(d),
      stiffness_at_rest_(stiffness_at_rest),
      mass_(Vector::Ones(1)),
      pattern_(std::make_shared<SparsityPattern>(1, 1, std::vector<Coupling>{})) {}

double Oscillator::potential_energy(const State& at) const {
  return 0.5 * w_ * w_ * at.q[0] * at.q[0];
}

void Oscillator::force(const State& at, Vector& f) const {
  f = -w_ * w_ * at.q - d_ * at.v;
}

std::unique_ptr<AssembledTangent> Oscillator::assembled_tangent(Definiteness) const {
  return std::make_unique<OscillatorTangent>(*this);
}

State Oscillator::exact(double q, double v, double t) const {
  const double s = d_ / 2, e2 = w_ * w_ - s * s, e = std::sqrt(std::abs(e2));
  const double c = e2 >= 0 ? std::cos(e * t) : std::cosh(e * t);
  const double sine = e == 0 ? t : (e2 > 0 ? std::sin(e * t) : std::sinh(e * t)) / e;
  const double decay = std::exp(-s * t);
  State at = oscillator_state(decay * (q * c + (v + s * q) * sine),             // (2)
                              decay * (v * c - (w_ * w_ * q + s * v) * sine));  // its derivative
  at.t = t;
  return at;
}

State oscillator_state(double q, double v) {
  State state;
  state.q = Vector::Constant(1, q);
  state.v = Vector::Constant(1, v);
  return state;
}

}  // namespace phiflex
