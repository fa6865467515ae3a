// A plane body of linear triangles in plane strain, unit thickness, free on all sides, with continuous or
// discontinuous displacements.
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
// The triangles' own stiffness is the stiff part (system/tangent.h): `mssi` on a discontinuous body takes the
// triangles implicitly and the edges explicitly, which is the method DGSI.
// Chen: Integrators for Elastodynamic Simulation with Stiffness and Stiffening, 2019, section 5.2 and
// appendix; Kaufmann, Martin, Botsch, Gross, Flexible simulation of deformable models using discontinuous
// Galerkin FEM (2009).
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "phiflex/system/mechanical_system.h"

namespace phiflex {

struct TriangleMesh {
  std::vector<Eigen::Vector2d> vertices;      // m
  std::vector<std::array<int, 3>> triangles;  // counterclockwise
};
// The square [0, side]^2 of cells x cells squares, each cut along its rising diagonal.
TriangleMesh generate_square(double side, int cells);

enum class Continuity { continuous, babuska_zlamal, interior_penalty };

struct TriangleBody {
  TriangleMesh mesh;
  // Of the catalogue; one whose stress needs no singular vectors: (5) differentiates it once more.
  std::string law = "neo-hookean";
  double young = 0, poisson = 0;  // Pa, 1
  double density = 0;             // kg/m^3
  Continuity continuity = Continuity::continuous;
  double penalty = 0;  // eta, N/m^3
};

// psi(F) of a law in plane strain, F a 2x2 matrix by rows, with three derivatives.
class PlaneLaw {
 public:
  using Strain = Eigen::Vector4d;
  using Hessian = Eigen::Matrix4d;
  virtual ~PlaneLaw() = default;
  virtual double psi(const Strain& F) const = 0;
  virtual Strain P(const Strain& F) const = 0;
  virtual Hessian dP(const Strain& F) const = 0;
  virtual Hessian projected_dP(const Strain& F) const = 0;
  virtual Hessian d2P(const Strain& F, const Strain& A) const = 0;  // T[A]
};
// std::invalid_argument for a law that is not fit for it.
std::unique_ptr<PlaneLaw> make_plane_law(const std::string& law, double young, double poisson);

// Its state is the displacement from rest of every node, two numbers each: of every vertex when continuous,
// of corner a of triangle t at 3 t + a when not.
class TriangleSystem final : public MechanicalSystem {
 public:
  explicit TriangleSystem(TriangleBody body);

  Index dofs() const override { return pattern_->rows(); }
  const MassMatrix& mass() const override { return *mass_; }
  double potential_energy(const State& at) const override;
  void force(const State& at, Vector& f) const override;
  bool force_depends_on_velocity() const override { return false; }
  std::shared_ptr<const SparsityPattern> pattern() const override { return pattern_; }
  std::unique_ptr<AssembledTangent> assembled_tangent(Definiteness definiteness) const override;
  std::unique_ptr<AssembledTangent> stiff_tangent(Definiteness definiteness) const override;

  const TriangleBody& body() const { return body_; }
  int node(int triangle, int corner) const;
  // The largest jump at the ends of inner edges, m.
  double largest_gap(const Vector& q) const;

 private:
  class Assembled;
  enum class Part { all, triangles };

  struct Triangle {
    Eigen::Matrix<double, 2, 3> gradients;  // of the barycentric coordinates, 1/m
    double area;                            // m^2
  };
  // An inner edge: the corners of both triangles at its ends.
  struct Edge {
    int triangle[2];
    int corner[2][2];        // [side][end]
    Eigen::Vector2d normal;  // out of the first
    double length;
  };
  using Local = Eigen::Matrix<double, 12, 1>;  // displacements of the corners of both triangles
  using LocalMatrix = Eigen::Matrix<double, 12, 12>;

  Eigen::Matrix<double, 6, 1> corners(int triangle, const Vector& q) const;
  PlaneLaw::Strain deformation(int triangle, const Vector& q) const;
  Eigen::Matrix<double, 4, 6> strain_map(int triangle) const;  // F of a triangle's corners
  void find_edges();
  void add_stiffness(const Vector& q, Definiteness definiteness, Part part, SparseMatrix& K) const;
  LocalMatrix edge_stiffness(const Edge& edge, const Vector& q) const;

  TriangleBody body_;
  std::unique_ptr<PlaneLaw> law_;
  std::vector<Triangle> triangles_;
  std::vector<Edge> edges_;
  std::shared_ptr<const SparsityPattern> pattern_;
  std::unique_ptr<MassMatrix> mass_;
};

}  // namespace phiflex
