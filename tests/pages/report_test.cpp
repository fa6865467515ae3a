#include "phiflex/pages/viewer_page.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <limits>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/mesh/vtu_data.h"
#include "tests/pages/motion_decoder.h"
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
  const std::string opening = "<script type=\"application/json\" id=\"phiflex-data\">";
  const std::size_t start = page.find(opening) + opening.size();
  return nlohmann::json::parse(page.substr(start, page.find("</script>", start) - start));
}

nlohmann::json only_run_of(const std::string& page) {
  const nlohmann::json data = data_of(page);
  EXPECT_EQ(data["kind"], "run");
  EXPECT_EQ(data["runs"].size(), 1u);
  EXPECT_TRUE(data["served"].is_null() && data["comparison"].is_null());
  return data["runs"][0];
}

DecodedChunk chunk_of(const std::string& page, int run, std::size_t k) {
  const std::string opening = fmt::format("<script type=\"text/plain\" id=\"phiflex-chunk-{}-{}\">", run, k);
  const std::size_t start = page.find(opening) + opening.size();
  return decode_motion_chunk(decode_base64(std::string_view(page).substr(start), page.size()));
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
  EXPECT_NE(page.find("default-src 'none'; script-src 'nonce-"), std::string::npos);
  EXPECT_NE(page.find("connect-src 'none'"), std::string::npos);
  // Outside of the viewer's own script, which only follows addresses when it is served.
  const std::string around = page.substr(0, page.find("<script nonce"));
  for (const char* reference : {"http://", "https://", " src=", "@import", "url("})
    EXPECT_EQ(count(around, reference), 0u) << reference;
  EXPECT_NE(page.find("<title>bar drop - done</title>"), std::string::npos);
  EXPECT_NE(page.find("<div id=\"app\"></div>"), std::string::npos);
  EXPECT_TRUE(page.ends_with("</script>\n</body>\n</html>\n"));
}

TEST(Record, TheViewersScriptCannotEndItsElement) {
  EXPECT_EQ(viewer_js.find("</script"), std::string_view::npos);
  EXPECT_EQ(viewer_js.find("<!--"), std::string_view::npos);
  EXPECT_EQ(viewer_css.find("</style"), std::string_view::npos);
}

TEST(Record, TheReportCarriesTheMotionTheTablesAndTheSetting) {
  const ScratchFolder scratch;
  const RunFolder folder = make_fake_run(scratch.path() / "run");
  const std::string page = report_of(folder);
  const nlohmann::json run = only_run_of(page);
  EXPECT_EQ(run["name"], "bar drop");
  EXPECT_EQ(run["folder"], "run");
  EXPECT_EQ(run["run"]["scene"]["integrator"]["type"], "si");
  EXPECT_EQ(run["energy"]["rows"], 201);
  EXPECT_EQ(run["energy"]["columns"][0].size(), 201u);
  EXPECT_EQ(run["probes"]["names"][2], "tip_x");
  const nlohmann::json& motion = run["motion"];
  EXPECT_EQ(motion["frames_in_run"], 201);
  EXPECT_EQ(motion["times"].size(), 201u);
  EXPECT_EQ(motion["left_out"], "");
  const MotionReader reader(folder);
  EXPECT_EQ(motion["vertices"], reader.shape().vertices.size());
  const auto triangles =
      decompress_zlib(decode_base64(motion["triangles"].get<std::string>(), 1'000'000), 1'000'000);
  ASSERT_TRUE(triangles);
  EXPECT_EQ(triangles->size(), reader.shape().triangles.size() * 12);
  EXPECT_EQ(0, std::memcmp(triangles->data(), reader.shape().triangles.data(), triangles->size()));

  // Every frame of every chunk is where the run had it, to half of a 16384th of the bar's 0.48 m.
  std::size_t frame = 0;
  VisibleFrame truth;
  for (std::size_t k = 0; k < motion["chunks"].size(); ++k) {
    const DecodedChunk chunk = chunk_of(page, 0, k);
    EXPECT_EQ(motion["chunks"][k]["first"], frame);
    EXPECT_EQ(motion["chunks"][k]["count"], chunk.positions.size());
    for (const std::vector<Point3>& positions : chunk.positions) {
      reader.read(frame++, truth);
      for (std::size_t v = 0; v < positions.size(); ++v)
        for (std::size_t i = 0; i < 3; ++i)
          ASSERT_NEAR(positions[v][i], truth.positions[v][i], 0.5001 * 0.48 / 16384);
    }
  }
  EXPECT_EQ(frame, 201u);
}

TEST(Record, AReportThatMustBeSmallLeavesFramesOutAndSaysSo) {
  const ScratchFolder scratch;
  const RunFolder folder = make_fake_run(scratch.path() / "run");
  const std::size_t whole = report_of(folder).size(), viewer = viewer_js.size() + viewer_css.size();
  write_report(folder, viewer);
  const std::size_t without = read_file(folder.report_html()).size();
  const std::size_t limit = without + (whole - without) / 2;
  write_report(folder, limit);
  const std::string page = read_file(folder.report_html());
  EXPECT_LT(page.size(), limit + 10'000);  // the packed shape is not counted
  const nlohmann::json motion = only_run_of(page)["motion"];
  EXPECT_LT(motion["times"].size(), 110u);
  EXPECT_GT(motion["times"].size(), 10u);
  EXPECT_EQ(motion["times"].front(), 0);
  EXPECT_EQ(motion["times"].back(), 4);
  EXPECT_NE(motion["left_out"].get<std::string>().find("phiflex view " + folder.root.string()),
            std::string::npos);

  write_report(folder, viewer);
  const nlohmann::json none = only_run_of(read_file(folder.report_html()));
  EXPECT_TRUE(none["motion"].is_null());
  EXPECT_NE(none["remarks"][0].get<std::string>().find("phiflex view"), std::string::npos);
}

TEST(Record, FramesThatCannotBeReadAreLeftOutAndCounted) {
  const ScratchFolder scratch;
  const RunFolder folder = make_fake_run(scratch.path() / "run", {.steps = 9});
  std::filesystem::remove(folder.frame(3));
  write_file_atomically(folder.frame(5), "no frame");
  const nlohmann::json run = only_run_of(report_of(folder));
  EXPECT_EQ(run["motion"]["times"].size(), 8u);
  EXPECT_EQ(run["motion"]["frames_in_run"], 10);
  EXPECT_NE(run["remarks"][0].get<std::string>().find("2 frames"), std::string::npos);
}

TEST(Record, NothingInASceneCanBecomeMarkupOrScript) {
  const ScratchFolder scratch;
  const std::string attack = "</script><script>alert(1)</script><!-- \" & {{data}}";
  const std::string page = report_of(make_fake_run(scratch.path() / "run", {.name = attack, .steps = 2}));
  EXPECT_EQ(count(page, "<script>alert"), 0u);
  EXPECT_EQ(count(page, "</script>"), 3u);  // of the data, the only chunk and the program itself
  EXPECT_NE(page.find("<title>&lt;/script&gt;"), std::string::npos);
  EXPECT_EQ(only_run_of(page)["run"]["scene"]["name"], attack);
}

TEST(Record, ARunWithoutFramesProbesOrEnergiesHasAReport) {
  const ScratchFolder scratch;
  const FakeRun bare{.steps = 5, .status = RunStatus::failed, .frames = false, .probes = false};
  const nlohmann::json failed = only_run_of(report_of(make_fake_run(scratch.path() / "failed", bare)));
  EXPECT_TRUE(failed["motion"].is_null());
  EXPECT_TRUE(failed["probes"].is_null());
  EXPECT_EQ(failed["run"]["reason"], "step 57: a value is not finite");

  const RunFolder begun = prepare_run_folder(scratch.path() / "begun", ExistingFolder::refuse);
  write_run_json(begun.run_json(), RunSummary{});
  const nlohmann::json running = only_run_of(report_of(begun));
  EXPECT_EQ(running["run"]["status"], "running");
  EXPECT_TRUE(running["energy"].is_null());

  // Killed in the middle of a row and of a frame.
  const RunFolder killed = make_fake_run(scratch.path() / "killed", {.steps = 5});
  std::ofstream(killed.energy_csv(), std::ios::app) << "6,0.12,0.0";
  write_file_atomically(killed.frame(5), read_file(killed.frame(5)).substr(0, 3000));
  write_run_json(killed.run_json(), RunSummary{});
  EXPECT_EQ(only_run_of(report_of(killed))["motion"]["times"].size(), 5u);
}

TEST(Record, AMotionThatBlowsUpDoesNotDecideHowTheRestIsSeen) {
  const ScratchFolder scratch;
  const RunFolder folder = prepare_run_folder(scratch.path() / "run", ExistingFolder::refuse);
  write_run_json(folder.run_json(), RunSummary{});
  const TetMesh bar = make_bar();
  FrameGeometry geometry;
  geometry.add_tets(bar.vertices, bar.tets, bar.tags);
  FrameWriter frames(folder, geometry);
  const std::vector<double> still(3 * bar.vertices.size(), 0.0), density(bar.tets.size(), 0.0);
  for (const double factor : {0.0, 0.1, 1e9, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    std::vector<double> displacement = still;
    displacement[4] = factor;
    frames.write(factor, displacement, still, density);
  }
  const std::string page = report_of(folder);
  const nlohmann::json motion = only_run_of(page)["motion"];
  EXPECT_EQ(motion["times"].size(), 5u);
  EXPECT_LT(motion["high"][1].get<double>(), 0.2);
  EXPECT_NEAR(motion["largest"]["displacement"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(chunk_of(page, 0, 0).positions.size(), 5u);
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
  const nlohmann::json energy = only_run_of(report_of(folder))["energy"];
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
  EXPECT_EQ(only_run_of(report_of(folder))["energy"]["columns"][2][0], smallest);
}

TEST(Record, ADamagedTableIsNamed) {
  const ScratchFolder scratch;
  const RunFolder folder = make_fake_run(scratch.path() / "run", {.steps = 2});
  write_file_atomically(folder.energy_csv(), "step,time\n0,abc\n");
  EXPECT_THROW(write_report(folder), InputError);
}

}  // namespace
}  // namespace phiflex
