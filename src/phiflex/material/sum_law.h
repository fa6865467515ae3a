// Laws whose energy is a sum, psi = psi_1 + psi_2: stress, Hessian and the functions of C are sums as well. A law
// derives its At, Projected and OfStrain (material.h) from these and makes the two parts from its own moduli.
#pragma once

#include "phiflex/base/sym3.h"
#include "phiflex/material/material.h"

namespace phiflex {

template <class First, class Second, class Real>
class SumHessian {
 public:
  PHIFLEX_HD SumHessian(const First& first, const Second& second) : first_(first), second_(second) {}
  PHIFLEX_HD Mat3<Real> dP(const Mat3<Real>& dF) const { return first_.dP(dF) + second_.dP(dF); }
  PHIFLEX_HD Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const {
    return first_.block(a, b) + second_.block(a, b);
  }

 protected:
  First first_;
  Second second_;
};

template <class First, class Second, class Real>
class SumAt : public SumHessian<First, Second, Real> {
 public:
  using SumHessian<First, Second, Real>::SumHessian;
  PHIFLEX_HD Real psi() const { return this->first_.psi() + this->second_.psi(); }
  PHIFLEX_HD Mat3<Real> P() const { return this->first_.P() + this->second_.P(); }
};

template <class First, class Second, class Real>
class SumOfStrain {
 public:
  PHIFLEX_HD SumOfStrain(const First& first, const Second& second) : first_(first), second_(second) {}
  PHIFLEX_HD Real psi() const { return first_.psi() + second_.psi(); }
  PHIFLEX_HD Sym3<Real> S() const { return first_.S() + second_.S(); }
  PHIFLEX_HD Sym3<Real> dS(const Sym3<Real>& dC) const { return first_.dS(dC) + second_.dS(dC); }

 private:
  First first_;
  Second second_;
};

}  // namespace phiflex
