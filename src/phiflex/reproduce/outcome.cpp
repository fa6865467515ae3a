#include "phiflex/reproduce/outcome.h"

#include <fmt/format.h>

#include <algorithm>

namespace phiflex {
namespace {

// A text as a part of a longer sentence: without its own full stop.
std::string_view without_stop(std::string_view text) {
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.remove_suffix(1);
  return text;
}

std::string with_reason(const ClaimOutcome& claim) {
  const std::string_view text = without_stop(claim.text), reason = without_stop(claim.reason);
  return reason.empty() ? fmt::format("\"{}\"", text) : fmt::format("\"{}\" ({})", text, reason);
}

struct Count {
  std::size_t holds = 0, fails = 0, undecided = 0;
};

Count count_of(const std::vector<ClaimOutcome>& claims) {
  Count count;
  for (const ClaimOutcome& claim : claims)
    ++(claim.holding == Holding::holds   ? count.holds
       : claim.holding == Holding::fails ? count.fails
                                         : count.undecided);
  return count;
}

const ClaimOutcome& first_that(const std::vector<ClaimOutcome>& claims, Holding holding) {
  return *std::find_if(claims.begin(), claims.end(),
                       [holding](const ClaimOutcome& claim) { return claim.holding == holding; });
}

void judge_claims(Outcome& outcome) {
  const std::vector<ClaimOutcome>& claims = outcome.claims;
  const Count count = count_of(claims);
  if (claims.empty()) {
    outcome.verdict = Verdict::not_comparable;
    outcome.reason = "No claim was stated.";
  } else if (count.fails > 0) {
    outcome.verdict = Verdict::refuted;
    const std::string first = with_reason(first_that(claims, Holding::fails));
    if (claims.size() == 1)
      outcome.reason = fmt::format("The claim fails: {}.", first);
    else if (count.fails == 1)
      outcome.reason = fmt::format("One of {} claims fails: {}.", claims.size(), first);
    else
      outcome.reason = fmt::format("{} of {} claims fail, first {}.", count.fails, claims.size(), first);
  } else if (count.undecided > 0) {
    outcome.verdict = Verdict::not_comparable;
    const std::string first = with_reason(first_that(claims, Holding::undecided));
    outcome.reason = count.undecided == 1 ? fmt::format("It cannot be decided whether {}.", first)
                                          : fmt::format("{} of {} claims cannot be decided, first {}.",
                                                        count.undecided, claims.size(), first);
  } else {
    outcome.verdict = Verdict::confirmed;
    outcome.reason =
        claims.size() == 1
            ? fmt::format("The claim holds: {}.", with_reason(claims.front()))
            : (claims.size() == 2 ? "Both claims hold." : fmt::format("All {} claims hold.", claims.size()));
  }
}

// One answer is the contrary of the other; an alternative that decides nothing contradicts nothing.
bool contradict(Verdict a, Verdict b) {
  return a != b && a != Verdict::not_comparable && b != Verdict::not_comparable;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed:
      return "confirmed";
    case Verdict::refuted:
      return "refuted";
    case Verdict::not_comparable:
      break;
  }
  return "not comparable";
}

std::string_view name_of(Variant variant) {
  return variant == Variant::quick ? "quick" : "full";
}

void judge(Outcome& outcome) {
  judge_claims(outcome);
  for (const SweepOutcome& other : outcome.sweep) {
    if (!contradict(outcome.verdict, other.verdict)) continue;
    outcome.reason = fmt::format(
        "The answer hangs on {}, which the paper leaves open: {} with the value proposed, {} with {}.",
        other.parameter, name_of(outcome.verdict), name_of(other.verdict), other.value);
    outcome.verdict = Verdict::not_comparable;
    return;
  }
}

}  // namespace phiflex
