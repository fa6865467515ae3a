// The kernels of the multigrid by aggregation (level_layout.h). With the offset o_i = (y_i - c_I)/l of a node of the
// level before from the middle c_I of its aggregate, l one length for all levels,
//
//   P_i = [1, -[o_i]x]  of a vertex,   P_i = [1, -[o_i]x; 0, 1]  of an aggregate                          (1)
//   A_IJ = sum over i in I, j in J of P_i' A_ij P_j                                                        (2)
//
// where six numbers are a translation and a turn times l. Smoothing is the Chebyshev iteration of degree 2 on [q, 1]
// lambda, lambda a bound of the eigenvalues of D^-1 A, D the diagonal blocks of A:
//
//   d = D^-1 r/theta,   x = d + c1 d + c2 D^-1 (r - A d)                                                  (3)
//   theta = (1 + q) lambda/2, delta = (1 - q) lambda/2, s = theta/delta, c1 = 1/(s (2 s - 1/s)), c2 = 2/(delta (2 s -
//   1/s))
#pragma once

#include "phiflex/cuda/cg_kernels.h"
#include "phiflex/cuda/level_layout.h"

namespace phiflex::device {

struct Six {
  Vec3<double> f, t;
};
PHIFLEX_HD inline Six load6(const double* x, int i) {
  return {load3(x, 2 * i), load3(x, 2 * i + 1)};
}
PHIFLEX_HD inline void store6(double* x, int i, const Six& v) {
  store3(x, 2 * i, v.f);
  store3(x, 2 * i + 1, v.t);
}
PHIFLEX_HD inline Six operator+(const Six& a, const Six& b) {
  return {a.f + b.f, a.t + b.t};
}
PHIFLEX_HD inline Six operator*(double s, const Six& a) {
  return {s * a.f, s * a.t};
}
// Three rows of a 6x6 block, by rows, times x.
PHIFLEX_HD inline Vec3<double> half_product(const double* block, int half, const Six& x) {
  Vec3<double> y;
  for (int r = 0; r < 3; ++r) {
    const double* row = block + 6 * (3 * half + r);
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += load(row + c) * x.f[c] + load(row + 3 + c) * x.t[c];
    y[r] = sum;
  }
  return y;
}
PHIFLEX_HD inline Six product6(const double* block, const Six& x) {
  return {half_product(block, 0, x), half_product(block, 1, x)};
}
PHIFLEX_HD inline Vec3<double> unit3(int k) {
  return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
}
// The inverse of a symmetric positive definite 6x6 matrix, by rows, in its place.
PHIFLEX_HD inline void invert6(double (&A)[36]) {
  for (int p = 0; p < 6; ++p) {
    const double pivot = 1 / A[7 * p];
    A[7 * p] = 1;
    for (int c = 0; c < 6; ++c) A[6 * p + c] *= pivot;
    for (int r = 0; r < 6; ++r) {
      if (r == p) continue;
      const double factor = A[6 * r + p];
      A[6 * r + p] = 0;
      for (int c = 0; c < 6; ++c) A[6 * r + c] -= factor * A[6 * p + c];
    }
  }
}

// The numbers of (3): 1/theta, c1, c2. On the device, since recorded launches read them.
struct Smoothing {
  double first, again, rest;
};

// ---- Setup
// -------------------------------------------------------------------------------------------------------------

template <int Lanes>
struct Centres {
  const int *member_start, *member;
  const double* positions;
  double* centre;
  PHIFLEX_HD Vec3<double> part(int i, int lane) const {
    Vec3<double> sum = {0.0, 0.0, 0.0};
    const int end = load(member_start + i + 1);
    for (int m = load(member_start + i) + lane; m < end; m += Lanes)
      sum += load3(positions, load(member + m));
    return sum;
  }
  PHIFLEX_HD void finish(int i, const Vec3<double>& sum) const {
    store3(centre, i, (1.0 / (load(member_start + i + 1) - load(member_start + i))) * sum);
  }
};
struct Offsets {
  const int* parent_of;
  const double *positions, *centre;
  double per_length;
  double* offset;
  PHIFLEX_HD void operator()(int i) const {
    store3(offset, i, per_length * (load3(positions, i) - load3(centre, load(parent_of + i))));
  }
};

// (2): item 12 b + 2 k + h is half h of column k of block b.
struct LevelView {
  const int *row_of, *column, *share_start, *share, *parent_of, *member_start, *member;
  const double* offset;
  double* values;
};
// From K and s M.
template <int Lanes>
struct FirstGalerkin {
  LevelView level;
  RowMatrix K;
  const int* fine_row_of;
  int free;
  const double* mass;
  double scale;

  PHIFLEX_HD Vec3<double> part(int item, int lane) const {
    const int b = item / 12, k = item % 12 / 2, half = item % 2;
    const int row = load(level.row_of + b), column = load(level.column + b);
    Vec3<double> sum = {0.0, 0.0, 0.0};
    const int end = load(level.share_start + b + 1);
    for (int s = load(level.share_start + b) + lane; s < end; s += Lanes) {
      const int f = load(level.share + s), i = load(fine_row_of + f), j = load(K.column + f);
      Vec3<double> d = {0.0, 0.0, 0.0};
      if (j < free && load(level.parent_of + j) == column) d = mode(k, j);
      if (row == column) d = d - mode(k, i);
      const RowMatrix::Block block = K.block(i, f - load(K.row_start + i));
      Vec3<double> y;
      for (int r = 0; r < 3; ++r)
        y[r] = block.entry(3 * r) * d[0] + block.entry(3 * r + 1) * d[1] + block.entry(3 * r + 2) * d[2];
      sum += half == 0 ? y : cross(load3(level.offset, i), y);
    }
    if (row != column) return sum;
    const int last = load(level.member_start + row + 1);
    for (int m = load(level.member_start + row) + lane; m < last; m += Lanes) {
      const int i = load(level.member + m);
      const Vec3<double> y = (scale * load(mass + i)) * mode(k, i);
      sum += half == 0 ? y : cross(load3(level.offset, i), y);
    }
    return sum;
  }
  PHIFLEX_HD void finish(int item, const Vec3<double>& sum) const {
    const int b = item / 12, k = item % 12 / 2, half = item % 2;
    for (int r = 0; r < 3; ++r)
      level.values[36 * static_cast<std::size_t>(b) + 6 * (3 * half + r) + k] = sum[r];
  }

 private:
  PHIFLEX_HD Vec3<double> mode(int k, int i) const {
    return k < 3 ? unit3(k) : cross(unit3(k - 3), load3(level.offset, i));
  }
};
// From a level's blocks.
template <int Lanes>
struct NextGalerkin {
  LevelView level;
  const int *row_before, *column_before;
  const double* values_before;

  PHIFLEX_HD Vec3<double> part(int item, int lane) const {
    const int b = item / 12, k = item % 12 / 2, half = item % 2;
    Vec3<double> sum = {0.0, 0.0, 0.0};
    const int end = load(level.share_start + b + 1);
    for (int s = load(level.share_start + b) + lane; s < end; s += Lanes) {
      const int f = load(level.share + s), i = load(row_before + f), j = load(column_before + f);
      const Vec3<double> zero = {0.0, 0.0, 0.0};
      Six mode = {unit3(k), zero};
      if (k >= 3) mode = {cross(unit3(k - 3), load3(level.offset, j)), unit3(k - 3)};
      const double* block = values_before + 36 * static_cast<std::size_t>(f);
      const Vec3<double> force = half_product(block, 0, mode);
      sum += half == 0 ? force : half_product(block, 1, mode) + cross(load3(level.offset, i), force);
    }
    return sum;
  }
  PHIFLEX_HD void finish(int item, const Vec3<double>& sum) const {
    const int b = item / 12, k = item % 12 / 2, half = item % 2;
    for (int r = 0; r < 3; ++r)
      level.values[36 * static_cast<std::size_t>(b) + 6 * (3 * half + r) + k] = sum[r];
  }
};
// Aggregates of vertices on a line cannot turn about it: a little is added to the diagonal. And the inverse of the
// block.
struct InvertSix {
  const int* diagonal;
  double* values;
  double* inverse;
  PHIFLEX_HD void operator()(int i) const {
    double* block = values + 36 * static_cast<std::size_t>(load(diagonal + i));
    double A[36], trace = 0;
    for (int k = 0; k < 36; ++k) A[k] = block[k];
    for (int k = 0; k < 6; ++k) trace += A[7 * k];
    for (int k = 0; k < 6; ++k) block[7 * k] = A[7 * k] += 1e-9 / 6 * trace;
    invert6(A);
    for (int k = 0; k < 36; ++k) inverse[36 * static_cast<std::size_t>(i) + k] = A[k];
  }
};

// The dense inverse of the last level by block elimination: with the pivot block p and W = A_pp^-1 A_p, where W_p =
// A_pp^-1,
//
//   A_r <- A_r - A_rp W   with A_rp itself taken as 0 in the columns of p,   A_p <- W                      (4)
struct FillDense {
  const int *row_of, *column;
  const double* values;
  int size;
  double* A;
  PHIFLEX_HD void operator()(int item) const {
    const int b = item / 36, r = item % 36 / 6, c = item % 6;
    A[std::size_t(6 * load(row_of + b) + r) * size + std::size_t(6 * load(column + b) + c)] =
        load(values + item);
  }
};
struct PivotRows {
  int size, p;
  const double* A;
  double* W;  // six rows
  PHIFLEX_HD void operator()(int c) const {
    double P[36];
    for (int r = 0; r < 6; ++r)
      for (int k = 0; k < 6; ++k) P[6 * r + k] = A[std::size_t(6 * p + r) * size + std::size_t(6 * p + k)];
    invert6(P);
    for (int r = 0; r < 6; ++r) {
      double sum = 0;
      if (c / 6 == p)
        sum = P[6 * r + c % 6];
      else
        for (int k = 0; k < 6; ++k) sum += P[6 * r + k] * A[std::size_t(6 * p + k) * size + std::size_t(c)];
      W[std::size_t(r) * size + std::size_t(c)] = sum;
    }
  }
};
struct Eliminate {
  int size, p;
  const double *A, *W;
  double* B;
  PHIFLEX_HD void operator()(int item) const {
    const int r = item / size, c = item % size;
    if (r / 6 == p) {
      B[item] = W[std::size_t(r % 6) * size + std::size_t(c)];
      return;
    }
    double sum = c / 6 == p ? 0.0 : A[item];
    for (int k = 0; k < 6; ++k)
      sum -= A[std::size_t(r) * size + std::size_t(6 * p + k)] * W[std::size_t(k) * size + std::size_t(c)];
    B[item] = sum;
  }
};
template <int Lanes>
struct DenseProduct {
  int size;
  const double *A, *r;
  double* x;
  PHIFLEX_HD Vec3<double> part(int i, int lane) const {
    Vec3<double> sum = {0.0, 0.0, 0.0};
    const double* row = A + std::size_t(3 * i) * size;
    for (int c = lane; c < size; c += Lanes) {
      const double own = load(r + c);
      for (int k = 0; k < 3; ++k) sum[k] += load(row + std::size_t(k) * size + c) * own;
    }
    return sum;
  }
  PHIFLEX_HD void finish(int i, const Vec3<double>& sum) const { store3(x, i, sum); }
};

// ---- Vertices
// ------------------------------------------------------------------------------------------------------------

// A = s M + K and the inverse of its diagonal blocks.
struct FineMatrix {
  RowMatrix K;
  const double* mass;
  const CgNumbers* numbers;
  const Float4* inverse;
  PHIFLEX_HD Vec3<double> remainder(const double* r, const double* x, int i, const Vec3<double>& Kx) const {
    return load3(r, i) - (numbers->mass_scale * load(mass + i)) * load3(x, i) - Kx;
  }
};
struct FineFirst {
  FineMatrix A;
  const Smoothing* numbers;
  const double* r;
  double* d;
  PHIFLEX_HD void operator()(int i) const {
    store3(d, i, numbers->first * precondition(A.inverse, i, load3(r, i)));
  }
};
// x = the second of (3).
template <int Lanes>
struct FineSecond {
  FineMatrix A;
  const Smoothing* numbers;
  const double *r, *d;
  double* x;
  PHIFLEX_HD Vec3<double> part(int i, int lane) const { return A.K.template part<Lanes>(d, i, lane); }
  PHIFLEX_HD void finish(int i, const Vec3<double>& Kd) const {
    const Vec3<double> t = A.remainder(r, d, i, Kd);
    store3(x, i, (1 + numbers->again) * load3(d, i) + numbers->rest * precondition(A.inverse, i, t));
  }
};
// t = r - A x
template <int Lanes>
struct FineRemainder {
  FineMatrix A;
  const double *r, *x;
  double* t;
  PHIFLEX_HD Vec3<double> part(int i, int lane) const { return A.K.template part<Lanes>(x, i, lane); }
  PHIFLEX_HD void finish(int i, const Vec3<double>& Kx) const { store3(t, i, A.remainder(r, x, i, Kx)); }
};
// The same, and the first of (3) for it.
template <int Lanes>
struct FineAgain {
  FineMatrix A;
  const Smoothing* numbers;
  const double *r, *x;
  double *t, *d;
  PHIFLEX_HD Vec3<double> part(int i, int lane) const { return A.K.template part<Lanes>(x, i, lane); }
  PHIFLEX_HD void finish(int i, const Vec3<double>& Kx) const {
    const Vec3<double> ti = A.remainder(r, x, i, Kx);
    store3(t, i, ti);
    store3(d, i, numbers->first * precondition(A.inverse, i, ti));
  }
};
// u = x + the second of (3) for t
template <int Lanes>
struct FineLast {
  FineMatrix A;
  const Smoothing* numbers;
  const double *t, *d, *x;
  Float4* u;
  PHIFLEX_HD Vec3<double> part(int i, int lane) const { return A.K.template part<Lanes>(d, i, lane); }
  PHIFLEX_HD void finish(int i, const Vec3<double>& Kd) const {
    const Vec3<double> rest = A.remainder(t, d, i, Kd);
    store3(
        u, i,
        load3(x, i) + (1 + numbers->again) * load3(d, i) + numbers->rest * precondition(A.inverse, i, rest));
  }
};
// ---- Between levels: item 2 I + h is half h of aggregate I
// --------------------------------------------------------------

template <int Lanes>
struct RestrictVertices {
  const int *member_start, *member;
  const double *offset, *t;
  double* r;
  PHIFLEX_HD Vec3<double> part(int item, int lane) const {
    const int I = item / 2, half = item % 2, end = load(member_start + I + 1);
    Vec3<double> sum = {0.0, 0.0, 0.0};
    for (int m = load(member_start + I) + lane; m < end; m += Lanes) {
      const int i = load(member + m);
      const Vec3<double> force = load3(t, i);
      sum += half == 0 ? force : cross(load3(offset, i), force);
    }
    return sum;
  }
  PHIFLEX_HD void finish(int item, const Vec3<double>& sum) const { store3(r, item, sum); }
};
template <int Lanes>
struct RestrictNodes {
  const int *member_start, *member;
  const double *offset, *t;
  double* r;
  PHIFLEX_HD Vec3<double> part(int item, int lane) const {
    const int I = item / 2, half = item % 2, end = load(member_start + I + 1);
    Vec3<double> sum = {0.0, 0.0, 0.0};
    for (int m = load(member_start + I) + lane; m < end; m += Lanes) {
      const int i = load(member + m);
      const Six own = load6(t, i);
      sum += half == 0 ? own.f : own.t + cross(load3(offset, i), own.f);
    }
    return sum;
  }
  PHIFLEX_HD void finish(int item, const Vec3<double>& sum) const { store3(r, item, sum); }
};
struct ProlongToVertices {
  const int* parent_of;
  const double *offset, *coarse;
  double* x;
  PHIFLEX_HD void operator()(int i) const {
    const Six rigid = load6(coarse, load(parent_of + i));
    double* at = x + 3 * static_cast<std::size_t>(i);
    const Vec3<double> more = rigid.f + cross(rigid.t, load3(offset, i));
    for (int k = 0; k < 3; ++k) at[k] += more[k];
  }
};
struct ProlongToNodes {
  const int* parent_of;
  const double *offset, *coarse;
  double* x;
  PHIFLEX_HD void operator()(int i) const {
    const Six rigid = load6(coarse, load(parent_of + i));
    double* at = x + 6 * static_cast<std::size_t>(i);
    const Vec3<double> more = rigid.f + cross(rigid.t, load3(offset, i));
    for (int k = 0; k < 3; ++k) {
      at[k] += more[k];
      at[3 + k] += rigid.t[k];
    }
  }
};

// ---- Aggregates
// ----------------------------------------------------------------------------------------------------------

// t = r - A x by halves; r null: A x.
template <int Lanes>
struct NodeRemainder {
  const int *row_start, *column;
  const double *values, *r, *x;
  double* t;
  PHIFLEX_HD Vec3<double> part(int item, int lane) const {
    const int i = item / 2, half = item % 2, end = load(row_start + i + 1);
    Vec3<double> sum = {0.0, 0.0, 0.0};
    for (int b = load(row_start + i) + lane; b < end; b += Lanes)
      sum += half_product(values + 36 * static_cast<std::size_t>(b), half, load6(x, load(column + b)));
    return sum;
  }
  PHIFLEX_HD void finish(int item, const Vec3<double>& sum) const {
    store3(t, item, r ? load3(r, item) - sum : sum);
  }
};
struct NodeFirst {
  const Smoothing* numbers;
  const double *inverse, *r;
  double* d;
  PHIFLEX_HD void operator()(int i) const {
    store6(d, i, numbers->first * product6(inverse + 36 * static_cast<std::size_t>(i), load6(r, i)));
  }
};
// x = the second of (3), t = r - A d; before: null, or what it is added to.
struct NodeSecond {
  const Smoothing* numbers;
  const double *inverse, *t, *d, *before;
  double* x;
  PHIFLEX_HD void operator()(int i) const {
    Six sum = (1 + numbers->again) * load6(d, i) +
              numbers->rest * product6(inverse + 36 * static_cast<std::size_t>(i), load6(t, i));
    if (before)
      sum = sum + Six{{before[6 * i], before[6 * i + 1], before[6 * i + 2]},
                      {before[6 * i + 3], before[6 * i + 4], before[6 * i + 5]}};
    store6(x, i, sum);
  }
};

}  // namespace phiflex::device
