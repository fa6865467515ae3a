#include "phiflex/reproduce/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <set>

#include "phiflex/base/data_folder.h"
#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/json_file.h"
#include "phiflex/scene/nearest.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array papers = {"ere", "siere", "sai", "thesis", "zheng"};

// Reads one object: every key that is asked for is known, every other one is a problem.
class Reader {
 public:
  Reader(const Json& json, std::string place, std::string file, std::vector<Problem>& problems)
      : json_(json), place_(std::move(place)), file_(std::move(file)), problems_(problems) {
    if (!json_.is_object()) wrong("", "expected an object");
  }
  ~Reader() {
    if (!json_.is_object()) return;
    for (const auto& [key, value] : json_.items())
      if (!known_.contains(key)) {
        const std::vector<std::string> names(known_.begin(), known_.end());
        wrong(key, "is not known" + did_you_mean(key, names));
      }
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  const Json* find(const std::string& key) {
    known_.insert(key);
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }
  const Json* need(const std::string& key) {
    const Json* found = find(key);
    if (!found && json_.is_object()) wrong("", fmt::format("'{}' is missing", key));
    return found;
  }

  void text(const std::string& key, std::string& target) { take_text(key, find(key), target); }
  void needed_text(const std::string& key, std::string& target) { take_text(key, need(key), target); }
  void expression(const std::string& key, std::string& target, bool needed = true) {
    take_text(key, needed ? need(key) : find(key), target);
    if (target.empty()) return;
    try {
      check_expression(target);
    } catch (const ExpressionError& error) {
      wrong(key, error.what());
    }
  }
  void texts(const std::string& key, std::vector<std::string>& target) {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_array()) return wrong(key, "expected a list of texts");
    for (const Json& one : *found)
      if (one.is_string())
        target.push_back(one.get<std::string>());
      else
        wrong(key, "expected a list of texts");
  }
  void number(const std::string& key, double& target) {
    if (const Json* found = find(key)) {
      if (found->is_number())
        target = found->get<double>();
      else
        wrong(key, "expected a number");
    }
  }
  void count(const std::string& key, int& target) {
    if (const Json* found = find(key)) {
      if (found->is_number_integer() && found->get<std::int64_t>() >= 1 && found->get<std::int64_t>() <= 1000)
        target = found->get<int>();
      else
        wrong(key, "expected a whole number from 1 to 1000");
    }
  }
  void truth(const std::string& key, bool& target) {
    if (const Json* found = find(key)) {
      if (found->is_boolean())
        target = found->get<bool>();
      else
        wrong(key, "expected true or false");
    }
  }
  void any(const std::string& key, nlohmann::json& target) {
    if (const Json* found = find(key)) target = *found;
  }
  void pairs(const std::string& key, std::vector<std::pair<std::string, nlohmann::json>>& target) {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_object()) return wrong(key, "expected an object");
    for (const auto& [name, value] : found->items()) target.emplace_back(name, value);
  }

  // Calls `read(reader, entry)` for every object of a list.
  template <class Entry, class Read>
  void list(const std::string& key, std::vector<Entry>& target, const Read& read) {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_array()) return wrong(key, "expected a list");
    std::size_t i = 0;
    for (const Json& one : *found) {
      Reader reader(one, fmt::format("{}/{}/{}", place_, key, i++), file_, problems_);
      Entry entry;
      read(reader, entry);
      target.push_back(std::move(entry));
    }
  }
  template <class Read>
  void object(const std::string& key, const Read& read) {
    if (const Json* found = find(key)) {
      Reader reader(*found, place_ + "/" + key, file_, problems_);
      read(reader);
    }
  }

  void wrong(const std::string& key, const std::string& message) {
    problems_.push_back({file_, key.empty() ? place_ : place_ + "/" + key, message});
  }

 private:
  void take_text(const std::string& key, const Json* found, std::string& target) {
    if (!found) return;
    if (found->is_string())
      target = found->get<std::string>();
    else
      wrong(key, "expected a text");
  }

  const Json& json_;
  std::string place_, file_;
  std::vector<Problem>& problems_;
  std::set<std::string> known_;
};

void read_variant(Reader& in, VariantSpec& variant) {
  if (const Json* values = in.find("values")) {
    if (values->is_object())
      variant.values = *values;
    else
      in.wrong("values", "expected an object");
  }
  std::string expected;
  in.text("expect", expected);
  if (!expected.empty()) {
    for (const Verdict verdict : {Verdict::confirmed, Verdict::refuted, Verdict::not_comparable})
      if (expected == name_of(verdict)) variant.expect = verdict;
    if (!variant.expect) in.wrong("expect", "expected 'confirmed', 'refuted' or 'not comparable'");
  }
  double seconds = -1;
  in.number("seconds", seconds);
  if (seconds >= 0) variant.seconds = seconds;
  double estimated = -1;
  in.number("estimated_seconds", estimated);
  in.text("estimate", variant.estimate);
  if (estimated >= 0) {
    variant.estimated_seconds = estimated;
    if (variant.seconds)
      in.wrong("estimated_seconds", "the seconds were measured; an estimate does not stand beside them");
    if (variant.estimate.empty())
      in.wrong("estimated_seconds", "'estimate' does not say how it was estimated");
  }
  in.text("machine", variant.machine);
  in.text("date", variant.date);
}

void read_run(Reader& in, RunSpec& run) {
  in.needed_text("name", run.name);
  in.needed_text("scene", run.scene);
  in.text("integrator", run.integrator);
  in.pairs("set", run.set);
  in.any("step", run.step);
  in.any("end", run.end);
  in.any("sample", run.sample);
  in.any("max_seconds", run.max_seconds);
  in.count("repeat", run.repeat);
  in.truth("frames", run.frames);
  in.expression("until", run.until, false);
  in.pairs("for", run.repetition);
  in.object("truth", [&](Reader& truth) {
    run.truth.emplace();
    truth.texts("for", run.truth->judges);
    truth.number("seconds", run.truth->seconds);
  });
}

void read_plot(Reader& in, PlotSpec& plot) {
  in.text("title", plot.title);
  in.text("x", plot.x);
  in.text("y", plot.y);
  in.text("log", plot.log);
  if (plot.log != "" && plot.log != "x" && plot.log != "y" && plot.log != "xy")
    in.wrong("log", "expected '', 'x', 'y' or 'xy'");
  in.list("series", plot.series, [](Reader& from, SeriesSpec& series) {
    from.text("name", series.name);
    from.expression("x", series.x);
    from.expression("y", series.y);
    from.text("style", series.style);
    const std::string& style = series.style;
    if (style != "" && style != "line" && style != "dashed" && style != "dots" && style != "line_and_dots")
      from.wrong("style", "expected 'line', 'dashed', 'dots' or 'line_and_dots'");
    from.pairs("for", series.repetition);
  });
}

void read_whole(Reader& in, Experiment& experiment) {
  in.needed_text("id", experiment.id);
  in.needed_text("paper", experiment.paper);
  if (std::find(papers.begin(), papers.end(), experiment.paper) == papers.end())
    in.wrong("paper", "expected 'ere', 'siere', 'sai', 'thesis' or 'zheng'");
  in.needed_text("item", experiment.item);
  in.needed_text("class", experiment.klass);
  if (experiment.klass != "A" && experiment.klass != "B" && experiment.klass != "C")
    in.wrong("class", "expected 'A', 'B' or 'C'");
  in.needed_text("title", experiment.title);
  in.needed_text("question", experiment.question);
  in.texts("differs", experiment.differs);
  experiment.values = Json::object();
  if (const Json* values = in.find("values")) {
    if (values->is_object())
      experiment.values = *values;
    else
      in.wrong("values", "expected an object");
  }
  in.object("quick", [&](Reader& from) { read_variant(from, experiment.quick); });
  in.object("full", [&](Reader& from) { read_variant(from, experiment.full); });
  in.list("open", experiment.open, [&](Reader& from, OpenParameter& open) {
    from.needed_text("name", open.name);
    from.text("about", open.about);
    from.needed_text("value", open.value);
    if (!experiment.values.contains(open.value))
      from.wrong("value", fmt::format("'{}' is none of the values", open.value));
    open.alternatives = nlohmann::json::array();
    from.any("alternatives", open.alternatives);
    if (!open.alternatives.is_array()) from.wrong("alternatives", "expected a list");
  });
  in.list("meshes", experiment.meshes, [](Reader& from, MeshChoice& mesh) {
    from.needed_text("at", mesh.at);
    from.needed_text("file", mesh.file);
    from.needed_text("stand_in", mesh.stand_in);
    from.pairs("also", mesh.also);
    from.texts("scenes", mesh.scenes);
  });
  in.list("runs", experiment.runs, [](Reader& from, RunSpec& run) { read_run(from, run); });
  in.list("modes", experiment.modes, [](Reader& from, ModesSpec& modes) {
    from.needed_text("name", modes.name);
    from.needed_text("scene", modes.scene);
    from.pairs("set", modes.set);
    from.pairs("fine", modes.fine);
    from.text("fine_scene", modes.fine_scene);
    from.any("count", modes.count);
    from.pairs("for", modes.repetition);
  });
  in.list("claims", experiment.claims, [](Reader& from, ClaimSpec& claim) {
    from.needed_text("text", claim.text);
    from.expression("holds", claim.holds);
    from.pairs("for", claim.repetition);
  });
  if (experiment.claims.empty()) in.wrong("claims", "an experiment without a claim decides nothing");
  in.list("table", experiment.table, [](Reader& from, TableRowSpec& row) {
    from.needed_text("what", row.what);
    from.expression("measured", row.measured);
    from.text("unit", row.unit);
    from.any("printed", row.printed);
    from.pairs("for", row.repetition);
  });
  in.list("plots", experiment.plots, [](Reader& from, PlotSpec& plot) { read_plot(from, plot); });
  in.object("strip", [&](Reader& from) {
    StripSpec strip;
    from.texts("runs", strip.runs);
    from.texts("names", strip.names);
    from.count("moments", strip.moments);
    from.text("colour", strip.colour);
    from.number("azimuth", strip.azimuth);
    from.number("elevation", strip.elevation);
    if (strip.runs.empty()) from.wrong("runs", "names no run");
    if (!strip.names.empty() && strip.names.size() != strip.runs.size())
      from.wrong("names", "as many as runs, or none");
    experiment.strip = std::move(strip);
  });
}

// "ere-fig2" before "ere-fig10".
std::vector<std::string> sort_key(const std::string& id) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < id.size();) {
    const bool digits = std::isdigit(static_cast<unsigned char>(id[i]));
    std::size_t end = i;
    while (end < id.size() && static_cast<bool>(std::isdigit(static_cast<unsigned char>(id[end]))) == digits)
      ++end;
    parts.push_back(digits ? fmt::format("{:0>8}", id.substr(i, end - i)) : id.substr(i, end - i));
    i = end;
  }
  return parts;
}

}  // namespace

Experiment read_experiment(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "experiment.json";
  const std::string file = path.string();
  const Json json = read_json_file(path);
  std::vector<Problem> problems;
  Experiment experiment;
  experiment.folder = folder;
  {
    Reader reader(json, "", file, problems);
    read_whole(reader, experiment);
  }
  const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
  const std::string name = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  if (!experiment.id.empty() && experiment.id != name)
    problems.push_back({file, "/id", fmt::format("'{}' is not the folder's name '{}'", experiment.id, name)});
  const auto there = [&](const std::string& scene, const std::string& place) {
    if (!scene.empty() && scene.find('{') == std::string::npos &&
        !std::filesystem::is_regular_file(folder / scene))
      problems.push_back({file, place, fmt::format("the scene '{}' is not there", scene)});
  };
  for (std::size_t i = 0; i < experiment.runs.size(); ++i)
    there(experiment.runs[i].scene, fmt::format("/runs/{}/scene", i));
  for (std::size_t i = 0; i < experiment.modes.size(); ++i) {
    there(experiment.modes[i].scene, fmt::format("/modes/{}/scene", i));
    there(experiment.modes[i].fine_scene, fmt::format("/modes/{}/fine_scene", i));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return experiment;
}

std::vector<std::filesystem::path> list_experiments(const std::filesystem::path& catalogue) {
  std::vector<std::pair<std::vector<std::string>, std::filesystem::path>> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(catalogue, error)) {
    if (!std::filesystem::is_regular_file(entry.path() / "experiment.json")) continue;
    const std::string id = entry.path().filename().string();
    // The order of the papers; EigenFit is the thesis's.
    const std::string prefix = id.substr(0, id.find('-'));
    const auto paper = std::find(papers.begin(), papers.end(), prefix == "eigenfit" ? "thesis" : prefix);
    std::vector<std::string> key = sort_key(id);
    key.insert(key.begin(), fmt::format("{}", paper - papers.begin()));
    found.emplace_back(std::move(key), entry.path());
  }
  if (error) throw FileError(catalogue.string(), error.message());
  std::sort(found.begin(), found.end());
  std::vector<std::filesystem::path> folders;
  for (auto& [key, path] : found) folders.push_back(std::move(path));
  return folders;
}

std::filesystem::path find_catalogue() {
  if (const char* named = std::getenv("PHIFLEX_EXPERIMENTS"); named && *named) {
    if (std::filesystem::is_directory(named)) return named;
    throw FileError(named, "PHIFLEX_EXPERIMENTS names no folder");
  }
  std::error_code error;
  std::vector<std::filesystem::path> places;
  for (std::filesystem::path at = std::filesystem::current_path(error); !at.empty(); at = at.parent_path()) {
    places.push_back(at / "experiments");
    if (at == at.root_path()) break;
  }
  for (std::filesystem::path& place : data_folders("experiments")) places.push_back(std::move(place));
  for (const std::filesystem::path& place : places)
    if (std::filesystem::is_directory(place, error) && !list_experiments(place).empty())
      return place.lexically_normal();
  throw FileError(
      "experiments",
      "there is no such folder here, above, or beside the program; PHIFLEX_EXPERIMENTS can name one");
}

}  // namespace phiflex
