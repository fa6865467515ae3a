#include "phiflex/model/stokes_load.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace phiflex {
namespace {

// The matrix of (1): u = S g.
Eigen::Matrix3d stokeslet(const StokesFluid& fluid, const Eigen::Vector3d& r) {
  const double e2 = fluid.radius * fluid.radius, s = r.squaredNorm() + e2;
  return ((s + e2) * Eigen::Matrix3d::Identity() + r * r.transpose()) /
         (8 * std::numbers::pi * fluid.viscosity * s * std::sqrt(s));
}

class StokesDrag final : public DragAssembler {
 public:
  StokesDrag(const StokesLoad& load, const FreeVertices& free, const SparsityPattern& pattern) : load_(load) {
    const std::vector<int>& vertices = load.vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i)
      for (std::size_t j = 0; j < vertices.size(); ++j) {
        const int row = free.row_of_vertex[vertices[i]], col = free.row_of_vertex[vertices[j]];
        if (row >= 0 && col >= 0) places_.push_back({i, j, pattern.find(row, col)});
      }
  }

  void add_drag(const Motion& at, SparseMatrix& D) const override {
    load_.resistance(at.x, inverse_);
    for (const Place& place : places_) {
      double* block = D.block(place.block);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          block[3 * r + c] += inverse_(3 * Index(place.i) + r, 3 * Index(place.j) + c);
    }
  }

 private:
  struct Place {
    std::size_t i, j;
    int block;
  };
  const StokesLoad& load_;
  std::vector<Place> places_;
  mutable Eigen::MatrixXd inverse_;  // working memory: an assembler serves one tangent
};

}  // namespace

Eigen::Vector3d stokeslet_velocity(const StokesFluid& fluid, const Eigen::Vector3d& at,
                                   const Eigen::Vector3d& g) {
  return stokeslet(fluid, at) * g;
}

StokesLoad::StokesLoad(std::vector<int> vertices, StokesFluid fluid)
    : vertices_(std::move(vertices)), fluid_(fluid), factor_(3 * static_cast<Index>(vertices_.size())) {
  const Index size = 3 * static_cast<Index>(vertices_.size());
  places_.setConstant(size, std::numeric_limits<double>::quiet_NaN());
  speeds_.resize(size);
  S_.resize(size, size);
}

void StokesLoad::factorize(const Vector& x) const {
  bool same = true;
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const auto at = x.segment<3>(3 * Index(vertices_[i]));
    same = same && places_.segment<3>(3 * Index(i)) == at;
    places_.segment<3>(3 * Index(i)) = at;
  }
  if (same) return;
  for (Index i = 0; i < places_.size(); i += 3)
    for (Index j = 0; j <= i; j += 3)
      S_.block<3, 3>(i, j) = stokeslet(fluid_, places_.segment<3>(i) - places_.segment<3>(j));
  factor_.compute(S_);  // the lower half; not finite positions give a result that is not finite
}

void StokesLoad::add_force(const Motion& at, Vector& f) const {
  const std::lock_guard lock(mutex_);
  factorize(at.x);
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    speeds_.segment<3>(3 * Index(i)) = at.v.segment<3>(3 * Index(vertices_[i]));
  if (factor_.info() == Eigen::Success) {
    factor_.solveInPlace(speeds_);
  } else {
    speeds_.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    f.segment<3>(3 * Index(vertices_[i])) -= speeds_.segment<3>(3 * Index(i));  // (2)
}

void StokesLoad::resistance(const Vector& x, Eigen::MatrixXd& inverse) const {
  const std::lock_guard lock(mutex_);
  factorize(x);
  inverse.setIdentity(S_.rows(), S_.cols());
  factor_.solveInPlace(inverse);
}

void StokesLoad::add_couplings(std::vector<Coupling>& couplings) const {
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) couplings.push_back({vertices_[i], vertices_[j]});
}

std::unique_ptr<DragAssembler> StokesLoad::make_drag_assembler(const FreeVertices& free,
                                                               const SparsityPattern& pattern) const {
  return std::make_unique<StokesDrag>(*this, free, pattern);
}

}  // namespace phiflex
