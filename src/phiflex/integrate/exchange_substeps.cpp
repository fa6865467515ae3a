#include "phiflex/integrate/exchange_substeps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace phiflex {
namespace {

constexpr double kPart = 1.5e-3;  // c of (3)
constexpr double kMemory = 0.97;  // what a step leaves of the past
constexpr double kAgain = 1.5;    // times the substeps that a step had
constexpr std::int64_t kMost = 16;

}  // namespace

bool ExchangeSubsteps::accept(double h, double e, double v_squared, double a_squared) {
  if (!divides_) return true;
  const double whole = std::abs(e) * double(count_ * count_);
  const Memory now = {std::max(kMemory * memory_.largest, std::isfinite(whole) ? whole : 0),
                      kMemory * memory_.weight + 1, kMemory * memory_.v_squared + v_squared,
                      kMemory * memory_.a_squared + a_squared};
  const double T = now.v_squared / now.weight,
               X = std::min(T,
                            2 / std::numbers::pi * h * std::sqrt(T * (now.a_squared / now.weight)));  // (2)
  const double asked = now.largest > 0 ? std::sqrt(now.largest / (kPart * X)) : 1;                    // (3)
  const bool again = asked > kAgain * double(count_) && count_ < kMost;
  count_ = std::int64_t(std::ceil(std::clamp(asked, 1., double(kMost))));
  if (!again) memory_ = now;
  return !again;
}

void ExchangeSubsteps::save(ArchiveWriter& out) const {
  out.put(count_);
  for (const double number : {memory_.largest, memory_.weight, memory_.v_squared, memory_.a_squared})
    out.put(number);
}

void ExchangeSubsteps::load(ArchiveReader& in) {
  count_ = in.get_integer(1, kMost);
  for (double* number : {&memory_.largest, &memory_.weight, &memory_.v_squared, &memory_.a_squared}) {
    *number = in.get_finite();
    if (*number < 0) throw ArchiveError("a mean of squares is negative");
  }
}

}  // namespace phiflex
