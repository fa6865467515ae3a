// Sparse Cholesky by CHOLMOD.
//
// Ordering. The graph of the blocks is b times smaller than that of the scalars and carries the same
// information: AMD and METIS order it, the one with the sparser factor wins, and its permutation, block by
// block, orders the scalars. CHOLMOD then gets the lower triangle of P A P', already permuted, with the
// natural ordering: it neither permutes nor transposes at a numeric factorization. Of where its entries come
// from only the blocks are kept, column by column: a number for nine entries.
//
// Solve. x = P' L^-T L^-1 P b, by CHOLMOD's two supernodal sweeps in place on one kept workspace, or by those
// of packed_factor.h.
#include "phiflex/linalg/cholesky.h"

#include <cholmod.h>
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <new>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "phiflex/linalg/huge_pages.h"
#include "phiflex/linalg/packed_factor.h"
#include "phiflex/linalg/suitesparse_pool.h"

extern "C" void openblas_set_num_threads(int count);

namespace phiflex {
namespace {

std::atomic<int> blas_threads{1};

// Below this many operations (some 40 ms on one core) threads cost more than they bring, above all where other
// programs run, since OpenBLAS's threads wait for each other by spinning.
constexpr double kOperationsForThreads = 1e9;

// A view of arrays of ours as the lower triangle of a symmetric matrix, by columns.
cholmod_sparse lower_triangle(std::vector<int>& start, std::vector<int>& row, double* values) {
  cholmod_sparse view = {};
  view.nrow = view.ncol = start.size() - 1;
  view.nzmax = row.size();
  view.p = start.data();
  view.i = row.data();
  view.x = values;
  view.stype = -1;
  view.itype = CHOLMOD_INT;
  view.xtype = values ? CHOLMOD_REAL : CHOLMOD_PATTERN;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = view.packed = true;
  return view;
}

// A view of several vectors of length `rows`, one behind the other.
cholmod_dense columns_of(double* numbers, Index rows, Index columns) {
  cholmod_dense view = {};
  view.nrow = view.d = std::size_t(rows);
  view.ncol = std::size_t(columns);
  view.nzmax = std::size_t(rows * columns);
  view.x = numbers;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  return view;
}

// CHOLMOD's settings and workspace; quiet.
class Common {
 public:
  Common() {
    install_suitesparse_pool();
    cholmod_start(&common_);
    common_.print = 0;
    common_.error_handler = nullptr;
    common_.quick_return_if_not_posdef = true;
  }
  ~Common() {
    cholmod_finish(&common_);
    trim_suitesparse_pool();
  }
  Common(const Common&) = delete;
  Common& operator=(const Common&) = delete;
  cholmod_common* operator->() { return &common_; }
  cholmod_common* get() { return &common_; }

  // CHOLMOD's own loops ask OpenMP for four threads, whatever the machine's number of cores and load are.
  // They only copy and scatter: on one thread they are faster, and results do not change.
  void factorize(cholmod_sparse& A, cholmod_factor& L, double operations) {
    using Get = int (*)();
    using Set = void (*)(int);
    static const auto get_levels = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "omp_get_max_active_levels"));
    static const auto set_levels = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"));
    const int levels = get_levels && set_levels ? get_levels() : 0;
    if (set_levels) set_levels(0);
    openblas_set_num_threads(operations >= kOperationsForThreads ? blas_threads.load() : 1);
    cholmod_factorize(&A, &L, &common_);
    openblas_set_num_threads(1);
    if (set_levels) set_levels(levels);
  }

  void throw_on_failure() const {
    if (common_.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
    if (common_.status == CHOLMOD_TOO_LARGE)
      throw std::length_error("CholeskyFactorization: the factor has more entries than CHOLMOD can count");
    if (common_.status < CHOLMOD_OK)
      throw std::logic_error("CholeskyFactorization: CHOLMOD refused its input");
  }

 private:
  cholmod_common common_ = {};
};

}  // namespace

struct CholeskyFactorization::Impl {
  explicit Impl(std::shared_ptr<const SparsityPattern> shape) : pattern(std::move(shape)) {
    if (!pattern) throw std::invalid_argument("CholeskyFactorization: no pattern");
    if (rows() == 0) return;
    order_blocks();
    lay_out_triangle();
    analyze();
    trim_suitesparse_pool();
  }
  ~Impl() { cholmod_free_factor(&factor, common.get()); }

  Index rows() const { return pattern->rows(); }

  void order_blocks() {
    const int n = pattern->block_rows();
    std::vector<int> start(std::size_t(n) + 1, 0), neighbour;
    neighbour.reserve(std::size_t(pattern->blocks()));
    for (int j = 0; j < n; ++j) {
      const int* column = pattern->column().data();
      neighbour.insert(neighbour.end(), column + pattern->diagonal(j), column + pattern->row_start()[j + 1]);
      start[std::size_t(j) + 1] = int(neighbour.size());
    }
    cholmod_sparse graph = lower_triangle(start, neighbour, nullptr);
    common->supernodal = CHOLMOD_SIMPLICIAL;
    common->nmethods = 2;
    common->method[0].ordering = CHOLMOD_AMD;
    common->method[1].ordering = CHOLMOD_METIS;
    common->postorder = true;
    cholmod_factor* symbolic = cholmod_analyze(&graph, common.get());
    common.throw_on_failure();
    const int* order = static_cast<const int*>(symbolic->Perm);
    block_order.assign(order, order + n);
    cholmod_free_factor(&symbolic, common.get());
  }

  // The pattern of the permuted lower triangle and where its values come from.
  void lay_out_triangle() {
    const int b = pattern->block(), n = pattern->block_rows();
    const Index entries = (pattern->blocks() - n) / 2 * b * b + Index(n) * b * (b + 1) / 2;
    if (pattern->blocks() * b * b > std::numeric_limits<int>::max())
      throw std::length_error("CholeskyFactorization: more entries than an int can count");
    std::vector<int> place(n);
    for (int p = 0; p < n; ++p) place[block_order[p]] = p;

    column_start.reserve(std::size_t(rows()) + 1);
    row.reserve(std::size_t(entries));
    block_start.reserve(std::size_t(n) + 1);
    block_start.push_back(0);
    source_block.reserve(std::size_t(pattern->blocks() + n) / 2);
    std::vector<std::pair<int, int>> below;  // the blocks of a column: permuted row, number of the block
    for (int p = 0; p < n; ++p) {
      const int j = block_order[p];
      below.clear();
      for (int k = pattern->row_start()[j]; k < pattern->row_start()[j + 1]; ++k)
        if (place[pattern->column()[k]] >= p) below.emplace_back(place[pattern->column()[k]], k);
      std::sort(below.begin(), below.end());  // the diagonal block comes first
      for (const auto& [place_i, k] : below) source_block.push_back(k);
      block_start.push_back(int(source_block.size()));
      for (int c = 0; c < b; ++c) {
        column_start.push_back(int(row.size()));
        for (const auto& [place_i, k] : below)
          for (int r = place_i == p ? c : 0; r < b; ++r) row.push_back(b * place_i + r);
      }
    }
    column_start.push_back(int(row.size()));
    values.resize(row.size());
  }

  void analyze() {
    cholmod_sparse triangle = lower_triangle(column_start, row, values.data());
    common->supernodal = CHOLMOD_SUPERNODAL;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_NATURAL;
    common->postorder = false;  // the order of the blocks is a postorder already
    factor = cholmod_analyze(&triangle, common.get());
    common.throw_on_failure();
    cholmod_free_work(common.get());  // factorizations need a part of it
    factor_operations = common->fl;
  }

  // The values of the triangle; false when one is not finite. Block k is B_ji; the triangle wants B_ij = B_ji', so
  // that its column c is row c of block k.
  template <class Width>
  bool gather(const double* from, Width b) {
    double zero = 0;  // or NaN, once an infinite or undefined number came by
    double* to = values.data();
    const auto take = [&](double value) {
      *to++ = value;
      zero += 0 * value;
    };
    for (int p = 0; p < pattern->block_rows(); ++p) {
      const int* const first = source_block.data() + block_start[p];
      const int* const last = source_block.data() + block_start[p + 1];
      for (int c = 0; c < b; ++c) {
        const auto row_c = [&](int k) { return from + std::size_t(b * b) * std::size_t(k) + b * c; };
        for (int r = c; r < b; ++r) take(row_c(*first)[r]);
        for (const int* k = first + 1; k < last; ++k)
          for (int r = 0; r < b; ++r) take(row_c(*k)[r]);
      }
    }
    return zero == 0;
  }
  bool gather(const double* from) {
    if (pattern->block() == 3) return gather(from, std::integral_constant<int, 3>());
    return gather(from, pattern->block());
  }

  FactorStatus factorize(const SparseMatrix& A) {
    if (A.shared_pattern() != pattern)
      throw std::invalid_argument("CholeskyFactorization: a matrix of another pattern");
    ready = packed_is_current = false;
    if (!gather(A.values())) return FactorStatus::not_finite;
    if (rows() > 0) {
      cholmod_sparse triangle = lower_triangle(column_start, row, values.data());
      common.factorize(triangle, *factor, factor_operations);
      if (common->status == CHOLMOD_NOT_POSDEF) return FactorStatus::not_positive_definite;
      common.throw_on_failure();
      // Finite input can still overflow on its way; a diagonal that is not finite shows it.
      if (!(cholmod_rcond(factor, common.get()) > 0)) return FactorStatus::not_positive_definite;
    }
    ready = true;
    return FactorStatus::ok;
  }

  // x = P' sweeps(P b) for `columns` vectors, one behind the other; x may be b.
  template <class Sweeps>
  void solve_permuted(const double* b, Index columns, double* x, const Sweeps& sweeps) {
    if (!ready) throw std::logic_error("CholeskyFactorization: solve before a successful factorize");
    if (rows() == 0) return;
    const std::lock_guard lock(solving);
    if (permuted.size() < std::size_t(rows() * columns)) permuted.resize(std::size_t(rows() * columns));
    const int width = pattern->block(), n = pattern->block_rows();
    const auto for_blocks = [&](const auto& visit) {
      for (Index start = 0; start < rows() * columns; start += rows())
        for (int p = 0; p < n; ++p) visit(start + Index(width) * block_order[p], start + Index(width) * p);
    };
    for_blocks([&](Index natural, Index place) { std::copy_n(b + natural, width, &permuted[place]); });
    sweeps(permuted.data());
    for_blocks([&](Index natural, Index place) { std::copy_n(&permuted[place], width, x + natural); });
  }

  void solve(const double* b, Index columns, double* x) {
    solve_permuted(b, columns, x, [&](double* numbers) {
      const auto gathered_rows = std::max<std::size_t>(factor->maxesize, 1);
      if (gathered.size() < gathered_rows * std::size_t(columns)) gathered.resize(gathered_rows * columns);
      cholmod_dense X = columns_of(numbers, rows(), columns);
      cholmod_dense E = columns_of(gathered.data(), Index(gathered_rows), columns);
      cholmod_super_lsolve(factor, &X, &E, common.get());
      cholmod_super_ltsolve(factor, &X, &E, common.get());
    });
  }

  void precondition(const double* r, Index columns, double* z) {
    solve_permuted(r, columns, z, [&](double* numbers) {
      const auto starts = [&](const void* from) {
        return std::span(static_cast<const int*>(from), factor->nsuper + 1);
      };
      const SupernodalView L = {starts(factor->super), starts(factor->pi), starts(factor->px),
                                static_cast<const int*>(factor->s), static_cast<const double*>(factor->x)};
      if (!packed_is_current) packed.pack(L);
      packed_is_current = true;
      packed.solve(L, columns, numbers);
    });
  }

  std::shared_ptr<const SparsityPattern> pattern;
  Common common;
  std::vector<int> block_order;                // block_order[p]: the block row at place p
  std::vector<int> column_start, row;          // the permuted lower triangle
  std::vector<int> block_start, source_block;  // the blocks of its block columns
  LargeArray<double> values;
  cholmod_factor* factor = nullptr;
  double factor_operations = 0;
  bool ready = false;

  std::mutex solving;  // a solve uses the workspaces below
  std::vector<double> permuted, gathered;
  PackedFactor packed;
  bool packed_is_current = false;
};

CholeskyFactorization::CholeskyFactorization(std::shared_ptr<const SparsityPattern> pattern)
    : impl_(std::make_unique<Impl>(std::move(pattern))) {}
CholeskyFactorization::~CholeskyFactorization() = default;
CholeskyFactorization::CholeskyFactorization(CholeskyFactorization&&) noexcept = default;
CholeskyFactorization& CholeskyFactorization::operator=(CholeskyFactorization&&) noexcept = default;

FactorStatus CholeskyFactorization::factorize(const SparseMatrix& A) {
  return impl_->factorize(A);
}

bool CholeskyFactorization::ready() const {
  return impl_->ready;
}

void CholeskyFactorization::solve(const Vector& b, Vector& x) const {
  if (b.size() != impl_->rows())
    throw std::invalid_argument("CholeskyFactorization: a vector of another size");
  if (x.size() != b.size()) x.resize(b.size());
  impl_->solve(b.data(), 1, x.data());
}

void CholeskyFactorization::solve(const Matrix& B, Matrix& X) const {
  if (B.rows() != impl_->rows())
    throw std::invalid_argument("CholeskyFactorization: a matrix of another size");
  if (X.rows() != B.rows() || X.cols() != B.cols()) X.resize(B.rows(), B.cols());
  if (B.cols() > 0) impl_->solve(B.data(), B.cols(), X.data());
}

void CholeskyFactorization::precondition(const Vector& r, Vector& z) const {
  if (r.size() != impl_->rows())
    throw std::invalid_argument("CholeskyFactorization: a vector of another size");
  if (z.size() != r.size()) z.resize(r.size());
  impl_->precondition(r.data(), 1, z.data());
}

void CholeskyFactorization::precondition(const Matrix& R, Matrix& Z) const {
  if (R.rows() != impl_->rows())
    throw std::invalid_argument("CholeskyFactorization: a matrix of another size");
  if (Z.rows() != R.rows() || Z.cols() != R.cols()) Z.resize(R.rows(), R.cols());
  if (R.cols() > 0) impl_->precondition(R.data(), R.cols(), Z.data());
}

const SparsityPattern& CholeskyFactorization::pattern() const {
  return *impl_->pattern;
}

double CholeskyFactorization::factor_operations() const {
  return impl_->factor_operations;
}

double CholeskyFactorization::solve_operations() const {
  // A multiplication and an addition per entry of L, in each of the two sweeps.
  return impl_->factor ? 4.0 * double(impl_->factor->xsize) : 0;
}

std::size_t CholeskyFactorization::factor_bytes() const {
  if (!impl_->factor) return 0;
  const std::size_t numbers = impl_->factor->xsize;
  return numbers * sizeof(double) + impl_->factor->ssize * sizeof(int) +
         PackedFactor::expected_bytes(numbers, std::size_t(impl_->rows())) +
         impl_->values.size() * (sizeof(double) + sizeof(int));
}

void set_blas_threads(int count) {
  blas_threads = std::max(count, 1);
}

}  // namespace phiflex
