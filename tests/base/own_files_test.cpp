#include "phiflex/base/own_files.h"

#include <gtest/gtest.h>

namespace phiflex {
namespace {

TEST(OwnFiles, AreKnownByTheirWholeName) {
  const auto own = [](std::string_view name) {
    return is_own_file(name, {"run.json", "frame_######.vtu"}, OwnFiles::files_and_drafts);
  };
  EXPECT_TRUE(own("run.json"));
  EXPECT_FALSE(own("my-run.json"));
  EXPECT_FALSE(own("run.json~"));
  EXPECT_FALSE(own("runxjson"));
  EXPECT_FALSE(own(""));
}

TEST(OwnFiles, ARowOfHashesIsThatManyDigitsOrMore) {
  const auto own = [](std::string_view name) {
    return is_own_file(name, {"frame_######.vtu", "plot-#.svg"}, OwnFiles::files_and_drafts);
  };
  EXPECT_TRUE(own("frame_000012.vtu"));
  EXPECT_TRUE(own("frame_1000012.vtu"));
  EXPECT_FALSE(own("frame_00012.vtu"));
  EXPECT_FALSE(own("frame_00001a.vtu"));
  EXPECT_FALSE(own("frame_000012"));
  EXPECT_TRUE(own("plot-3.svg"));
  EXPECT_TRUE(own("plot-31.svg"));
  EXPECT_FALSE(own("plot-.svg"));
}

TEST(OwnFiles, ADraftHasTheNumberOfAProcessBehindTheName) {
  EXPECT_TRUE(is_own_file("run.json.part4711", {"run.json"}, OwnFiles::files_and_drafts));
  EXPECT_TRUE(is_own_file("run.json.part4711", {"run.json"}, OwnFiles::drafts));
  EXPECT_FALSE(is_own_file("run.json", {"run.json"}, OwnFiles::drafts));
  EXPECT_FALSE(is_own_file("run.json.part", {"run.json"}, OwnFiles::files_and_drafts));
  EXPECT_FALSE(is_own_file("other.json.part4711", {"run.json"}, OwnFiles::files_and_drafts));
}

}  // namespace
}  // namespace phiflex
