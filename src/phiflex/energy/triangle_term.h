// Elastic energy of linear triangles in plane strain, unit thickness, with continuous or discontinuous displacements.
//
// Discontinuous Galerkin methods give every triangle corners of its own and couple neighbours through the
// jump d = u- - u+ of the displacement across their common edge, n the normal out of the first, {P} = (P- +
// P+)/2:
//
//   W = sum over triangles of A psi(F)                                                  continuous        (1)
//     + sum over inner edges of eta int |d|^2                                           Babuska, Zlamal   (2)
//     - sum over inner edges of int d.{P} n                                             interior penalty  (3)
//
// (2) with (3) is the symmetric interior penalty method, for any material: its force and stiffness are the
// first two derivatives of W, with Q[A] = d2psi/dF2[A] and T[A] = d3psi/dF3[A, ., .] at A = m n', m the mean
// of d on an edge of length L:
//
//   dW3  = -L dm.{P} n - L/2 (Q-[A]:dF- + Q+[A]:dF+)                                                      (4)
//   d2W3 = -L (dm.{dP} n, twice, symmetrically) - L/2 (T-[A][dF-, dF-] + T+[A][dF+, dF+])                 (5)
//
// The triangles' own stiffness (1) is the stiff part, that of the edges (2), (3) the rest: `dgsi` takes the
// triangles implicitly and the edges explicitly.
// Only x and y of the vertices count; matrices have blocks of two rows.
// Chen: Integrators for Elastodynamic Simulation with Stiffness and Stiffening, 2019, section 5.2 and
// appendix; Kaufmann, Martin, Botsch, Gross, Flexible simulation of deformable models using discontinuous
// Galerkin FEM (2009).
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "phiflex/energy/element_state.h"
#include "phiflex/energy/plane_law.h"
#include "phiflex/energy/potential_term.h"

namespace phiflex {

enum class Continuity { continuous, babuska_zlamal, interior_penalty };

struct TriangleMaterial {
  std::string law;                 // has_plane_law
  std::vector<double> parameters;  // MaterialInfo::parameters (material/catalogue.h)
  bool operator<(const TriangleMaterial& b) const {
    return std::tie(law, parameters) < std::tie(b.law, b.parameters);
  }
};

struct TriangleElements {
  // Vertices of the model, counterclockwise; no two triangles share one when they are discontinuous.
  std::vector<std::array<int, 3>> nodes;
  // The same corners by the vertices of the mesh: equal numbers are the same point. Empty: as the nodes.
  std::vector<std::array<int, 3>> corners;
  std::vector<TriangleMaterial> materials;  // one for each
  Continuity continuity = Continuity::continuous;
  double penalty = 0;  // eta, N/m^3
};

class TriangleTerm final : public PotentialTerm {
 public:
  // rest: three coordinates for each of the model's vertices, m. std::invalid_argument for a triangle without
  // positive area, sizes that do not fit, a law that has no plane form.
  TriangleTerm(const Vector& rest, TriangleElements elements);

  Account account() const override { return Account::elastic; }
  double energy(const Vector& x) const override;
  void add_force(const Vector& x, Vector& f) const override;
  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override;
  void add_couplings(std::vector<Coupling>& couplings) const override;
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override;
  bool has_soft_stiffness() const override { return elements_.continuity != Continuity::continuous; }
  std::unique_ptr<StiffnessAssembler> make_stiff_assembler(const FreeVertices& free,
                                                           const SparsityPattern& pattern) const override;
  // None: a plane model steps along the chord of its whole energy.
  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices&, const SparsityPattern&) const override;
  std::string diagnose(const Vector& x) const override;

  double area(int triangle) const { return shapes_[std::size_t(triangle)].area; }  // m^2
  // psi of each triangle [J/m^3].
  void element_densities(const Vector& x, std::span<double> densities) const;
  void element_states(const Vector& x, std::span<ElementState> states) const;
  // The largest jump at the ends of inner edges, m.
  double largest_gap(const Vector& x) const;

 private:
  class Assembler;
  enum class Part { all, triangles };

  struct Shape {
    Eigen::Matrix<double, 2, 3> gradients;  // of the barycentric coordinates, 1/m
    double area;                            // m^2
    const PlaneLaw* law;
  };
  // An inner edge: the corners of both triangles at its ends.
  struct Edge {
    int triangle[2];
    int corner[2][2];        // [side][end]
    Eigen::Vector2d normal;  // out of the first
    double length;
  };
  using Corners = Eigen::Matrix<double, 6, 1>;
  using CornerMatrix = Eigen::Matrix<double, 6, 6>;
  using Local = Eigen::Matrix<double, 12, 1>;  // displacements of the corners of both triangles
  using LocalMatrix = Eigen::Matrix<double, 12, 12>;

  int count() const { return static_cast<int>(shapes_.size()); }
  Index place(int triangle, int corner) const { return 3 * Index(elements_.nodes[triangle][corner]); }
  Eigen::Vector2d displacement(int triangle, int corner, const Vector& x) const;
  Corners displacements(int triangle, const Vector& x) const;
  PlaneLaw::Strain deformation(int triangle, const Vector& x) const;
  Eigen::Matrix<double, 4, 6> strain_map(int triangle) const;  // F of a triangle's corners
  void add_shapes();
  void find_edges();
  CornerMatrix triangle_stiffness(int triangle, const PlaneLaw::Hessian& H) const;
  LocalMatrix edge_stiffness(const Edge& edge, const Vector& x) const;

  TriangleElements elements_;
  Vector rest_;
  std::vector<std::unique_ptr<PlaneLaw>> laws_;
  std::vector<Shape> shapes_;
  std::vector<Edge> edges_;
};

}  // namespace phiflex
