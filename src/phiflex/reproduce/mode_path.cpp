#include "phiflex/reproduce/mode_path.h"

#include <algorithm>
#include <cmath>

#include "phiflex/reproduce/expression.h"

namespace phiflex {
namespace {

Modes modes_at(const DeformableModel& model, AssembledTangent& tangent, const Vector& q, Index count) {
  tangent.update({0, q, Vector::Zero(q.size())});
  const AssembledPencil pencil(tangent.K(), model.mass());
  Modes modes;
  Work unused;
  const ModesStatus status = compute_modes(pencil, count, {.tolerance = 1e-6}, modes, unused);
  if (status != ModesStatus::ok && status != ModesStatus::not_converged)
    throw Undecided("the modes of the moving body cannot be found: its stiffness is not positive definite");
  return modes;
}

// Largest sum of absolute values of a column of I + c M^-1 K; symmetric K, so columns are rows.
double one_norm(const SparseMatrix& K, const Vector& mass, double c) {
  const SparsityPattern& pattern = K.pattern();
  const int b = pattern.block();
  Vector sums = Vector::Zero(K.rows());
  for (int i = 0; i < pattern.block_rows(); ++i)
    for (int k = pattern.row_start()[std::size_t(i)]; k < pattern.row_start()[std::size_t(i) + 1]; ++k) {
      const int j = pattern.column()[std::size_t(k)];
      for (int r = 0; r < b; ++r)
        for (int s = 0; s < b; ++s) {
          const Index row = Index(b) * i + r, column = Index(b) * j + s;
          const double entry = c * K.block(k)[b * r + s] / mass[row] + (row == column ? 1.0 : 0.0);
          sums[column] += std::abs(entry);
        }
    }
  return sums.maxCoeff();
}

}  // namespace

ModePath follow_modes(const KeptRun& run, Index count, std::size_t every) {
  const Scene scene = ordered_scene(run.order());
  const World world(scene, run.order().scene_file);
  const auto model = world.make_rest_model(0);
  const auto tangent = model->assembled_tangent(Definiteness::exact);
  const std::vector<int>& row_of = model->constraints().free().row_of_vertex;
  const SampledMotion& motion = run.motion();
  const Index spare = 3;  // a followed mode may leave the lowest ones for a while
  ModePath path;
  path.lambda.resize(static_cast<std::size_t>(count));
  Matrix followed;
  std::vector<Index> place(static_cast<std::size_t>(count));
  for (std::size_t n = 0; n < motion.times.size(); n += std::max<std::size_t>(every, 1)) {
    Vector q = Vector::Zero(model->dofs());
    for (std::size_t v = 0; v < row_of.size(); ++v)
      if (row_of[v] >= 0) q.segment<3>(3 * Index(row_of[v])) = motion.x[n].segment<3>(3 * Index(v)) - world.rest().segment<3>(3 * Index(v));
    const Modes modes = modes_at(*model, *tangent, q, std::min(count + spare, model->dofs()));
    std::vector<Index> now(static_cast<std::size_t>(count));
    if (n == 0) {
      followed = modes.U.leftCols(count);
      for (Index i = 0; i < count; ++i) now[std::size_t(i)] = i;
    } else {
      Matrix image;
      model->mass().apply(followed, image);
      Matrix overlap = (modes.U.transpose() * image).cwiseAbs();
      for (Index i = 0; i < count; ++i) {
        Index best = 0;
        overlap.col(i).maxCoeff(&best);
        now[std::size_t(i)] = best;
        overlap.row(best).setZero();  // taken
      }
      for (Index i = 0; i < count; ++i) followed.col(i) = modes.U.col(now[std::size_t(i)]);
      for (std::size_t i = 0; i < now.size(); ++i)
        for (std::size_t j = i + 1; j < now.size(); ++j) path.order_changes += (place[i] < place[j]) != (now[i] < now[j]) ? 1 : 0;
    }
    place = now;
    path.times.push_back(motion.times[n]);
    for (std::size_t i = 0; i < now.size(); ++i) path.lambda[i].push_back(modes.lambda[now[i]]);
  }
  return path;
}

std::vector<double> twist_cosines(const World& world, const DeformableModel& rest_model, const RestModes& modes) {
  const Vector& rest = world.rest();
  const Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>> x(rest.data(), 3, rest.size() / 3);
  const Eigen::Vector3d low = x.rowwise().minCoeff(), high = x.rowwise().maxCoeff(), middle = (low + high) / 2;
  Index along = 0;
  (high - low).maxCoeff(&along);
  const Eigen::Vector3d axis = Eigen::Vector3d::Unit(along);
  Vector twist = Vector::Zero(rest_model.dofs());
  const std::vector<int>& row_of = rest_model.constraints().free().row_of_vertex;
  for (std::size_t v = 0; v < row_of.size(); ++v)
    if (row_of[v] >= 0)
      twist.segment<3>(3 * Index(row_of[v])) = (x(along, Index(v)) - low[along]) * axis.cross(x.col(Index(v)) - middle);  // (3)
  const MassMatrix& mass = rest_model.mass();
  const double size = std::sqrt(mass.dot(twist, twist));
  std::vector<double> cosines;
  for (Index i = modes.rigid; i < modes.modes.count(); ++i) {
    const Vector u = modes.modes.U.col(i);
    cosines.push_back(std::abs(mass.dot(u, twist)) / (size * std::sqrt(mass.dot(u, u))));
  }
  return cosines;
}

double condition_at_rest(const KeptRun& run, double c) {
  const Scene scene = ordered_scene(run.order());
  const World world(scene, run.order().scene_file);
  const auto model = world.make_rest_model(0);
  if (!model->mass().lumped()) throw ExpressionError("condition needs a lumped mass");
  const auto tangent = model->assembled_tangent(Definiteness::exact);
  const Index n = model->dofs();
  tangent->update({0, Vector::Zero(n), Vector::Zero(n)});
  const SparseMatrix& K = tangent->K();
  const Vector& mass = model->mass().diagonal();
  SparseMatrix A(K.shared_pattern());
  for (std::size_t i = 0; i < A.value_count(); ++i) A.values()[i] = c * K.values()[i];
  model->mass().add_to(1, A);
  CholeskyFactorization factorization(K.shared_pattern());
  if (factorization.factorize(A) != FactorStatus::ok) throw Undecided("the matrix at rest cannot be factorized");
  // Hager's iteration for |A^-1|_1, A^-1 = (M + c K)^-1 M and its transpose M (M + c K)^-1.
  Vector x = Vector::Constant(n, 1.0 / static_cast<double>(n)), y, z;
  double estimate = 0;
  for (int iteration = 0; iteration < 10; ++iteration) {
    factorization.solve(mass.cwiseProduct(x), y);
    const double now = y.lpNorm<1>();
    if (iteration > 0 && now <= estimate) break;
    estimate = now;
    factorization.solve(y.unaryExpr([](double value) { return value < 0 ? -1.0 : 1.0; }), z);
    z = mass.cwiseProduct(z);
    Index largest = 0;
    if (z.cwiseAbs().maxCoeff(&largest) <= z.dot(x)) break;
    x.setZero();
    x[largest] = 1;
  }
  return one_norm(K, mass, c) * estimate;  // (4)
}

}  // namespace phiflex
