// Vega .veg files: regions, materials, included files, what is refused.
#include <gtest/gtest.h>

#include "phiflex/mesh/mesh_formats.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

const std::string kBody =
    "*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1\n"
    "*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 1 3 2 5\n";
const std::string kRegions =
    "*MATERIAL soft\nENU, 1000, 1e5, 0.4\n*MATERIAL hard\nENU, 2000, 1e7, 0.3\n"
    "*SET shell\n2\n*REGION\nallElements, soft\n*REGION\nshell, hard\n";

std::optional<std::string> nothing(const std::string&) {
  return std::nullopt;
}

TEST(VegaReader, RegionsBecomeTagsNamedBySetsAndLaterOnesWin) {
  const ParsedMesh mesh = parse_vega(kBody + kRegions, "m", nothing);
  EXPECT_EQ(mesh.tet.tags, (std::vector{1, 2}));
  EXPECT_EQ(tets_with_tag(mesh.tet, "shell"), std::vector{1});
  EXPECT_EQ(mesh.tet.element_fields.at("young"), (std::vector{1e5, 1e7}));
  EXPECT_EQ(mesh.tet.element_fields.at("density"), (std::vector{1000.0, 2000.0}));
  EXPECT_EQ(mesh.tet.element_fields.at("poisson"), (std::vector{0.4, 0.3}));
}

TEST(VegaReader, AnIncludedSetIsReadFromTheFileBeside) {
  const auto beside = [](const std::string& name) -> std::optional<std::string> {
    return name == "list.txt" ? std::optional<std::string>("1, 2,\n") : std::nullopt;
  };
  const ParsedMesh mesh = parse_vega(
      kBody + "*SET all\n*INCLUDE list.txt\n*MATERIAL m\nENU, 1, 1, 0.1\n*REGION\nall, m\n", "m", beside);
  EXPECT_EQ(mesh.tet.tags, (std::vector{1, 1}));
  EXPECT_TRUE(mesh.tet.notes.empty());
}

TEST(VegaReader, IncludesStayInTheFolderAndDoNotNest) {
  const auto itself = [](const std::string&) { return std::optional<std::string>("*INCLUDE again.veg\n"); };
  EXPECT_REFUSAL(parse_vega(kBody + "*INCLUDE ../secret\n", "m", nothing), "only files in the same folder");
  EXPECT_REFUSAL(parse_vega("*INCLUDE again.veg\n", "m", itself), "only one level is allowed");
  EXPECT_REFUSAL(parse_vega(kBody + "*INCLUDE gone.veg\n", "m", nothing), "cannot be read");
}

TEST(VegaReader, RefusesWhatItCannotUseWithTheReason) {
  EXPECT_REFUSAL(parse_vega("", "m", nothing), "the file is empty");
  EXPECT_REFUSAL(parse_vega("*THING\n", "m", nothing), "allowed: *VERTICES");
  EXPECT_REFUSAL(parse_vega("*VERTICES\n1 3 0 0\n1 0 0 0\n", "m", nothing), "needs *VERTICES and *ELEMENTS");
  EXPECT_REFUSAL(parse_vega("*VERTICES\n1 3 0 0\n1 0 0 0\n*ELEMENTS\nCUBIC\n", "m", nothing),
                 "reads TET only");
  EXPECT_REFUSAL(parse_vega(kBody + "*REGION\nmissing, m\n", "m", nothing), "unknown set 'missing'");
  EXPECT_REFUSAL(parse_vega(kBody + "*SET s\n9\n*REGION\ns, m\n", "m", nothing),
                 "element 9; allowed: 1 to 2");
}

}  // namespace
}  // namespace phiflex
