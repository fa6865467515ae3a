// How far a truncated Taylor series of the exponential reaches (Al-Mohy, Higham: Computing the action of the
// matrix exponential, 2011). T_m is the series to degree m; T_m(X) = exp(X + dX) with
//
//   dX = log(e^-X T_m(X)) = sum_{k > m} c_k X^k,   |dX| <= tolerance |X|   when   |X| <= theta_m,
//   theta_m the root of   sum_{k > m} |c_k| theta^(k-1) = tolerance.                                      (1)
//
// The paper tabulates theta_m for three tolerances; here the c_k are computed once and (1) is solved for the
// tolerance asked. With  d/dx (e^-x T_m) = -e^-x x^m / m!  =: a(x)  and  g = e^-x T_m = 1 + integral of a,
//
//   log(g)' g = a    gives the c_k by division of power series.                                           (2)
#pragma once

#include <array>

namespace phiflex {

inline constexpr int kLargestTaylorDegree = 55;

// theta[m], m from 1; theta[0] is not used. Above 2^-10 the tolerance is taken as 2^-10: beyond, (1) leaves
// the region where its series converges.
std::array<double, kLargestTaylorDegree + 1> taylor_thetas(double tolerance);

}  // namespace phiflex
