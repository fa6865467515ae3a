#include "phiflex/linalg/multigrid_level.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/linalg/four_lanes.h"

namespace phiflex {
namespace {

constexpr double kSmoothed = 4. / 3;       // omega lambda of (3)
constexpr double kSmoothingRatio = 12;     // of the interval of Chebyshev's polynomial
constexpr double kLanczosMargin = 1.1;     // lambda over what Lanczos's method has found by then
constexpr double kDependentColumn = 1e-8;  // of a column of B_a that the columns before it contain

// Numbers that look random and are the same everywhere, in [-1, 1].
double scattered(Index i) {
  std::uint64_t x = std::uint64_t(i) + 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return double((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

// D^-1 of a symmetric positive definite block by Cholesky's method, rows of b numbers; false: it is none.
template <int b>
bool invert_block(const std::array<double, b * b>& D, std::array<double, b * b>& inverse) {
  std::array<double, b * b> L{};
  for (int i = 0; i < b; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = D[std::size_t(b * i + j)];
      for (int k = 0; k < j; ++k) sum -= L[std::size_t(b * i + k)] * L[std::size_t(b * j + k)];
      if (i == j) {
        if (!(sum > 0)) return false;
        L[std::size_t(b * i + i)] = std::sqrt(sum);
      } else {
        L[std::size_t(b * i + j)] = sum / L[std::size_t(b * j + j)];
      }
    }
  for (int c = 0; c < b; ++c) {
    std::array<double, b> x{};
    for (int i = 0; i < b; ++i) {
      double sum = i == c ? 1 : 0;
      for (int k = 0; k < i; ++k) sum -= L[std::size_t(b * i + k)] * x[std::size_t(k)];
      x[std::size_t(i)] = sum / L[std::size_t(b * i + i)];
    }
    for (int i = b - 1; i >= 0; --i) {
      double sum = x[std::size_t(i)];
      for (int k = i + 1; k < b; ++k) sum -= L[std::size_t(b * k + i)] * x[std::size_t(k)];
      x[std::size_t(i)] = sum / L[std::size_t(b * i + i)];
    }
    for (int i = 0; i < b; ++i) inverse[std::size_t(b * i + c)] = x[std::size_t(i)];
  }
  return true;
}

}  // namespace

template <>
void MultigridLevel<3>::subtract_product(const Vector& from, Vector& to) const {
  const double* in = from.data();
  double* out = to.data();
  for_row_pieces(rows, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      FourLanes row0 = {}, row1 = {}, row2 = {};
      const auto add = [&](const float* block, FourLanes v) {
        row0 += load(block) * v;
        row1 += load(block + 3) * v;
        row2 += load(block + 6) * v;
      };
      const int end = start[i + 1] - 1;  // the last block may touch the end of the vector
      for (int k = start[i]; k < end; ++k) add(A.data() + 9 * Index(k), load(in + 3 * Index(column[k])));
      const double* v = in + 3 * Index(column[end]);
      add(A.data() + 9 * Index(end), FourLanes{v[0], v[1], v[2], 0});
      v = in + 3 * i;
      add(diagonal_rest.data() + 9 * i, FourLanes{v[0], v[1], v[2], 0});
      out[3 * i] -= row0[0] + row0[1] + row0[2];
      out[3 * i + 1] -= row1[0] + row1[1] + row1[2];
      out[3 * i + 2] -= row2[0] + row2[1] + row2[2];
    }
  });
}

template <>
void MultigridLevel<6>::subtract_product(const Vector& from, Vector& to) const {
  const double* in = from.data();
  double* out = to.data();
  for_row_pieces(rows, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double sum[6] = {};
      for (int k = start[i]; k < start[i + 1]; ++k) {
        const double* block = A.data() + 36 * Index(k);
        const double* v = in + 6 * Index(column[k]);
        for (int c = 0; c < 6; ++c)
          for (int row = 0; row < 6; ++row) sum[row] += block[6 * c + row] * v[c];
      }
      for (int row = 0; row < 6; ++row) out[6 * i + row] -= sum[row];
    }
  });
}

template <int b>
bool MultigridLevel<b>::invert_diagonal(const std::vector<int>& diagonal_place, const LevelZero& zero) {
  std::vector<char> good(std::size_t(rows), 1);
  for_row_pieces(rows, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      std::array<double, square> D{}, inverse{};
      load_block(zero, diagonal_place[std::size_t(i)], D.data());
      good[std::size_t(i)] = invert_block<b>(D, inverse);
      for (int n = 0; n < square; ++n)
        D_inverse[std::size_t(square * i + n)] = float(inverse[std::size_t(n)]);
    }
  });
  return std::all_of(good.begin(), good.end(), [](char one) { return one != 0; });
}

// Conjugate gradients with D as the preconditioner hold Lanczos's tridiagonal matrix of D^-1 A.
template <int b>
FactorStatus MultigridLevel<b>::estimate_lambda() {
  Vector residual(size()), direction(size()), z(size()), product(size());
  for (Index i = 0; i < size(); ++i) residual[i] = scattered(i);
  const auto precondition = [&] {
    for_row_pieces(rows, [&](Index first, Index last) {
      for (Index i = first; i < last; ++i) solve_diagonal(i, residual.data() + b * i, z.data() + b * i);
    });
  };
  precondition();
  direction = z;
  double rz = residual.dot(z), alpha_before = 0, beta_before = 0;
  Matrix T = Matrix::Zero(kLanczosSteps, kLanczosSteps);
  int steps = 0;
  while (steps < kLanczosSteps && rz > 0) {
    product.setZero();
    subtract_product(direction, product);  // -A p
    const double curvature = -direction.dot(product);
    if (!std::isfinite(curvature)) return FactorStatus::not_finite;
    if (curvature <= 0) return FactorStatus::not_positive_definite;
    const double alpha = rz / curvature;
    T(steps, steps) = 1 / alpha + (steps > 0 ? beta_before / alpha_before : 0);
    residual += alpha * product;
    precondition();
    const double rz_next = residual.dot(z), beta = rz_next / rz;
    if (steps + 1 < kLanczosSteps)
      T(steps, steps + 1) = T(steps + 1, steps) = std::sqrt(std::max(beta, 0.)) / alpha;
    ++steps;
    direction = z + beta * direction;
    alpha_before = alpha;
    beta_before = beta;
    if (!(rz_next > 1e-20 * rz)) break;
    rz = rz_next;
  }
  if (steps == 0) return std::isfinite(rz) ? FactorStatus::not_positive_definite : FactorStatus::not_finite;
  const Matrix found = T.topLeftCorner(steps, steps);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(found, Eigen::EigenvaluesOnly);
  lambda = kLanczosMargin * eigen.eigenvalues()[steps - 1];
  return std::isfinite(lambda) && lambda > 0 ? FactorStatus::ok : FactorStatus::not_finite;
}

template <int b>
void MultigridLevel<b>::find_structure(Aggregates found) {
  aggregate_of = std::move(found.of);
  aggregates = found.count;
  member_start.assign(std::size_t(aggregates) + 1, 0);
  for (const int a : aggregate_of)
    if (a >= 0) ++member_start[std::size_t(a) + 1];
  for (std::size_t a = 0; a < std::size_t(aggregates); ++a) member_start[a + 1] += member_start[a];
  member.resize(std::size_t(member_start.back()));
  std::vector<int> next(member_start.begin(), member_start.end() - 1);
  for (int i = 0; i < rows; ++i)
    if (const int a = aggregate_of[std::size_t(i)]; a >= 0) member[std::size_t(next[std::size_t(a)]++)] = i;

  P_rows = collect_rows(rows, aggregates, [&](int i, auto add) {
    for (int k = start[i]; k < start[i + 1]; ++k)
      if (const int a = aggregate_of[std::size_t(column[k])]; a >= 0) add(a);
  });
  own_place.assign(std::size_t(start[rows]), -1);
  for (int i = 0; i < rows; ++i) {
    const auto first = P_rows.column.begin() + P_rows.start[std::size_t(i)];
    const auto last = P_rows.column.begin() + P_rows.start[std::size_t(i) + 1];
    for (int k = start[i]; k < start[i + 1]; ++k)
      if (const int a = aggregate_of[std::size_t(column[k])]; a >= 0)
        own_place[std::size_t(k)] = int(std::lower_bound(first, last, a) - P_rows.column.begin());
  }
  AP_rows = collect_rows(rows, aggregates, [&](int i, auto add) {
    for (int k = start[i]; k < start[i + 1]; ++k)
      for (int p = P_rows.start[std::size_t(column[k])]; p < P_rows.start[std::size_t(column[k]) + 1]; ++p)
        add(P_rows.column[std::size_t(p)]);
  });
  P_columns = transposed(P_rows, aggregates);
  P.resize(std::size_t(wide) * P_rows.column.size());
  Q.resize(std::size_t(wide) * std::size_t(rows));
  AP.resize(std::size_t(wide) * AP_rows.column.size());
  dependent.resize(std::size_t(aggregates));
}

// (2), by Gram and Schmidt, twice. B: b rows of six numbers for each node, B_next: six for each aggregate.
template <int b>
void MultigridLevel<b>::orthonormalize(std::vector<double>& B, std::vector<double>& B_next) {
  B_next.assign(std::size_t(kRigidMotions * kRigidMotions) * std::size_t(aggregates), 0);
  std::fill(Q.begin(), Q.end(), 0.);
  for_row_pieces(aggregates, [&](Index first, Index last) {
    for (Index a = first; a < last; ++a) {
      const int from = member_start[std::size_t(a)], to = member_start[std::size_t(a) + 1];
      const auto each_row = [&](auto visit) {
        for (int m = from; m < to; ++m)
          for (int row = 0; row < b; ++row)
            visit(std::size_t(wide) * std::size_t(member[std::size_t(m)]) + std::size_t(kRigidMotions * row));
      };
      each_row([&](std::size_t n) { std::copy_n(B.data() + n, kRigidMotions, Q.data() + n); });
      double* R = B_next.data() + kRigidMotions * kRigidMotions * a;
      for (int c = 0; c < kRigidMotions; ++c) {
        double size_before = 0;
        each_row([&](std::size_t n) { size_before += Q[n + std::size_t(c)] * Q[n + std::size_t(c)]; });
        for (int sweep = 0; sweep < 2; ++sweep)
          for (int e = 0; e < c; ++e) {
            if (dependent[std::size_t(a)][std::size_t(e)]) continue;
            double along = 0;
            each_row([&](std::size_t n) { along += Q[n + std::size_t(e)] * Q[n + std::size_t(c)]; });
            each_row([&](std::size_t n) { Q[n + std::size_t(c)] -= along * Q[n + std::size_t(e)]; });
            R[kRigidMotions * e + c] += along;
          }
        double size = 0;
        each_row([&](std::size_t n) { size += Q[n + std::size_t(c)] * Q[n + std::size_t(c)]; });
        const bool is_dependent = !(size > kDependentColumn * kDependentColumn * size_before);
        dependent[std::size_t(a)][std::size_t(c)] = is_dependent;
        const double scale = is_dependent ? 0 : 1 / std::sqrt(size);
        each_row([&](std::size_t n) { Q[n + std::size_t(c)] *= scale; });
        R[kRigidMotions * c + c] = is_dependent ? 0 : std::sqrt(size);
      }
    }
  });
}

// (3).
template <int b>
void MultigridLevel<b>::smooth_prolongation(const LevelZero& zero) {
  const double omega = kSmoothed / lambda;
  for_row_pieces(rows, [&](Index first, Index last) {
    std::vector<double> sums;
    for (Index i = first; i < last; ++i) {
      const int p_first = P_rows.start[std::size_t(i)], p_last = P_rows.start[std::size_t(i) + 1];
      sums.assign(std::size_t(wide) * std::size_t(p_last - p_first), 0);
      for (int k = start[i]; k < start[i + 1]; ++k) {
        if (own_place[std::size_t(k)] < 0) continue;
        double* sum = sums.data() + Index(wide) * (own_place[std::size_t(k)] - p_first);
        const double* q = Q.data() + Index(wide) * column[k];
        double block[square];
        load_block(zero, k, block);
        for (int row = 0; row < b; ++row)
          for (int s = 0; s < b; ++s)
            for (int c = 0; c < kRigidMotions; ++c)
              sum[kRigidMotions * row + c] += block[b * row + s] * q[kRigidMotions * s + c];
      }
      const float* inverse = D_inverse.data() + Index(square) * i;
      const int own = aggregate_of[std::size_t(i)];
      for (int p = p_first; p < p_last; ++p) {
        const double* sum = sums.data() + Index(wide) * (p - p_first);
        float* to = P.data() + Index(wide) * p;
        const double* q = P_rows.column[std::size_t(p)] == own ? Q.data() + Index(wide) * i : nullptr;
        for (int row = 0; row < b; ++row)
          for (int c = 0; c < kRigidMotions; ++c) {
            double value = 0;
            for (int s = 0; s < b; ++s) value += double(inverse[b * row + s]) * sum[kRigidMotions * s + c];
            to[kRigidMotions * row + c] = float((q ? q[kRigidMotions * row + c] : 0) - omega * value);
          }
      }
    }
  });
}

template <int b>
void MultigridLevel<b>::multiply_prolongation(const LevelZero& zero) {
  for_row_pieces(rows, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const int to_first = AP_rows.start[std::size_t(i)], to_last = AP_rows.start[std::size_t(i) + 1];
      std::fill(AP.data() + Index(wide) * to_first, AP.data() + Index(wide) * to_last, 0.);
      for (int k = start[i]; k < start[i + 1]; ++k) {
        double block[square];
        load_block(zero, k, block);
        int to = to_first;
        const std::size_t j = std::size_t(column[k]);
        for (int p = P_rows.start[j]; p < P_rows.start[j + 1]; ++p) {
          while (AP_rows.column[std::size_t(to)] != P_rows.column[std::size_t(p)]) ++to;
          const float* from = P.data() + Index(wide) * p;
          double* sum = AP.data() + Index(wide) * to;
          for (int s = 0; s < b; ++s) {
            double line[kRigidMotions];
            for (int c = 0; c < kRigidMotions; ++c) line[c] = double(from[kRigidMotions * s + c]);
            for (int row = 0; row < b; ++row)
              for (int c = 0; c < kRigidMotions; ++c)
                sum[kRigidMotions * row + c] += block[b * row + s] * line[c];
          }
        }
      }
    }
  });
}

// Chebyshev's polynomial of degree 2, with theta and delta the middle and half the length of the interval:
//   d = D^-1 r/theta,  x += d,  r -= A d,  d = rho rho1 d + 2 rho1/delta D^-1 r,  x += d               (5)
template <int b>
void MultigridLevel<b>::smooth() {
  const double theta = 0.5 * lambda * (1 + 1 / kSmoothingRatio),
               delta = 0.5 * lambda * (1 - 1 / kSmoothingRatio);
  const double sigma = theta / delta, rho = 1 / sigma, rho1 = 1 / (2 * sigma - rho);
  for_row_pieces(rows, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      solve_diagonal(i, r.data() + b * i, d.data() + b * i);
      for (int row = 0; row < b; ++row) x[b * i + row] += d[b * i + row] /= theta;
    }
  });
  subtract_product(d, r);
  for_row_pieces(rows, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double z[b];
      solve_diagonal(i, r.data() + b * i, z);
      for (int row = 0; row < b; ++row)
        x[b * i + row] += d[b * i + row] = rho * rho1 * d[b * i + row] + 2 * rho1 / delta * z[row];
    }
  });
}

template <int b>
void MultigridLevel<b>::smooth_from_zero() {
  x.setZero();
  smooth();
  subtract_product(d, r);
}

template <int b>
void MultigridLevel<b>::restrict_residual(Vector& to) const {
  for_row_pieces(aggregates, [&](Index first, Index last) {
    for (Index I = first; I < last; ++I) {
      double sum[kRigidMotions] = {};
      for (int e = P_columns.start[std::size_t(I)]; e < P_columns.start[std::size_t(I) + 1]; ++e) {
        const float* p = P.data() + Index(wide) * P_columns.place[std::size_t(e)];
        const double* v = r.data() + b * Index(P_columns.row[std::size_t(e)]);
        for (int s = 0; s < b; ++s)
          for (int c = 0; c < kRigidMotions; ++c) sum[c] += double(p[kRigidMotions * s + c]) * v[s];
      }
      std::copy_n(sum, kRigidMotions, to.data() + kRigidMotions * I);
    }
  });
}

template <int b>
void MultigridLevel<b>::add_correction(const Vector& from) {
  for_row_pieces(rows, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double sum[b] = {};
      for (int p = P_rows.start[std::size_t(i)]; p < P_rows.start[std::size_t(i) + 1]; ++p) {
        const float* block = P.data() + Index(wide) * p;
        const double* v = from.data() + kRigidMotions * Index(P_rows.column[std::size_t(p)]);
        for (int s = 0; s < b; ++s)
          for (int c = 0; c < kRigidMotions; ++c) sum[s] += double(block[kRigidMotions * s + c]) * v[c];
      }
      std::copy_n(sum, b, d.data() + b * i);
    }
  });
  subtract_product(d, r);
  x += d;
}

template struct MultigridLevel<3>;
template struct MultigridLevel<6>;

}  // namespace phiflex
