#include "phiflex/reproduce/mode_twist.h"

#include <cmath>

namespace phiflex {

std::vector<double> twist_cosines(const Assembly& world, const DeformableModel& rest_model,
                                  const RestModes& modes) {
  const Vector& rest = world.rest();
  const Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>> x(rest.data(), 3, rest.size() / 3);
  const Eigen::Vector3d low = x.rowwise().minCoeff(), high = x.rowwise().maxCoeff(),
                        middle = (low + high) / 2;
  Index along = 0;
  (high - low).maxCoeff(&along);
  const Eigen::Vector3d axis = Eigen::Vector3d::Unit(along);
  Vector twist = Vector::Zero(rest_model.dofs());
  const std::vector<int>& row_of = rest_model.constraints().free().row_of_vertex;
  for (std::size_t v = 0; v < row_of.size(); ++v)
    if (row_of[v] >= 0)
      twist.segment<3>(3 * Index(row_of[v])) =
          (x(along, Index(v)) - low[along]) * axis.cross(x.col(Index(v)) - middle);  // (1)
  const MassMatrix& mass = rest_model.mass();
  const double size = std::sqrt(mass.dot(twist, twist));
  std::vector<double> cosines;
  for (Index i = modes.rigid; i < modes.modes.count(); ++i) {
    const Vector u = modes.modes.U.col(i);
    cosines.push_back(std::abs(mass.dot(u, twist)) / (size * std::sqrt(mass.dot(u, u))));
  }
  return cosines;
}

}  // namespace phiflex
