#include "phiflex/matfun/pencil_functions.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace phiflex {
namespace {

// Beyond double, so that the phase t sqrt(lambda), known to a unit of round-off, costs no digit of its cosine.
using Real = long double;

// In units of t: x2 = lambda t^2, delta = d t, T_k = S_k/t^(k+1). With z_1, z_2 the eigenvalues of t J,
// z^2 + delta z + x2 = 0, T_k is the divided difference of exp at z_1, z_2 and k zeros:
//
//   T_k = sum_{j>=0} c_j/(j+k+1)!,   c_0 = 1, c_1 = -delta, c_j = -delta c_(j-1) - x2 c_(j-2)             (5)
//   T_k = (phi_k(z_1) - phi_k(z_2))/(z_1 - z_2),   phi_(-1)(z) = z e^z                                    (6)
//
// (5) serves small arguments; (6) one small and one large real z; (1) and (3) the rest, where both |z| >= 1
// and (3) divides by no small number.
void integrals_by_series(Real x2, Real delta, std::span<double> T) {
  constexpr int terms = 48;  // |z| <= 1 + sqrt(5): the last term is below 2^-64 of the first
  const int count = int(T.size());
  Real c[terms];
  c[0] = 1;
  c[1] = -delta;
  for (int j = 2; j < terms; ++j) c[j] = -delta * c[j - 1] - x2 * c[j - 2];
  for (int i = 0; i < count; ++i) {  // k = i - 1; by Horner, smallest terms first
    Real sum = 0;
    for (int j = terms - 1; j > 0; --j) sum = (sum + c[j]) / (j + i);
    Real factorial = 1;
    for (int j = 2; j <= i; ++j) factorial *= j;
    T[i] = double((sum + c[0]) / factorial);
  }
}

Real phi_real(int k, Real z) {
  if (std::abs(z) < 1) {
    Real sum = 0;
    for (int j = 24; j > 0; --j) sum = (sum + 1) * z / (k + j);
    sum += 1;
    for (int j = 2; j <= k; ++j) sum /= j;
    return sum;
  }
  Real value = std::exp(z), inverse_factorial = 1;
  for (int j = 1; j <= k; ++j) {
    value = (value - inverse_factorial) / z;
    inverse_factorial /= j;
  }
  return value;
}

void integrals_by_difference(Real z1, Real z2, std::span<double> T) {
  T[0] = double((z1 * std::exp(z1) - z2 * std::exp(z2)) / (z1 - z2));
  for (std::size_t i = 1; i < T.size(); ++i)
    T[i] = double((phi_real(int(i) - 1, z1) - phi_real(int(i) - 1, z2)) / (z1 - z2));
}

void integrals_by_recurrence(Real x2, Real delta, Real discriminant, std::span<double> T) {
  const Real s = delta / 2;
  Real sine, cosine;  // e^-s sin(e)/e and e^-s cos(e)
  if (discriminant < 0) {
    const Real e = std::sqrt(-discriminant), decay = std::exp(-s);
    sine = decay * std::sin(e) / e;
    cosine = decay * std::cos(e);
  } else {
    const Real e = std::sqrt(discriminant);
    const Real slow = std::exp(e - s), fast = std::exp(-e - s);  // each overflows only when the result does
    cosine = (slow + fast) / 2;
    sine = e > 1 ? (slow - fast) / (2 * e) : std::exp(-s) * (e > 0 ? std::sinh(e) / e : Real(1));
  }
  Real older = cosine - s * sine, old = sine, inverse_factorial = 1;
  T[0] = double(older);
  if (T.size() > 1) T[1] = double(old);
  for (std::size_t i = 2; i < T.size(); ++i) {
    const Real next = (inverse_factorial - delta * old - older) / x2;  // (3)
    inverse_factorial /= Real(i - 1);
    older = old;
    old = next;
    T[i] = double(next);
  }
}

}  // namespace

void oscillator_integrals(double lambda, Rayleigh damping, double t, std::span<double> S) {
  const Real x2 = Real(lambda) * t * t, delta = (Real(damping.alpha) + Real(damping.beta) * lambda) * t;
  const Real discriminant = delta * delta / 4 - x2;
  if (std::abs(delta) <= 2 && std::abs(x2) <= 4) {
    integrals_by_series(x2, delta, S);
  } else if (discriminant > 0) {
    const Real large = -delta / 2 - std::copysign(std::sqrt(discriminant), delta);
    const Real small = x2 / large;
    if (std::abs(small) < 1)
      integrals_by_difference(large, small, S);
    else
      integrals_by_recurrence(x2, delta, discriminant, S);
  } else {
    integrals_by_recurrence(x2, delta, discriminant, S);
  }
  double power = 1;
  for (double& entry : S) {
    entry *= power;
    power *= t;
  }
}

double phi(int k, double z) {
  return double(phi_real(k, z));
}

double cos_of(double x_squared) {
  double T[1];
  oscillator_integrals(x_squared, {}, 1, T);
  return T[0];
}

double sinc_of(double x_squared) {
  double T[2];
  oscillator_integrals(x_squared, {}, 1, T);
  return T[1];
}

double cosc_of(double x_squared) {
  double T[3];
  oscillator_integrals(x_squared, {}, 1, T);
  return T[2];
}

UserFunction::UserFunction(std::function<double(double)> scalar)
    : rows_(1),
      columns_(1),
      evaluate_([scalar = std::move(scalar)](double lambda, Matrix& f) { f(0, 0) = scalar(lambda); }) {}

UserFunction::UserFunction(Index rows, Index columns, std::function<void(double, Matrix&)> evaluate)
    : rows_(rows), columns_(columns), evaluate_(std::move(evaluate)) {}

PhiSumFunction::PhiSumFunction(std::vector<Half> halves, std::span<const double> times, Rayleigh damping,
                               double step, double share) {
  set(halves, times, damping, step, share);
}

void PhiSumFunction::set(std::span<const Half> halves, std::span<const double> times, Rayleigh damping,
                         double step, double share) {
  halves_.assign(halves.begin(), halves.end());
  times_.assign(times.begin(), times.end());
  damping_ = damping;
  step_ = step;
  share_ = share;
  int p = 0;
  for (const Half& half : halves_) p = std::max(p, half.k);
  S_.resize(std::size_t(p) + 2);
}

double PhiSumFunction::displacement_weight(Index row, double lambda) const {
  return row % 2 == 0 ? 1 / step_ : 1 / std::sqrt(1 + step_ * step_ * std::max(lambda, 0.0));
}

void PhiSumFunction::evaluate(double lambda, Matrix& f) const {
  const double d = damping_.alpha + damping_.beta * lambda;
  for (std::size_t i = 0; i < times_.size(); ++i) {
    oscillator_integrals(lambda, damping_, times_[i], S_);
    for (std::size_t j = 0; j < halves_.size(); ++j) {
      const double before = S_[std::size_t(halves_[j].k)], here = S_[std::size_t(halves_[j].k) + 1];
      const bool displacement = halves_[j].part == Part::displacement;
      f(Index(2 * i), Index(j)) = displacement ? before + d * here : here;     // (4), first row
      f(Index(2 * i + 1), Index(j)) = displacement ? -lambda * here : before;  // second row
    }
  }
}

}  // namespace phiflex
