// Small studies of spectra: the wave equation on linear elements, the cost of the lowest modes, the rank and the fill of
// SIERE's Jacobian.
#pragma once

#include "phiflex/linalg/vector.h"

namespace phiflex {

// Lowest eigenvalue of K u = lambda M u for u'' = lambda u on [0, 1], u = 0 at both ends, n elements of length h:
//
//   K = tridiag(-1, 2, -1)/h,   M = h/6 tridiag(b, 4, b)                                                     (1)
//
// with b = 1; the thesis prints 2.
double wave_eigenvalue(int elements, double b = 1);

// Processor seconds for the s smallest eigenpairs of the five-point Laplacian of nx x ny points (M = I) to a residual of 1e-8:
// one cold start, factorization included. Throws Undecided when it does not converge.
double laplacian_modes_seconds(int nx, int ny, int s);

// Of a ball at rest with n free degrees of freedom, its top held, and its s lowest modes U, U'M U = I, K U = M U L:
//
//   J = [0 I; -M^-1 K 0],   J_H = J - [0 U U'M; -U L U'M 0]                                                  (2)
struct SiereJacobian {
  Index size = 0;           // 2n
  Index rank = 0;           // of J_H - J, singular values above 1e-10 of the largest, block by block
  double fill = 0;          // of I - h J: share of entries that are not zero
  double reduced_fill = 0;  // of I - h J_H
};
SiereJacobian siere_jacobian(int resolution, int modes);

}  // namespace phiflex
