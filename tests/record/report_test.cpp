#include "phiflex/record/report.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/strip_svg.h"
#include "tests/record/fake_run.h"

namespace phiflex {
namespace {

std::string report_of(const RunFolder& folder) {
  write_report(folder);
  return read_file(folder.report_html());
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
  return found;
}

// The data that the page carries.
nlohmann::json data_of(const std::string& page) {
  const std::string opening = "<script type=\"application/json\" id=\"data\">";
  const std::size_t start = page.find(opening) + opening.size();
  return nlohmann::json::parse(page.substr(start, page.find("</script>", start) - start));
}

TEST(Record, TheSummaryHasEveryKeyOfTheInterfaceInAFixedOrder) {
  const nlohmann::ordered_json json = to_json(fake_summary({}));
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  EXPECT_EQ(keys,
            (std::vector<std::string>{
                "status", "reason", "version",       "machine",  "threads",   "deterministic", "method",
                "sizes",  "steps",  "steps_planned", "h",        "seconds",   "counts",        "energy",
                "hash",   "frames", "checkpoints",   "warnings", "fallbacks", "notes",         "scene"}));
  for (const char* key :
       {"assembly", "factorization", "solve", "modes", "matfun", "output", "total", "per_step"})
    EXPECT_TRUE(json["seconds"][key].is_number()) << key;
  for (const char* key :
       {"factorizations", "solves", "stiffness_products", "krylov_vectors", "substeps", "mode_sweeps",
        "newton_iterations", "projected_hessians", "halved_steps", "rejected_steps"})
    EXPECT_TRUE(json["counts"][key].is_number_integer()) << key;
  for (const char* key : {"first", "last", "largest_relative_change"})
    EXPECT_TRUE(json["energy"][key].is_number()) << key;
  for (const char* key : {"vertices", "elements", "degrees_of_freedom"})
    EXPECT_TRUE(json["sizes"][key].is_number_integer()) << key;
  EXPECT_EQ(json["status"], "done");
}

TEST(Record, ASummaryComesBackAsItWasWritten) {
  const ScratchFolder scratch;
  RunSummary summary = fake_summary({});
  summary.scene["name"] = "bad \xff bytes";  // not UTF-8: replaced, never a reason to lose the summary
  write_run_json(scratch.path() / "run.json", summary);
  const nlohmann::ordered_json json = read_run_json(scratch.path() / "run.json");
  EXPECT_EQ(json["h"], 0.02);
  EXPECT_EQ(json["scene"]["name"], "bad \xef\xbf\xbd bytes");
  write_file_atomically(scratch.path() / "run.json", "{\"status\": ");
  EXPECT_THROW(read_run_json(scratch.path() / "run.json"), InputError);
  write_file_atomically(scratch.path() / "run.json", "[]");
  EXPECT_THROW(read_run_json(scratch.path() / "run.json"), InputError);
}

TEST(Record, TheMachineIsDescribed) {
  const Machine machine = this_machine();
  EXPECT_GE(machine.cores, 1);
  EXPECT_GT(machine.memory_gigabytes, 0.01);
  EXPECT_NE(machine.text().find(machine.cpu), std::string::npos);
}

TEST(Record, TheReportIsOneFileThatNeedsNoNetwork) {
  const ScratchFolder scratch;
  const std::string page = report_of(make_fake_run(scratch.path() / "run"));
  // The only addresses are names of XML vocabularies.
  EXPECT_EQ(count(page, "http://"), count(page, "http://www.w3.org/2000/svg"));
  EXPECT_EQ(count(page, "https://"), 0u);
  for (const char* reference : {" src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import("})
    EXPECT_EQ(count(page, reference), 0u) << reference;
  EXPECT_EQ(count(page, "{{"), 0u) << "a mark of the page was not filled";
  EXPECT_NE(page.find("<title>bar drop - done</title>"), std::string::npos);
}

TEST(Record, TheReportCarriesTheMotionTheTablesAndTheSetting) {
  const ScratchFolder scratch;
  const nlohmann::json data = data_of(report_of(make_fake_run(scratch.path() / "run")));
  EXPECT_EQ(data["run"]["scene"]["integrator"]["type"], "si");
  EXPECT_EQ(data["energy"]["rows"], 201);
  EXPECT_EQ(data["energy"]["columns"][0].size(), 201u);
  EXPECT_EQ(data["probes"]["names"][2], "tip_x");
  EXPECT_EQ(data["motion"]["frames_in_run"], 201);
  EXPECT_EQ(data["motion"]["times"].size(), 120u);
  const std::size_t vertices = data["motion"]["vertices"];
  // 120 moments of three 2-byte coordinates, four letters for three bytes.
  EXPECT_EQ(data["motion"]["positions"].get<std::string>().size(), 120 * vertices * 6 * 4 / 3);
}

TEST(Record, NothingInASceneCanBecomeMarkupOrScript) {
  const ScratchFolder scratch;
  const std::string attack = "</script><script>alert(1)</script><!-- \" & {{data}}";
  const std::string page = report_of(make_fake_run(scratch.path() / "run", {.name = attack, .steps = 2}));
  EXPECT_EQ(count(page, "<script>alert"), 0u);
  EXPECT_EQ(count(page, "</script>"), 2u);  // the data's and the program's own
  EXPECT_NE(page.find("<title>&lt;/script&gt;"), std::string::npos);
  EXPECT_EQ(data_of(page)["run"]["scene"]["name"], attack);
}

TEST(Record, ARunWithoutFramesProbesOrEnergiesHasAReport) {
  const ScratchFolder scratch;
  const FakeRun bare{.steps = 5, .status = RunStatus::failed, .frames = false, .probes = false};
  const nlohmann::json failed = data_of(report_of(make_fake_run(scratch.path() / "failed", bare)));
  EXPECT_TRUE(failed["motion"].is_null());
  EXPECT_TRUE(failed["probes"].is_null());
  EXPECT_EQ(failed["run"]["reason"], "step 57: a value is not finite");

  const RunFolder begun = prepare_run_folder(scratch.path() / "begun", ExistingFolder::refuse);
  write_run_json(begun.run_json(), RunSummary{});
  const nlohmann::json running = data_of(report_of(begun));
  EXPECT_EQ(running["run"]["status"], "running");
  EXPECT_TRUE(running["energy"].is_null());
}

TEST(Record, ALongTableIsThinnedToItsExtremes) {
  const ScratchFolder scratch;
  const RunFolder folder = prepare_run_folder(scratch.path() / "long", ExistingFolder::refuse);
  write_run_json(folder.run_json(), RunSummary{});
  {
    EnergyCsv table(folder.energy_csv());
    for (int step = 0; step <= 50'000; ++step)
      table.write({.step = step, .time = step * 0.001, .kinetic = step == 31'415 ? 9.0 : step % 2 * 1.0});
  }
  const nlohmann::json energy = data_of(report_of(folder))["energy"];
  EXPECT_EQ(energy["rows"], 50'001);
  const std::vector<double> kinetic = energy["columns"][2], time = energy["columns"][1];
  EXPECT_LE(kinetic.size(), 4002u);
  EXPECT_EQ(*std::max_element(kinetic.begin(), kinetic.end()), 9.0);  // one row in fifty thousand is not lost
  EXPECT_EQ(*std::min_element(kinetic.begin(), kinetic.end()), 0.0);
  EXPECT_TRUE(std::is_sorted(time.begin(), time.end()));
  EXPECT_EQ(time.back(), 50.0);
}

TEST(Record, ATableOfTheSmallestNumbersHasAReport) {
  const ScratchFolder scratch;
  const RunFolder folder = prepare_run_folder(scratch.path() / "small", ExistingFolder::refuse);
  write_run_json(folder.run_json(), RunSummary{});
  const double smallest = std::numeric_limits<double>::denorm_min();
  EnergyCsv(folder.energy_csv()).write({.kinetic = smallest});
  EXPECT_EQ(data_of(report_of(folder))["energy"]["columns"][2][0], smallest);
}

TEST(Record, ADamagedTableIsNamed) {
  const ScratchFolder scratch;
  const RunFolder folder = make_fake_run(scratch.path() / "run", {.steps = 2});
  write_file_atomically(folder.energy_csv(), "step,time\n0,abc\n");
  EXPECT_THROW(write_report(folder), InputError);
}

TEST(Record, AStripShowsTheSurfaceAtSeveralMoments) {
  const ScratchFolder scratch;
  const SurfaceMotion motion = read_surface_motion(make_fake_run(scratch.path() / "run", {.steps = 50}));
  write_strip_svg(scratch.path() / "strip.svg", motion, {.until = 0.5, .moments = 4});
  const std::string svg = read_file(scratch.path() / "strip.svg");
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(count(svg, "<text"), 4u);
  EXPECT_NE(svg.find("0.50 s</text>"), std::string::npos);
  EXPECT_EQ(count(svg, "nan"), 0u);
  EXPECT_LT(svg.size(), 300'000u);
  EXPECT_THROW(strip_svg(SurfaceMotion{}), InputError);
}

}  // namespace
}  // namespace phiflex
