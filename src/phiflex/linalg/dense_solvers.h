// Eigen's decompositions of dense matrices that the engine uses in several places. Their code is compiled once, in
// dense_solvers.cpp, and not in every file that uses one (5 to 15 s each). Include this header in place of
// <Eigen/Cholesky>, <Eigen/LU> and <Eigen/Eigenvalues>.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "phiflex/linalg/vector.h"

// `declare` is extern for users, empty where the code is made. compute() is what takes long to compile; the
// constructors from a matrix call it. The rest of the classes is small, or is not called (rcond, operatorSqrt, ...).
#define PHIFLEX_DENSE_SOLVERS(declare)                                                                    \
  declare template Eigen::LLT<phiflex::Matrix>& Eigen::LLT<phiflex::Matrix>::compute(                     \
      const Eigen::EigenBase<phiflex::Matrix>&);                                                          \
  declare template void Eigen::PartialPivLU<phiflex::Matrix>::compute();                                  \
  declare template Eigen::RealSchur<phiflex::Matrix>& Eigen::RealSchur<phiflex::Matrix>::compute(         \
      const Eigen::EigenBase<phiflex::Matrix>&, bool);                                                    \
  declare template Eigen::EigenSolver<phiflex::Matrix>& Eigen::EigenSolver<phiflex::Matrix>::compute(     \
      const Eigen::EigenBase<phiflex::Matrix>&, bool);                                                    \
  declare template Eigen::SelfAdjointEigenSolver<phiflex::Matrix>&                                        \
  Eigen::SelfAdjointEigenSolver<phiflex::Matrix>::compute(const Eigen::EigenBase<phiflex::Matrix>&, int); \
  declare template Eigen::GeneralizedSelfAdjointEigenSolver<phiflex::Matrix>&                             \
  Eigen::GeneralizedSelfAdjointEigenSolver<phiflex::Matrix>::compute(const phiflex::Matrix&,              \
                                                                     const phiflex::Matrix&, int);

#ifndef PHIFLEX_DENSE_SOLVERS_COMPILED_HERE
PHIFLEX_DENSE_SOLVERS(extern)
#endif
