#include "phiflex/reproduce/particle_row_study.h"

#include <cmath>

#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {
namespace {

using Eigen::Vector3d;

// E of (1) around a target, its gradient and its Hessian.
class StepEnergy {
 public:
  StepEnergy(const ParticleRow& row, const Vector& target)
      : row_(row),
        target_(target),
        spacing_(row.length / (row.particles - 1)),
        scale_(row.h * row.h / row.mass) {}

  double value(const Vector& q) const {
    double W = 0;
    for (int i = 0; i + 1 < row_.particles; ++i) {
      const double stretch = (place(q, i + 1) - place(q, i)).norm() - spacing_;
      W += row_.stiffness / 2 * stretch * stretch;
    }
    for (Index i = 1; i < q.size(); i += 3) W += row_.mass * row_.gravity * q[i];
    return (q - target_).squaredNorm() / 2 + scale_ * W;
  }
  Vector gradient(const Vector& q) const {
    Vector g = q - target_;
    for (Index i = 1; i < q.size(); i += 3) g[i] += scale_ * row_.mass * row_.gravity;
    for (int i = 0; i + 1 < row_.particles; ++i) {
      const Vector3d d = place(q, i + 1) - place(q, i);
      const Vector3d f = scale_ * row_.stiffness * (1 - spacing_ / d.norm()) * d;
      if (i > 0) g.segment<3>(3 * (i - 1)) -= f;
      g.segment<3>(3 * i) += f;
    }
    return g;
  }
  Matrix hessian(const Vector& q) const {
    Matrix H = Matrix::Identity(q.size(), q.size());
    for (int i = 0; i + 1 < row_.particles; ++i) {
      const Vector3d d = place(q, i + 1) - place(q, i);
      const Vector3d n = d.normalized();
      const Eigen::Matrix3d along = n * n.transpose();
      const Eigen::Matrix3d k = scale_ * row_.stiffness *
                                (along + (1 - spacing_ / d.norm()) * (Eigen::Matrix3d::Identity() - along));
      H.block<3, 3>(3 * i, 3 * i) += k;
      if (i == 0) continue;
      H.block<3, 3>(3 * (i - 1), 3 * (i - 1)) += k;
      H.block<3, 3>(3 * (i - 1), 3 * i) -= k;
      H.block<3, 3>(3 * i, 3 * (i - 1)) -= k;
    }
    return H;
  }

 private:
  // Particle 0 is held at the origin.
  Vector3d place(const Vector& q, int i) const {
    return i == 0 ? Vector3d::Zero().eval() : Vector3d(q.segment<3>(3 * (i - 1)));
  }

  const ParticleRow& row_;
  const Vector& target_;
  double spacing_, scale_;
};

Vector newton_direction(const Matrix& H, const Vector& g) {
  for (double shift = 0;; shift = shift == 0 ? 1e-3 : 10 * shift) {
    const Eigen::LLT<Matrix> factor(H + shift * Matrix::Identity(H.rows(), H.cols()));
    if (factor.info() == Eigen::Success) return -factor.solve(g);
  }
}

// Halves the step until E falls by at least a part of what the slope promises; 0 when it never does.
double backtracked(const StepEnergy& energy, const Vector& q, const Vector& direction, double slope) {
  constexpr double promised = 1e-4;
  const double E = energy.value(q);
  for (double length = 1; length > 1e-14; length /= 2)
    if (energy.value(q + length * direction) <= E + promised * length * slope) return length;
  return 0;
}

void update_inverse(Matrix& B, const Vector& s, const Vector& y) {
  const double sy = s.dot(y);
  if (sy <= 0) return;
  const Matrix I = Matrix::Identity(B.rows(), B.cols());
  B = (I - s * y.transpose() / sy) * B * (I - y * s.transpose() / sy) + s * s.transpose() / sy;
}

// Iterations of one step; q comes in as the start and goes out as the minimizer.
int minimize(const StepEnergy& energy, Minimizer minimizer, double tolerance, Vector& q) {
  constexpr int limit = 10000;
  Vector g = energy.gradient(q);
  const double small = tolerance * (1 + g.cwiseAbs().maxCoeff());
  Matrix B = Matrix::Identity(q.size(), q.size());  // BFGS: the inverse Hessian
  for (int n = 0; n < limit; ++n) {
    if (g.cwiseAbs().maxCoeff() <= small) return n;
    const Vector direction =
        minimizer == Minimizer::newton ? newton_direction(energy.hessian(q), g) : -(B * g);
    const double length = backtracked(energy, q, direction, g.dot(direction));
    if (length == 0) return g.cwiseAbs().maxCoeff() <= 100 * small ? n : -1;  // rounding ends the descent
    const Vector moved = length * direction;
    q += moved;
    const Vector next = energy.gradient(q);
    if (minimizer == Minimizer::bfgs) update_inverse(B, moved, next - g);
    g = next;
  }
  return -1;
}

}  // namespace

int minimizer_iterations(const ParticleRow& row, Minimizer minimizer) {
  const Index n = 3 * (row.particles - 1);
  Vector q = Vector::Zero(n), v = Vector::Zero(n);
  for (int i = 1; i < row.particles; ++i) q[3 * (i - 1)] = row.length * i / (row.particles - 1);
  int total = 0;
  for (int step = 0; step < row.steps; ++step) {
    const Vector target = q + row.h * v;
    Vector next = q;
    const int iterations = minimize(StepEnergy(row, target), minimizer, row.tolerance, next);
    if (iterations < 0) return -1;
    total += iterations;
    v = (next - q) / row.h;
    q = next;
  }
  return total;
}

}  // namespace phiflex
