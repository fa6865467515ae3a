// A is symmetric, so that its rows, which SparseMatrix stores, are its columns, which UMFPACK wants.
#include "phiflex/linalg/lu.h"

#include <umfpack.h>

#include <array>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "phiflex/linalg/suitesparse_pool.h"

extern "C" void openblas_set_num_threads(int count);

namespace phiflex {

struct LuFactorization::Impl {
  explicit Impl(std::shared_ptr<const SparsityPattern> shape)
      : pattern(std::move(shape)), cholesky(pattern) {}
  ~Impl() {
    umfpack_dl_free_numeric(&numeric);
    umfpack_dl_free_symbolic(&symbolic);
    trim_suitesparse_pool();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Index rows() const { return pattern->rows(); }

  void lay_out() {
    const int b = pattern->block();
    column_start.reserve(std::size_t(rows()) + 1);
    row.reserve(std::size_t(pattern->blocks()) * std::size_t(b * b));
    column_start.push_back(0);
    for (int j = 0; j < pattern->block_rows(); ++j)
      for (int c = 0; c < b; ++c) {
        for (int k = pattern->row_start()[j]; k < pattern->row_start()[j + 1]; ++k)
          for (int r = 0; r < b; ++r) row.push_back(SuiteSparse_long(b) * pattern->column()[k] + r);
        column_start.push_back(SuiteSparse_long(row.size()));
      }
    values.resize(row.size());
    integers.resize(std::size_t(rows()));
    numbers.resize(5 * std::size_t(rows()));  // UMFPACK's, for a solve with refinement
  }

  void analyze() {
    install_suitesparse_pool();
    umfpack_dl_defaults(control.data());
    control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;  // diagonal pivots first, an order of A + A'
    control[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
    lay_out();
    std::array<double, UMFPACK_INFO> info;
    openblas_set_num_threads(1);
    check(umfpack_dl_symbolic(rows(), rows(), column_start.data(), row.data(), nullptr, &symbolic,
                              control.data(), info.data()));
    operations = info[UMFPACK_FLOPS_ESTIMATE];
    entries = info[UMFPACK_LNZ_ESTIMATE] + info[UMFPACK_UNZ_ESTIMATE];
    trim_suitesparse_pool();
  }

  void gather(const double* from) {
    const int b = pattern->block();
    double* to = values.data();
    for (int j = 0; j < pattern->block_rows(); ++j)
      for (int c = 0; c < b; ++c)
        for (int k = pattern->row_start()[j]; k < pattern->row_start()[j + 1]; ++k)
          for (int r = 0; r < b; ++r)
            *to++ = from[std::size_t(b * b) * std::size_t(k) + std::size_t(b * c + r)];
  }

  FactorStatus factorize(const SparseMatrix& A) {
    const FactorStatus status = cholesky.factorize(A);
    by_lu = status == FactorStatus::not_positive_definite;
    lu_is_ready = false;
    if (!by_lu) return status;
    if (!symbolic) analyze();
    gather(A.values());
    umfpack_dl_free_numeric(&numeric);
    std::array<double, UMFPACK_INFO> info;
    openblas_set_num_threads(1);
    const SuiteSparse_long end = umfpack_dl_numeric(column_start.data(), row.data(), values.data(), symbolic,
                                                    &numeric, control.data(), info.data());
    if (end == UMFPACK_WARNING_singular_matrix) return FactorStatus::not_positive_definite;
    check(end);
    if (!(info[UMFPACK_RCOND] > 0)) return FactorStatus::not_positive_definite;  // it overflowed on its way
    lu_is_ready = true;
    return FactorStatus::ok;
  }

  bool ready() const { return by_lu ? lu_is_ready : cholesky.ready(); }

  enum class Refinement { yes, no };
  void solve(const double* b, Index columns, double* x, Refinement refinement) {
    if (!lu_is_ready) throw std::logic_error("LuFactorization: solve before a successful factorize");
    const std::lock_guard lock(solving);
    std::array<double, UMFPACK_CONTROL> settings = control;
    if (refinement == Refinement::no) settings[UMFPACK_IRSTEP] = 0;
    for (Index first = 0; first < rows() * columns; first += rows()) {
      std::array<double, UMFPACK_INFO> info;
      check(umfpack_dl_wsolve(UMFPACK_A, column_start.data(), row.data(), values.data(), x + first, b + first,
                              numeric, settings.data(), info.data(), integers.data(), numbers.data()));
    }
  }
  void solve(const Vector& b, Vector& x, Refinement refinement) {
    if (b.size() != rows()) throw std::invalid_argument("LuFactorization: a vector of another size");
    if (x.size() != b.size()) x.resize(b.size());
    solve(b.data(), 1, x.data(), refinement);
  }
  void solve(const Matrix& B, Matrix& X, Refinement refinement) {
    if (B.rows() != rows()) throw std::invalid_argument("LuFactorization: a matrix of another size");
    if (X.rows() != B.rows() || X.cols() != B.cols()) X.resize(B.rows(), B.cols());
    solve(B.data(), B.cols(), X.data(), refinement);
  }

  static void check(SuiteSparse_long status) {
    if (status == UMFPACK_ERROR_out_of_memory) throw std::bad_alloc();
    if (status < UMFPACK_OK) throw std::logic_error("LuFactorization: UMFPACK refused its input");
  }

  std::shared_ptr<const SparsityPattern> pattern;
  CholeskyFactorization cholesky;
  bool by_lu = false, lu_is_ready = false;  // of the latest matrix

  std::array<double, UMFPACK_CONTROL> control = {};
  std::vector<SuiteSparse_long> column_start, row;
  std::vector<double> values;
  void *symbolic = nullptr, *numeric = nullptr;
  double operations = 0, entries = 0;

  std::mutex solving;  // a solve uses the workspaces below
  std::vector<SuiteSparse_long> integers;
  std::vector<double> numbers;
};

LuFactorization::LuFactorization(std::shared_ptr<const SparsityPattern> pattern)
    : impl_(std::make_unique<Impl>(std::move(pattern))) {}
LuFactorization::~LuFactorization() = default;
LuFactorization::LuFactorization(LuFactorization&&) noexcept = default;
LuFactorization& LuFactorization::operator=(LuFactorization&&) noexcept = default;

FactorStatus LuFactorization::factorize(const SparseMatrix& A) {
  return impl_->factorize(A);
}

bool LuFactorization::ready() const {
  return impl_->ready();
}

bool LuFactorization::is_definite() const {
  return !impl_->by_lu;
}

void LuFactorization::solve(const Vector& b, Vector& x) const {
  if (impl_->by_lu) {
    impl_->solve(b, x, Impl::Refinement::yes);
  } else {
    impl_->cholesky.solve(b, x);
  }
}

void LuFactorization::solve(const Matrix& B, Matrix& X) const {
  if (impl_->by_lu) {
    impl_->solve(B, X, Impl::Refinement::yes);
  } else {
    impl_->cholesky.solve(B, X);
  }
}

void LuFactorization::precondition(const Vector& r, Vector& z) const {
  if (impl_->by_lu) {
    impl_->solve(r, z, Impl::Refinement::no);
  } else {
    impl_->cholesky.precondition(r, z);
  }
}

void LuFactorization::precondition(const Matrix& R, Matrix& Z) const {
  if (impl_->by_lu) {
    impl_->solve(R, Z, Impl::Refinement::no);
  } else {
    impl_->cholesky.precondition(R, Z);
  }
}

double LuFactorization::factor_operations() const {
  return impl_->by_lu ? impl_->operations : impl_->cholesky.factor_operations();
}

double LuFactorization::solve_operations() const {
  // By LU a multiplication and an addition per entry of L and of U.
  return impl_->by_lu ? 2 * impl_->entries : impl_->cholesky.solve_operations();
}

}  // namespace phiflex
