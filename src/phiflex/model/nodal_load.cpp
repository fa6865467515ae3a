#include "phiflex/model/nodal_load.h"

#include <numeric>
#include <stdexcept>

namespace phiflex {

NodalLoad::NodalLoad(std::vector<int> vertices, Vector forces, ActiveTime active, Modulation modulation)
    : vertices_(std::move(vertices)),
      forces_(std::move(forces)),
      active_(active),
      modulation_(std::move(modulation)) {
  if (forces_.size() != 3 * static_cast<Index>(vertices_.size()))
    throw std::invalid_argument("NodalLoad: three numbers for each vertex are needed");
}

void NodalLoad::add_force(const Motion& at, Vector& f) const {
  if (!active_.covers(at.t)) return;
  const double now = factor(at.t);
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    f.segment<3>(3 * Index(vertices_[i])) += now * forces_.segment<3>(3 * Index(i));
}

void NodalLoad::add_force_rate(const Motion& at, Vector& g) const {
  const double change = rate(at.t);
  if (change == 0) return;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    g.segment<3>(3 * Index(vertices_[i])) += change * forces_.segment<3>(3 * Index(i));
}

std::shared_ptr<const Load> make_proportional_load(std::span<const int> vertices,
                                                   std::span<const double> weights,
                                                   const Eigen::Vector3d& per_weight, ActiveTime active,
                                                   Modulation modulation) {
  if (vertices.size() != weights.size())
    throw std::invalid_argument("make_proportional_load: one weight for each vertex is needed");
  Vector forces(3 * Index(vertices.size()));
  for (std::size_t i = 0; i < weights.size(); ++i) forces.segment<3>(3 * Index(i)) = weights[i] * per_weight;
  return std::make_shared<NodalLoad>(std::vector<int>(vertices.begin(), vertices.end()), std::move(forces),
                                     active, std::move(modulation));
}

std::shared_ptr<const Load> make_shared_load(std::span<const int> vertices, std::span<const double> weights,
                                             const Eigen::Vector3d& total, ActiveTime active,
                                             Modulation modulation) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(sum > 0)) throw std::invalid_argument("make_shared_load: the weights must have a positive sum");
  return make_proportional_load(vertices, weights, total / sum, active, std::move(modulation));
}

}  // namespace phiflex
