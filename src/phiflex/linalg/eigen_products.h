// The inner loops of Eigen's products of dense matrices and vectors, compiled once, in eigen_products.cpp: every file
// that multiplies two matrices would compile them again (2 s for a product of matrices, 1 s with a vector). The
// precompiled headers include this file (cmake/rooms.cmake); without it a file compiles its own copy, which is the same
// code.
#pragma once

#include <Eigen/Core>

namespace phiflex::eigen_products {

using Traits = Eigen::internal::gebp_traits<double, double>;
template <int order>
using Input = Eigen::internal::const_blas_data_mapper<double, Eigen::Index, order>;
using Output = Eigen::internal::blas_data_mapper<double, Eigen::Index, Eigen::ColMajor, Eigen::Unaligned, 1>;

}  // namespace phiflex::eigen_products

// `declare` is extern for users, empty where the code is made. _LEFT, _RIGHT: a factor's storage order; _VECTOR: the
// matrix's, and the order that Eigen gives the vector.
#define PHIFLEX_PRODUCT_LEFT(declare, order)                                                            \
  declare template struct Eigen::internal::gemm_pack_lhs<                                               \
      double, Eigen::Index, phiflex::eigen_products::Input<order>, phiflex::eigen_products::Traits::mr, \
      phiflex::eigen_products::Traits::LhsProgress, phiflex::eigen_products::Traits::LhsPacket4Packing, \
      order, false, false>;
#define PHIFLEX_PRODUCT_RIGHT(declare, order)                                                           \
  declare template struct Eigen::internal::gemm_pack_rhs<                                               \
      double, Eigen::Index, phiflex::eigen_products::Input<order>, phiflex::eigen_products::Traits::nr, \
      order, false, false>;
#define PHIFLEX_PRODUCT_VECTOR(declare, order, vector)                                   \
  declare template struct Eigen::internal::general_matrix_vector_product<                \
      Eigen::Index, double, phiflex::eigen_products::Input<order>, order, false, double, \
      phiflex::eigen_products::Input<vector>, false, 0>;
#define PHIFLEX_EIGEN_PRODUCTS(declare)                                                                   \
  declare template struct Eigen::internal::gebp_kernel<                                                   \
      double, double, Eigen::Index, phiflex::eigen_products::Output, phiflex::eigen_products::Traits::mr, \
      phiflex::eigen_products::Traits::nr, false, false>;                                                 \
  PHIFLEX_PRODUCT_LEFT(declare, Eigen::ColMajor)                                                          \
  PHIFLEX_PRODUCT_LEFT(declare, Eigen::RowMajor)                                                          \
  PHIFLEX_PRODUCT_RIGHT(declare, Eigen::ColMajor)                                                         \
  PHIFLEX_PRODUCT_RIGHT(declare, Eigen::RowMajor)                                                         \
  PHIFLEX_PRODUCT_VECTOR(declare, Eigen::ColMajor, Eigen::ColMajor)                                       \
  PHIFLEX_PRODUCT_VECTOR(declare, Eigen::ColMajor, Eigen::RowMajor)                                       \
  PHIFLEX_PRODUCT_VECTOR(declare, Eigen::RowMajor, Eigen::ColMajor)

PHIFLEX_EIGEN_PRODUCTS(extern)
