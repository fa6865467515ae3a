#include "phiflex/matfun/auto_phi.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "phiflex/matfun/recycled_rational.h"

namespace phiflex {
namespace {

constexpr double kVectorWork = 0.05;  // an inner product or a sum of two vectors, in products with K
constexpr int kRationalBlocks = 12;
constexpr std::int64_t kFirstWait = 4, kLongestWait = 64, kCallsToForget = 32;

enum Method { lanczos, chebyshev, rational, methods };
constexpr std::array<std::string_view, methods> kNames = {"lanczos", "chebyshev", "rational"};

class AutoPhi final : public MechanicalPhi {
 public:
  explicit AutoPhi(const MechanicalPhiOptions& options) : options_(options) {
    for (int method = 0; method < methods; ++method) {
      MechanicalPhiOptions own = options;
      if (method == rational && options.motion_tolerance == 0 &&
          options.tolerance < RecycledRational::kTightestTolerance)
        own.largest_basis = std::min(options.largest_basis, 2 * kRationalBlocks);
      candidates_[std::size_t(method)].phi = make_mechanical_phi(kNames[std::size_t(method)], own);
    }
  }

  EvaluationReport evaluate(const FirstOrderForm& J, ShiftInverse* inverse, std::span<const Vector> u,
                            std::span<const double> tau, std::span<Vector> w, Work& work) override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

 private:
  struct Candidate {
    std::unique_ptr<MechanicalPhi> phi;
    double factor = 1;                    // cost over expectation, the last time
    std::int64_t wait = 0;                // calls until it may be tried again
    std::int64_t next_wait = kFirstWait;  // 0 after a success
    bool tried = false;                   // in this call
  };

  double expected_cost(int method, double x, double columns, const ShiftInverse* inverse) const;
  static double counted_cost(const EvaluationReport& report, double preparation, const ShiftInverse* inverse);
  void learn(Candidate& candidate, EvaluationStatus status, double cost, double expected);

  MechanicalPhiOptions options_;
  std::array<Candidate, methods> candidates_;
  std::unique_ptr<MechanicalPhi> general_;
  std::int64_t calls_ = 0;
};

double AutoPhi::expected_cost(int method, double x, double columns, const ShiftInverse* inverse) const {
  const double blocks = 0.3 * x + 8, room = 4 * options_.largest_basis / std::max(1.0, columns);
  switch (method) {
    case lanczos:
      return columns * (blocks < room ? blocks : 0.7 * x);  // (1)
    case chebyshev:
      return columns * (0.55 * x + 40);  // (2)
    default:
      if (!inverse) return std::numeric_limits<double>::infinity();
      return inverse->preparation_work() + 8 * columns * (inverse->solve_work() + 2);  // (3)
  }
}

double AutoPhi::counted_cost(const EvaluationReport& report, double preparation,
                             const ShiftInverse* inverse) {
  double cost = double(report.products);
  if (report.solves > 0) {
    cost += preparation + double(report.solves) * inverse->solve_work();
    cost += kVectorWork * 2 * double(report.krylov_vectors) * double(report.krylov_vectors);  // Gram-Schmidt
  }
  return cost;
}

void AutoPhi::learn(Candidate& candidate, EvaluationStatus status, double cost, double expected) {
  if (status == EvaluationStatus::ok) {
    candidate.factor = cost / std::max(expected, 1.0);
    candidate.next_wait = 0;
  } else {
    candidate.wait = candidate.next_wait;
    candidate.next_wait = std::clamp(2 * candidate.next_wait, kFirstWait, kLongestWait);
  }
}

EvaluationReport AutoPhi::evaluate(const FirstOrderForm& J, ShiftInverse* inverse, std::span<const Vector> u,
                                   std::span<const double> tau, std::span<Vector> w, Work& work) {
  const Team& team = J.pencil().mass().team();
  if (!J.rayleigh()) {
    if (!general_) general_ = make_mechanical_phi("kiops", options_);
    return general_->evaluate(J, inverse, u, tau, w, work);
  }
  if (++calls_ % kCallsToForget == 0)
    for (Candidate& candidate : candidates_) candidate.factor = 1;
  const Index n = J.pencil().size();
  double columns = 0;
  for (const Vector& term : u)
    columns += double(any(team, term.size() > 0 && !term.head(n).isZero(0))) +
               double(any(team, term.size() > 0 && !term.tail(n).isZero(0)));
  const double x = tau.back() * std::sqrt(J.pencil().norm());
  // Where all must wait, none does.
  bool one_is_free = false;
  for (int method = 0; method < methods; ++method)
    one_is_free =
        one_is_free || (candidates_[std::size_t(method)].wait == 0 && (inverse || method != rational));
  for (Candidate& candidate : candidates_) {
    candidate.tried = one_is_free && candidate.wait > 0;
    if (candidate.wait > 0) --candidate.wait;
  }

  EvaluationReport total;
  total.status = EvaluationStatus::not_finite;  // no method has a finite cost
  for (;;) {
    int best = -1;
    double cheapest = std::numeric_limits<double>::infinity(), expected = 0;
    for (int method = 0; method < methods; ++method) {
      const Candidate& candidate = candidates_[std::size_t(method)];
      const double plain = expected_cost(method, x, columns, inverse), cost = candidate.factor * plain;
      if (candidate.tried || !(cost < cheapest)) continue;
      best = method;
      cheapest = cost;
      expected = plain;
    }
    if (best < 0) return total;  // all have failed; the last report says how
    Candidate& candidate = candidates_[std::size_t(best)];
    candidate.tried = true;
    const double preparation = inverse ? inverse->preparation_work() : 0;
    EvaluationReport report = candidate.phi->evaluate(J, inverse, u, tau, w, work);
    learn(candidate, report.status, counted_cost(report, preparation, inverse), expected);
    report.products += total.products;
    report.solves += total.solves;
    report.krylov_vectors += total.krylov_vectors;
    report.rejected += total.rejected;
    report.largest_basis = std::max(report.largest_basis, total.largest_basis);
    total = report;
    if (report.status == EvaluationStatus::ok || report.status == EvaluationStatus::not_finite) return total;
  }
}

void AutoPhi::save(ArchiveWriter& out) const {
  out.put(calls_);
  for (const Candidate& candidate : candidates_) {
    out.put(candidate.factor);
    out.put(candidate.wait);
    out.put(candidate.next_wait);
    candidate.phi->save(out);
  }
}

void AutoPhi::load(ArchiveReader& in) {
  calls_ = in.get_integer();
  for (Candidate& candidate : candidates_) {
    candidate.factor = in.get_finite();
    if (!(candidate.factor >= 0)) throw ArchiveError("the cost of an evaluator is negative");
    candidate.wait = in.get_integer(0, kLongestWait);
    candidate.next_wait = std::clamp(in.get_integer(), std::int64_t{0}, kLongestWait);
    candidate.phi->load(in);
  }
}

}  // namespace

std::unique_ptr<MechanicalPhi> make_auto_phi(const MechanicalPhiOptions& options) {
  return std::make_unique<AutoPhi>(options);
}

}  // namespace phiflex
