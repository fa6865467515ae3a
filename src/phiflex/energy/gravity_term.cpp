#include "phiflex/energy/gravity_term.h"

#include <stdexcept>
#include <utility>

namespace phiflex {
namespace {

class NoStiffness final : public StiffnessAssembler {
 public:
  Index add_stiffness(const Vector&, Definiteness, SparseMatrix&) const override { return 0; }
};

}  // namespace

GravityTerm::GravityTerm(std::vector<double> masses, std::array<double, 3> gravity, Vector rest)
    : masses_(std::move(masses)), gravity_(gravity), rest_(std::move(rest)) {
  if (rest_.size() != 3 * static_cast<Index>(masses_.size()))
    throw std::invalid_argument("GravityTerm: three coordinates are needed for each mass");
}

double GravityTerm::energy(const Vector& x) const {
  double W = 0;
  for (std::size_t v = 0; v < masses_.size(); ++v)
    for (int i = 0; i < 3; ++i) W -= masses_[v] * gravity_[i] * (x[3 * v + i] - rest_[3 * v + i]);
  return W;
}

void GravityTerm::add_force(const Vector&, Vector& f) const {
  for (std::size_t v = 0; v < masses_.size(); ++v)
    for (int i = 0; i < 3; ++i) f[3 * v + i] += masses_[v] * gravity_[i];
}

std::unique_ptr<StiffnessAssembler> GravityTerm::make_assembler(const FreeVertices&,
                                                                const SparsityPattern&) const {
  return std::make_unique<NoStiffness>();
}

}  // namespace phiflex
