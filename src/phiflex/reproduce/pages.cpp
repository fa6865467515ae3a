#include "phiflex/reproduce/pages.h"

#include <fmt/format.h>

#include <cmath>
#include <system_error>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/own_files.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/record/json_file.h"
#include "phiflex/reproduce/gallery_page.h"
#include "phiflex/reproduce/outcome_page.h"
#include "phiflex/reproduce/page_parts.h"
#include "phiflex/reproduce/strip.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kThumbnailPoints = 200, kThumbnailRows = 4, kThumbnailLetters = 26;

void make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw FileError(folder.string(), "cannot make the folder: " + failed.message());
}

// What an earlier outcome left: with verdict.json gone first, the folder is unfinished from here on.
void clear_folder(const fs::path& folder) {
  try {
    fs::remove(folder / "verdict.json");
    remove_own_files(folder, {"result.csv", "plot.svg", "plot-#.svg", "strip.png", "thumbnail.svg",
                              "thumbnail.png", "index.html"});
  } catch (const fs::filesystem_error& error) {
    throw FileError(error.path1().string(), "cannot remove: " + error.code().message());
  }
}

// A text as one field of a CSV row.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

std::string result_csv(const Outcome& outcome) {
  std::string text = "run,metric,value\n";
  for (const Measurement& one : outcome.measurements) {
    text += csv_field(one.run) + ',' + csv_field(one.metric) + ',';
    append_number(text, one.value);
    text += '\n';
  }
  return text;
}

// JSON has no infinity: such a number is a text there.
Json number_json(double number) {
  if (std::isfinite(number)) return number;
  return number_text(number);
}

std::string_view word_of(Holding holding) {
  return holding == Holding::holds ? "holds" : holding == Holding::fails ? "fails" : "undecided";
}

Json verdict_json(const Experiment& experiment, const Outcome& outcome, const PageStrip& strip) {
  Json json = {{"id", outcome.id},
               {"paper", experiment.paper},
               {"item", experiment.item},
               {"class", experiment.klass},
               {"title", experiment.title},
               {"variant", name_of(outcome.variant)},
               {"verdict", name_of(outcome.verdict)},
               {"reason", outcome.reason},
               {"claims", Json::array()},
               {"table", Json::array()},
               {"bodies", outcome.bodies},
               {"sweep", Json::array()},
               {"runs", Json::array()}};
  for (const ClaimOutcome& claim : outcome.claims)
    json["claims"].push_back({{"text", claim.text},
                              {"holds", claim.holds},
                              {"result", word_of(claim.holding)},
                              {"reason", claim.reason}});
  for (const ComparedNumber& row : outcome.table) {
    Json one = {{"what", row.what},
                {"unit", row.unit},
                {"printed", nullptr},
                {"measured", nullptr},
                {"ratio", nullptr}};
    if (row.printed) one["printed"] = number_json(*row.printed);
    if (row.measured) one["measured"] = number_json(*row.measured);
    if (row.printed && row.measured && *row.printed != 0)
      one["ratio"] = number_json(*row.measured / *row.printed);
    if (!row.missing.empty()) one["missing"] = row.missing;
    json["table"].push_back(std::move(one));
  }
  for (const SweepOutcome& other : outcome.sweep)
    json["sweep"].push_back({{"parameter", other.parameter},
                             {"value", other.value},
                             {"verdict", name_of(other.verdict)},
                             {"reason", other.reason}});
  for (const RunAccount& run : outcome.runs) {
    Json one = {{"name", run.name},
                {"status", run.status},
                {"step", number_json(run.step)},
                {"steps", run.steps},
                {"seconds_per_step", number_json(run.seconds_per_step)}};
    if (!run.note.empty()) one["note"] = run.note;
    json["runs"].push_back(std::move(one));
  }
  if (!strip.remark.empty()) json["strip"] = strip.remark;
  json["seconds"] = outcome.seconds;
  json["machine"] = outcome.machine;
  json["date"] = outcome.date;
  json["version"] = outcome.version;
  json["key"] = outcome.key;
  return json;
}

std::optional<Verdict> verdict_called(const std::string& word) {
  for (const Verdict verdict : {Verdict::confirmed, Verdict::refuted, Verdict::not_comparable})
    if (word == name_of(verdict)) return verdict;
  return std::nullopt;
}

// Null when the file is not there or is no JSON object.
Json read_verdict(const fs::path& folder) {
  try {
    Json json = read_json_file(folder / "verdict.json");
    if (json.is_object()) return json;
  } catch (const FileError&) {
  } catch (const InputError&) {
  }
  return nullptr;
}

std::optional<StoredVerdict> stored_in(const Json& json) {
  if (json.is_null()) return std::nullopt;
  const auto text = [&json](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const std::optional<Verdict> verdict = verdict_called(text("verdict"));
  if (!verdict || text("id").empty()) return std::nullopt;
  StoredVerdict stored{text("id"), text("variant"), text("key"), text("reason"), text("date"), *verdict, 0};
  if (const auto seconds = json.find("seconds"); seconds != json.end() && seconds->is_number())
    stored.seconds = seconds->get<double>();
  return stored;
}

std::vector<ComparedNumber> first_rows(const Json& json) {
  std::vector<ComparedNumber> rows;
  const auto table = json.find("table");
  if (table == json.end() || !table->is_array()) return rows;
  const auto number = [](const Json& row, const char* key) -> std::optional<double> {
    const auto found = row.find(key);
    if (found == row.end() || !found->is_number()) return std::nullopt;
    return found->get<double>();
  };
  for (const Json& row : *table) {
    if (rows.size() == kThumbnailRows) break;
    if (!row.is_object() || !row.contains("what") || !row["what"].is_string()) continue;
    rows.push_back({row["what"].get<std::string>(), "", number(row, "printed"), number(row, "measured"), ""});
  }
  return rows;
}

Thumbnail read_thumbnail(const fs::path& folder) {
  for (const auto& [name, type] :
       {std::pair("thumbnail.png", "image/png"), std::pair("thumbnail.svg", "image/svg+xml")})
    if (std::error_code ignored; fs::is_regular_file(folder / name, ignored))
      return {read_file(folder / name), type};
  return {};
}

// A small drawing without legend.
std::string thumbnail_svg(const LinePlot& plot) {
  LinePlot small = thinned(plot, kThumbnailPoints);
  small.width = 400;
  small.height = 225;
  for (PlotSeries& series : small.series) series.name.clear();
  if (small.y.label.size() > kThumbnailLetters) small.y.label.clear();
  return line_plot_svg(small);
}

}  // namespace

void write_outcome(const fs::path& folder, const Experiment& experiment, const Outcome& outcome) {
  make_folder(folder);
  clear_folder(folder);
  write_file_atomically(folder / "result.csv", result_csv(outcome));
  for (std::size_t i = 0; i < outcome.plots.size(); ++i)
    write_file_atomically(folder / (i == 0 ? "plot.svg" : fmt::format("plot-{}.svg", i + 1)),
                          line_plot_svg(thinned(outcome.plots[i], kPlotPoints)));
  PageStrip strip;
  if (experiment.strip) {
    const DrawnStrip drawn = draw_outcome_strip(*experiment.strip, outcome);
    strip.remark = drawn.remark;
    if (drawn.image) {
      strip.png = encode_png(*drawn.image);
      write_file_atomically(folder / "strip.png", strip.png);
      write_file_atomically(folder / "thumbnail.png", encode_png(*drawn.thumbnail));
    }
  }
  if (strip.png.empty() && !outcome.plots.empty())
    write_file_atomically(folder / "thumbnail.svg", thumbnail_svg(outcome.plots.front()));
  write_file_atomically(folder / "index.html", outcome_page(experiment, outcome, strip));
  write_file_atomically(
      folder / "verdict.json",
      verdict_json(experiment, outcome, strip).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::optional<StoredVerdict> read_stored_verdict(const fs::path& folder) {
  return stored_in(read_verdict(folder));
}

void write_gallery(const fs::path& folder, const std::vector<Experiment>& experiments) {
  std::vector<GalleryEntry> entries;
  for (const Experiment& experiment : experiments) {
    GalleryEntry& entry = entries.emplace_back();
    entry.experiment = &experiment;
    const Json json = read_verdict(folder / experiment.id);
    entry.stored = stored_in(json);
    if (!entry.stored) continue;
    entry.thumbnail = read_thumbnail(folder / experiment.id);
    if (entry.thumbnail.bytes.empty()) entry.table = first_rows(json);
  }
  make_folder(folder);
  write_file_atomically(folder / "index.html", gallery_page(entries));
}

}  // namespace phiflex
