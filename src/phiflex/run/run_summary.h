// What is said of a simulation under way: its row in the ledger's table, run.json, the progress line. For runs in one
// process (run_journal.h) and on many ranks (mpi/rank_run.h).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "phiflex/record/energy_csv.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"

namespace phiflex {

// The row of the ledger for where a simulation is.
EnergyRow energy_row(const Simulation& simulation);

inline double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

// Mean time of a step without output. The first step counts only while it is alone.
struct StepClock {
  double seconds = 0;
  std::int64_t steps = 0;  // of the seconds; 0: there is at most the first
  void add(std::int64_t step, double step_seconds);
  double mean() const { return seconds / double(std::max<std::int64_t>(1, steps)); }
};

// At the start.
RunSummary new_summary(const Scene& scene, const SceneModel& world, const Simulation& simulation);
// What changes from step to step, but for the state's hash, the degrees of freedom and the seconds in all.
void update_summary(const Simulation& simulation, const EnergySummary& energies, const StepClock& times,
                    double output_seconds, RunSummary& summary);
Progress progress_of(const Simulation& simulation, const EnergySummary& energies, const StepClock& times,
                     double output_seconds);

// Whether a checkpoint is due: after every so many steps; 0: every 100, and after 30 s without one.
bool checkpoint_is_due(std::int64_t every, std::int64_t step, double seconds_since_last);

}  // namespace phiflex
