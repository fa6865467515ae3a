// By LAPACK, which OpenBLAS brings: Eigen's would be compiled here, for 8 s.
#include "phiflex/linalg/svd.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

// LAPACK's, in Fortran: everything by address, and the lengths of the texts at the end.
extern "C" void dgesvd_(const char* job_u, const char* job_v, const int* rows, const int* columns, double* a,
                        const int* lda, double* s, double* u, const int* ldu, double* vt, const int* ldvt,
                        double* work, const int* work_size, int* info, std::size_t, std::size_t);

namespace phiflex {

Svd svd(Matrix A) {
  if (!A.allFinite()) throw std::invalid_argument("svd: a number is not finite");
  const int rows = static_cast<int>(A.rows()), columns = static_cast<int>(A.cols()),
            least = std::min(rows, columns);
  Svd out{Matrix(rows, least), Matrix(), Vector(least)};
  if (least == 0) {
    out.V.resize(columns, 0);
    return out;
  }
  Matrix Vt(least, columns);
  const char thin = 'S';
  const int work_size = 8 * std::max(rows, columns);  // at least max(3 least + most, 5 least)
  Vector work(work_size);
  int info = 0;
  dgesvd_(&thin, &thin, &rows, &columns, A.data(), &rows, out.s.data(), out.U.data(), &rows, Vt.data(),
          &least, work.data(), &work_size, &info, 1, 1);
  if (info != 0) throw std::runtime_error("svd: the iteration did not converge");
  out.V = Vt.transpose();
  return out;
}

Index Svd::rank(double threshold) const {
  Index count = 0;
  while (count < s.size() && s[count] > threshold * s[0]) ++count;
  return count;
}

Vector Svd::solve(const Vector& b, double threshold) const {
  Vector x = Vector::Zero(V.rows());
  for (Index i = 0; i < rank(threshold); ++i) x += U.col(i).dot(b) / s[i] * V.col(i);
  return x;
}

}  // namespace phiflex
