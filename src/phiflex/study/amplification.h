// What a step of a method does to an oscillator, measured on the step function itself.
//
// With w = 1 the step is x = h w. A method acts linearly on (1) of oscillator.h, on the state and on what it
// carries from step to step; the roots are the eigenvalues z of that linear map. Started from (q, v) = (1, 0)
// and (0, 1), n steps give the matrix Y_n, whose columns are the states reached. A map without memory has
//
//   Y_n = Y_1^n,   roots = eigenvalues of Y_1                                                             (1)
//
// and where Y_2 is not Y_1^2, the method has a history: the roots are those of the smallest linear system with
// Y_n = C G^n B, found from block Hankel matrices by Ho and Kalman's algorithm,
//
//   H_0 = [Y_(i+j)],  H_1 = [Y_(i+j+1)],  H_0 = U S V',   G = S^(-1/2) U' H_1 V S^(-1/2)                  (2)
//
// with the singular values down to rounding kept.
#pragma once

#include <complex>
#include <vector>

#include "phiflex/integrate/catalogue.h"

namespace phiflex {

struct Spectrum {
  std::vector<std::complex<double>> roots;  // empty when a step failed
  double radius() const;                    // the largest modulus; not a number when a step failed
};

// A method and the settings it is measured with; solver tolerances are tightened by the caller.
struct MeasuredMethod {
  const MethodEntry* entry;
  IntegratorOptions options;
  double stiffening = 1;  // w^2 of the oscillator over that of its rest shape, for methods that factorize it
};

// damping_ratio: physical damping, xi of d = 2 xi w.
Spectrum measure_spectrum(const MeasuredMethod& method, double x, double damping_ratio = 0);

// Follows the root that stands for the true solution from x -> 0 upwards. Its angle is followed continuously
// across pi: a root alone tells it only modulo 2 pi.
class PrincipalRoot {
 public:
  PrincipalRoot(MeasuredMethod method, double damping_ratio);

  // To a larger x, with as many points between as continuity asks.
  void advance(double x);
  std::complex<double> root() const { return root_; }
  // theta of z = |z| e^(i theta); not a number where the root has become real and does not oscillate.
  double angle() const { return angle_; }

 private:
  void visit(double x);

  MeasuredMethod method_;
  double damping_ratio_;
  double x_ = 0, turned_ = 0, angle_ = 0;
  std::complex<double> root_ = 1, rate_;  // rate_: d ln z / dx
  bool lost_ = false;                     // a step failed
};

}  // namespace phiflex
