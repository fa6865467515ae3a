// The catalogue of methods.
#include <set>

#include "tests/integrate/method_test.h"

namespace phiflex::testing {
namespace {

TEST(IntegratorCatalogue, HoldsEveryMethodOnce) {
  std::set<std::string_view> names;
  for (const MethodEntry& entry : integrator_catalogue()) {
    EXPECT_TRUE(names.insert(entry.info->name).second) << entry.info->name;
    EXPECT_EQ(find_integrator(entry.info->name), &entry);
    EXPECT_FALSE(entry.info->summary.empty());
    EXPECT_FALSE(entry.info->citation.empty());
  }
  for (const char* name : {"symplectic-euler",
                           "rk4",
                           "central-difference",
                           "si",
                           "be",
                           "midpoint",
                           "bdf2",
                           "tr-bdf2",
                           "newmark",
                           "generalized-alpha",
                           "ere",
                           "exprb32",
                           "exprb42",
                           "pexprb43",
                           "epirk4s3",
                           "gautschi",
                           "siere",
                           "zheng",
                           "chen-ricles",
                           "gui",
                           "chang",
                           "mssi",
                           "dgsi",
                           "em",
                           "emx",
                           "verlet"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(IntegratorCatalogue, RefusesAnUnknownName) {
  const SpringNetwork system = oscillator(1);
  EXPECT_EQ(find_integrator("leapfog"), nullptr);
  EXPECT_THROW(make_integrator("leapfog", system, {}), std::invalid_argument);
}

TEST(IntegratorCatalogue, FindsWhatAProgramRegistersAndTakesTheLatest) {
  static const MethodInfo mine{.name = "catalogue-test", .summary = "first", .citation = ""},
      later{.name = "catalogue-test", .summary = "second", .citation = ""};
  const auto make_be = [](const MechanicalSystem& system, const IntegratorOptions& options) {
    return make_integrator("be", system, options);
  };
  EXPECT_EQ(find_integrator("catalogue-test"), nullptr);
  register_integrator({&mine, {}, make_be});
  const MethodEntry* first = find_integrator("catalogue-test");
  ASSERT_NE(first, nullptr);
  register_integrator({&later, {}, make_be});
  EXPECT_EQ(find_integrator("catalogue-test")->info, &later);
  EXPECT_EQ(first->info, &mine);  // the pointer stays valid
  ASSERT_EQ(registered_integrators().size(), 1U);
  EXPECT_EQ(registered_integrators()[0]->info, &later);
  const SpringNetwork system = oscillator(1);
  EXPECT_EQ(make_integrator("catalogue-test", system, {})->info().name, "be");
  // The table itself, and what is measured against it, stays as it is.
  for (const MethodEntry& entry : integrator_catalogue()) EXPECT_NE(entry.info->name, "catalogue-test");
  static const MethodInfo taken{.name = "em", .summary = "", .citation = ""};
  EXPECT_THROW(register_integrator({&taken, {}, make_be}), std::invalid_argument);
}

TEST(IntegratorCatalogue, RefusesParametersOutOfRange) {
  const SpringNetwork system = oscillator(1);
  IntegratorOptions options;
  options.set("rho_infinity", 1.5);
  EXPECT_THROW(make_integrator("generalized-alpha", system, options), std::invalid_argument);
  options.set("beta", -1);
  EXPECT_THROW(make_integrator("newmark", system, options), std::invalid_argument);
}

TEST(IntegratorCatalogue, RefusesOptionsThatNoMethodHasAndValuesOfAnotherKind) {
  const SpringNetwork system = oscillator(1);
  const auto refusal = [&](const char* name, const IntegratorOptions& options) -> std::string {
    try {
      make_integrator(name, system, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("be", {{"newton_tolerence", 1e-8}}), "no integrator has the option \"newton_tolerence\"");
  EXPECT_EQ(refusal("be", {{"newton_limit", 2.5}}),
            "integrator option \"newton_limit\": 2.5; expected an integer >= 1");
  EXPECT_EQ(refusal("be", {{"halve_step", 1}}),
            "integrator option \"halve_step\": 1; expected true or false");
  EXPECT_EQ(refusal("be", {{"refactor", "never"}}),
            "integrator option \"refactor\": \"never\"; expected one of \"auto\", \"always\"");
  EXPECT_EQ(refusal("be", {{"rho_infinity", 7}}), "");  // of another method
  EXPECT_EQ(refusal("newmark", {{"beta", 1}, {"refactor", "always"}}), "");
}

TEST(IntegratorCatalogue, AnOptionOfSeveralMethodsMeansTheSameInAllOfThem) {
  const std::vector<Option> all = integrator_options();
  for (const MethodEntry& entry : integrator_catalogue())
    for (const Option& option : entry.options) {
      const auto known = std::find_if(
          all.begin(), all.end(), [&](const Option& one) { return std::string_view(one.key) == option.key; });
      ASSERT_NE(known, all.end());
      EXPECT_EQ(known->kind, option.kind) << entry.info->name << " " << option.key;
      EXPECT_EQ(known->range, option.range) << entry.info->name << " " << option.key;
      EXPECT_TRUE(known->fallback == option.fallback) << entry.info->name << " " << option.key;
      EXPECT_NO_THROW(option.check(option.fallback)) << entry.info->name << " " << option.key;
    }
}

// ---- A method with options of its own ---------------------------------------------------------------------

struct ClashingOptions {
  int modes = 7;
};
template <class V>
void fields(V& v, ClashingOptions& o) {
  v({.key = "modes", .doc = "with another default"}, o.modes);
}

TEST(IntegratorCatalogue, RefusesAnOptionWhoseKeyMeansSomethingElseInTheTable) {
  static const MethodInfo info{.name = "clashing", .summary = "", .citation = ""};
  EXPECT_THROW(register_integrator({&info, described_options<ClashingOptions>(), {}}), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex::testing
