// Matrix functions for Python: y = phi_k(t A) b of sparse matrices and of operators, and functions of pencils.
#include "phiflex/matfun/matrix_phi.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/shift_inverse.h"
#include "phiflex/matfun/pencil_functions.h"
#include "python/src/bind.h"

namespace phiflex {
namespace python {
namespace {

const char* words(EvaluationStatus status) {
  switch (status) {
    case EvaluationStatus::ok:
      return "ok";
    case EvaluationStatus::not_finite:
      return "a value is not finite";
    case EvaluationStatus::not_converged:
      return "the tolerance was not reached";
    case EvaluationStatus::not_positive_definite:
      return "the shifted matrix is not positive definite";
  }
  return "";
}

py::tuple result(const EvaluationReport& report, const Matrix& y) {
  py::array_t<double, py::array::f_style> value({py::ssize_t(y.rows()), py::ssize_t(y.cols())});
  if (report.status == EvaluationStatus::ok)
    std::memcpy(value.mutable_data(), y.data(), sizeof(double) * std::size_t(y.size()));
  return py::make_tuple(words(report.status), value, std::string(report.evaluator), report.products,
                        report.solves, report.krylov_vectors, report.substeps, report.error);
}

// The three arrays of scipy's csr_matrix, as Python has checked them.
GeneralMatrix sparse_of(Index n, const py::tuple& csr) {
  const auto starts = py::cast<py::array_t<int, py::array::c_style | py::array::forcecast>>(csr[0]);
  const auto columns = py::cast<py::array_t<int, py::array::c_style | py::array::forcecast>>(csr[1]);
  const auto values = py::cast<Numbers>(csr[2]);
  if (starts.size() != n + 1 || columns.size() != values.size())
    refuse("A", "is no matrix in compressed rows");
  for (Index row = 0; row < n; ++row)
    if (starts.data()[row] > starts.data()[row + 1]) refuse("A", "is no matrix in compressed rows");
  if (starts.data()[0] != 0 || starts.data()[n] != values.size())
    refuse("A", "is no matrix in compressed rows");
  for (py::ssize_t i = 0; i < columns.size(); ++i)
    if (columns.data()[i] < 0 || columns.data()[i] >= n) refuse("A", "is no matrix in compressed rows");
  return Eigen::Map<const GeneralMatrix>(n, n, values.size(), starts.data(), columns.data(), values.data());
}

Matrix columns_of(const py::object& b, Index n) {
  const auto array = py::cast<py::array_t<double, py::array::f_style | py::array::forcecast>>(b);
  if (array.ndim() != 2 || array.shape(0) != n) refuse("b", "has another size than A");
  Matrix columns(n, array.shape(1));
  std::memcpy(columns.data(), array.data(), sizeof(double) * std::size_t(columns.size()));
  return columns;
}

py::tuple phi_of_matrix(Index n, const py::tuple& csr, const py::object& b, double tau, int k,
                        const std::string& evaluator, double tolerance) {
  const GeneralMatrix A = sparse_of(n, csr);
  const Matrix columns = columns_of(b, n);
  Matrix y;
  EvaluationReport report;
  {
    const py::gil_scoped_release release;
    report = evaluate_matrix_phi(A, columns, {tau, k, evaluator, tolerance}, y);
  }
  return result(report, y);
}

// tau A by its products alone.
class CallableOperator final : public LinearOperator {
 public:
  CallableOperator(const py::object& product, Index n, double tau, double norm)
      : product_(product), n_(n), tau_(tau), norm_(norm) {}
  Index size() const override { return n_; }
  double norm() const override { return norm_; }
  void apply(const Vector& x, Vector& y) const override {
    const py::object made = product_(copied(x));
    const Numbers array = Numbers::ensure(made);
    if (!array || array.size() != n_) {
      PyErr_Clear();
      refuse("A", fmt::format("its product with a vector is no array of {} numbers", n_));
    }
    y.resize(n_);
    for (Index i = 0; i < n_; ++i) y[i] = tau_ * array.data()[i];
  }

 private:
  const py::object& product_;
  Index n_;
  double tau_, norm_;
};

py::tuple phi_of_operator(Index n, const py::object& product, double norm, const py::object& b, double tau,
                          int k, const std::string& evaluator, double tolerance) {
  const EvaluatorEntry* entry = find_evaluator(evaluator == "auto" ? "kiops" : evaluator);
  if (!entry) throw std::invalid_argument("there is no evaluator called " + evaluator);
  if (!entry->make_phi)
    refuse("evaluator",
           fmt::format("\"{}\" needs the matrix itself; of an operator, only products are known", evaluator));
  const Matrix columns = columns_of(b, n);
  const CallableOperator A(product, n, tau, std::abs(tau) * norm);
  const std::unique_ptr<PhiEvaluator> phi = entry->make_phi({.tolerance = tolerance});
  Matrix y(n, columns.cols());
  EvaluationReport sum;
  sum.evaluator = entry->info->name;
  for (Index j = 0; j < columns.cols() && sum.status == EvaluationStatus::ok; ++j) {
    std::vector<Vector> u(std::size_t(k) + 1);
    u.back() = columns.col(j);
    Vector w;
    const double one = 1;
    const EvaluationReport report =
        phi->evaluate(A, u, {&one, 1}, {&w, 1});  // the interpreter is needed throughout
    sum.status = report.status;
    sum.products += report.products;
    sum.krylov_vectors += report.krylov_vectors;
    sum.substeps += report.substeps;
    sum.error = std::max(sum.error, report.error);
    if (sum.status == EvaluationStatus::ok) y.col(j) = w;
  }
  return result(sum, y);
}

SparseMatrix symmetric_of(const GeneralMatrix& A) {
  std::vector<Coupling> couplings;
  for (Index row = 0; row < A.rows(); ++row)
    for (GeneralMatrix::InnerIterator entry(A, row); entry; ++entry)
      if (entry.col() < row)
        couplings.push_back({int(row), int(entry.col())});
      else if (entry.col() > row)
        couplings.push_back({int(entry.col()), int(row)});
  SparseMatrix made(std::make_shared<const SparsityPattern>(1, int(A.rows()), couplings));
  made.set_zero();
  for (Index row = 0; row < A.rows(); ++row)
    for (GeneralMatrix::InnerIterator entry(A, row); entry; ++entry)
      *made.block(made.pattern().find(int(row), int(entry.col()))) += entry.value();
  return made;
}

void require_symmetric(const GeneralMatrix& A, const char* name) {
  if (const std::optional<Asymmetry> worst = find_asymmetry(A))
    refuse(name, fmt::format("is not symmetric: entry ({}, {}) is {} and ({}, {}) is {}", worst->row,
                             worst->column, worst->value, worst->column, worst->row, worst->mirrored));
}

// y = f(A) b of the pencil A = M^-1 K, f: "cos" cos(t sqrt), "sinc" sin(t sqrt)/sqrt. mass: a diagonal or csr arrays.
py::tuple pencil_function(const std::string& name, Index n, const py::tuple& stiffness,
                          const py::object& mass, const py::object& b, double t, const std::string& evaluator,
                          double tolerance) {
  const GeneralMatrix K_given = sparse_of(n, stiffness);
  require_symmetric(K_given, "K");
  const SparseMatrix K = symmetric_of(K_given);
  std::unique_ptr<MassMatrix> M;
  try {
    if (py::isinstance<py::tuple>(mass)) {
      const GeneralMatrix M_given = sparse_of(n, py::cast<py::tuple>(mass));
      require_symmetric(M_given, "M");
      M = std::make_unique<MassMatrix>(symmetric_of(M_given));
    } else {
      M = std::make_unique<MassMatrix>(vector_of(mass, "M", n));
    }
  } catch (const std::invalid_argument&) {
    refuse("M", "is not positive definite");
  }
  const EvaluatorEntry* entry = find_evaluator(evaluator == "auto" ? "lanczos" : evaluator);
  if (!entry || !entry->make_pencil)
    refuse("evaluator",
           fmt::format("\"{}\" is not allowed; expected auto or an evaluator of pencils: lanczos, "
                       "chebyshev, rational",
                       evaluator));
  const Matrix columns = columns_of(b, n);
  Matrix y(n, columns.cols());
  EvaluationReport sum;
  sum.evaluator = entry->info->name;
  {
    const py::gil_scoped_release release;
    const AssembledPencil pencil(K, *M);
    const UserFunction f([&](double lambda) {
      const double x2 = t * t * lambda;
      return name == "cos" ? cos_of(x2) : t * sinc_of(x2);
    });
    // PencilOptions counts pairs of columns.
    const auto pencil_evaluator =
        entry->make_pencil({.tolerance = tolerance, .largest_basis = int(std::min<Index>(n, 1000))});
    std::unique_ptr<CholeskyFactorization> cholesky;
    std::unique_ptr<FactorizedShiftInverse> inverse;
    if (entry->info->needs_factorization && t != 0) {
      const double s = 0.01 * t * t;  // a tenth of the time, squared
      std::vector<Coupling> couplings;
      for (const SparseMatrix* part : {&K, M->matrix()}) {
        if (!part) continue;
        for (int row = 0; row < part->pattern().block_rows(); ++row)
          for (int at = part->pattern().row_start()[std::size_t(row)];
               at < part->pattern().row_start()[std::size_t(row) + 1]; ++at)
            if (part->pattern().column()[std::size_t(at)] != row)
              couplings.push_back({row, part->pattern().column()[std::size_t(at)]});
      }
      SparseMatrix shifted(std::make_shared<const SparsityPattern>(1, int(n), couplings));
      shifted.set_zero();
      shifted.add(s, K);
      M->add_to(1, shifted);
      cholesky = std::make_unique<CholeskyFactorization>(shifted.shared_pattern());
      if (cholesky->factorize(shifted) != FactorStatus::ok)
        sum.status = EvaluationStatus::not_positive_definite;
      inverse = std::make_unique<FactorizedShiftInverse>(*cholesky, s);
    }
    for (Index j = 0; j < columns.cols() && sum.status == EvaluationStatus::ok; ++j) {
      Work work;
      Matrix column = columns.col(j), value;
      const EvaluationReport report =
          pencil_evaluator->evaluate(pencil, inverse.get(), f, column, value, work);
      sum.status = report.status;
      sum.products += report.products;
      sum.solves += report.solves;
      sum.krylov_vectors += report.krylov_vectors;
      sum.substeps += report.substeps;
      sum.error = std::max(sum.error, report.error);
      if (sum.status == EvaluationStatus::ok) y.col(j) = value;
    }
  }
  return result(sum, y);
}

}  // namespace

void bind_matfun(py::module_& m) {
  m.def("phi_of_matrix", &phi_of_matrix);
  m.def("phi_of_operator", &phi_of_operator);
  m.def("pencil_function", &pencil_function);
}

}  // namespace python
}  // namespace phiflex
