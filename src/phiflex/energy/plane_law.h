// psi(F) of a law in plane strain, F a 2x2 matrix by rows, with three derivatives.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>

namespace phiflex {

class PlaneLaw {
 public:
  using Strain = Eigen::Vector4d;
  using Hessian = Eigen::Matrix4d;
  virtual ~PlaneLaw() = default;
  virtual double psi(const Strain& F) const = 0;
  virtual Strain P(const Strain& F) const = 0;
  virtual double P_across(const Strain& F) const = 0;  // out of the plane: what plane strain takes to keep it
  virtual Hessian dP(const Strain& F) const = 0;
  virtual Hessian projected_dP(const Strain& F) const = 0;
  virtual Hessian d2P(const Strain& F, const Strain& A) const = 0;  // d3psi/dF3[A, ., .]
};

// Of the material catalogue: those whose stress needs no singular vectors, for the third derivative differentiates it
// once more.
bool has_plane_law(const std::string& law);
// numbers: the law's parameters (material/catalogue.h). std::invalid_argument for a law that is not fit for it.
std::unique_ptr<PlaneLaw> make_plane_law(const std::string& law, std::span<const double> numbers);

}  // namespace phiflex
