#include "phiflex/integrate/adaptive_step.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace phiflex {
namespace {

constexpr double kSmallestPart = 1e-6;  // of the caller's step
constexpr double kLargestChange = 5;
constexpr double kDown = 0.64, kUp = 1.37;  // least changes of (2)
constexpr std::int64_t kEqualSteps = 16;    // until a shorter one is tried

void add(const StepReport& inner, StepReport& report) {
  report.work += inner.work;
  report.cost += inner.cost;
  report.function_error = std::max(report.function_error, inner.function_error);
  report.eigen_residual = std::max(report.eigen_residual, inner.eigen_residual);
  if (!inner.evaluator.empty()) report.evaluator = inner.evaluator;
}

}  // namespace

void AdaptiveStep::learn(const StepReport& inner, double d, double d_e, Memory& memory) {
  const double cost = inner.cost / d;
  double d_c = d_e;
  if (memory.last_length > 0 && cost > 0) {
    const double change = std::log(d / memory.last_length);
    if (std::abs(change) > 1e-3) {
      const double S = std::log(cost / memory.last_cost) / change;
      const double factor = std::exp(-0.65 * std::tanh(0.27 * S));
      d_c = d * (factor >= 1 ? std::max(factor, kUp) : std::min(factor, kDown));  // (2)
      memory.equal = 0;
    } else if (++memory.equal == kEqualSteps) {
      d_c = kDown * d;
      memory.equal = 0;
    }
  }
  memory.last_length = d;
  memory.last_cost = cost;
  memory.d = std::min(d_e, d_c);
}

StepReport AdaptiveStep::step(const State& now, double h, State& next) {
  StepReport report;
  Memory memory = memory_;  // a failed step must leave no trace
  // Shorter than any accepted step leaves behind: not yet known, or from a checkpoint that was changed.
  if (!(memory.d > 0.01 * kSmallestPart * h)) memory.d = h;
  const double order = method_->info().embedded_order;
  from_ = now;
  double done = 0;
  while (done < h) {
    // Equal parts of what is left, none longer than d: the last one is no crumb.
    const double left = h - done;
    const double parts = std::ceil(left / memory.d * (1 - 1e-9));
    const double d = left / parts;
    const StepReport inner = method_->step(from_, d, to_);
    add(inner, report);
    const bool good = inner.status == StepStatus::ok && std::isfinite(inner.error_estimate.value());
    const double error = good ? *inner.error_estimate : 0;
    const double ratio =
        good ? std::pow(0.8 * tolerance_ / std::max(error, 1e-300), 1 / order) : 1. / kLargestChange;
    const double d_e = d * std::clamp(ratio, 1 / kLargestChange, kLargestChange);  // (1)
    if (!good || error > tolerance_) {
      ++report.work.rejected_steps;
      memory.d = std::min(d_e, 0.9 * d);
      if (memory.d >= kSmallestPart * h) continue;
      report.status = inner.status == StepStatus::ok ? StepStatus::not_accurate : inner.status;
      return report;
    }
    report.error_estimate = std::max(report.error_estimate.value_or(0), error);
    ++report.work.inner_steps;
    learn(inner, d, d_e, memory);
    done = parts == 1 ? h : done + d;
    std::swap(from_, to_);
  }
  next = from_;
  next.t = now.t + h;
  memory_ = memory;
  return report;
}

void AdaptiveStep::save(ArchiveWriter& out) const {
  out.put(memory_.d);
  out.put(memory_.last_length);
  out.put(memory_.last_cost);
  out.put(memory_.equal);
  method_->save(out);
}

void AdaptiveStep::load(ArchiveReader& in) {
  memory_.d = in.get_finite();
  memory_.last_length = in.get_double();
  memory_.last_cost = in.get_double();
  memory_.equal = in.get_integer();
  method_->load(in);
}

}  // namespace phiflex
