#include "phiflex/energy/dilatation_term.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "phiflex/energy/two_state_term.h"
#include "phiflex/fem/tet_element.h"

namespace phiflex {
namespace {

using DilatedElement = DilatationTerm::Element;
using Dilatation = DilatationTerm::Dilatation;
using NodePoints = std::array<Eigen::Vector3d, 10>;
using RowBlock = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

NodePoints nodes_of(const DilatedElement& element, const Vector& x) {
  NodePoints points;
  for (std::size_t n = 0; n < 10; ++n) points[n] = x.segment<3>(3 * Index(element.nodes[n]));
  return points;
}

// G_n at a point.
NodePoints gradients_at(const DilatedElement& element, int point) {
  NodePoints G;
  for (int a = 0; a < 4; ++a)
    G[std::size_t(a)] = Tet10::at_corner(point, a) * element.gradients[std::size_t(a)];
  for (std::size_t e = 0; e < 6; ++e) {
    const int a = kTetEdges[e][0], b = kTetEdges[e][1];
    G[4 + e] = Tet10::at_edge(point, b) * element.gradients[std::size_t(a)] +
               Tet10::at_edge(point, a) * element.gradients[std::size_t(b)];
  }
  return G;
}

Eigen::Matrix3d deformation(const NodePoints& G, const NodePoints& x) {
  Eigen::Matrix3d F = Eigen::Matrix3d::Zero();
  for (std::size_t n = 0; n < 10; ++n) F += x[n] * G[n].transpose();
  return F;
}

Eigen::Matrix3d cofactor(const Eigen::Matrix3d& F) {
  Eigen::Matrix3d cof;
  cof.col(0) = F.col(1).cross(F.col(2));
  cof.col(1) = F.col(2).cross(F.col(0));
  cof.col(2) = F.col(0).cross(F.col(1));
  return cof;
}

double mean_determinant(const DilatedElement& element, const NodePoints& x) {
  double J = 0;
  for (int q = 0; q < Tet10::kPoints; ++q)
    J += Tet10::kWeight * deformation(gradients_at(element, q), x).determinant();
  return J;
}

// (1) and (2).
Dilatation dilatation(const DilatedElement& element, const NodePoints& x) {
  Dilatation at;
  at.d.fill(Eigen::Vector3d::Zero());
  for (int q = 0; q < Tet10::kPoints; ++q) {
    const NodePoints G = gradients_at(element, q);
    const Eigen::Matrix3d F = deformation(G, x), cof = cofactor(F);
    at.J += Tet10::kWeight * F.col(0).dot(cof.col(0));
    const Eigen::Matrix3d share = (Tet10::kWeight * element.volume) * cof;
    for (std::size_t n = 0; n < 10; ++n) at.d[n] += share * G[n];
  }
  return at;
}

RowBlock cross_matrix(const Eigen::Vector3d& y) {
  RowBlock block;
  block << 0, -y[2], y[1], y[2], 0, -y[0], -y[1], y[0], 0;
  return block;
}

// V sum_q w_q F_q (G_m x G_n), whose cross matrix is V d2J/dx_n dx_m; x enters linearly.
struct SecondDerivative {
  std::array<std::array<Eigen::Vector3d, 10>, 10> at;
  SecondDerivative(const DilatedElement& element, const NodePoints& x) {
    for (auto& row : at) row.fill(Eigen::Vector3d::Zero());
    for (int q = 0; q < Tet10::kPoints; ++q) {
      const NodePoints G = gradients_at(element, q);
      const Eigen::Matrix3d F = (Tet10::kWeight * element.volume) * deformation(G, x);
      for (std::size_t n = 0; n < 10; ++n)
        for (std::size_t m = n + 1; m < 10; ++m) {
          const Eigen::Vector3d y = F * G[m].cross(G[n]);
          at[n][m] += y;
          at[m][n] -= y;
        }
    }
  }
};

// Blocks of the elements' nodes in a matrix over the free vertices; -1: held.
class DilatationPlaces {
 public:
  DilatationPlaces(const std::vector<DilatedElement>& elements, const FreeVertices& free,
                   const SparsityPattern& pattern) {
    for (const DilatedElement& element : elements) {
      std::array<int, 100>& places = places_.emplace_back();
      for (std::size_t n = 0; n < 10; ++n)
        for (std::size_t m = 0; m < 10; ++m) {
          const int row = free.row_of_vertex[std::size_t(element.nodes[n])],
                    col = free.row_of_vertex[std::size_t(element.nodes[m])];
          places[10 * n + m] = row < 0 || col < 0 ? -1 : pattern.find(row, col);
        }
    }
  }
  // K += factor (a b' + b a')/2 + p times a second derivative (null: none).
  void add(std::size_t element, double factor, const NodePoints& a, const NodePoints& b, double p,
           const SecondDerivative* second, SparseMatrix& K) const {
    for (std::size_t n = 0; n < 10; ++n)
      for (std::size_t m = 0; m < 10; ++m) {
        const int place = places_[element][10 * n + m];
        if (place < 0) continue;
        Eigen::Map<RowBlock> block(K.block(place));
        block += 0.5 * factor * (a[n] * b[m].transpose() + b[n] * a[m].transpose());
        if (second) block += p * cross_matrix(second->at[n][m]);
      }
  }

 private:
  std::vector<std::array<int, 100>> places_;
};

class DilatationAssembler final : public StiffnessAssembler {
 public:
  DilatationAssembler(const DilatationTerm& term, const FreeVertices& free, const SparsityPattern& pattern)
      : term_(term), places_(term.elements(), free, pattern) {}

  Index add_stiffness(const Vector& x, Definiteness definiteness, SparseMatrix& K) const override {
    Index changed = 0;
    for (std::size_t e = 0; e < term_.elements().size(); ++e) {
      const DilatedElement& element = term_.elements()[e];
      const NodePoints points = nodes_of(element, x);
      const Dilatation at = dilatation(element, points);
      const double p = element.kappa * (at.J - 1);
      if (definiteness == Definiteness::exact) {
        const SecondDerivative second(element, points);
        places_.add(e, element.kappa / element.volume, at.d, at.d, p, &second, K);  // (3)
      } else {
        places_.add(e, element.kappa / element.volume, at.d, at.d, 0, nullptr, K);
        changed += p != 0;
      }
    }
    return changed;
  }

 private:
  const DilatationTerm& term_;
  DilatationPlaces places_;
};

class DilatationTwoState final : public TwoStateTerm {
 public:
  DilatationTwoState(const DilatationTerm& term, const FreeVertices& free, const SparsityPattern& pattern)
      : term_(term), places_(term.elements(), free, pattern), start_(term.elements().size()) {}

  void begin(const Vector& x, const StepDamping& damping) override {
    x_ = &x;
    damping_ = damping;
    for (std::size_t e = 0; e < start_.size(); ++e) start_[e] = term_.mean_J(e, x);
  }

  void add_force(const Vector& dx, Vector& f) override {
    turns_ = false;
    for (std::size_t e = 0; e < start_.size(); ++e) {
      const Change change = change_of(e, dx);
      turns_ = turns_ || change.turns;
      for (std::size_t n = 0; n < 10; ++n)
        f.segment<3>(3 * Index(term_.elements()[e].nodes[n])) -= change.pressure * change.D[n];  // (5)
    }
  }

  void add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K) override {
    const double slope = 1 + 2 * (damping_.chi + damping_.eta / damping_.h);  // of 2 q / kappa in J+
    for (std::size_t e = 0; e < start_.size(); ++e) {
      const DilatedElement& element = term_.elements()[e];
      const Change change = change_of(e, dx);
      const double factor = slope * element.kappa / element.volume;
      if (definiteness == Definiteness::projected) {
        places_.add(e, factor, change.D, change.D, 0, nullptr, K);
        continue;
      }
      // 2 dD/dx+ of Simpson's rule on cof F: (2 d2J(x + dx/2) + d2J(x + dx)) / 3, linear in x: that at x + 2/3 dx.
      NodePoints points = nodes_of(element, *x_);
      const NodePoints moved = nodes_of(element, dx);
      for (std::size_t n = 0; n < 10; ++n) points[n] += 2.0 / 3 * moved[n];
      const SecondDerivative second(element, points);
      places_.add(e, factor, change.D, change.end, change.pressure, &second, K);
    }
  }

  double dissipated(const Vector& dx) override {
    return damping_.eta == 0 ? 0 : damping_.eta / damping_.h * sum([&](std::size_t e) {
                                     const double dJ = change_of(e, dx).dJ;
                                     return dJ * dJ;
                                   });
  }
  bool turns_bodies() const override { return turns_; }

  Index memory_size() const override { return Index(start_.size()); }
  void strain_change(const Vector& dx, double* memory) override {
    for (std::size_t e = 0; e < start_.size(); ++e) memory[e] = change_of(e, dx).dJ;
  }
  double dial_energy(double chi, const double* memory) override {
    return 0.5 * chi * sum([&](std::size_t e) { return memory[e] * memory[e]; });
  }

 private:
  // What the step does to an element.
  struct Change {
    double dJ = 0, pressure = 0;  // J+ - J; q of (6)
    bool turns = false;           // has a torque
    NodePoints D, end;            // of (5), and d(x + dx)
  };

  Change change_of(std::size_t e, const Vector& dx) const {
    const DilatedElement& element = term_.elements()[e];
    const NodePoints points = nodes_of(element, *x_), moved = nodes_of(element, dx);
    Change change;
    change.D.fill(Eigen::Vector3d::Zero());
    change.end.fill(Eigen::Vector3d::Zero());
    const double share = Tet10::kWeight * element.volume;
    for (int q = 0; q < Tet10::kPoints; ++q) {
      const NodePoints G = gradients_at(element, q);
      const Eigen::Matrix3d F = deformation(G, points), dF = deformation(G, moved), F_m = F + 0.5 * dF,
                            F_plus = F + dF, cof_plus = cofactor(F_plus);
      const double det = F.determinant(), det_plus = F_plus.determinant();
      Eigen::Matrix3d P;
      if (std::abs(det + det_plus) > 0.5 * (std::abs(det) + std::abs(det_plus))) {
        const Eigen::Matrix3d half = F_m.transpose() * dF, dE = 0.5 * (half + half.transpose()),
                              C = F.transpose() * F;
        const Eigen::Matrix3d Z =
            (cofactor(C) + 4 * cofactor(C + dE) + cofactor(C + 2 * dE)) / (3 * (det + det_plus));  // (4)
        P = F_m * Z;
      } else {
        P = (cofactor(F) + 4 * cofactor(F_m) + cof_plus) / 6;
        change.turns = true;
      }
      change.dJ += Tet10::kWeight * P.cwiseProduct(dF).sum();  // keeps the digits of a small change
      for (std::size_t n = 0; n < 10; ++n) {
        change.D[n] += share * (P * G[n]);  // (5)
        change.end[n] += share * (cof_plus * G[n]);
      }
    }
    const double before = damping_.memory ? damping_.memory[e] : 0;
    change.pressure =
        element.kappa * (start_[e] - 1 + (0.5 + damping_.chi + damping_.eta / damping_.h) * change.dJ -
                         damping_.chi * damping_.ratio * before);  // (6)
    return change;
  }

  // Of kappa V times a number of each element.
  template <class Function>
  double sum(const Function& function) const {
    double total = 0;
    for (std::size_t e = 0; e < start_.size(); ++e)
      total += term_.elements()[e].kappa * term_.elements()[e].volume * function(e);
    return total;
  }

  const DilatationTerm& term_;
  DilatationPlaces places_;
  std::vector<double> start_;  // J of each element
  bool turns_ = false;         // the latest force
  const Vector* x_ = nullptr;
  StepDamping damping_;
};

}  // namespace

DilatationTerm::DilatationTerm(const Vector& rest, const std::vector<QuadraticTet>& tets,
                               const std::vector<double>& kappa) {
  for (std::size_t e = 0; e < tets.size(); ++e) {
    const auto corner = [&](std::size_t a) -> Eigen::Vector3d {
      return rest.segment<3>(3 * Index(tets[e][a]));
    };
    Eigen::Matrix3d edges;
    for (int a = 0; a < 3; ++a) edges.col(a) = corner(std::size_t(a) + 1) - corner(0);
    const Eigen::Matrix3d inverse = edges.inverse();
    Element element{tets[e], edges.determinant() / 6, kappa[e], {}};
    for (int a = 0; a < 3; ++a) element.gradients[std::size_t(a) + 1] = inverse.row(a).transpose();
    element.gradients[0] = -(element.gradients[1] + element.gradients[2] + element.gradients[3]);
    elements_.push_back(element);
  }
}

double DilatationTerm::mean_J(std::size_t element, const Vector& x) const {
  return mean_determinant(elements_[element], nodes_of(elements_[element], x));
}

double DilatationTerm::energy(const Vector& x) const {
  double total = 0;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const double change = mean_J(e, x) - 1;
    total += 0.5 * elements_[e].volume * elements_[e].kappa * change * change;  // (1)
  }
  return total;
}

void DilatationTerm::add_force(const Vector& x, Vector& f) const {
  for (const Element& element : elements_) {
    const Dilatation at = dilatation(element, nodes_of(element, x));
    const double p = element.kappa * (at.J - 1);
    for (std::size_t n = 0; n < 10; ++n) f.segment<3>(3 * Index(element.nodes[n])) -= p * at.d[n];  // (2)
  }
}

void DilatationTerm::add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const {
  for (const Element& element : elements_) {
    const NodePoints points = nodes_of(element, x), moved = nodes_of(element, dx);
    const Dilatation at = dilatation(element, points);
    double dp = 0;
    for (std::size_t n = 0; n < 10; ++n) dp += element.kappa / element.volume * at.d[n].dot(moved[n]);
    const double p = element.kappa * (at.J - 1);
    const SecondDerivative second(element, points);
    for (std::size_t n = 0; n < 10; ++n) {
      Eigen::Vector3d sum = dp * at.d[n];
      for (std::size_t m = 0; m < 10; ++m) sum += p * second.at[n][m].cross(moved[m]);  // (3)
      y.segment<3>(3 * Index(element.nodes[n])) += sum;
    }
  }
}

void DilatationTerm::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Element& element : elements_)
    for (std::size_t n = 0; n < 10; ++n)
      for (std::size_t m = n + 1; m < 10; ++m) couplings.push_back({element.nodes[n], element.nodes[m]});
}

std::unique_ptr<StiffnessAssembler> DilatationTerm::make_assembler(const FreeVertices& free,
                                                                   const SparsityPattern& pattern) const {
  return std::make_unique<DilatationAssembler>(*this, free, pattern);
}

std::unique_ptr<TwoStateTerm> DilatationTerm::make_two_state(const FreeVertices& free,
                                                             const SparsityPattern& pattern) const {
  return std::make_unique<DilatationTwoState>(*this, free, pattern);
}

}  // namespace phiflex
