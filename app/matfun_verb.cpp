// matfun: y = phi_k(tau A) b for Matrix Market files.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/base/errors.h"
#include "phiflex/base/work.h"
#include "phiflex/linalg/matrix_market.h"
#include "phiflex/matfun/matrix_phi.h"

namespace {

using namespace phiflex;

constexpr int kLargestPhi = 20;  // 1/20! is 4e-19

struct MatfunArguments {
  std::string matrix, vectors, result;
  MatrixPhiOptions phi;
  bool json = false;
};

const CLI::Validator accuracy(
    [](std::string& text) -> std::string {
      double value = 0;
      const bool good = CLI::detail::lexical_cast(text, value) && value > 0 && value < 1;
      return good ? "" : "'" + text + "' is not allowed; expected a number between 0 and 1";
    },
    "0..1");

std::vector<std::string> evaluator_names() {
  std::vector<std::string> names = {"auto"};
  for (const EvaluatorEntry& entry : evaluator_catalogue()) names.emplace_back(entry.info->name);
  return names;
}

std::string describe(EvaluationStatus status) {
  switch (status) {
    case EvaluationStatus::ok:
      return "done";
    case EvaluationStatus::not_finite:
      return "a value is not finite: the result overflows";
    case EvaluationStatus::not_converged:
      return "the tolerance was not reached within the limits of substeps and basis";
    case EvaluationStatus::not_positive_definite:
      return "the shifted matrix is not positive definite";
  }
  return "unknown";
}

// All that is wrong with the matrices together.
void check(const MatfunArguments& options, const GeneralMatrix& A, const Matrix& b) {
  std::vector<Problem> problems;
  if (A.rows() != A.cols()) {
    problems.push_back(
        {options.matrix, "", fmt::format("the matrix is {} x {}; it must be square", A.rows(), A.cols())});
  } else {
    const EvaluatorEntry* entry = find_evaluator(options.phi.evaluator);
    const bool needs_symmetry = entry && entry->info->family == EvaluatorFamily::pencil;
    if (const auto pair = needs_symmetry ? find_asymmetry(A) : std::nullopt)
      problems.push_back(
          {options.matrix, "",
           fmt::format("the evaluator {} needs a symmetric matrix; here entry ({}, {}) is {} and "
                       "({}, {}) is {}",
                       options.phi.evaluator, pair->row + 1, pair->column + 1, pair->value, pair->column + 1,
                       pair->row + 1, pair->mirrored)});
  }
  if (b.rows() != A.cols())
    problems.push_back({options.vectors, "",
                        fmt::format("{} rows given; {} has {} columns, and as many rows are needed", b.rows(),
                                    options.matrix, A.cols())});
  if (!problems.empty()) throw InputError(problems);
}

nlohmann::ordered_json statistics(const MatfunArguments& options, const GeneralMatrix& A, const Matrix& b,
                                  const EvaluationReport& report, double seconds) {
  return {{"status", report.status == EvaluationStatus::ok ? "done" : "failed"},
          {"reason", report.status == EvaluationStatus::ok ? "" : describe(report.status)},
          {"rows", A.rows()},
          {"entries", A.nonZeros()},
          {"columns", b.cols()},
          {"tau", options.phi.tau},
          {"phi", options.phi.k},
          {"tolerance", options.phi.tolerance},
          {"evaluator", std::string(report.evaluator)},
          {"products", report.products},
          {"solves", report.solves},
          {"krylov_vectors", report.krylov_vectors},
          {"largest_basis", report.largest_basis},
          {"substeps", report.substeps},
          {"rejected", report.rejected},
          {"error_estimate", report.error},
          {"seconds", seconds}};
}

int evaluate(const MatfunArguments& options) {
  const GeneralMatrix A = read_sparse_matrix_market(options.matrix);
  const Matrix b = read_dense_matrix_market(options.vectors);
  check(options, A, b);
  Matrix y;
  double seconds = 0;
  const EvaluationReport report = [&] {
    const PhaseTimer timer(seconds);
    return evaluate_matrix_phi(A, b, options.phi, y);
  }();
  const bool good = report.status == EvaluationStatus::ok;
  if (good && !options.result.empty()) write_matrix_market(options.result, y);
  if (options.json) {
    say_json(statistics(options, A, b, report, seconds));
  } else if (good) {
    say("{}: {} products, {} solves, {} substeps ({} rejected), largest basis {}, {:.3g} s; estimated "
        "error {:.1e}\n",
        report.evaluator, report.products, report.solves, report.substeps, report.rejected,
        report.largest_basis, seconds, report.error);
    if (!options.result.empty()) say("{}\n", options.result);
  }
  if (good) return kDone;
  say(stderr, "phiflex: phi_{}({:g} A) b failed with {}: {}\n", options.phi.k, options.phi.tau,
      report.evaluator, describe(report.status));
  return kFailed;
}

}  // namespace

void add_matfun_verb(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("matfun", "y = phi_k(tau A) b for Matrix Market files, with any evaluator");
  verb->footer(
      "Example:  phiflex matfun A.mtx b.mtx --tau 0.5 --phi 1 --evaluator kiops --tolerance 1e-8 -o y.mtx");
  const auto o = std::make_shared<MatfunArguments>();
  verb->add_option("A", o->matrix, "The matrix: square, real (docs/matfun.md)")->required();
  verb->add_option("B", o->vectors, "The vector, or several as columns")->required();
  verb->add_option("--tau", o->phi.tau, "Factor of the matrix; may be negative (default: 1)")
      ->check(finite_number);
  verb->add_option("--phi", o->phi.k, "k of phi_k; 0 is the exponential (default: 0)")
      ->check(CLI::Range(0, kLargestPhi));
  verb->add_option("--evaluator", o->phi.evaluator,
                   "A name of `phiflex list evaluators` (default: auto, chosen for the matrix)")
      ->check(CLI::IsMember(evaluator_names()));
  verb->add_option("--tolerance", o->phi.tolerance, "Relative error of y in the 2-norm (default: 1e-6)")
      ->check(accuracy);
  verb->add_option("-o,--output", o->result, "Where y is written; without it, statistics only");
  verb->add_flag("--json", o->json, "The statistics as JSON on stdout, and nothing else");
  verb->callback([o, &action] { action = [o] { return evaluate(*o); }; });
}
