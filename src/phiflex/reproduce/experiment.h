// An experiment of a paper as data: experiments/ID/experiment.json (docs/experiments.md has the table of its keys).
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "phiflex/reproduce/expression.h"

namespace phiflex {

enum class Verdict { confirmed, refuted, not_comparable };
std::string_view name_of(Verdict verdict);  // "confirmed", "refuted", "not comparable"

enum class Variant { quick, full };
std::string_view name_of(Variant variant);

// Names and what each runs through, in the order given; the last varies fastest.
using Repetition = std::vector<std::pair<std::string, nlohmann::json>>;
using Overrides = std::vector<std::pair<std::string, nlohmann::json>>;  // texts may hold {expressions}

struct VariantSpec {
  nlohmann::json values = nlohmann::json::object();
  std::optional<Verdict> expect;            // the stored verdict
  std::optional<double> seconds;            // measured
  std::optional<double> estimated_seconds;  // never beside measured ones
  std::string estimate;                     // how it was estimated
  std::string machine, date;
};

struct OpenParameter {
  std::string name, about, value;  // value: name of one of the values
  nlohmann::json alternatives;
};

struct MeshChoice {
  std::string at, file, stand_in;
  Overrides also;
  std::vector<std::string> scenes;  // empty: all
};

struct TruthSpec {
  std::vector<std::string> judges;  // runs whose smallest error sets how far it must converge
  double seconds = 20;
};

struct RunSpec {
  std::string name, scene, integrator;
  Overrides set;
  nlohmann::json step, end, sample, max_seconds;  // null, number or text
  int repeat = 1;
  bool frames = false;
  std::optional<TruthSpec> truth;
  std::string until;
  Repetition repetition;
};

struct ModesSpec {
  std::string name, scene, fine_scene;  // fine_scene: empty, the scene itself with the changes of `fine`
  Overrides set, fine;
  nlohmann::json count = 10;
  Repetition repetition;
};

struct ClaimSpec {
  std::string text, holds;
  Repetition repetition;
};

struct TableRowSpec {
  std::string what, measured, unit;
  nlohmann::json printed;  // null: the paper prints none
  Repetition repetition;
};

struct SeriesSpec {
  std::string name, x, y, style;
  Repetition repetition;
};

struct PlotSpec {
  std::string title, x, y, log;
  std::vector<SeriesSpec> series;
};

struct StripSpec {
  std::vector<std::string> runs, names;
  int moments = 5;
  std::string colour = "body";
  double azimuth = 25, elevation = 15;
};

struct Experiment {
  std::filesystem::path folder;
  std::string id, paper, item, klass, title, question;
  std::vector<std::string> differs;
  nlohmann::ordered_json values;
  VariantSpec quick, full;
  std::vector<OpenParameter> open;
  std::vector<MeshChoice> meshes;
  std::vector<RunSpec> runs;
  std::vector<ModesSpec> modes;
  std::vector<ClaimSpec> claims;
  std::vector<TableRowSpec> table;
  std::vector<PlotSpec> plots;
  std::optional<StripSpec> strip;

  const VariantSpec& variant(Variant which) const { return which == Variant::quick ? quick : full; }
};

// InputError lists every problem: unknown and missing keys, wrong kinds, expressions with wrong syntax, scenes that are not there.
Experiment read_experiment(const std::filesystem::path& folder);
// All of a catalogue folder, by paper in the order ere, siere, sai, thesis, zheng, then by id with numbers in order.
std::vector<std::filesystem::path> list_experiments(const std::filesystem::path& catalogue);
// Where the catalogue lies: PHIFLEX_EXPERIMENTS, else experiments/ in the current folder or above it, else beside the
// installed program. FileError when it is nowhere.
std::filesystem::path find_catalogue();

}  // namespace phiflex
