#include "phiflex/study/amplification.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/integrate/integrator.h"
#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/linalg/svd.h"
#include "phiflex/study/oscillator.h"

namespace phiflex {
namespace {

using Complex = std::complex<double>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Of a few steps, relative to their size: methods that carry an acceleration divide by h^2 and multiply again.
double rounding_at(double x) {
  return 1e-13 * std::max(1., x * x);
}

// Y_0 ... Y_n, or fewer when a step fails.
std::vector<Matrix> responses(const MeasuredMethod& method, const Oscillator& system, double x, int n) {
  std::vector<Matrix> Y(static_cast<std::size_t>(n) + 1, Matrix::Zero(2, 2));
  for (int start = 0; start < 2; ++start) {
    const std::unique_ptr<Integrator> integrator = method.entry->make(system, method.options);
    State now = oscillator_state(start == 0 ? 1 : 0, start), next = now;
    for (std::size_t i = 0; i < Y.size(); ++i) {
      Y[i].col(start) << now.q[0], now.v[0];
      if (i + 1 == Y.size()) break;
      const bool good =
          integrator->step(now, x, next).status == StepStatus::ok && next.q.allFinite() && next.v.allFinite();
      if (!good) {
        Y.resize(i + 1);
        break;
      }
      next.t = static_cast<double>(i + 1) * x;
      std::swap(now, next);
    }
  }
  return Y;
}

std::vector<Complex> eigenvalues(const Matrix& G) {
  const Eigen::VectorXcd values = G.eigenvalues();
  return {values.begin(), values.end()};
}

// (2) with p block rows. The terms are scaled by s^-n, so that neither growth nor decay hides the later ones.
std::vector<Complex> hankel_roots(const std::vector<Matrix>& Y, Index p, double rounding) {
  const double size = Y.back().norm() / Y.front().norm();
  const double s =
      std::isfinite(size) && size > 0 ? std::pow(size, 1. / static_cast<double>(Y.size() - 1)) : 1;
  Matrix H0(2 * p, 2 * p), H1(2 * p, 2 * p);
  const auto term = [&](Index n) { return Y[static_cast<std::size_t>(n)] / std::pow(s, double(n)); };
  for (Index i = 0; i < p; ++i)
    for (Index j = 0; j < p; ++j) {
      H0.block<2, 2>(2 * i, 2 * j) = term(i + j);
      H1.block<2, 2>(2 * i, 2 * j) = term(i + j + 1);
    }
  const Svd of_H0 = svd(H0);
  const Index rank = of_H0.rank(rounding);
  const Vector root = of_H0.s.head(rank).cwiseSqrt().cwiseInverse();
  const Matrix G = root.asDiagonal() * of_H0.U.leftCols(rank).transpose() * H1 * of_H0.V.leftCols(rank) *
                   root.asDiagonal();
  std::vector<Complex> roots = eigenvalues(G);
  for (Complex& z : roots) z *= s;
  return roots;
}

}  // namespace

double Spectrum::radius() const {
  double largest = roots.empty() ? kNan : 0;
  for (const Complex& z : roots) largest = std::max(largest, std::abs(z));
  return largest;
}

Spectrum measure_spectrum(const MeasuredMethod& method, double x, double damping_ratio) {
  const Oscillator system(1, 2 * damping_ratio, 1 / method.stiffening);
  // A method that looks back on k steps carries at most k states and their derivatives.
  const Index p = method.entry->info->history + 1;
  const int n = static_cast<int>(2 * p - 1);
  const std::vector<Matrix> Y = responses(method, system, x, n);
  if (static_cast<int>(Y.size()) <= n) return {};
  const double rounding = rounding_at(x);
  const bool remembers = (Y[2] - Y[1] * Y[1]).norm() > rounding * Y[1].squaredNorm();
  return {remembers ? hankel_roots(Y, p, rounding) : eigenvalues(Y[1])};
}

PrincipalRoot::PrincipalRoot(MeasuredMethod method, double damping_ratio)
    : method_(std::move(method)),
      damping_ratio_(damping_ratio),
      // Of the exact solution, an oscillation for damping ratios below one.
      rate_(-damping_ratio, std::sqrt(std::max(0., 1 - damping_ratio * damping_ratio))) {}

void PrincipalRoot::advance(double x) {
  constexpr double largest_stride = 0.05;  // rad: the roots move little
  const double from = x_;
  const int points = static_cast<int>(std::ceil((x - from) / largest_stride));
  for (int i = 1; i <= points && !lost_; ++i) visit(i == points ? x : from + (x - from) * i / points);
  if (lost_) root_ = kNan, angle_ = kNan;
}

void PrincipalRoot::visit(double x) {
  const Spectrum spectrum = measure_spectrum(method_, x, damping_ratio_);
  if (spectrum.roots.empty()) {
    lost_ = true;
    return;
  }
  const Complex expected = root_ * std::exp(rate_ * (x - x_));
  const auto distance = [](const Complex& a, const Complex& b) { return std::abs(a - b); };
  const Complex nearest = *std::min_element(
      spectrum.roots.begin(), spectrum.roots.end(),
      [&](const Complex& a, const Complex& b) { return distance(a, expected) < distance(b, expected); });
  // Two different real roots do not oscillate; a double one is a pair on its way across the axis.
  constexpr double same = 1e-6;
  const bool is_real = std::abs(nearest.imag()) < same * std::abs(nearest);
  const bool is_double = std::count_if(spectrum.roots.begin(), spectrum.roots.end(), [&](const Complex& z) {
                           return distance(z, nearest) < 2 * same * std::abs(nearest);
                         }) > 1;
  const Complex turn = std::log(nearest / root_);
  turned_ += turn.imag();
  angle_ = is_real && !is_double ? kNan : turned_;
  rate_ = turn / (x - x_);
  root_ = nearest;
  x_ = x;
}

}  // namespace phiflex
