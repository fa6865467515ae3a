// The rigid part of the residual of an energy-momentum step (em_solver.h, (1)) of a body without held vertices. Forces
// within the body have no resultant, and no torque about the middle of the step, y = x + h/2 w: with p = m (w - v - h/2
// gravity) - h/2 (load - alpha m w)
//
//   a = sum p / sum m,   I omega = sum (y - c) x p,   c = sum m y / sum m                                 (1)
//
// would be zero in exact arithmetic and with an exact solution; w -= a + omega x (y - c) makes them so.
#pragma once

#include "phiflex/cuda/stepper.h"

namespace phiflex::device {

// Sums of p and m y.
struct RigidMomentum {
  double h;
  Outside outside;
  const double *mass, *x, *v, *w;
  PHIFLEX_HD Vec3<double> middle(int i) const { return load3(x, i) + (0.5 * h) * load3(w, i); }
  PHIFLEX_HD Vec3<double> momentum(int i) const {
    const double m = load(mass + i);
    const Vec3<double> wi = load3(w, i);
    return m * (wi - load3(v, i) - (0.5 * h) * outside.gravity) -
           (0.5 * h) * outside.force({0.0, 0.0, 0.0}, i, m, wi);
  }
  PHIFLEX_HD Sums<6> operator()(int i) const {
    const Vec3<double> p = momentum(i), my = load(mass + i) * middle(i);
    return {{p[0], p[1], p[2], my[0], my[1], my[2]}};
  }
};
// The torque of p about c, and the entries of m (y - c)(y - c)' in the order of Sym3.
struct RigidTorque {
  RigidMomentum of;
  Vec3<double> c;
  PHIFLEX_HD Sums<9> operator()(int i) const {
    const Vec3<double> y = of.middle(i) - c, torque = cross(y, of.momentum(i));
    const double m = load(of.mass + i);
    return {{torque[0], torque[1], torque[2], m * y[0] * y[0], m * y[1] * y[1], m * y[2] * y[2],
             m * y[1] * y[2], m * y[0] * y[2], m * y[0] * y[1]}};
  }
};
// w -= a + omega x (y - c), which must not change y under way: x and w of a vertex are its own.
struct RemoveRigid {
  double h;
  Vec3<double> a, omega, c;
  const double* x;
  double* w;
  PHIFLEX_HD void operator()(int i) const {
    const Vec3<double> own = {w[3 * std::size_t(i)], w[3 * std::size_t(i) + 1], w[3 * std::size_t(i) + 2]};
    const Vec3<double> y = load3(x, i) + (0.5 * h) * own - c;
    store3(w, i, own - a - cross(omega, y));
  }
};

}  // namespace phiflex::device
