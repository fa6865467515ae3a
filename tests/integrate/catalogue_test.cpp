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
  options.rho_infinity = 1.5;
  EXPECT_THROW(make_integrator("generalized-alpha", system, options), std::invalid_argument);
  options.newmark_beta = -1;
  EXPECT_THROW(make_integrator("newmark", system, options), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex::testing
