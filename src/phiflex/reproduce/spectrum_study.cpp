#include "phiflex/reproduce/spectrum_study.h"

#include <fmt/format.h>

#include <numeric>

#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/linalg/modes.h"
#include "phiflex/linalg/svd.h"
#include "phiflex/reproduce/expression.h"
#include "phiflex/reproduce/step_cost_study.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {
namespace {

Index rank_of(const Matrix& A) {
  return svd(A).rank(1e-10);
}

double count_not_zero(const Matrix& A) {
  return static_cast<double>((A.array() != 0).count());
}

}  // namespace

double wave_eigenvalue(int elements, double b) {
  if (elements < 2) throw ExpressionError("the wave equation needs two elements at least");
  const Index n = elements - 1;
  const double h = 1. / elements;
  Matrix K = Matrix::Zero(n, n), M = K;
  K.diagonal().setConstant(2 / h);  // (1)
  M.diagonal().setConstant(4 * h / 6);
  K.diagonal(1).setConstant(-1 / h), K.diagonal(-1).setConstant(-1 / h);
  M.diagonal(1).setConstant(b * h / 6), M.diagonal(-1).setConstant(b * h / 6);
  return Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(K, M, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

double laplacian_modes_seconds(int nx, int ny, int s) {
  if (nx < 2 || ny < 2 || s < 1 || s > nx * ny)
    throw ExpressionError("usage: laplacian_modes_seconds(nx, ny, s)");
  const auto number = [nx](int i, int j) { return i + nx * j; };
  std::vector<Coupling> couplings;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      if (i + 1 < nx) couplings.push_back({number(i, j), number(i + 1, j)});
      if (j + 1 < ny) couplings.push_back({number(i, j), number(i, j + 1)});
    }
  SparseMatrix K(std::make_shared<SparsityPattern>(1, nx * ny, couplings));
  for (int i = 0; i < nx * ny; ++i) *K.block(K.pattern().diagonal(i)) = 4;
  for (const auto& [a, b] : couplings)
    *K.block(K.pattern().find(a, b)) = *K.block(K.pattern().find(b, a)) = -1;
  const MassMatrix mass(Vector::Ones(nx * ny));
  const AssembledPencil pencil(K, mass);
  Modes modes;
  Work work;
  const double start = processor_seconds();
  const ModesStatus status = compute_modes(pencil, s, {}, modes, work);
  const double seconds = processor_seconds() - start;
  if (status != ModesStatus::ok)
    throw Undecided(fmt::format("the {} smallest eigenpairs did not converge", s));
  return seconds;
}

SiereJacobian siere_jacobian(int resolution, int count) {
  const std::string text = fmt::format(
      R"({{ "time": {{ "step": 0.005, "end": 0.005 }}, "bodies": [ {{ "name": "ball",
           "mesh": {{ "generate": "ball", "radius": 0.1, "resolution": {} }},
           "material": {{ "type": "neo-hookean", "young": 1e6, "poisson": 0.45, "density": 1000 }} }} ],
         "constraints": [ {{ "type": "fix", "body": "ball", "where": {{ "half_space": {{ "point": [0, 0.08, 0],
           "normal": [0, -1, 0] }} }} }} ] }})",
      resolution);
  std::vector<Problem> warnings;
  const Scene scene = parse_scene(text, "ball.scene.json", {}, warnings);
  const SceneModel world = build_scene(scene, "ball.scene.json");
  const std::unique_ptr<DeformableModel> model = world.make_rest_model(0);
  const std::unique_ptr<AssembledTangent> tangent = model->assembled_tangent(Definiteness::exact);
  const Index n = model->dofs();
  tangent->update({0, Vector::Zero(n), Vector::Zero(n)});
  Modes modes;
  Work work;
  const AssembledPencil pencil(tangent->K(), model->mass());
  if (compute_modes(pencil, count, {.tolerance = 1e-10}, modes, work) != ModesStatus::ok)
    throw Undecided("the modes of the ball did not converge");
  Matrix MU;
  model->mass().apply(modes.U, MU);
  const Matrix above = modes.U * MU.transpose();                              // (2), the right upper block
  const Matrix below = modes.U * modes.lambda.asDiagonal() * MU.transpose();  // and the left lower one
  Matrix A = Matrix(tangent->K().to_eigen());
  const double stored = count_not_zero(A);
  A = model->mass().diagonal().cwiseInverse().asDiagonal() * A;  // lumped
  SiereJacobian result;
  const double entries = 4. * double(n) * double(n), diagonal = 2. * double(n);
  result.size = 2 * n;
  result.rank = rank_of(above) + rank_of(below);
  result.fill = (diagonal + double(n) + stored) / entries;
  const Matrix reduced_above = Matrix::Identity(n, n) - above;
  result.reduced_fill = (diagonal + count_not_zero(reduced_above) + count_not_zero(A - below)) / entries;
  return result;
}

}  // namespace phiflex
