#include "phiflex/study/sweep.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/mesh/xml_tags.h"
#include "phiflex/pages/line_plot.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/record/folder_lock.h"
#include "phiflex/run/recording.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

std::optional<double> sweep_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
  return whole ? std::optional(value) : std::nullopt;
}

// Not within brackets or quotes: a list or a text of JSON is one value.
std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> found(1);
  int depth = 0;
  bool quoted = false;
  for (const char letter : text) {
    if (letter == '"') quoted = !quoted;
    if (!quoted && (letter == '[' || letter == '{')) ++depth;
    if (!quoted && (letter == ']' || letter == '}')) --depth;
    if (letter == separator && !quoted && depth <= 0)
      found.emplace_back();
    else
      found.back() += letter;
  }
  return found;
}

[[noreturn]] void refuse_variation(const std::string& text, const std::string& why) {
  throw InputError("--vary " + text, "",
                   why + "; expected POINTER=a..b:n, POINTER=a..b:n:log or POINTER=v1,v2,...");
}

// "1e4..1e6:5:log"
std::vector<std::string> range_values(const std::string& text, const std::string& given) {
  const std::vector<std::string> parts = split_at(text, ':');
  const std::size_t dots = parts[0].find("..");
  const std::optional<double> low = sweep_number(parts[0].substr(0, dots)),
                              high = sweep_number(parts[0].substr(dots + 2));
  const double count = parts.size() > 1 ? sweep_number(parts[1]).value_or(0) : 0;
  const bool logarithmic = parts.size() == 3 && parts[2] == "log";
  if (!low || !high || (parts.size() == 3 && !logarithmic) || parts.size() > 3)
    refuse_variation(given, fmt::format("\"{}\" is no range", text));
  if (count < 2 || count != std::floor(count) || count > double(kMostSweepPoints))
    refuse_variation(given, "a range needs a whole number of values, 2 or more");
  if (logarithmic && !(*low > 0 && *high > 0))
    refuse_variation(given, "a logarithmic range has ends above 0");
  std::vector<std::string> values;
  for (int i = 0; i < int(count); ++i) {
    const double s = i / (count - 1);
    double value = logarithmic ? *low * std::pow(*high / *low, s) : *low + s * (*high - *low);
    if (i + 1 == int(count)) value = *high;
    append_number(values.emplace_back(), value);
  }
  return values;
}

double take(const std::vector<double>& column, SweepMeasure::How how) {
  if (column.empty()) return std::numeric_limits<double>::quiet_NaN();
  switch (how) {
    case SweepMeasure::How::max:
      return *std::max_element(column.begin(), column.end());
    case SweepMeasure::How::min:
      return *std::min_element(column.begin(), column.end());
    case SweepMeasure::How::first:
      return column.front();
    case SweepMeasure::How::last:
      return column.back();
    case SweepMeasure::How::mean:
      break;
  }
  double sum = 0;
  for (const double value : column) sum += value;
  return sum / static_cast<double>(column.size());
}

class Sweep {
 public:
  Sweep(const std::string& scene_file, const std::vector<std::string>& overrides, const SweepOptions& options)
      : scene_file_(scene_file), overrides_(overrides), options_(options) {}

  std::vector<SweepPoint> make() {
    plan();
    const RunFolder folder = prepare_run_folder(options_.folder, options_.existing);
    const FolderLock lock(folder);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (options_.control.stop && options_.control.stop->load()) {
        points_.resize(i);
        break;
      }
      run(i);
    }
    write_table();
    write_page();
    return std::move(points_);
  }

 private:
  std::vector<std::string> overrides_at(const SweepPoint& point) const {
    std::vector<std::string> all = overrides_;
    for (std::size_t v = 0; v < point.values.size(); ++v)
      all.push_back(options_.variations[v].pointer + "=" + point.values[v]);
    return all;
  }

  std::string words_of(const SweepPoint& point) const {
    std::string words;
    for (std::size_t v = 0; v < point.values.size(); ++v)
      words += fmt::format("{}{} = {}", v > 0 ? ", " : "", options_.variations[v].pointer, point.values[v]);
    return words;
  }

  void plan() {
    std::size_t count = 1;
    for (std::size_t v = 0; v < options_.variations.size(); ++v) {
      const Variation& variation = options_.variations[v];
      for (std::size_t earlier = 0; earlier < v; ++earlier)
        if (options_.variations[earlier].pointer == variation.pointer)
          throw InputError("--vary " + variation.pointer, "",
                           "is varied twice; expected one --vary for each value");
      count *= variation.values.size();
      if (count > kMostSweepPoints)
        throw InputError("--vary", "",
                         fmt::format("more than {} runs; expected fewer values", kMostSweepPoints));
    }
    for (std::size_t i = 0; i < count; ++i) {
      SweepPoint point;
      std::size_t rest = i;
      for (std::size_t v = options_.variations.size(); v-- > 0;) {
        const std::vector<std::string>& values = options_.variations[v].values;
        point.values.insert(point.values.begin(), values[rest % values.size()]);
        rest /= values.size();
      }
      points_.push_back(std::move(point));
    }
    std::vector<Problem> unused, problems;
    for (const SweepPoint& point : points_) {
      try {
        scenes_.push_back(read_scene(scene_file_, read_options(overrides_at(point)), unused));
      } catch (const InputError& error) {
        problems.insert(problems.end(), error.problems().begin(), error.problems().end());
      }
    }
    if (!problems.empty()) throw InputError(std::move(problems));
    require_measures();
  }

  // In the tables that the first run will write.
  void require_measures() const {
    const std::vector<std::string> headers =
        table_headers(build_scene(scenes_.front(), scene_file_), scenes_.front().output);
    const auto has = [&](const std::string& name) {
      return std::any_of(headers.begin(), headers.end(), [&](const std::string& header) {
        return (header + ",").find("," + csv_field(name) + ",") != std::string::npos;
      });
    };
    std::string known;
    for (const std::string& header : headers)
      known += (known.empty() ? "" : ",") + header.substr(std::string_view("step,time,").size());
    for (std::size_t at = 0; (at = known.find(',', at)) != std::string::npos; at += 2)
      known.insert(at + 1, " ");
    std::vector<Problem> problems;
    for (const SweepMeasure& measure : options_.measures)
      if (!has(measure.what) && !has(column_of_probe(measure.what)))
        problems.push_back({"--measure " + measure.text, "",
                            fmt::format("the run has no \"{}\"; it has {}", measure.what, known)});
    if (!problems.empty()) throw InputError(std::move(problems));
  }

  // tip.y is tip_y in probes.csv.
  static std::string column_of_probe(std::string what) {
    if (const std::size_t dot = what.rfind('.'); dot != what.npos) what[dot] = '_';
    return what;
  }

  void run(std::size_t number) {
    SweepPoint& point = points_[number];
    RunOptions run;
    run.folder = options_.folder / "points" / fmt::format("{:04}", number);
    run.existing = ExistingFolder::reuse;
    run.frames = Frames::none;
    run.control = options_.control;
    const RunSummary summary = run_scene(scenes_[number], scene_file_, {}, run);
    point.status = summary.status;
    point.reason = summary.reason;
    point.seconds = summary.total_seconds;
    for (const SweepMeasure& measure : options_.measures)
      point.measured.push_back(measured(measure, run.folder));
    if (!options_.on_message) return;
    std::string words = words_of(point);
    for (std::size_t m = 0; m < point.measured.size(); ++m)
      words += fmt::format("; {} = {:.6g}", options_.measures[m].text, point.measured[m]);
    options_.on_message(fmt::format("{} ({}, {:.3g} s){}{}", words, name_of(point.status), point.seconds,
                                    point.reason.empty() ? "" : ": ", point.reason));
  }

  // A measure that no table of the run has is an error of the user's.
  double measured(const SweepMeasure& measure, const std::filesystem::path& folder) const {
    const RunFolder run{folder};
    std::string known;
    const auto look = [&](const std::filesystem::path& file,
                          const std::string& name) -> std::optional<double> {
      std::error_code error;
      if (!std::filesystem::exists(file, error)) return std::nullopt;
      const CsvTable table = read_csv(file);
      if (const std::vector<double>* column = table.column(name)) return take(*column, measure.how);
      for (const std::string& heading : table.names)
        if (heading != "step" && heading != "time") known += (known.empty() ? "" : ", ") + heading;
      return std::nullopt;
    };
    if (const auto found = look(run.probes_csv(), column_of_probe(measure.what))) return *found;
    for (const std::filesystem::path& file : {run.energy_csv(), run.measures_csv(), run.reactions_csv()})
      if (const auto found = look(file, measure.what)) return *found;
    throw InputError("--measure " + measure.text, "",
                     fmt::format("the run has no \"{}\"; it has {}", measure.what, known));
  }

  void write_table() const {
    std::string text = "point";
    for (const Variation& variation : options_.variations) text += "," + csv_field(variation.pointer);
    for (const SweepMeasure& measure : options_.measures) text += "," + csv_field(measure.text);
    text += ",status,seconds\n";
    for (std::size_t i = 0; i < points_.size(); ++i) {
      text += std::to_string(i);
      for (const std::string& value : points_[i].values) text += "," + csv_field(value);
      for (const double number : points_[i].measured) {
        text += ",";
        append_number(text, number);
      }
      text += fmt::format(",{},", name_of(points_[i].status));
      append_number(text, points_[i].seconds);
      text += "\n";
    }
    write_file_atomically(options_.folder / "sweep.csv", text);
  }

  // Of the runs that came to their end: what others measured is of another length of time. Against the last variation
  // where it is of numbers, else against the points; a curve for each value of the others.
  std::string plot_of(std::size_t measure) const {
    const Variation& fastest = options_.variations.back();
    bool numbers = true, spread = true;
    for (const std::string& value : fastest.values) {
      const std::optional<double> number = sweep_number(value);
      numbers = numbers && number;
      spread = spread && number && *number > 0;
    }
    spread = spread && fastest.values.size() > 2 &&
             *sweep_number(fastest.values.back()) >= 30 * *sweep_number(fastest.values.front());
    LinePlot plot{
        options_.measures[measure].text,
        {numbers ? fastest.pointer : "point", spread ? AxisScale::logarithmic : AxisScale::linear, {}, {}},
        {options_.measures[measure].text, AxisScale::linear, {}, {}},
        {}};
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (i % fastest.values.size() == 0) {
        std::string name;
        for (std::size_t v = 0; v + 1 < options_.variations.size(); ++v)
          name += fmt::format("{}{} = {}", v > 0 ? ", " : "", options_.variations[v].pointer,
                              points_[i].values[v]);
        plot.series.push_back({name, {}, {}, SeriesStyle::line_and_dots, {}});
      }
      if (points_[i].status != RunStatus::done) continue;
      plot.series.back().x.push_back(numbers ? *sweep_number(points_[i].values.back()) : double(i));
      plot.series.back().y.push_back(points_[i].measured[measure]);
    }
    return line_plot_svg(plot);
  }

  void write_page() const {
    std::string heads, rows, plots, reasons;
    for (const Variation& variation : options_.variations)
      heads += "<th>" + with_entities(variation.pointer) + "</th>";
    for (const SweepMeasure& measure : options_.measures)
      heads += "<th>" + with_entities(measure.text) + "</th>";
    for (const SweepPoint& point : points_) {
      rows += "<tr>";
      for (const std::string& value : point.values) rows += "<td>" + with_entities(value) + "</td>";
      for (const double number : point.measured) rows += fmt::format("<td>{:.6g}</td>", number);
      rows += fmt::format("<td>{}</td><td>{:.3g}</td></tr>\n", name_of(point.status), point.seconds);
      if (!point.reason.empty())
        reasons += "<li>" + with_entities(words_of(point)) + ": " + with_entities(point.reason) + "</li>\n";
    }
    if (!reasons.empty())
      reasons = "<h2>Runs that did not come to their end</h2>\n<p>They are not in the plots.</p>\n<ul>\n" +
                reasons + "</ul>\n";
    if (!points_.empty())
      for (std::size_t m = 0; m < options_.measures.size(); ++m)
        plots += "<h2>" + with_entities(options_.measures[m].text) + "</h2>\n" + plot_of(m) + "\n";
    write_file_atomically(
        options_.folder / "report.html",
        fmt::format(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Sweep of {0}</title>\n"
            "<style>body{{font:16px system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
            "color-scheme:light dark}}table{{border-collapse:collapse}}td,th{{padding:.2rem .8rem;"
            "text-align:right;font-variant-numeric:tabular-nums}}svg{{max-width:100%}}</style>\n"
            "<h1>Sweep of "
            "{0}</h1>\n{1}<table><tr>{2}<th>status</th><th>seconds</th></tr>\n{3}</table>\n{4}</html>\n",
            with_entities(scene_file_), plots, heads, rows, reasons));
  }

  const std::string& scene_file_;
  const std::vector<std::string>& overrides_;
  const SweepOptions& options_;
  std::vector<SweepPoint> points_;
  std::vector<Scene> scenes_;
};

}  // namespace

Variation parse_variation(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse_variation(text, "no POINTER=");
  Variation variation{text.substr(0, equals), {}};
  const std::string values = text.substr(equals + 1);
  if (values.find("..") != std::string::npos)
    variation.values = range_values(values, text);
  else
    variation.values = split_at(values, ',');
  for (const std::string& value : variation.values)
    if (value.empty()) refuse_variation(text, "a value is empty");
  return variation;
}

SweepMeasure parse_measure(const std::string& text) {
  const std::pair<const char*, SweepMeasure::How> hows[] = {{"max", SweepMeasure::How::max},
                                                            {"min", SweepMeasure::How::min},
                                                            {"mean", SweepMeasure::How::mean},
                                                            {"first", SweepMeasure::How::first},
                                                            {"last", SweepMeasure::How::last}};
  const std::size_t colon = text.find(':');
  for (const auto& [word, how] : hows)
    if (colon != text.npos && colon + 1 < text.size() && text.substr(0, colon) == word)
      return {text, how, text.substr(colon + 1)};
  throw InputError("--measure " + text, "",
                   "expected max:, min:, mean:, first: or last: and PROBE.x or a column of the run's tables");
}

std::vector<SweepPoint> sweep_scene(const std::string& scene_file, const std::vector<std::string>& overrides,
                                    const SweepOptions& options) {
  return Sweep(scene_file, overrides, options).make();
}

}  // namespace phiflex
