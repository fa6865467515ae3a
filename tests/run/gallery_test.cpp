// The gallery keeps its word: every scene of scenes/ runs and meets the claims of its expect.json.
//
// expect.json holds { "runs": [ { "name", "set", "expect" } ] }: each run is the scene with the overrides
// of "set", as after --set on the command line. An expectation says that a quantity lies "between" two
// bounds, and why ("because"):
//   column        a column of energy.csv or probes.csv
//   reduce        first, last, min, max, max_abs, change (last - first), largest_change (largest
//                 |value - first|), time_of_min, time_of_max
//   from, until   only rows of this time, bounds included; absent: all
//   run           the name of the run; absent: the one that the expectation stands in. Earlier runs only
//   relative_to   another quantity (the five keys above), or a number, by which the first is divided
// Beside its claims every run must be done, and its ledger must close.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using Json = nlohmann::json;
using testing::read_text;
using testing::ScratchFolder;
using Columns = std::map<std::string, std::vector<double>>;

const std::filesystem::path gallery = std::filesystem::path(PHIFLEX_SOURCE_DIR) / "scenes";

// Adds the columns of a CSV file with a heading.
void read_columns(const std::filesystem::path& file, Columns& columns) {
  std::istringstream rows(read_text(file));
  std::vector<std::string> names;
  for (std::string row; std::getline(rows, row);) {
    std::istringstream cells(row);
    std::vector<std::string> words;
    for (std::string cell; std::getline(cells, cell, ',');) words.push_back(cell);
    if (names.empty()) {
      names = words;
      for (const std::string& name : names) columns[name].clear();
    } else {
      for (std::size_t k = 0; k < names.size(); ++k) columns[names[k]].push_back(std::stod(words.at(k)));
    }
  }
}

void refuse_other_keys(const Json& object, const std::set<std::string>& known) {
  for (const auto& [key, unused] : object.items())
    if (!known.contains(key)) throw std::runtime_error("unknown key '" + key + "' in " + object.dump());
}

const std::set<std::string> quantity_keys = {"column", "reduce", "from", "until", "run"};

double reduced(const std::string& how, const std::vector<double>& times, const std::vector<double>& values) {
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  const double first = values.front();
  if (how == "first") return first;
  if (how == "last") return values.back();
  if (how == "min") return *min;
  if (how == "max") return *max;
  if (how == "max_abs") return std::max(std::abs(*min), std::abs(*max));
  if (how == "change") return values.back() - first;
  if (how == "largest_change") return std::max(first - *min, *max - first);
  if (how == "time_of_min") return times[min - values.begin()];
  if (how == "time_of_max") return times[max - values.begin()];
  throw std::runtime_error("unknown reduction '" + how + "'");
}

double quantity(const Json& asked, const std::string& this_run, const std::map<std::string, Columns>& runs) {
  const Columns& columns = runs.at(asked.value("run", this_run));
  const std::string name = asked.at("column");
  if (!columns.contains(name)) throw std::runtime_error("no column '" + name + "'");
  // A time is a product of step and number: half a nanosecond is rounding, and no step is as short.
  constexpr double always = std::numeric_limits<double>::infinity();
  const double from = asked.value("from", -always) - 5e-10, until = asked.value("until", always) + 5e-10;
  std::vector<double> times, values;
  for (std::size_t row = 0; row < columns.at(name).size(); ++row) {
    const double time = columns.at("time")[row];
    if (time < from || time > until) continue;
    times.push_back(time);
    values.push_back(columns.at(name)[row]);
  }
  if (values.empty()) throw std::runtime_error("no row of '" + name + "' in the given time");
  return reduced(asked.at("reduce"), times, values);
}

// The expected quantity, after relative_to.
double claimed_value(const Json& claim, const std::string& this_run,
                     const std::map<std::string, Columns>& runs) {
  std::set<std::string> keys = quantity_keys;
  keys.insert({"relative_to", "between", "because"});
  refuse_other_keys(claim, keys);
  if (claim.at("because").get<std::string>().empty()) throw std::runtime_error("a claim without a reason");
  const double value = quantity(claim, this_run, runs);
  if (!claim.contains("relative_to")) return value;
  const Json& whole = claim["relative_to"];
  if (whole.is_number()) return value / whole.get<double>();
  refuse_other_keys(whole, quantity_keys);
  return value / quantity(whole, this_run, runs);
}

// numerical_loss = total(0) + external_work + contact_work - dissipated - friction - total, to the rounding of these
// sums: the ledger adds up four terms in each of n steps, each addition wrong by half a unit of the last
// place of the largest sum.
void expect_closed_ledger(const Columns& columns) {
  const auto& total = columns.at("total");
  const auto &work = columns.at("external_work"), &dissipated = columns.at("dissipated");
  const auto &pushed = columns.at("contact_work"), &friction = columns.at("friction");
  double largest = 0;
  for (const char* column : {"kinetic", "elastic", "gravity", "contact", "external_work", "dissipated",
                             "contact_work", "friction"})
    for (const double value : columns.at(column)) largest = std::max(largest, std::abs(value));
  const double rounding = 2e-16 * largest * static_cast<double>(4 * total.size());
  for (std::size_t n = 0; n < total.size(); ++n)
    ASSERT_NEAR(columns.at("numerical_loss")[n],
                total[0] + work[n] + pushed[n] - dissipated[n] - friction[n] - total[n], rounding)
        << "at step " << n;
}

Scene read_gallery_scene(const std::string& name, const std::vector<std::string>& overrides) {
  std::vector<Problem> unused;  // settings of the scene's own method, when the overrides choose another
  return read_scene(gallery / name / "scene.json", {overrides, method_words()}, unused);
}

// Under a sanitizer a scene is some thirty times slower: there its first steps look for bad memory, not at physics.
#ifdef PHIFLEX_SANITIZED
constexpr std::optional<std::int64_t> first_steps_only = 10;
#else
constexpr std::optional<std::int64_t> first_steps_only;
#endif

class Gallery : public ::testing::TestWithParam<std::string> {};

TEST_P(Gallery, MeetsItsClaims) {
  const std::string file = (gallery / GetParam() / "scene.json").string();
  const Json expectations = Json::parse(read_text(gallery / GetParam() / "expect.json"));
  refuse_other_keys(expectations, {"runs"});
  std::map<std::string, Columns> runs;
  for (const Json& wanted : expectations.at("runs")) {
    refuse_other_keys(wanted, {"name", "set", "expect"});
    const std::string name = wanted.at("name");
    SCOPED_TRACE("run '" + name + "'");
    const Scene scene = read_gallery_scene(GetParam(), wanted.value("set", std::vector<std::string>{}));
    ScratchFolder scratch;
    RunOptions options;
    options.folder = scratch.path() / "run";
    options.frames = Frames::none;
    options.control.threads = 1;
    options.steps = first_steps_only;
    const RunSummary summary = run_scene(scene, file, {}, options);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.reason;

    ASSERT_FALSE(runs.contains(name)) << "two runs of one name";
    Columns& columns = runs[name];
    read_columns(options.folder / "energy.csv", columns);
    if (std::filesystem::exists(options.folder / "probes.csv"))
      read_columns(options.folder / "probes.csv", columns);
    expect_closed_ledger(columns);
    if (first_steps_only) continue;
    ASSERT_FALSE(wanted.at("expect").empty()) << "a run without a claim";
    for (const Json& claim : wanted.at("expect")) {
      const double value = claimed_value(claim, name, runs);
      const double low = claim.at("between").at(0), high = claim.at("between").at(1);
      EXPECT_TRUE(value >= low && value <= high) << value << " in " << claim.dump(2);
    }
  }
  EXPECT_FALSE(runs.empty());
  if (first_steps_only) GTEST_SKIP() << "claims are about whole runs: not checked under a sanitizer";
}

TEST_P(Gallery, SaysWhatItIsAndSuggestsOnlySettingsThatExist) {
  const std::string readme = read_text(gallery / GetParam() / "README.md");
  ASSERT_TRUE(readme.starts_with("# ")) << "the README's first line is what `phiflex list scenes` shows";
  EXPECT_EQ(read_gallery_scene(GetParam(), {}).name, GetParam());
  const std::regex setting(R"(--set '?([^\s`']+))");
  int settings = 0;
  for (std::sregex_iterator found(readme.begin(), readme.end(), setting), end; found != end; ++found) {
    EXPECT_NO_THROW(read_gallery_scene(GetParam(), {(*found)[1]})) << (*found)[0];
    ++settings;
  }
  EXPECT_GT(settings, 0) << "a README says what to try";
}

std::vector<std::string> gallery_scenes() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(gallery))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}
INSTANTIATE_TEST_SUITE_P(EveryScene, Gallery, ::testing::ValuesIn(gallery_scenes()),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(GalleryPage, TheFirstSceneRunsAsItIsPrinted) {
  const std::string page = read_text(std::filesystem::path(PHIFLEX_SOURCE_DIR) / "docs" / "gallery.md");
  const std::string fence = "```json\n";
  const std::size_t begin = page.find(fence) + fence.size(), end = page.find("```", begin);
  ASSERT_NE(end, std::string::npos);
  std::vector<Problem> warnings;
  const Scene scene =
      parse_scene(page.substr(begin, end - begin), "my-cube.json", {{}, method_words()}, warnings);
  EXPECT_TRUE(warnings.empty());
  ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  options.control.threads = 1;
  const RunSummary summary = run_scene(scene, "my-cube.json", {}, options);
  EXPECT_EQ(summary.status, RunStatus::done) << summary.reason;
}

TEST(GalleryClaim, IsReducedInItsWindowAndDividedByItsReference) {
  const std::map<std::string, Columns> runs = {
      {"one", {{"time", {0, 0.1, 0.2, 0.3}}, {"x", {1, -4, 2, 8}}}},
      {"two", {{"time", {0}}, {"x", {10}}}},
  };
  const auto value = [&](const char* claim) { return claimed_value(Json::parse(claim), "one", runs); };
  EXPECT_EQ(value(R"({"column": "x", "reduce": "min", "because": "."})"), -4);
  EXPECT_EQ(value(R"({"column": "x", "reduce": "max", "until": 0.2, "because": "."})"), 2);
  EXPECT_EQ(value(R"({"column": "x", "reduce": "max_abs", "until": 0.2, "because": "."})"), 4);
  EXPECT_EQ(value(R"({"column": "x", "reduce": "first", "from": 0.2, "until": 0.2, "because": "."})"), 2);
  EXPECT_EQ(value(R"({"column": "x", "reduce": "change", "because": "."})"), 7);
  EXPECT_EQ(value(R"({"column": "x", "reduce": "largest_change", "until": 0.2, "because": "."})"), 5);
  EXPECT_EQ(value(R"({"column": "x", "reduce": "time_of_min", "because": "."})"), 0.1);
  EXPECT_EQ(value(R"({"column": "x", "reduce": "last", "relative_to": 2, "because": "."})"), 4);
  EXPECT_EQ(value(R"({"column": "x", "reduce": "first", "because": ".",
                      "relative_to": {"run": "two", "column": "x", "reduce": "last"}})"),
            0.1);
}

TEST(GalleryClaim, IsRefusedWhenItCannotBeUnderstood) {
  const std::map<std::string, Columns> runs = {{"one", {{"time", {0, 0.1}}, {"x", {1, -4}}}}};
  for (const char* claim :
       {R"({"column": "x", "reduce": "min", "because": ".", "tolerance": 1})",
        R"({"column": "y", "reduce": "min", "because": "."})",
        R"({"column": "x", "reduce": "mean", "because": "."})", R"({"column": "x", "reduce": "min"})",
        R"({"column": "x", "reduce": "min", "because": ""})",
        R"({"column": "x", "reduce": "min", "from": 0.04, "until": 0.06, "because": "."})",
        R"({"column": "x", "reduce": "min", "run": "two", "because": "."})",
        R"({"column": "x", "reduce": "min", "because": ".", "relative_to": {"row": 1}})"})
    EXPECT_ANY_THROW(claimed_value(Json::parse(claim), "one", runs)) << claim;
}

}  // namespace
}  // namespace phiflex
