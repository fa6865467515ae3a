#include "phiflex/linalg/multigrid.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "phiflex/linalg/multigrid_level.h"

namespace phiflex {
namespace {

constexpr int kFactorizedRows = 600;     // nodes of the last level, at most
constexpr double kSlowCoarsening = 0.7;  // nodes over those of the level before: a level that is not worth it
constexpr int kMostLevels = 20;

int count_of(const std::vector<int>& aggregate_of) {
  return aggregate_of.empty() ? 0 : 1 + *std::max_element(aggregate_of.begin(), aggregate_of.end());
}

Aggregates taken(const std::vector<int>& aggregate_of) {
  return {aggregate_of, count_of(aggregate_of)};
}

// By the norms of the level's blocks.
template <int b>
Aggregates aggregate_nodes(const MultigridLevel<b>& level) {
  constexpr std::size_t square = b * b, piece = 4096;
  std::vector<float> norms(std::size_t(level.start[level.rows]));
  parallel_for(std::ptrdiff_t((norms.size() + piece - 1) / piece), [&](std::ptrdiff_t n) {
    const std::size_t end = std::min(norms.size(), piece * std::size_t(n + 1));
    for (std::size_t k = piece * std::size_t(n); k < end; ++k) {
      double sum = 0;
      for (std::size_t e = 0; e < square; ++e)
        sum += double(level.A[square * k + e]) * double(level.A[square * k + e]);
      norms[k] = float(std::sqrt(sum));
    }
  });
  return aggregate({level.start, std::size_t(level.rows) + 1}, {level.column, norms.size()}, norms);
}

}  // namespace

struct Multigrid::Impl {
  std::shared_ptr<const SparsityPattern> pattern;
  double scale = 1;  // of level 0: its largest number is about 1
  MultigridLevel<3> finest;
  std::vector<MultigridLevel<6>> coarse;
  std::vector<BlockRows> coarse_rows;       // their patterns
  std::vector<std::vector<int>> diagonals;  // places of diagonal blocks, of every level
  std::shared_ptr<const SparsityPattern> coarsest_pattern;
  std::unique_ptr<SparseMatrix> coarsest_matrix;
  std::unique_ptr<CholeskyFactorization> coarsest;
  bool has_structure = false, ready = false;
  std::vector<std::vector<int>> given;  // aggregates for the next structure; empty: they are found

  FactorStatus take_values(const SparseMatrix& A);
  std::vector<double> rigid_motions(const Vector& positions) const;
  template <int b>
  FactorStatus make_next(MultigridLevel<b>& level, std::size_t next, const LevelZero& zero,
                         std::vector<double>& B);
  template <int b>
  void make_galerkin(const MultigridLevel<b>& level, std::size_t next);
  FactorStatus factorize_last(const MultigridLevel<6>* level, const SparseMatrix& A);
  bool is_last(int rows, std::size_t level) const {
    if (has_structure) return level == coarse.size();
    return given.empty() ? rows <= kFactorizedRows || level >= kMostLevels : level == given.size();
  }
  template <int b>
  void cycle(MultigridLevel<b>& level, std::size_t next);
};

FactorStatus Multigrid::Impl::take_values(const SparseMatrix& A) {
  const SparsityPattern& rows = *pattern;
  double largest = 0;
  for (int i = 0; i < rows.block_rows(); ++i) {
    const double* block = A.block(rows.diagonal(i));
    for (int n = 0; n < 9; n += 4) largest = std::max(largest, std::abs(block[n]));
  }
  if (!(largest > 0)) return FactorStatus::not_positive_definite;
  scale = 1 / largest;
  for_row_pieces(finest.rows, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double rest[9] = {};
      for (int k = finest.start[i]; k < finest.start[i + 1]; ++k)
        for (int n = 0; n < 9; ++n) {
          const double value = scale * A.block(k)[n];
          const float rounded = float(value);
          finest.A[std::size_t(9 * Index(k) + n)] = rounded;
          rest[n] += value - double(rounded);
        }
      for (int row = 0; row < 3; ++row)
        for (int col = 0; col < 3; ++col)
          finest.diagonal_rest[std::size_t(9 * i + 3 * row + col)] =
              float(0.5 * (rest[3 * row + col] + rest[3 * col + row]));
    }
  });
  // A number that is not finite makes its row's rest not finite.
  const bool finite =
      std::all_of(finest.diagonal_rest.begin(), finest.diagonal_rest.begin() + 9 * Index(finest.rows),
                  [](float value) { return std::isfinite(value); });
  return finite ? FactorStatus::ok : FactorStatus::not_finite;
}

std::vector<double> Multigrid::Impl::rigid_motions(const Vector& positions) const {
  const int n = finest.rows;
  double center[3] = {}, size = 0;
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c) center[c] += positions[3 * Index(i) + c] / n;
  for (Index i = 0; i < 3 * Index(n); ++i) size = std::max(size, std::abs(positions[i] - center[i % 3]));
  if (!(size > 0)) size = 1;
  std::vector<double> B(18 * std::size_t(n), 0);
  for (int i = 0; i < n; ++i) {
    double* rows = B.data() + 18 * Index(i);
    double p[3];
    for (int c = 0; c < 3; ++c) {
      p[c] = (positions[3 * Index(i) + c] - center[c]) / size;
      rows[kRigidMotions * c + c] = 1;
    }
    rows[kRigidMotions * 0 + 4] = p[2], rows[kRigidMotions * 0 + 5] = -p[1];  // e_y x p, e_z x p
    rows[kRigidMotions * 1 + 3] = -p[2], rows[kRigidMotions * 1 + 5] = p[0];
    rows[kRigidMotions * 2 + 3] = p[1], rows[kRigidMotions * 2 + 4] = -p[0];
  }
  return B;
}

// (4). Blocks with column >= row are computed, the others are their transposes.
template <int b>
void Multigrid::Impl::make_galerkin(const MultigridLevel<b>& level, std::size_t next) {
  constexpr int wide = MultigridLevel<b>::wide;
  MultigridLevel<6>& to = coarse[next];
  for_row_pieces(to.rows, [&](Index first, Index last) {
    std::vector<double> sums;
    for (Index I = first; I < last; ++I) {
      const int k_first = diagonals[next + 1][std::size_t(I)], k_last = to.start[I + 1];
      sums.assign(36 * std::size_t(k_last - k_first), 0);
      for (int e = level.P_columns.start[std::size_t(I)]; e < level.P_columns.start[std::size_t(I) + 1];
           ++e) {
        const std::size_t i = std::size_t(level.P_columns.row[std::size_t(e)]);
        const float* p = level.P.data() + Index(wide) * level.P_columns.place[std::size_t(e)];
        int k = k_first;
        for (int n = level.AP_rows.start[i]; n < level.AP_rows.start[i + 1]; ++n) {
          const int J = level.AP_rows.column[std::size_t(n)];
          if (J < I) continue;
          while (to.column[k] != J) ++k;
          double* sum = sums.data() + 36 * Index(k - k_first);
          const double* ap = level.AP.data() + Index(wide) * n;
          for (int s = 0; s < b; ++s)
            for (int row = 0; row < kRigidMotions; ++row)
              for (int c = 0; c < kRigidMotions; ++c)
                sum[kRigidMotions * row + c] +=
                    double(p[kRigidMotions * s + row]) * ap[kRigidMotions * s + c];
        }
      }
      for (int k = k_first; k < k_last; ++k)
        for (int row = 0; row < kRigidMotions; ++row)
          for (int c = 0; c < kRigidMotions; ++c)
            to.A[std::size_t(36 * Index(k) + kRigidMotions * c + row)] =
                k == k_first ? 0.5 * (sums[std::size_t(kRigidMotions * row + c)] +
                                      sums[std::size_t(kRigidMotions * c + row)])
                             : sums[std::size_t(36 * Index(k - k_first) + kRigidMotions * row + c)];
      for (int c = 0; c < kRigidMotions; ++c)
        if (level.dependent[std::size_t(I)][std::size_t(c)])
          to.A[std::size_t(36 * Index(k_first) + 7 * c)] = 1;
    }
  });
  for_row_pieces(to.rows, [&](Index first, Index last) {
    for (Index I = first; I < last; ++I)
      for (int k = to.start[I]; k < diagonals[next + 1][std::size_t(I)]; ++k) {
        const int J = to.column[k];
        const int* row = to.column + diagonals[next + 1][std::size_t(J)];
        const std::size_t other =
            std::size_t(std::lower_bound(row, to.column + to.start[J + 1], int(I)) - to.column);
        for (int r = 0; r < kRigidMotions; ++r)
          for (int c = 0; c < kRigidMotions; ++c)
            to.A[std::size_t(36 * Index(k) + kRigidMotions * c + r)] =
                to.A[36 * other + std::size_t(kRigidMotions * r + c)];
      }
  });
}

// The level after `level`, number `next` of the coarse ones, and what makes it from there on. B: of `level`, then of
// the next one.
template <int b>
FactorStatus Multigrid::Impl::make_next(MultigridLevel<b>& level, std::size_t next, const LevelZero& zero,
                                        std::vector<double>& B) {
  if (!level.invert_diagonal(diagonals[next], zero)) return FactorStatus::not_positive_definite;
  if (const FactorStatus status = level.estimate_lambda(); status != FactorStatus::ok) return status;
  if (!has_structure) {
    level.find_structure(given.empty() ? aggregate_nodes(level) : taken(given[next]));
    if (level.aggregates == 0) return FactorStatus::ok;
    coarse.emplace_back();
    coarse_rows.push_back(collect_rows(level.aggregates, level.aggregates, [&](int I, auto add) {
      add(I);
      for (int e = level.P_columns.start[std::size_t(I)]; e < level.P_columns.start[std::size_t(I) + 1];
           ++e) {
        const std::size_t i = std::size_t(level.P_columns.row[std::size_t(e)]);
        for (int n = level.AP_rows.start[i]; n < level.AP_rows.start[i + 1]; ++n)
          add(level.AP_rows.column[std::size_t(n)]);
      }
    }));
    const BlockRows& rows = coarse_rows.back();
    MultigridLevel<6>& to = coarse.back();
    to.rows = level.aggregates;
    to.A.resize(36 * rows.column.size());
    to.D_inverse.resize(36 * std::size_t(to.rows));
    to.r.setZero(to.size());
    to.x.setZero(to.size());
    to.d.setZero(to.size());
    std::vector<int> places(std::size_t(to.rows));
    for (int I = 0; I < to.rows; ++I)
      places[std::size_t(I)] = int(std::lower_bound(rows.column.begin() + rows.start[std::size_t(I)],
                                                    rows.column.begin() + rows.start[std::size_t(I) + 1], I) -
                                   rows.column.begin());
    diagonals.push_back(std::move(places));
    coarse.back().start = coarse_rows.back().start.data();
    coarse.back().column = coarse_rows.back().column.data();
  }
  std::vector<double> B_next;
  level.orthonormalize(B, B_next);
  B = std::move(B_next);
  level.smooth_prolongation(zero);
  level.multiply_prolongation(zero);
  make_galerkin(level, next);
  return FactorStatus::ok;
}

// level: null for A itself.
FactorStatus Multigrid::Impl::factorize_last(const MultigridLevel<6>* level, const SparseMatrix& A) {
  if (!level) {
    if (!coarsest) coarsest = std::make_unique<CholeskyFactorization>(pattern);
    return coarsest->factorize(A);
  }
  const int n = level->rows;
  if (!coarsest) {
    std::vector<Coupling> couplings;
    for (int i = 0; i < n; ++i)
      for (int k = level->start[i]; k < level->start[i + 1]; ++k)
        for (int c : {0, 1})
          for (int r : {0, 1})
            if (2 * level->column[k] + c > 2 * i + r)
              couplings.push_back({2 * i + r, 2 * level->column[k] + c});
    coarsest_pattern = std::make_shared<SparsityPattern>(3, 2 * n, couplings);
    coarsest_matrix = std::make_unique<SparseMatrix>(coarsest_pattern);
    coarsest = std::make_unique<CholeskyFactorization>(coarsest_pattern);
  }
  for (int i = 0; i < n; ++i)
    for (int k = level->start[i]; k < level->start[i + 1]; ++k)
      for (int half : {0, 1})
        for (int other : {0, 1}) {
          double* block =
              coarsest_matrix->block(coarsest_pattern->find(2 * i + half, 2 * level->column[k] + other));
          for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
              block[3 * r + c] =
                  level->A[std::size_t(36 * Index(k) + kRigidMotions * (3 * other + c) + 3 * half + r)];
        }
  return coarsest->factorize(*coarsest_matrix);
}

template <int b>
void Multigrid::Impl::cycle(MultigridLevel<b>& level, std::size_t next) {
  if constexpr (b == 6) {
    if (next == coarse.size()) {
      coarsest->solve(level.r, level.x);
      return;
    }
  }
  level.smooth_from_zero();
  if (next == coarse.size()) return;  // nothing is coupled to anything
  level.restrict_residual(coarse[next].r);
  cycle(coarse[next], next + 1);
  level.add_correction(coarse[next].x);
  level.smooth();
}

Multigrid::Multigrid(std::shared_ptr<const SparsityPattern> pattern) : impl_(std::make_unique<Impl>()) {
  if (pattern->block() != 3) throw std::invalid_argument("Multigrid: the blocks are of size 3");
  impl_->pattern = std::move(pattern);
  const SparsityPattern& rows = *impl_->pattern;
  MultigridLevel<3>& finest = impl_->finest;
  finest.rows = rows.block_rows();
  finest.start = rows.row_start().data();
  finest.column = rows.column().data();
}

Multigrid::~Multigrid() = default;
Multigrid::Multigrid(Multigrid&&) noexcept = default;
Multigrid& Multigrid::operator=(Multigrid&&) noexcept = default;

FactorStatus Multigrid::build(const SparseMatrix& A, const Vector& positions) {
  Impl& impl = *impl_;
  if (A.shared_pattern() != impl.pattern) throw std::invalid_argument("Multigrid: another pattern");
  if (positions.size() != A.rows()) throw std::invalid_argument("Multigrid: one position for each vertex");
  impl.ready = false;
  MultigridLevel<3>& finest = impl.finest;
  if (finest.rows == 0) return FactorStatus::not_positive_definite;
  if (finest.rows <= kFactorizedRows) {
    const FactorStatus status = impl.factorize_last(nullptr, A);
    impl.has_structure = impl.ready = status == FactorStatus::ok;
    return status;
  }
  if (!impl.has_structure) {
    // What an earlier build() that failed has left is made again.
    impl.coarse.clear();
    impl.coarse.reserve(kMostLevels);
    impl.coarse_rows.clear();
    impl.coarse_rows.reserve(kMostLevels);
    impl.diagonals.assign(1, {});
    for (int i = 0; i < finest.rows; ++i) impl.diagonals[0].push_back(impl.pattern->diagonal(i));
    impl.coarsest.reset();
    finest.A.resize(9 * std::size_t(impl.pattern->blocks()) + 4);
    finest.diagonal_rest.resize(9 * std::size_t(finest.rows) + 4);
    finest.D_inverse.resize(9 * std::size_t(finest.rows));
    for (Vector* v : {&finest.r, &finest.x, &finest.d}) v->setZero(finest.size());
  }
  FactorStatus status = impl.take_values(A);
  if (status != FactorStatus::ok) return status;
  const LevelZero zero{A.values(), impl.scale};
  std::vector<double> B = impl.rigid_motions(positions);
  status = impl.make_next(finest, 0, zero, B);
  for (std::size_t l = 0; status == FactorStatus::ok && l < impl.coarse.size(); ++l) {
    const int before = l == 0 ? finest.rows : impl.coarse[l - 1].rows;
    const bool slow = impl.coarse[l].rows > kSlowCoarsening * before;
    if (impl.is_last(impl.coarse[l].rows, l + 1) || (!impl.has_structure && impl.given.empty() && slow)) {
      status = impl.factorize_last(&impl.coarse[l], A);
      break;
    }
    status = impl.make_next(impl.coarse[l], l + 1, zero, B);
  }
  if (status != FactorStatus::ok) return status;
  impl.has_structure = impl.ready = true;
  return status;
}

bool Multigrid::ready() const {
  return impl_->ready;
}

void Multigrid::precondition(const Vector& r, Vector& z) {
  Impl& impl = *impl_;
  if (impl.finest.rows <= kFactorizedRows) {
    impl.coarsest->solve(r, z);
    return;
  }
  impl.finest.r = impl.scale * r;
  impl.cycle(impl.finest, 0);
  z = impl.finest.x;
}

std::vector<std::vector<int>> Multigrid::aggregates() const {
  std::vector<std::vector<int>> result;
  if (!impl_->has_structure || impl_->coarse.empty()) return result;
  result.push_back(impl_->finest.aggregate_of);
  for (std::size_t l = 0; l + 1 < impl_->coarse.size(); ++l) result.push_back(impl_->coarse[l].aggregate_of);
  return result;
}

void Multigrid::set_aggregates(std::vector<std::vector<int>> aggregates) {
  std::size_t nodes = std::size_t(impl_->finest.rows);
  if (aggregates.size() > std::size_t(kMostLevels)) throw std::invalid_argument("Multigrid: too many levels");
  for (const std::vector<int>& of : aggregates) {
    if (of.size() != nodes) throw std::invalid_argument("Multigrid: one aggregate for each node");
    const int count = count_of(of);
    std::vector<char> used(std::size_t(count), 0);
    for (const int a : of) {
      if (a < -1) throw std::invalid_argument("Multigrid: no such aggregate");
      if (a >= 0) used[std::size_t(a)] = 1;
    }
    if (count == 0 || std::find(used.begin(), used.end(), 0) != used.end())
      throw std::invalid_argument("Multigrid: an aggregate is empty");
    nodes = std::size_t(count);
  }
  impl_->given = std::move(aggregates);
  impl_->has_structure = impl_->ready = false;
}

int Multigrid::levels() const {
  return 1 + int(impl_->coarse.size());
}

Index Multigrid::unknowns(int level) const {
  return level == 0 ? impl_->finest.size() : impl_->coarse[std::size_t(level - 1)].size();
}

double Multigrid::cycle_operations() const {
  double sum = impl_->coarsest ? impl_->coarsest->solve_operations() : 0;
  const auto add = [&](const auto& level) {
    const double square = level.square;
    sum += 2 * square * (4. * level.start[level.rows] + 3. * level.rows) +
           2 * 2. * level.wide * double(level.P_rows.column.size());
  };
  if (impl_->finest.rows > kFactorizedRows) add(impl_->finest);
  for (std::size_t l = 0; l + 1 < impl_->coarse.size(); ++l) add(impl_->coarse[l]);
  return sum;
}

double Multigrid::build_operations() const {
  double sum = impl_->coarsest ? impl_->coarsest->factor_operations() : 0;
  const auto add = [&](const auto& level) {
    const double square = level.square, wide = level.wide, P_blocks = double(level.P_rows.column.size());
    const double per_row = P_blocks / level.rows;
    sum += 2 * square * kLanczosSteps * level.start[level.rows];                  // lambda
    sum += 2 * square * kRigidMotions * level.start[level.rows] * (1 + per_row);  // P, A P
    sum += wide * kRigidMotions * per_row * double(level.AP_rows.column.size());  // P'A P, one half
  };
  if (impl_->finest.rows > kFactorizedRows) add(impl_->finest);
  for (std::size_t l = 0; l + 1 < impl_->coarse.size(); ++l) add(impl_->coarse[l]);
  return sum;
}

std::size_t Multigrid::bytes() const {
  std::size_t sum = impl_->coarsest ? impl_->coarsest->factor_bytes() : 0;
  const auto add = [&](const auto& level) {
    sum +=
        level.A.size() * sizeof(level.A[0]) +
        (level.D_inverse.size() + level.P.size() + level.diagonal_rest.size()) * sizeof(float) +
        (level.Q.size() + level.AP.size()) * sizeof(double) +
        (level.own_place.size() + level.P_rows.column.size() * 3 + level.AP_rows.column.size()) * sizeof(int);
  };
  add(impl_->finest);
  for (const MultigridLevel<6>& level : impl_->coarse) add(level);
  return sum;
}

}  // namespace phiflex
