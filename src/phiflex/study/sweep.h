// One scene with some of its values varied: a run for every combination, a table of what was measured.
//
//   --vary POINTER=a..b:n          n values from a to b, evenly            bodies.bar.material.young=1e4..1e6:5
//   --vary POINTER=a..b:n:log      the same on a logarithmic scale
//   --vary POINTER=v1,v2,...       these values                            integrator.type=em,be
//   --measure HOW:WHAT             HOW: max, min, mean, first, last        max:tip.y
//
// WHAT is PROBE.x, PROBE.y or PROBE.z, or a column of energy.csv, measures.csv or reactions.csv (max:kinetic,
// max:bar.von_mises_peak, min:wall.fy).
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "phiflex/run/run.h"

namespace phiflex {

struct Variation {
  std::string pointer;              // as --set takes it
  std::vector<std::string> values;  // as written behind the =
};
struct SweepMeasure {
  enum class How { max, min, mean, first, last };
  std::string text;  // as the user gave it
  How how;
  std::string what;
};

// InputError in words.
Variation parse_variation(const std::string& text);
SweepMeasure parse_measure(const std::string& text);

struct SweepOptions {
  std::vector<Variation> variations;  // the last one varies fastest
  std::vector<SweepMeasure> measures;
  std::filesystem::path folder;
  ExistingFolder existing = ExistingFolder::refuse;
  RunControl control;                                  // of each run
  std::function<void(const std::string&)> on_message;  // called after every run with a sentence; may be empty
};

struct SweepPoint {
  std::vector<std::string> values;  // of each variation
  std::vector<double> measured;     // of each measure; nan where a run has no such rows
  RunStatus status = RunStatus::done;
  std::string reason;
  double seconds = 0;
};

inline constexpr std::size_t kMostSweepPoints = 10000;

// Reads all scenes before it runs the first: InputError. Runs lie in points/0000/, ... without frames; writes sweep.csv
// and report.html. An interrupted sweep ends with the points made so far.
std::vector<SweepPoint> sweep_scene(const std::string& scene_file, const std::vector<std::string>& overrides,
                                    const SweepOptions& options);

}  // namespace phiflex
