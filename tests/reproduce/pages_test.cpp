// Files and pages of an outcome, and the gallery.
#include "phiflex/reproduce/pages.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "phiflex/base/files.h"
#include "phiflex/reproduce/page_parts.h"
#include "tests/reproduce/synthetic.h"
#include "tests/scratch_folder.h"

namespace phiflex::testing {
namespace {

void expect_holds(const std::string& page, const std::vector<std::string>& words) {
  for (const std::string& one : words) EXPECT_NE(page.find(one), std::string::npos) << "no '" << one << "'";
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Nothing is fetched: no address but that of SVG's own name space, no source but data.
void expect_self_contained(const std::string& page) {
  const std::regex address("(https?:)?//[a-z0-9.]+");
  for (std::sregex_iterator it(page.begin(), page.end(), address), end; it != end; ++it)
    EXPECT_EQ(it->str().find("http"), it->str().find("http://www.w3.org")) << it->str();
  const std::regex source("src=\"(?!data:)");
  EXPECT_FALSE(std::regex_search(page, source));
  expect_holds(page, {"Content-Security-Policy", "default-src 'none'", "prefers-color-scheme: dark"});
}

TEST(PageParts, WordsBetweenBackticksAreCodeAndALoneBacktickIsItself) {
  EXPECT_EQ(prose_html("with `a<b` and `c` here"), "with <code>a&lt;b</code> and <code>c</code> here");
  EXPECT_EQ(prose_html("a ` alone"), "a ` alone");
}

TEST(Pages, AnOutcomeIsWrittenWithAllItsFiles) {
  ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path() / "a" / "ere-test";
  write_outcome(folder, synthetic_experiment("ere-test"), synthetic_outcome("ere-test"));
  for (const char* name : {"result.csv", "plot.svg", "index.html", "verdict.json", "thumbnail.svg"})
    EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
  EXPECT_EQ(read_file(folder / "result.csv"), "run,metric,value\n\"ere, K=1\",err,0.144\nrk4,cost,2.5e-05\n");
}

TEST(Pages, ThePageShowsClaimsNumbersRunsAndOrigin) {
  ScratchFolder scratch;
  write_outcome(scratch.path(), synthetic_experiment("ere-test"),
                synthetic_outcome("ere-test", Holding::fails));
  const std::string page = read_file(scratch.path() / "index.html");
  expect_holds(
      page, {"class=\"badge refuted\">refuted", "One of 2 claims fails", "0.0721 &lt; 0.15", "72&#8239;989",
             "the run diverged at step 7", "diverged at step 7", "halved 4 times",
             "rope: generated, 50 springs", "beta of Rayleigh", "--sweep", "Error over stiffness", "<svg",
             "Quick variant", "a machine, 2 cores", "2026-01-02", "Exponential Rosenbrock-Euler"});
  expect_self_contained(page);
}

TEST(Pages, TextOfExperimentsCannotBecomeMarkup) {
  ScratchFolder scratch;
  Experiment experiment = synthetic_experiment("ere-test");
  experiment.title = "<script>alert(1)</script>";
  Outcome outcome = synthetic_outcome("ere-test");
  outcome.runs[0].name = "\"><img src=x>";
  outcome.plots[0].title = "</figure><script>";
  write_outcome(scratch.path() / "ere-test", experiment, outcome);
  write_gallery(scratch.path(), {experiment});
  for (const char* name : {"ere-test/index.html", "index.html"}) {
    const std::string page = read_file(scratch.path() / name);
    EXPECT_EQ(page.find("<script>"), std::string::npos) << name;
    EXPECT_EQ(page.find("<img src=x"), std::string::npos) << name;
    EXPECT_NE(page.find("&lt;script&gt;alert(1)"), std::string::npos) << name;
  }
}

TEST(Pages, AStoredVerdictIsReadBack) {
  ScratchFolder scratch;
  const Outcome outcome = synthetic_outcome("ere-test", Holding::undecided);
  write_outcome(scratch.path(), synthetic_experiment("ere-test"), outcome);
  const std::optional<StoredVerdict> stored = read_stored_verdict(scratch.path());
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->id, "ere-test");
  EXPECT_EQ(stored->variant, "quick");
  EXPECT_EQ(stored->key, outcome.key);
  EXPECT_EQ(stored->reason, outcome.reason);
  EXPECT_EQ(stored->verdict, Verdict::not_comparable);
  EXPECT_EQ(stored->seconds, outcome.seconds);
}

TEST(Pages, WhatIsNoVerdictIsNotRead) {
  ScratchFolder scratch;
  EXPECT_FALSE(read_stored_verdict(scratch.path()));
  for (const char* text : {"", "{", "[]", "{\"id\": 3}", "{\"id\": \"a\", \"verdict\": \"maybe\"}"}) {
    scratch.write("verdict.json", text);
    EXPECT_FALSE(read_stored_verdict(scratch.path())) << text;
  }
}

TEST(Pages, ANewOutcomeReplacesTheFilesOfTheOldOne) {
  ScratchFolder scratch;
  Outcome outcome = synthetic_outcome("ere-test");
  outcome.plots.push_back(outcome.plots.front());
  write_outcome(scratch.path(), synthetic_experiment("ere-test"), outcome);
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "plot-2.svg"));
  scratch.write("mine.txt", "not ours");
  outcome.plots.clear();
  write_outcome(scratch.path(), synthetic_experiment("ere-test"), outcome);
  for (const char* gone : {"plot.svg", "plot-2.svg", "thumbnail.svg"})
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / gone)) << gone;
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "mine.txt"));
}

TEST(Pages, AnInfiniteNumberIsATextInJsonAndAWordOnThePage) {
  ScratchFolder scratch;
  Outcome outcome = synthetic_outcome("ere-test");
  outcome.table = {{"error", "m", 0.1, INFINITY, ""}};
  write_outcome(scratch.path(), synthetic_experiment("ere-test"), outcome);
  const nlohmann::json json = nlohmann::json::parse(read_file(scratch.path() / "verdict.json"));
  EXPECT_EQ(json["table"][0]["measured"], "infinite");
  EXPECT_NE(read_file(scratch.path() / "index.html").find(">infinite<"), std::string::npos);
}

TEST(Pages, TheGalleryCountsVerdictsByPaperAndListsWhatWasNotRun) {
  ScratchFolder scratch;
  const std::vector<Experiment> experiments = {synthetic_experiment("ere-a"), synthetic_experiment("ere-b"),
                                               synthetic_experiment("zheng-c", "zheng"),
                                               synthetic_experiment("zheng-d", "zheng")};
  write_outcome(scratch.path() / "ere-a", experiments[0], synthetic_outcome("ere-a"));
  write_outcome(scratch.path() / "ere-b", experiments[1], synthetic_outcome("ere-b", Holding::fails));
  Outcome plain = synthetic_outcome("zheng-c", Holding::undecided);
  plain.plots.clear();  // its thumbnail is the table
  write_outcome(scratch.path() / "zheng-c", experiments[2], plain);
  write_gallery(scratch.path(), experiments);
  const std::string page = read_file(scratch.path() / "index.html");
  expect_holds(page, {"href=\"ere-a/index.html\"", "href=\"zheng-c/index.html\"", "1 confirmed, 1 refuted",
                      "1 not comparable, 1 not run yet", "data:image/svg+xml;base64,",
                      "unconditionally stable explicit", "A rope &lt;under&gt; test"});
  EXPECT_EQ(page.find("href=\"zheng-d"), std::string::npos) << "nothing is there yet to be linked";
  EXPECT_EQ(count(page, "class=\"card "), 4U);
  expect_self_contained(page);
  EXPECT_LT(page.find("ere-b"), page.find("zheng-c"));
}

TEST(Pages, OnlyTheGallerysOwnScriptMayRun) {
  ScratchFolder scratch;
  write_gallery(scratch.path(), {synthetic_experiment("ere-a")});
  const std::string page = read_file(scratch.path() / "index.html");
  std::smatch nonce;
  ASSERT_TRUE(std::regex_search(page, nonce, std::regex("script-src 'nonce-([0-9a-f]{16})'")));
  EXPECT_EQ(count(page, "<script"), 1U);
  EXPECT_NE(page.find("<script nonce=\"" + nonce[1].str() + "\">"), std::string::npos);
}

TEST(Pages, AStripWithoutItsRunSaysSoAndTheVerdictIsStillWritten) {
  ScratchFolder scratch;
  Experiment experiment = synthetic_experiment("ere-test");
  experiment.strip = StripSpec{.runs = {"nobody", "rk4"}, .names = {}};
  Outcome outcome = synthetic_outcome("ere-test");
  outcome.runs[1].folder = scratch.path() / "no-frames";
  write_outcome(scratch.path(), experiment, outcome);
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "strip.png"));
  expect_holds(read_file(scratch.path() / "index.html"),
               {"There is no run nobody.", "The run rk4 has no frames."});
  EXPECT_TRUE(read_stored_verdict(scratch.path()));
}

TEST(Pages, WithoutAnyPrintedNumberOnlyTheMeasuredAreShown) {
  ScratchFolder scratch;
  Outcome outcome = synthetic_outcome("ere-test");
  outcome.table = {{"error", "m", std::nullopt, 0.25, ""}};
  write_outcome(scratch.path(), synthetic_experiment("ere-test"), outcome);
  const std::string page = read_file(scratch.path() / "index.html");
  EXPECT_NE(page.find("<h2>Measured</h2>"), std::string::npos);
  EXPECT_EQ(page.find("<th class=\"number\">printed</th>"), std::string::npos);
}

TEST(PageParts, NumbersHaveFourDigitsAndWholeOnesAll) {
  EXPECT_EQ(number_html(0.072049), "0.07205");
  EXPECT_EQ(number_html(48), "48");
  EXPECT_EQ(number_html(9584), "9584");
  EXPECT_EQ(number_html(72989), "72&#8239;989");
  EXPECT_EQ(number_html(-1234567), "&#8722;1&#8239;234&#8239;567");
  EXPECT_EQ(number_html(123456), "123&#8239;456");
  EXPECT_EQ(number_html(2.5e-5), "2.5&#8239;&#183;&#8239;10<sup>&#8722;5</sup>");
  EXPECT_EQ(number_html(-INFINITY), "-infinite");
}

TEST(PageParts, ThinningALongSeriesKeepsItsEndsAndPeaks) {
  LinePlot plot;
  PlotSeries& series = plot.series.emplace_back();
  for (int i = 0; i < 10000; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 4321 ? 50 : std::sin(0.01 * i));
  }
  const PlotSeries thin = thinned(plot, 400).series.front();
  EXPECT_LE(thin.x.size(), 402U);
  EXPECT_EQ(thin.x.size(), thin.y.size());
  EXPECT_EQ(*std::max_element(thin.y.begin(), thin.y.end()), 50);
  EXPECT_EQ(thin.x.front(), 0);
  EXPECT_EQ(thin.x.back(), 9999);
  EXPECT_TRUE(std::is_sorted(thin.x.begin(), thin.x.end()));
}

}  // namespace
}  // namespace phiflex::testing
