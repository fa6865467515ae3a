#include "phiflex/record/run_json.h"

#include <fmt/format.h>

#include "phiflex/base/files.h"
#include "phiflex/record/json_file.h"

namespace phiflex {

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::done:
      return "done";
    case RunStatus::failed:
      return "failed";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::limit:
      return "limit";
  }
  return "unknown";
}

std::vector<std::string> fallbacks(const RunSummary& summary) {
  const Work& work = summary.work;
  const StepQuality& quality = summary.quality;
  std::vector<std::string> sentences;
  const auto say = [&](long count, const char* one, const char* many, const char* what) {
    if (count > 0) sentences.push_back(fmt::format("{} {} {}", count, count == 1 ? one : many, what));
  };
  say(work.projected_hessians, "time", "times", "the projected stiffness replaced an indefinite one");
  say(work.raised_hessians, "time", "times", "the diagonal of an indefinite matrix was raised");
  say(work.halved_steps, "step was", "steps were", "halved");
  say(work.rejected_steps, "step was", "steps were", "rejected");
  say(work.backward_euler_steps, "time", "times",
      "the last resort was a backward Euler step, which takes energy");
  if (quality.steps_outside_knots > 0)
    sentences.push_back(
        fmt::format("{} state{} had tetrahedra, up to {} of them, stretched beyond the knots of their spline "
                    "material, where its curves go on straight",
                    quality.steps_outside_knots, quality.steps_outside_knots == 1 ? "" : "s",
                    quality.most_outside_knots));
  return sentences;
}

nlohmann::ordered_json to_json(const RunSummary& summary) {
  const Work& work = summary.work;
  nlohmann::ordered_json json;
  json["status"] = name_of(summary.status);
  json["reason"] = summary.reason;
  json["version"] = summary.version;
  json["machine"] = {{"description", summary.machine.text()},
                     {"cpu", summary.machine.cpu},
                     {"cores", summary.machine.cores},
                     {"memory_gigabytes", summary.machine.memory_gigabytes},
                     {"system", summary.machine.system}};
  if (!summary.ranks.is_null()) json["ranks"] = summary.ranks;
  json["threads"] = summary.threads;
  json["deterministic"] = summary.deterministic;
  json["method"] = summary.method;
  for (const MethodChange& change : summary.method_changes)
    json["method_changes"].push_back({{"step", change.step}, {"method", change.method}, {"why", change.why}});
  json["sizes"] = {{"vertices", summary.vertices},
                   {"elements", summary.elements},
                   {"springs", summary.springs},
                   {"degrees_of_freedom", summary.degrees_of_freedom}};
  if (summary.triangles > 0) json["sizes"]["triangles"] = summary.triangles;
  json["steps"] = summary.steps;
  json["steps_planned"] = summary.steps_planned;
  json["h"] = summary.h;
  if (summary.settled) {
    json["iterations"] = summary.settled->iterations;
    json["residual"] = summary.settled->residual;
    json["force_left"] = summary.settled->force;
    json["moved"] = summary.settled->moved;
    json["loads_reached"] = summary.settled->reached;
  }
  for (const WorkPhase& phase : work_phases) json["seconds"][phase.name] = work.*phase.seconds;
  json["seconds"]["output"] = summary.output_seconds;
  json["seconds"]["total"] = summary.total_seconds;
  json["seconds"]["per_step"] = summary.seconds_per_step;
  for (const WorkCount& count : work_counts) json["counts"][count.name] = work.*count.member;
  if (!summary.quality.evaluators.empty())
    json["matfun"] = {{"evaluators", summary.quality.evaluators},
                      {"largest_error_estimate", summary.quality.function_error}};
  if (summary.quality.eigen_residual > 0)
    json["modes"] = {{"largest_residual", summary.quality.eigen_residual}};
  if (summary.quality.largest_gap > 0) json["discontinuous"] = {{"largest_gap", summary.quality.largest_gap}};
  if (summary.quality.steps_outside_knots > 0)
    json["spline"] = {{"steps_outside_knots", summary.quality.steps_outside_knots},
                      {"most_tetrahedra_outside", summary.quality.most_outside_knots}};
  json["energy"] = {{"first", summary.energy_first},
                    {"last", summary.energy_last},
                    {"available", summary.energy_available},
                    {"external_work", summary.external_work},
                    {"dissipated", summary.dissipated},
                    {"contact_work", summary.contact_work},
                    {"friction", summary.friction},
                    {"largest_relative_change", summary.energy_largest_relative_change},
                    {"worst_loss", summary.energy_worst_loss},
                    {"exchanged", summary.energy_exchanged}};
  json["hash"] = summary.hash;
  json["frames"] = summary.frames;
  json["checkpoints"] = summary.checkpoints;
  json["warnings"] = summary.messages.warnings();
  json["fallbacks"] = fallbacks(summary);
  json["notes"] = summary.messages.notes();
  json["scene"] = summary.scene;
  return json;
}

void write_run_json(const std::filesystem::path& path, const RunSummary& summary) {
  // A name that is not UTF-8 must not cost the run its summary.
  const auto replace = nlohmann::ordered_json::error_handler_t::replace;
  write_file_atomically(path, to_json(summary).dump(2, ' ', false, replace) + "\n");
}

nlohmann::ordered_json read_run_json(const std::filesystem::path& path) {
  nlohmann::ordered_json json = read_json_file(path);
  if (!json.is_object()) throw InputError(path.string(), "", "is not a JSON object");
  return json;
}

Messages read_messages(const nlohmann::ordered_json& account, const std::string& file) {
  Messages messages;
  using Texts = std::vector<std::string>;
  for (std::string& text : read_entry(account, file, "", "warnings", Texts())) messages.warn(std::move(text));
  for (std::string& text : read_entry(account, file, "", "notes", Texts())) messages.note(std::move(text));
  return messages;
}

}  // namespace phiflex
