#include "phiflex/run/mode_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "phiflex/base/errors.h"
#include "phiflex/integrate/modes_at_rest.h"
#include "phiflex/mesh/tet_locator.h"
#include "phiflex/mesh/vec3.h"
#include "phiflex/model/eigenfit_correction.h"

namespace phiflex {
namespace {

constexpr double kRigidRounding = 1e-13;  // of |M^-1 K|: below, lambda is rounding
constexpr Index kSpare = 3;  // modes beyond the wanted ones, which may have swapped with the last of them
constexpr double kFarOutside = 0.1;  // of the coarse body's diagonal

[[noreturn]] void refuse(std::string message) {
  throw InputError("", "", std::move(message));
}

// B U over the free vertices of the fine model.
class Carrier {
 public:
  Carrier(const Assembly& coarse, const DeformableModel& coarse_model, const Assembly& fine) {
    const std::vector<int>& row_of = coarse_model.constraints().free().row_of_vertex;
    for (std::size_t b = 0; b < coarse.bodies().size(); ++b) {
      const Body &from = coarse.bodies()[b], &to = fine.bodies()[b];
      if (!from.solid()) {  // springs are the same in both
        for (int v = 0; v < to.vertex_count(); ++v)
          sources_.push_back(Source{{{{row_of[from.first_vertex + v], 1}, {}, {}, {}}}});
        continue;
      }
      const TetMesh& mesh = from.solid()->mesh;
      const TetLocator locator(mesh.vertices, mesh.tets);
      const Bounds bounds = bounds_of(mesh.vertices);
      const double far = kFarOutside * norm(bounds.high - bounds.low);
      int outside = 0;
      for (const Point3& x : to.rest()) {
        const TetLocator::Place place = locator.locate(x);
        outside += place.distance > far ? 1 : 0;
        Source source;
        for (int a = 0; a < 4; ++a)
          source.parts[a] = {row_of[from.first_vertex + mesh.tets[place.tet][a]], place.weights[a]};
        sources_.push_back(source);
      }
      if (2 * outside > to.vertex_count())
        refuse(
            fmt::format("the fine and the coarse mesh of \"{}\" do not lie on one another: {} of the {} fine "
                        "vertices are more than a tenth of its size outside of the coarse mesh",
                        from.name, outside, to.vertex_count()));
    }
  }

  void carry(const Matrix& U, const FreeVertices& fine, Matrix& BU) const {
    BU.setZero(3 * Index(fine.vertex_of_row.size()), U.cols());
    for (std::size_t row = 0; row < fine.vertex_of_row.size(); ++row)
      for (const auto& [from, weight] : sources_[std::size_t(fine.vertex_of_row[row])].parts)
        if (from >= 0) BU.middleRows<3>(3 * Index(row)) += weight * U.middleRows<3>(3 * Index(from));
  }

 private:
  struct Source {
    struct Part {
      int row = -1;  // -1: held, or none
      double weight = 0;
    };
    std::array<Part, 4> parts;
  };
  std::vector<Source> sources_;  // of each vertex of the fine world
};

void divide_by_norms(const MassMatrix& mass, Matrix& U) {
  for (Index i = 0; i < U.cols(); ++i) {
    const Vector u = U.col(i);
    const double size = std::sqrt(mass.dot(u, u));
    if (size > 0) U.col(i) /= size;
  }
}

// p(i): mutual best above the limit first, the others in their order.
std::vector<Index> find_partners(const Matrix& G) {
  std::vector<Index> partner(std::size_t(G.rows()), -1);
  std::vector<bool> taken(std::size_t(G.cols()), false);
  const Matrix size = G.cwiseAbs();
  for (Index i = 0; i < G.rows(); ++i) {
    Index j, back;
    if (size.row(i).maxCoeff(&j) <= kModeMatch) continue;
    size.col(j).maxCoeff(&back);
    if (back != i) continue;
    partner[std::size_t(i)] = j;
    taken[std::size_t(j)] = true;
  }
  Index next = 0;
  for (Index& p : partner) {
    if (p >= 0) continue;
    while (next < G.cols() && taken[std::size_t(next)]) ++next;
    if (next < G.cols()) p = next++;
  }
  return partner;
}

}  // namespace

RestModes rest_modes(const DeformableModel& model, Index count, Index spare) {
  const Index dofs = model.dofs();
  RestModes rest;
  for (Index wanted = count + spare;;) {
    Work unused;
    ModesAtRest found = modes_at_rest(model, std::min(wanted, dofs), {.tolerance = 1e-9}, unused);
    if (found.status != ModesStatus::ok) refuse("the modes at rest could not be found");
    rest.modes = std::move(found.modes);
    rest.rigid = (rest.modes.lambda.array() <= kRigidRounding * found.norm).count();
    if (rest.elastic() >= count + spare || rest.modes.count() == dofs) break;
    wanted = count + spare + rest.rigid;
  }
  if (rest.elastic() < count)
    refuse(fmt::format("has {} free degrees of freedom, {} of them rigid: fewer than the {} modes asked for",
                       dofs, rest.rigid, count));
  return rest;
}

ModeComparison compare_modes(const Assembly& coarse, const Assembly& fine, double t, Index count) {
  if (coarse.triangles() > 0 || fine.triangles() > 0)
    refuse("a body lies in a plane; bodies of tetrahedra and springs are compared");
  const auto coarse_model = coarse.make_rest_model(t), fine_model = fine.make_rest_model(t);
  const auto modes_of = [&](const DeformableModel& model, const char* which) {
    try {
      return rest_modes(model, count, kSpare);
    } catch (const InputError& error) {
      refuse(fmt::format("the {} mesh: {}", which, error.problems().front().message));
    }
  };
  ModeComparison comparison;
  const Carrier carrier(coarse, *coarse_model, fine);  // first: meshes that do not overlap explain the rest
  comparison.coarse = modes_of(*coarse_model, "coarse");
  comparison.fine = modes_of(*fine_model, "fine");
  if (comparison.coarse.rigid != comparison.fine.rigid)
    refuse(fmt::format(
        "the constraints hold the two meshes differently: {} rigid motions are free on the coarse "
        "one, {} on the fine one",
        comparison.coarse.rigid, comparison.fine.rigid));

  Matrix carried, image;
  carrier.carry(comparison.coarse.modes.U.rightCols(comparison.coarse.elastic()),
                fine_model->constraints().free(), carried);
  divide_by_norms(fine_model->mass(), carried);
  fine_model->mass().apply(carried, image);
  comparison.G = image.transpose() * comparison.fine.modes.U.rightCols(comparison.fine.elastic());
  comparison.partner = find_partners(comparison.G);
  comparison.ratios.setOnes(count);
  for (Index i = 0; i < count; ++i) {
    const Index p = comparison.partner[std::size_t(i)];
    if (p < 0) continue;
    comparison.ratios[i] = comparison.fine.modes.lambda[comparison.fine.rigid + p] /
                           comparison.coarse.modes.lambda[comparison.coarse.rigid + i];  // (1)
    if (std::abs(comparison.G(i, p)) > kModeMatch) ++comparison.matched;
  }
  return comparison;
}

}  // namespace phiflex
