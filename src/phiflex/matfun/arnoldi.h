// Arnoldi's basis of the Krylov space of an operator and a vector,
//
//   A V_m = V_m H_m + h_{m+1,m} v_{m+1} e_m',   <v_i, v_j> = delta_ij,   v_1 = v / |v|,                   (1)
//
// in any inner product. With an orthogonalization of length q > 0 only the last q vectors are orthogonal to
// the next one (incomplete orthogonalization): (1) holds, the orthonormality only nearby.
#pragma once

#include "phiflex/linalg/linear_operator.h"

namespace phiflex {

enum class [[nodiscard]] ArnoldiStatus{
    extended,
    breakdown,   // A V_m = V_m H_m to round-off: the space is invariant and results in it are exact
    not_finite,  // a product is not finite
    not_positive_definite,  // a vector of the basis has a negative square in the inner product
};

// The norm of the inner product, safe from overflow and underflow of squares; NaN when it is not defined
// because <x, x> is negative.
double norm_in(const InnerProduct* product, const Vector& x, Vector& workspace);

// Keeps its memory: start() allocates only for a longer or larger basis than ever before.
class Arnoldi {
 public:
  // product: null is the Euclidean one; kept by pointer. length: q, or 0 for all vectors.
  explicit Arnoldi(const InnerProduct* product = nullptr, int length = 0)
      : product_(product), length_(length) {}

  // Begins a basis at v, with memory for `capacity` extensions (more are made when needed), and returns |v|.
  // The basis is empty, without v_1, when |v| is zero or not finite: check it first.
  [[nodiscard]] double start(const Vector& v, Index capacity);
  // One column of H and, unless the space is invariant, one more vector. The column counts (size() grows) on
  // `extended` and on `breakdown`; after a breakdown there is nothing more to extend.
  ArnoldiStatus extend(const LinearOperator& A);

  Index size() const { return size_; }                           // m: columns of H
  Index vectors() const { return vectors_; }                     // m + 1, or m after a breakdown
  auto H() const { return H_.topLeftCorner(size_ + 1, size_); }  // the last row is zero after a breakdown
  auto V() const { return V_.leftCols(vectors_); }
  double norm_H() const { return norm_H_; }  // the largest |A v_j|
  const Vector& last() const { return w_; }  // v_{m+1}, as a vector of its own

  // y = V c with as many vectors as c has entries.
  void combine(const Eigen::Ref<const Vector>& c, Vector& y) const;

 private:
  const InnerProduct* product_;
  int length_;
  Index size_ = 0, vectors_ = 0;
  double norm_H_ = 0;
  Matrix V_, H_;
  Vector w_, Gw_, c_;
};

}  // namespace phiflex
