// Experiments and outcomes made by hand: what judges and pages are given.
#pragma once

#include "phiflex/reproduce/outcome.h"

namespace phiflex::testing {

inline Experiment synthetic_experiment(const std::string& id, const std::string& paper = "ere") {
  Experiment experiment;
  experiment.id = id;
  experiment.paper = paper;
  experiment.item = "Table 2";
  experiment.klass = "B";
  experiment.title = "A rope <under> test";
  experiment.question = "Does the rope & its step keep what is claimed?";
  experiment.differs = {"The rope's end is fixed; the paper does not say <where>."};
  experiment.values = {{"damping", 0.01}};
  experiment.open = {{"damping", "beta of Rayleigh's damping", "damping", {0.0, 0.001}}};
  return experiment;
}

inline ClaimOutcome claim(const std::string& text, Holding holding, const std::string& reason) {
  return {text, "err('ere','truth') < 0.15", holding, reason};
}

inline Outcome synthetic_outcome(const std::string& id, Holding second = Holding::holds) {
  Outcome outcome;
  outcome.id = id;
  outcome.variant = Variant::quick;
  outcome.claims = {claim("ERE is stable.", Holding::holds, "done"),
                    claim("Its error is below 0.15 m & small.", second, "0.0721 < 0.15")};
  outcome.table = {{"largest error <K=1>", "m", 0.072, 0.144, ""},
                   {"substeps", "", 48.0, std::nullopt, "the run diverged at step 7"},
                   {"vertices", "", std::nullopt, 72989.0, ""}};
  outcome.measurements = {{"ere, K=1", "err", 0.144}, {"rk4", "cost", 2.5e-5}};
  LinePlot plot;
  plot.title = "Error over stiffness";
  plot.x = {"K_l [N]", AxisScale::logarithmic, {}, {}};
  plot.y = {"error [m]", AxisScale::logarithmic, {}, {}};
  plot.series = {
      {.name = "measured", .x = {1, 10, 100}, .y = {0.1, 0.05, 0.02}, .style = SeriesStyle::line_and_dots},
      {.name = "printed", .x = {1, 10, 100}, .y = {0.07, 0.02, 0.05}, .style = SeriesStyle::dots}};
  outcome.plots = {plot};
  outcome.runs = {{"ere, K=1", "done", 1.0 / 60, 120, 1.2e-4, "", {}},
                  {"rk4", "diverged at step 7", 1e-3, 7, 3e-6, "", {}},
                  {"truth", "done", 1e-5, 200000, 3e-6, "halved 4 times, the last moved it by 2e-6 m", {}}};
  outcome.bodies = {"rope: generated, 50 springs"};
  outcome.seconds = 12.4;
  outcome.machine = "a machine, 2 cores";
  outcome.date = "2026-01-02";
  outcome.version = "0.1.0";
  outcome.key = "0123456789abcdef";
  judge(outcome);
  return outcome;
}

}  // namespace phiflex::testing
