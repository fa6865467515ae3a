#include "phiflex/material/catalogue.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <tuple>

#include "phiflex/base/files.h"
#include "phiflex/material/all_laws.h"
#include "phiflex/material/registered_materials.h"
#include "tests/material/example_material.h"

namespace phiflex {
namespace {

TEST(MaterialCatalogue, EveryLineIsALawWithANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const MaterialInfo& info : material_catalogue()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(find_material(info.name), &info);
    if (!info.properties.form_of.empty()) {
      EXPECT_NE(find_material(info.properties.form_of), nullptr) << info.name;
    }
  }
  EXPECT_EQ(names.size(), std::tuple_size_v<Laws>);
}

TEST(MaterialCatalogue, AnUnknownNameIsRefused) {
  EXPECT_EQ(find_material("granite"), nullptr);
  EXPECT_THROW(material_info("granite"), std::invalid_argument);
}

TEST(MaterialCatalogue, ARegisteredLawIsFoundAndTakesNoNameThatThereIs) {
  EXPECT_EQ(find_material("registered"), nullptr);
  MaterialInfo info = material_info("arap");
  EXPECT_THROW(register_material(info), std::invalid_argument);
  info.name = "registered";
  const MaterialInfo& added = register_material(info);
  EXPECT_EQ(find_material("registered"), &added);
  EXPECT_THROW(register_material(info), std::invalid_argument);
}

TEST(MaterialCatalogue, ParametersOfOneKeyAreTheSameInEveryLaw) {
  for (const MaterialInfo& info : material_catalogue())
    for (const ParameterInfo& parameter : info.parameters)
      for (const ParameterInfo& shared : material_parameters())
        if (std::string_view(shared.key) == parameter.key) {
          EXPECT_STREQ(shared.unit, parameter.unit) << info.name << ", " << parameter.key;
          EXPECT_EQ(shared.range, parameter.range) << info.name << ", " << parameter.key;
          EXPECT_EQ(shared.fallback, parameter.fallback) << info.name << ", " << parameter.key;
          EXPECT_EQ(shared.kind, parameter.kind) << info.name << ", " << parameter.key;
        }
}

TEST(MaterialCatalogue, EveryParameterIsExplainedAndItsExampleAllowed) {
  for (const MaterialInfo& info : material_catalogue())
    for (const ParameterInfo& parameter : info.parameters) {
      EXPECT_FALSE(std::string_view(parameter.doc).empty()) << info.name << ", " << parameter.key;
      if (parameter.kind == ParameterKind::number) {
        EXPECT_TRUE(parameter.range.contains(parameter.example[0])) << info.name << ", " << parameter.key;
      }
      if (parameter.fallback) {
        EXPECT_TRUE(parameter.range.contains(*parameter.fallback)) << info.name << ", " << parameter.key;
      }
    }
}

TEST(MaterialCatalogue, NumbersLieInTheOrderOfTheParametersAndThoseInPascalScale) {
  const MaterialInfo& law = material_info("holzapfel");
  EXPECT_EQ(law.number_count(), 8);  // mu, bulk, k1, k2, dispersion and a direction
  EXPECT_EQ(law.place_of("direction"), 5);
  EXPECT_EQ(law.place_of("young"), -1);
  EXPECT_EQ(material_info("spline").place_of("f"), -1);
  const std::vector<double> soft = example_numbers(law, 1e4), hard = example_numbers(law, 1e5);
  for (const char* key : {"mu", "bulk", "k1"}) {
    const auto place = std::size_t(law.place_of(key));
    EXPECT_DOUBLE_EQ(hard[place], 10 * soft[place]) << key;
  }
  for (const char* key : {"k2", "dispersion", "direction"}) {
    const auto place = std::size_t(law.place_of(key));
    EXPECT_EQ(hard[place], soft[place]) << key;
  }
}

// psi is proportional to the parameters in Pa.
TEST(MaterialCatalogue, ABodyOfTenfoldParametersInPascalHasTenfoldEnergy) {
  std::apply(
      []<class... Law>(const Law&...) {
        const Mat3<double> F = {1.1, 0.2, 0, -0.1, 0.9, 0.1, 0, 0.05, 1.2};
        (
            [&] {
              const double soft = typename Law::template At<double>(test::example_moduli<Law>(1e-6), F).psi();
              const double hard = typename Law::template At<double>(test::example_moduli<Law>(1e-5), F).psi();
              EXPECT_NEAR(hard, 10 * soft, 1e-14 * (1 + hard)) << Law::name;
            }(),
            ...);
      },
      Laws{});
}

TEST(MaterialCatalogue, EveryLawHasOneLineAndACitationThatExists) {
  const std::string references = read_file(PHIFLEX_SOURCE_DIR "/docs/references.bib");
  for (const MaterialInfo& info : material_catalogue()) {
    EXPECT_FALSE(info.summary.empty()) << info.name;
    EXPECT_EQ(info.summary.find('\n'), std::string_view::npos) << info.name;
    EXPECT_NE(references.find("{" + std::string(info.citation) + ","), std::string::npos) << info.citation;
  }
}

}  // namespace
}  // namespace phiflex
