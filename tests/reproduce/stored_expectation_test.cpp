// experiment.json after a measurement: what was measured is new, all else is the same.
#include "phiflex/reproduce/stored_expectation.h"

#include <gtest/gtest.h>

#include "phiflex/base/errors.h"
#include "tests/reproduce/synthetic.h"

namespace phiflex::testing {
namespace {

const std::string kStored = R"({
  "id": "a", "question": "why \"quick\": {, and } not",
  "values": { "quick": 3, "list": [1,  2] },
  "quick": { "values": { "n": [3, 4], "s": "a}" }, "expect": "confirmed", "seconds": 8 },
  "full": {},
  "claims": [{ "kStored": "x", "holds": "1 < 2" }]
}
)";

Outcome measured(Variant variant) {
  Outcome outcome = synthetic_outcome("a", Holding::fails);
  outcome.variant = variant;
  outcome.seconds = 12.437;
  outcome.processor_seconds = 20.61;
  return outcome;
}

TEST(StoredExpectation, ReplacesVerdictAndSecondsOfItsVariantAndNothingElse) {
  std::string expected = kStored;
  const std::string old = R"("expect": "confirmed", "seconds": 8)";
  expected.replace(expected.find(old), old.size(), R"("expect": "refuted", "seconds": 12.0)");
  EXPECT_EQ(with_expectation(kStored, measured(Variant::quick)), expected);
}

TEST(StoredExpectation, OfTheFullVariantProcessorSecondsMachineAndDateAreKept) {
  const nlohmann::json json = nlohmann::json::parse(with_expectation(kStored, measured(Variant::full)));
  EXPECT_EQ(json["full"]["seconds"], 21);
  EXPECT_EQ(json["full"]["expect"], "refuted");
  EXPECT_EQ(json["full"]["machine"], "a machine, 2 cores");
  EXPECT_EQ(json["full"]["date"], "2026-01-02");
  nlohmann::json rest = json;
  rest["full"] = nlohmann::json::object();
  EXPECT_EQ(rest, nlohmann::json::parse(kStored));
}

TEST(StoredExpectation, AVariantThatWasNotThereIsAdded) {
  const nlohmann::json json =
      nlohmann::json::parse(with_expectation("{ \"id\": \"a\" }", measured(Variant::quick)));
  EXPECT_EQ(json["id"], "a");
  EXPECT_EQ(json["quick"]["seconds"], 12);
}

TEST(StoredExpectation, StoringTwiceChangesNothing) {
  const std::string once = with_expectation(kStored, measured(Variant::full));
  EXPECT_EQ(with_expectation(once, measured(Variant::full)), once);
}

const CostEstimate estimate = {
    .seconds = 5432, .how = "the dearest is 'ere'", .machine = "a machine, 2 cores", .date = "2026-01-02"};

TEST(StoredExpectation, AnEstimateSaysHowAndLeavesTheVerdictOpen) {
  const nlohmann::json full = nlohmann::json::parse(with_estimate(kStored, Variant::full, estimate))["full"];
  EXPECT_EQ(full["estimated_seconds"], 5400);
  EXPECT_EQ(full["estimate"], "the dearest is 'ere'");
  EXPECT_FALSE(full.contains("expect"));
  EXPECT_FALSE(full.contains("seconds"));
}

TEST(StoredExpectation, AMeasurementReplacesAnEstimateAndNotTheOtherWayRound) {
  const std::string estimated = with_estimate(kStored, Variant::full, estimate);
  const std::string after = with_expectation(estimated, measured(Variant::full));
  EXPECT_EQ(after, with_expectation(kStored, measured(Variant::full)));
  EXPECT_EQ(with_estimate(after, Variant::full, estimate), after);
}

TEST(StoredExpectation, WhatIsNoObjectIsRefused) {
  EXPECT_THROW(with_expectation("[1]", measured(Variant::full)), InputError);
  EXPECT_THROW(with_expectation("{", measured(Variant::full)), InputError);
}

}  // namespace
}  // namespace phiflex::testing
