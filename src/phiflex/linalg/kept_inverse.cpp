#include "phiflex/linalg/kept_inverse.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <new>
#include <stdexcept>
#include <utility>

#include "phiflex/linalg/work_rates.h"

namespace phiflex {
namespace {

constexpr double kKeptFor = 60, kSolves = 4, kCycles = 4;  // of (1)
constexpr double kMemoryShare = 0.6;                       // of (2)
constexpr int kMostAnalyzed = 150000;                      // block rows, of (3)

constexpr char kReplaced[] = "the multigrid did not converge";

std::atomic<double> set_bytes{0};

// The number in a file of the control group's; infinity: there is none, or no limit ("max").
double limit_in(const char* file) {
  double bytes = 0;
  return (std::ifstream(file) >> bytes) && bytes > 0 ? bytes : HUGE_VAL;
}

double machine_bytes() {
  const double machine = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE));
  return std::min({machine, limit_in("/sys/fs/cgroup/memory.max"),
                   limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});  // of versions 2 and 1
}

// Empty: (2) allows it.
std::string refusal_by_memory(const CholeskyFactorization& cholesky) {
  const double bytes = double(cholesky.factor_bytes()), memory = memory_bytes();
  if (bytes <= kMemoryShare * memory) return {};
  return fmt::format("a factor would take {:.1f} GB of {:.1f} GB of memory", 1e-9 * bytes, 1e-9 * memory);
}

// What a cycle and a build of the multigrid take of a matrix that it has not met: operations for each stored block,
// measured on boxes of 24,000 to 1,119,744 tetrahedra (bench_multigrid).
constexpr double kCycleOperations = 115, kBuildOperations = 1600;

}  // namespace

double memory_bytes() {
  static const double machine = machine_bytes();
  const double set = set_bytes;
  return set > 0 ? set : machine;
}

void set_memory_bytes(double bytes) {
  set_bytes = bytes;
}

KeptInverse::KeptInverse(std::shared_ptr<const SparsityPattern> pattern, LinearSolver solver)
    : pattern_(std::move(pattern)) {
  if (const Halo* halo = pattern_->halo()) {
    outer_ = halo->make_inverse(pattern_);
    return;
  }
  const bool possible = pattern_->block() == 3;
  if (solver == LinearSolver::multigrid && !possible)
    throw std::invalid_argument("KeptInverse: a multigrid needs three degrees of freedom for each vertex");
  if (solver == LinearSolver::indefinite) {
    lu_ = std::make_unique<LuFactorization>(pattern_);
    return;
  }
  const int rows = pattern_->block_rows();
  if (solver == LinearSolver::automatic && possible && rows > kMostAnalyzed) {
    reason_ = fmt::format("{} vertices: a factorization would be too large", rows);  // (3)
    solver = LinearSolver::multigrid;
  }
  if (solver == LinearSolver::multigrid) {
    multigrid_ = std::make_unique<Multigrid>(pattern_);
    return;
  }
  cholesky_ = std::make_unique<CholeskyFactorization>(pattern_);
  if (solver == LinearSolver::factorization || !possible) return;
  const double factor = factorization_work(*cholesky_) / kKeptFor + kSolves * preconditioner_work(*cholesky_);
  const double blocks = double(pattern_->blocks());
  const double cycles =
      multigrid_build_work(kBuildOperations * blocks) / kKeptFor +
      kSolves * kCycles * (multigrid_cycle_work(kCycleOperations * blocks) + product_work(*pattern_));
  if (std::string refusal = refusal_by_memory(*cholesky_); !refusal.empty()) {
    reason_ = std::move(refusal);  // (2)
  } else if (factor > cycles) {
    reason_ = fmt::format("a factorization, kept, would take {:.2g} times its work", factor / cycles);  // (1)
  } else {
    return;
  }
  cholesky_.reset();
  multigrid_ = std::make_unique<Multigrid>(pattern_);
}

FactorStatus KeptInverse::build(const SparseMatrix& A, const Vector& positions) {
  has_no_factorization_ = false;
  if (outer_) return outer_->build(A, positions);
  if (lu_) return lu_->factorize(A);
  return multigrid_ ? multigrid_->build(A, positions) : cholesky_->factorize(A);
}

bool KeptInverse::ready() const {
  if (outer_) return outer_->ready();
  if (lu_) return lu_->ready();
  return multigrid_ ? multigrid_->ready() : cholesky_->ready();
}

void KeptInverse::solve(const Vector& b, Vector& x) const {
  if (lu_) {
    lu_->solve(b, x);
  } else {
    cholesky_->solve(b, x);
  }
}

void KeptInverse::solve(const Matrix& B, Matrix& X) const {
  if (lu_) {
    lu_->solve(B, X);
  } else {
    cholesky_->solve(B, X);
  }
}

// Null: (2) forbids it.
std::unique_ptr<CholeskyFactorization> KeptInverse::replacement() {
  if (!multigrid_ || stays_) return nullptr;
  std::string refusal;
  try {
    auto cholesky = std::make_unique<CholeskyFactorization>(pattern_);
    refusal = refusal_by_memory(*cholesky);
    if (refusal.empty()) return cholesky;
  } catch (const std::length_error&) {
    refusal = "a factor would have too many entries";
  } catch (const std::bad_alloc&) {
    refusal = "there is no memory to analyze a factorization";
  }
  stays_ = true;
  reason_ = refusal + "; conjugate gradients do not converge on it everywhere";
  return nullptr;
}

void KeptInverse::take(std::unique_ptr<CholeskyFactorization> cholesky) {
  multigrid_.reset();
  cholesky_ = std::move(cholesky);
  reason_ = kReplaced;
}

bool KeptInverse::replace_by_factorization() {
  std::unique_ptr<CholeskyFactorization> cholesky = replacement();
  if (!cholesky) return false;
  take(std::move(cholesky));
  return true;
}

std::optional<FactorStatus> KeptInverse::replace_by_factorization(const SparseMatrix& A) {
  if (has_no_factorization_) return FactorStatus::not_positive_definite;
  std::unique_ptr<CholeskyFactorization> cholesky = replacement();
  if (!cholesky) return std::nullopt;
  const FactorStatus status = cholesky->factorize(A);
  has_no_factorization_ = status != FactorStatus::ok;
  if (status == FactorStatus::ok) take(std::move(cholesky));
  return status;
}

void KeptInverse::precondition(const Vector& r, Vector& z) {
  if (outer_) {
    outer_->precondition(r, z);
  } else if (multigrid_) {
    multigrid_->precondition(r, z);
  } else if (lu_) {
    lu_->precondition(r, z);
  } else {
    cholesky_->precondition(r, z);
  }
}

void KeptInverse::precondition(const Matrix& R, Matrix& Z) {
  if (lu_) {
    lu_->precondition(R, Z);
    return;
  }
  if (!multigrid_ && !outer_) {
    cholesky_->precondition(R, Z);
    return;
  }
  Z.resize(R.rows(), R.cols());
  for (Index j = 0; j < R.cols(); ++j) {
    column_ = R.col(j);
    precondition(column_, result_);
    Z.col(j) = result_;
  }
}

double KeptInverse::build_work() const {
  if (outer_) return kOuterBuildWork;
  if (lu_) return factorization_work(*lu_);
  if (!multigrid_) return factorization_work(*cholesky_);
  return multigrid_->ready() ? multigrid_build_work(multigrid_->build_operations()) : expected_build_work();
}

double KeptInverse::solve_work() const {
  if (outer_) return kOuterCycleWork;
  if (lu_) return phiflex::solve_work(*lu_);
  return multigrid_ ? application_work() : phiflex::solve_work(*cholesky_);
}

double KeptInverse::application_work() const {
  if (outer_) return kOuterCycleWork;
  if (lu_) return phiflex::solve_work(*lu_);
  if (!multigrid_) return preconditioner_work(*cholesky_);
  return multigrid_->ready() ? multigrid_cycle_work(multigrid_->cycle_operations())
                             : expected_application_work();
}

double KeptInverse::expected_build_work() const {
  return multigrid_ ? multigrid_build_work(kBuildOperations * double(pattern_->blocks())) : build_work();
}

double KeptInverse::expected_application_work() const {
  return multigrid_ ? multigrid_cycle_work(kCycleOperations * double(pattern_->blocks()))
                    : application_work();
}

void KeptInverse::save_structure(ArchiveWriter& out) const {
  const std::vector<std::vector<int>> levels =
      multigrid_ ? multigrid_->aggregates() : std::vector<std::vector<int>>{};
  out.put(std::int64_t{multigrid_ != nullptr});
  out.put(std::int64_t(levels.size()));
  for (const std::vector<int>& of : levels) out.put(std::vector<double>(of.begin(), of.end()));
}

void KeptInverse::load_structure(ArchiveReader& in) {
  const bool is_multigrid = in.get_integer(0, 1) != 0;
  const std::int64_t count = in.get_integer(0, 100);
  if (!is_multigrid && multigrid_) {  // it had been replaced
    multigrid_.reset();
    cholesky_ = std::make_unique<CholeskyFactorization>(pattern_);
    reason_ = kReplaced;
  }
  if (is_multigrid != (multigrid_ != nullptr) || (!is_multigrid && count > 0))
    throw ArchiveError("the archive is of another linear solver");
  std::vector<std::vector<int>> levels;
  for (std::int64_t l = 0; l < count; ++l) {
    std::vector<int> of;
    for (const double a : in.get_doubles()) {
      if (!(a >= -1 && a < pattern_->block_rows())) throw ArchiveError("an aggregate is not there");
      of.push_back(int(a));
    }
    levels.push_back(std::move(of));
  }
  if (levels.empty()) return;
  try {
    multigrid_->set_aggregates(std::move(levels));
  } catch (const std::invalid_argument& error) {
    throw ArchiveError(error.what());
  }
}

}  // namespace phiflex
