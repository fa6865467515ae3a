#include "phiflex/material/catalogue.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "phiflex/base/files.h"

namespace phiflex {
namespace {

TEST(MaterialCatalogue, NamesTheMaterialsOfTheScene) {
  std::set<std::string_view> names;
  for (const MaterialInfo& info : material_catalogue)
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
  for (const char* name :
       {"linear", "corotated", "arap", "stvk", "neo-hookean", "stable-neo-hookean", "spline"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(MaterialCatalogue, EveryNameLeadsToTheLawOfThatName) {
  for (const MaterialInfo& info : material_catalogue) {
    const auto [name, needs_positive_J] = with_material(
        info.name, []<class Law>(LawTag<Law>) { return std::pair(Law::name, Law::needs_positive_J); });
    EXPECT_EQ(name, info.name);
    EXPECT_EQ(needs_positive_J, info.needs_positive_J);
  }
}

TEST(MaterialCatalogue, AnUnknownNameIsRefused) {
  EXPECT_THROW(with_material("granite", [](auto) { return 0; }), std::invalid_argument);
}

TEST(MaterialCatalogue, EveryLawHasOneLineAndACitationThatExists) {
  const std::string references = read_file(PHIFLEX_SOURCE_DIR "/docs/references.bib");
  for (const MaterialInfo& info : material_catalogue) {
    EXPECT_FALSE(info.summary.empty()) << info.name;
    EXPECT_EQ(info.summary.find('\n'), std::string_view::npos) << info.name;
    EXPECT_NE(references.find("{" + std::string(info.citation) + ","), std::string::npos) << info.citation;
  }
}

}  // namespace
}  // namespace phiflex
