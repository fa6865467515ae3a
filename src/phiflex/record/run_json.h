// run.json: what was run, on what, how it went and what it cost. Written at the start, at checkpoints and at
// the end, whole or not at all, keys always in the same order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phiflex/base/errors.h"
#include "phiflex/base/messages.h"
#include "phiflex/base/work.h"
#include "phiflex/record/machine.h"

namespace phiflex {

enum class RunStatus { running, done, failed, interrupted, limit };
std::string_view name_of(RunStatus status);

// How well the approximations inside the steps were made; nothing is written of what was not used.
struct StepQuality {
  std::map<std::string, std::int64_t> evaluators;  // of matrix functions: in how many steps each was used
  double function_error = 0;                       // largest estimate, relative to the update
  double eigen_residual = 0;                       // largest of modes: relative residual, or angle in energy
  double largest_gap = 0;                          // between discontinuous triangles, m
  // Of a spline material beyond the knots of its curves: states with such tetrahedra, and the most at once.
  std::int64_t steps_outside_knots = 0, most_outside_knots = 0;
};

// `auto` changed the method after a step.
struct MethodChange {
  std::int64_t step = 0;
  std::string method, why;  // what goes on from there
};

// How the equilibrium was found.
struct SettleSummary {
  std::int64_t iterations = 0;
  double residual = 0;  // force that is left over that at the start
  double force = 0;     // N, 2-norm over the free vertices
  double moved = 0;     // m, the largest change of a coordinate
  double reached = 1;   // share of the loads that is in equilibrium
};

struct RunSummary {
  RunStatus status = RunStatus::running;
  std::string reason;  // why it is not done; empty when it is
  std::string version;
  nlohmann::ordered_json scene;  // with every default filled in
  std::string method;  // what stepped: of the catalogue, where the scene leaves the choice to the program
  std::vector<MethodChange> method_changes;  // of `auto`; written where there are some
  Machine machine;
  nlohmann::ordered_json ranks;  // of phiflex-mpi: how many, their parts, PETSc; null, and not written, else
  int threads = 1;
  bool deterministic = false;

  std::int64_t vertices = 0, elements = 0, springs = 0, degrees_of_freedom = 0;
  std::int64_t triangles = 0;  // of the elements: those of plane bodies; written where there are some
  std::int64_t steps = 0;      // completed
  std::int64_t steps_planned = 0;
  double h = 0;  // s

  std::optional<SettleSummary> settled;  // absent: it does not start from the equilibrium

  Work work;  // counts, and seconds of the numerical phases
  StepQuality quality;
  double output_seconds = 0;
  double total_seconds = 0;     // of the whole run, resumed parts included
  double seconds_per_step = 0;  // mean over the time loop without output, the first step left out

  double energy_first = 0, energy_last = 0, energy_largest_relative_change = 0;  // record/energy_csv.h
  double energy_available = 0;                                                   // model/energy_watch.h, J
  double external_work = 0, dissipated = 0, contact_work = 0, friction = 0;      // record/energy_csv.h, J
  double energy_worst_loss = 0, energy_exchanged = 0;                            // J
  std::string hash;  // state_hash of the last state; empty while there is none
  std::int64_t frames = 0, checkpoints = 0;

  Messages messages;  // such as keys of other methods, or which method "auto" stands for
};

// Repairs of steps, counted, in sentences: "3 steps were halved". Nothing is repaired silently.
std::vector<std::string> fallbacks(const RunSummary& summary);

nlohmann::ordered_json to_json(const RunSummary& summary);
void write_run_json(const std::filesystem::path& path, const RunSummary& summary);
// InputError when it is not a JSON object (json_file.h).
nlohmann::ordered_json read_run_json(const std::filesystem::path& path);
// account[key], or `if_absent`. InputError where it is nothing that a run writes there. place: of `account` in the
// file.
template <class T>
T read_entry(const nlohmann::ordered_json& account, const std::string& file, const std::string& place,
             const char* key, const T& if_absent) {
  const auto entry = account.find(key);
  if (entry == account.end()) return if_absent;
  try {
    return entry->template get<T>();
  } catch (const nlohmann::json::exception&) {
    throw InputError(file, place + "/" + key, entry->dump() + " is not what a run writes there");
  }
}
Messages read_messages(const nlohmann::ordered_json& account, const std::string& file);

}  // namespace phiflex
