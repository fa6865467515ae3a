#include "phiflex/integrate/modal_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "phiflex/base/errors.h"
#include "phiflex/integrate/modes_at_rest.h"
#include "phiflex/linalg/dense_solvers.h"

namespace phiflex {
namespace {

constexpr double kSmallestX = 0.1, kLargestX2 = 20;
// Rounding leaves a free motion with an eigenvalue of some epsilon |M^-1 K|.
constexpr double kRigid = 1e-12;

// The part of a mode that is no translation of the whole, in its norm.
double part_that_is_no_translation(const MassMatrix& mass, int block, const Vector& u) {
  Vector rest = u;
  for (int axis = 0; axis < block; ++axis) {
    Vector translation = Vector::Zero(u.size());
    for (Index i = axis; i < u.size(); i += block) translation[i] = 1;
    rest -= mass.dot(translation, u) / mass.dot(translation, translation) * translation;
  }
  return std::sqrt(mass.dot(rest, rest) / mass.dot(u, u));
}

[[noreturn]] void refuse(const char* why) {
  throw InputError("", "/integrator/type", std::string("\"emx\" ") + why);
}

}  // namespace

ModalFit::ModalFit(const MechanicalSystem& system, Index count, LinearSolver solver) : system_(system) {
  origin_.q = origin_.v = Vector::Zero(system.dofs());
  // Four modes at least: of more than three free motions one is no translation.
  const Index wanted = std::min(std::max<Index>(count, 4), system.dofs());
  Work unused;
  ModesAtRest found = modes_at_rest(system, wanted, {.solver = solver}, unused);
  if (found.status == ModesStatus::not_finite)
    refuse("fits the modes of the rest shape, which has no finite stiffness here; use \"em\"");
  if (found.status != ModesStatus::ok)
    refuse("fits the modes of the rest shape, which could not be found here; use \"em\"");
  rest_ = std::move(found.modes);
  const double rigid = kRigid * found.norm;
  for (Index i = 0; i < rest_.count(); ++i)
    if (std::abs(rest_.lambda[i]) <= rigid &&
        part_that_is_no_translation(system.mass(), system.pattern()->block(), rest_.U.col(i)) > 1e-3)
      refuse(
          "fits the modes of the rest shape and is for bodies that are held; here a body may turn freely, "
          "and "
          "its modes would not follow its spin: use \"em\"");
  const Index kept = std::min(count, wanted);
  rest_.lambda.conservativeResize(kept);
  rest_.U.conservativeResize(Eigen::NoChange, kept);
  modal_.resize(kept);
}

void ModalFit::update(const State& now, double h) {
  const Index count = rest_.count();
  tau_less_1_.setZero(count);
  inverse_change_.setZero(count);
  damped_lambda_.setZero(count);
  fitted_ = 0;
  for (Index i = 0; i < count; ++i) {
    const double lambda = rest_.lambda[i], x2 = h * h * lambda, x = std::sqrt(std::abs(x2));
    if (x < kSmallestX || x2 >= kLargestX2) continue;
    const double tau = lambda > 0 ? x / 2 / std::tan(x / 2) : x / 2 / std::tanh(x / 2);  // (1)
    tau_less_1_[i] = tau - 1;
    inverse_change_[i] = 1 / (tau * tau + x2 / 4) - 1 / (1 + x2 / 4);  // (4)
    damped_lambda_[i] = lambda;
    ++fitted_;
  }
  if (!empty()) turn(now);
}

void ModalFit::turn(const State& now) {
  U_ = rest_.U;
  system_.rotations(origin_, now, R_);
  if (!R_.empty()) R_.apply(U_);
  system_.mass().apply(U_, MU_);
  gram_.noalias() = U_.transpose() * MU_;
  // orth: U L^-T with U'M U = L L'.
  Eigen::LLT<Eigen::Ref<Matrix>> factors(gram_);
  factors.matrixU().solveInPlace<Eigen::OnTheRight>(U_);
  factors.matrixU().solveInPlace<Eigen::OnTheRight>(MU_);
}

void ModalFit::apply(const Vector& x, Vector& y) {
  modal_.noalias() = MU_.transpose() * x;
  modal_.array() *= tau_less_1_.array();
  y = x;
  y.noalias() += U_ * modal_;  // (2)
}

void ModalFit::apply_with_mass(const Vector& x, Vector& y) {
  system_.mass().apply(x, y);
  modal_.noalias() = MU_.transpose() * x;
  modal_.array() *= tau_less_1_.array();
  y.noalias() += MU_ * modal_;
}

void ModalFit::add_inverse(const Vector& r, Vector& z) {
  modal_.noalias() = U_.transpose() * r;
  modal_.array() *= inverse_change_.array();
  z.noalias() += U_ * modal_;  // (4)
}

void ModalFit::remove_dial(double chi, double ratio, const Vector* before, const Vector& dq, Vector& f) {
  coefficients(dq, modal_);
  if (before) modal_ -= ratio * *before;
  modal_.array() *= chi * damped_lambda_.array();
  f.noalias() += MU_ * modal_;
}

void ModalFit::coefficients(const Vector& dq, Vector& c) {
  c.noalias() = MU_.transpose() * dq;
}

}  // namespace phiflex
