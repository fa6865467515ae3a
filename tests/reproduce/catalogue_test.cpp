// The catalogue itself: what every experiment must have.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "phiflex/base/errors.h"
#include "phiflex/reproduce/experiment.h"

namespace phiflex::testing {
namespace {

const std::filesystem::path catalogue = std::filesystem::path(PHIFLEX_SOURCE_DIR) / "experiments";

std::vector<std::string> names_in_tests() {
  std::vector<std::string> names;
  std::ifstream file(catalogue / "in_tests.txt");
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') names.push_back(line);
  return names;
}

TEST(Catalogue, EveryExperimentCanBeReadAndHasAReadme) {
  for (const std::filesystem::path& folder : list_experiments(catalogue)) {
    try {
      EXPECT_EQ(read_experiment(folder).id, folder.filename().string());
    } catch (const InputError& error) {
      ADD_FAILURE() << error.what();
    }
    EXPECT_TRUE(std::filesystem::is_regular_file(folder / "README.md")) << folder;
  }
}

TEST(Catalogue, WhatRunsInTheTestsIsThereOnceAndHasAStoredVerdict) {
  std::vector<std::string> names = names_in_tests();
  for (const std::string& name : names) {
    ASSERT_TRUE(std::filesystem::is_directory(catalogue / name)) << name;
    EXPECT_TRUE(read_experiment(catalogue / name).quick.expect) << name;
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(Catalogue, EveryPaperIsRepresentedInTheTests) {
  const std::vector<std::string> names = names_in_tests();
  std::vector<std::string> papers;
  for (const std::string& name : names) papers.push_back(read_experiment(catalogue / name).paper);
  for (const char* paper : {"ere", "siere", "sai", "thesis", "zheng"})
    EXPECT_GT(std::count(papers.begin(), papers.end(), paper), 0) << paper;
}

}  // namespace
}  // namespace phiflex::testing
