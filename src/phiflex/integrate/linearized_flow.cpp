#include "phiflex/integrate/linearized_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/base/parallel.h"
#include "phiflex/integrate/evaluate.h"
#include "phiflex/linalg/binary_unit.h"

namespace phiflex {
namespace {

// Products with a row of K, and forces of the elements at a vertex, are sums of some tens of terms.
constexpr double kRoundings = 8;
// Times the bound (5): room for a force of damping within a, and for growth that a step still resolves.
constexpr double kOutgrown = 2;

// y += |A| x, entry by entry.
void add_absolute(const SparseMatrix& A, const Vector& x, Vector& y) {
  const SparsityPattern& p = A.pattern();
  const int b = p.block();
  parallel_for(p.block_rows(), [&](std::ptrdiff_t i) {
    for (int k = p.row_start()[i]; k < p.row_start()[i + 1]; ++k) {
      const double* entries = A.block(k);
      const double* from = x.data() + Index(b) * p.column()[k];
      for (int row = 0; row < b; ++row)
        for (int col = 0; col < b; ++col) y[b * i + row] += std::abs(entries[b * row + col]) * from[col];
    }
  });
}

}  // namespace

StepStatus LinearizedFlow::linearize(const State& at, double h, StepReport& report, bool nearby) {
  at_ = at;
  const StepStatus status = evaluate_force(system_, at, f_, report.work);
  if (status != StepStatus::ok) return status;
  phi_.update(at, h, report, nearby);
  const Index n = system_.dofs();
  u_[1].resize(2 * n);
  u_[1].head(n) = at.v;
  system_.mass().solve(f_, half_);
  u_[1].tail(n) = half_;
  phi_.tangent().load_rate(g_);
  has_rate_ = !all_zero(system_.mass().team(), g_);
  if (!has_rate_) {
    u_[2].resize(0);
  } else {
    u_[2].setZero(2 * n);
    system_.mass().solve(g_, half_);
    u_[2].tail(n) = half_;
  }
  return StepStatus::ok;
}

StepResult<std::vector<Vector>> LinearizedFlow::flow(std::span<const double> tau, StepReport& report) {
  const std::size_t terms = has_rate_ ? 3 : 2;
  return phi_.evaluate(std::span(u_).first(terms), tau, increments_, report);
}

StepResult<Vector> LinearizedFlow::correction(double tau, const Vector& u3, const Vector& u4,
                                              StepReport& report) {
  terms_[3] = u3;
  terms_[4] = u4;
  const auto sum =
      phi_.evaluate(std::span(terms_).first(u4.size() > 0 ? 5 : 4), {&tau, 1}, correction_, report);
  if (!sum.ok()) return sum.status();
  return StepResult(sum.value()[0]);
}

StepResult<std::vector<Vector>> LinearizedFlow::remainders(std::span<const double> tau,
                                                           const std::vector<Vector>& increments,
                                                           StepReport& report) {
  remainders_.resize(tau.size());
  for (std::size_t i = 0; i < tau.size(); ++i) {
    const StepStatus status = find_remainder(tau[i], increments[i], remainders_[i], report);
    if (status != StepStatus::ok) return status;
  }
  return StepResult(remainders_);
}

StepStatus LinearizedFlow::find_remainder(double tau, const Vector& increment, Vector& R,
                                          StepReport& report) {
  const Index n = system_.dofs();
  StepStatus status = add(tau, increment, stage_);
  if (status != StepStatus::ok) return status;
  status = evaluate_force(system_, stage_, stage_force_, report.work);
  if (status != StepStatus::ok) return status;
  bound_ = stage_force_.cwiseAbs() + f_.cwiseAbs() + tau * g_.cwiseAbs();
  stage_force_ -= f_ + tau * g_;
  half_ = increment.head(n);
  phi_.tangent().apply_K(half_, product_);
  ++report.work.stiffness_products;
  stage_force_ += product_;
  if (phi_.tangent().D()) {
    half_ = increment.tail(n);
    phi_.tangent().apply_D(half_, product_);
    stage_force_ += product_;
  }
  drop_rounding();
  system_.mass().solve(stage_force_, half_);
  R.resize(2 * n);
  R.head(n).setZero();
  R.tail(n) = half_;  // (3)
  return StepStatus::ok;
}

void LinearizedFlow::drop_rounding() {
  sizes_ = at_.q.cwiseAbs() + stage_.q.cwiseAbs();
  add_absolute(phi_.tangent().K(), sizes_, bound_);
  if (const SparseMatrix* D = phi_.tangent().D()) {
    sizes_ = at_.v.cwiseAbs() + stage_.v.cwiseAbs();
    add_absolute(*D, sizes_, bound_);
  }
  bound_ *= kRoundings * std::numeric_limits<double>::epsilon();  // (4)
  stage_force_ = (stage_force_.array().abs() <= bound_.array()).select(0, stage_force_);
}

StepStatus LinearizedFlow::add(double tau, const Vector& increment, State& next) const {
  const Index n = system_.dofs();
  next.t = at_.t + tau;
  next.q = at_.q + increment.head(n);
  next.v = at_.v + increment.tail(n);
  return check_finite(system_, next);
}

bool LinearizedFlow::outgrows(double h, const Vector& increment) {
  const Index n = system_.dofs();
  const auto size = [&](const auto& x) {
    const double unit = binary_unit_of(system_.mass().team(), x);
    half_ = x / unit;
    return unit * std::sqrt(system_.mass().dot(half_, half_));
  };
  double bound = size(at_.v) + 2 * h * size(u_[1].tail(n));
  if (has_rate_) bound += h * h * size(u_[2].tail(n));
  return !(size(at_.v + increment.tail(n)) <= kOutgrown * bound);  // (5)
}

double LinearizedFlow::relative_norm(const Vector& part, const Vector& whole, double h) {
  const double size = norm(part, h);
  return size == 0 ? 0 : size / norm(whole, h);
}

double LinearizedFlow::norm(const Vector& w, double h) {
  const Index n = system_.dofs();
  const Team& team = system_.mass().team();
  const auto largest_of = [&](const auto& x) {
    return largest(team, x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0);
  };
  const double unit = binary_unit(std::max(largest_of(w.head(n)) / h, largest_of(w.tail(n))));
  half_ = w.head(n) / h / unit;
  double square = system_.mass().dot(half_, half_);
  half_ = w.tail(n) / unit;
  square += system_.mass().dot(half_, half_);
  return unit * std::sqrt(square);
}

}  // namespace phiflex
