// Verdicts of claims that are known to hold, to fail or to be open.
#include <gtest/gtest.h>

#include "tests/reproduce/synthetic.h"

namespace phiflex::testing {
namespace {

Outcome judged(std::vector<ClaimOutcome> claims, std::vector<SweepOutcome> sweep = {}) {
  Outcome outcome;
  outcome.claims = std::move(claims);
  outcome.sweep = std::move(sweep);
  judge(outcome);
  return outcome;
}

bool says(const Outcome& outcome, const std::string& words) {
  return outcome.reason.find(words) != std::string::npos;
}

const ClaimOutcome good = claim("BE damps.", Holding::holds, "0.5 < 1");
const ClaimOutcome bad = claim("The maximum lies at 1.", Holding::fails, "1.98 is not in [0.9, 1.1]");
const ClaimOutcome open = claim("ERE follows the truth.", Holding::undecided, "the truth did not converge");

TEST(Judge, ClaimsThatAllHoldAreConfirmed) {
  EXPECT_EQ(judged({good}).verdict, Verdict::confirmed);
  EXPECT_EQ(judged({good, good, good}).reason, "All 3 claims hold.");
  const Outcome both = judged({good, good});
  EXPECT_EQ(both.verdict, Verdict::confirmed);
  EXPECT_EQ(both.reason, "Both claims hold.");
}

TEST(Judge, OneClaimThatFailsRefutesWithItsNumbers) {
  const Outcome outcome = judged({good, bad, open});
  EXPECT_EQ(outcome.verdict, Verdict::refuted);
  EXPECT_TRUE(says(outcome, "One of 3")) << outcome.reason;
  EXPECT_TRUE(says(outcome, "The maximum lies at 1")) << outcome.reason;
  EXPECT_TRUE(says(outcome, "1.98 is not in [0.9, 1.1]")) << outcome.reason;
  EXPECT_TRUE(says(judged({bad, bad}), "2 of 2 claims fail"));
}

TEST(Judge, AClaimThatCannotBeDecidedIsNotComparableAndSaysWhatIsMissing) {
  const Outcome outcome = judged({good, open});
  EXPECT_EQ(outcome.verdict, Verdict::not_comparable);
  EXPECT_TRUE(says(outcome, "the truth did not converge")) << outcome.reason;
}

TEST(Judge, WithoutClaimsNothingIsConfirmed) {
  EXPECT_EQ(judged({}).verdict, Verdict::not_comparable);
}

TEST(Judge, AnAnswerThatFlipsInTheSweepIsNotComparableAndNamesTheParameter) {
  const SweepOutcome same{"scale", "0.001", Verdict::confirmed, ""};
  const SweepOutcome other{"damping", "0", Verdict::refuted, ""};
  const Outcome outcome = judged({good}, {same, other});
  EXPECT_EQ(outcome.verdict, Verdict::not_comparable);
  EXPECT_TRUE(says(outcome, "damping")) << outcome.reason;
  EXPECT_FALSE(says(outcome, "scale")) << outcome.reason;
  const Outcome back = judged({bad}, {same});
  EXPECT_EQ(back.verdict, Verdict::not_comparable);
  EXPECT_TRUE(says(back, "scale")) << back.reason;
}

TEST(Judge, ASweepThatAgreesOrDecidesNothingLeavesTheVerdict) {
  EXPECT_EQ(judged({good}, {{"scale", "1", Verdict::confirmed, ""}}).verdict, Verdict::confirmed);
  EXPECT_EQ(judged({bad}, {{"scale", "1", Verdict::refuted, ""}}).verdict, Verdict::refuted);
  EXPECT_EQ(judged({good}, {{"scale", "1", Verdict::not_comparable, ""}}).verdict, Verdict::confirmed);
}

TEST(Judge, EveryReasonIsOneSentence) {
  for (const Outcome& outcome :
       {judged({good}), judged({bad, good}), judged({open}), judged({good, good}), judged({})}) {
    EXPECT_TRUE(outcome.reason.ends_with(".")) << outcome.reason;
    EXPECT_EQ(outcome.reason.find(".\""), std::string::npos) << outcome.reason;
    EXPECT_EQ(outcome.reason.find(". "), std::string::npos) << outcome.reason;
  }
}

}  // namespace
}  // namespace phiflex::testing
