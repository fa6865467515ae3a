// The catalogue itself: what every experiment must have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "phiflex/base/errors.h"
#include "phiflex/reproduce/catalogue_table.h"
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

std::vector<Experiment> all_experiments() {
  std::vector<Experiment> all;
  for (const std::filesystem::path& folder : list_experiments(catalogue))
    all.push_back(read_experiment(folder));
  return all;
}

TEST(Catalogue, TheCostOfEveryFullVariantIsMeasuredOrEstimatedWithMachineAndDate) {
  for (const Experiment& one : all_experiments()) {
    EXPECT_NE(one.full.seconds.has_value(), one.full.estimated_seconds.has_value()) << one.id;
    EXPECT_EQ(one.full.seconds.has_value(), one.full.expect.has_value()) << one.id;
    EXPECT_FALSE(one.full.machine.empty() || one.full.date.empty()) << one.id;
  }
}

TEST(Catalogue, TheTableInTheDocumentationIsUpToDate) {
  const std::filesystem::path file = std::filesystem::path(PHIFLEX_SOURCE_DIR) / "docs/experiment_costs.md";
  const std::string generated = catalogue_table(all_experiments());
  if (std::getenv("PHIFLEX_UPDATE")) std::ofstream(file) << generated;
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_EQ(text.str(), generated) << "make docs writes it";
}

Experiment with_full(const std::string& id, const VariantSpec& full) {
  Experiment experiment;
  experiment.id = id;
  experiment.klass = "B";
  experiment.quick.expect = Verdict::refuted;
  experiment.quick.seconds = 1.5;
  experiment.full = full;
  return experiment;
}

TEST(CatalogueTable, AnEstimateIsNeverTakenForAMeasurement) {
  VariantSpec measured, estimated;
  measured.seconds = 412;
  measured.expect = Verdict::confirmed;
  measured.date = "2026-01-02";
  estimated.estimated_seconds = 5400;
  estimated.estimate = "the dearest is 'ere'";
  const std::string table =
      catalogue_table({with_full("one", measured), with_full("two", estimated), with_full("three", {})});
  for (const char* line :
       {"| one | B | refuted | 1.5 | confirmed (!) | 412 | 2026-01-02 |",
        "| two | B | refuted | 1.5 | - | about 5400 | - |", "| three | B | refuted | 1.5 | - | - | - |",
        "| quick | 3 | 0 | 3 | 0 |", "| full | 1 | 1 | 0 | 0 |",
        "1 measured, 412 s together; 1 estimated, about 1.5 h together",
        "| two | 5400 | the dearest is 'ere' |"})
    EXPECT_NE(table.find(line), std::string::npos) << line << "\n" << table;
}

}  // namespace
}  // namespace phiflex::testing
