#include "phiflex/reproduce/catalogue_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "phiflex/reproduce/page_parts.h"

namespace phiflex {
namespace {

std::string short_seconds(double seconds) {
  return fmt::format("{:.{}f}", seconds, seconds < 9.95 ? 1 : 0);
}

std::string verdict_words(const VariantSpec& variant) {
  return variant.expect ? std::string(name_of(*variant.expect)) : "-";
}

struct Tally {
  std::array<int, 3> verdicts{};
  int runs = 0;

  void add(const VariantSpec& variant) {
    if (!variant.expect) return;
    ++verdicts[static_cast<std::size_t>(*variant.expect)];
    ++runs;
  }
  std::string cells() const {
    return fmt::format("{} | {} | {} | {}", runs, verdicts[0], verdicts[1], verdicts[2]);
  }
};

}  // namespace

std::string full_seconds_words(const VariantSpec& full) {
  if (full.seconds) return short_seconds(*full.seconds);
  if (full.estimated_seconds) return "about " + short_seconds(*full.estimated_seconds);
  return "-";
}

std::string full_cost_words(const VariantSpec& full) {
  const std::string where = full.machine.empty() ? "" : fmt::format(" ({}, {})", full.machine, full.date);
  if (full.seconds)
    return fmt::format("At the paper's size: {} of processor time measured, {}{}.",
                       seconds_text(*full.seconds), verdict_words(full), where);
  if (full.estimated_seconds)
    return fmt::format("At the paper's size: about {} of processor time, estimated and not run: {}{}.",
                       seconds_text(*full.estimated_seconds), full.estimate, where);
  return "";
}

std::string catalogue_table(const std::vector<Experiment>& experiments) {
  std::string text =
      "<!-- Written by `phiflex reproduce --list --markdown`; do not edit. -->\n\n# Verdicts and costs of "
      "the experiments\n\n"
      "As stored in `experiments/*/experiment.json`: quick in seconds on two cores (experiments that share "
      "runs pay once), full in\n"
      "processor seconds of one thread, measured, or *about* where estimated "
      "([experiments.md](experiments.md) says how). A full\n"
      "variant without a verdict was not run to its end.\n\n";
  Tally quick, full;
  double measured = 0, estimated = 0;
  std::string machines;
  int n_measured = 0, n_estimated = 0;
  for (const Experiment& one : experiments) {
    quick.add(one.quick);
    full.add(one.full);
    if (one.full.seconds) {
      measured += *one.full.seconds;
      ++n_measured;
    } else if (one.full.estimated_seconds) {
      estimated += *one.full.estimated_seconds;
      ++n_estimated;
    }
    if (!one.full.machine.empty() && machines.find(one.full.machine) == std::string::npos)
      machines += (machines.empty() ? "" : "; ") + one.full.machine;
  }
  text += fmt::format(
      "| variant | with a verdict | confirmed | refuted | not comparable |\n| --- | --- | --- | --- | --- "
      "|\n| quick | {} |\n| full | {} |\n\n",
      quick.cells(), full.cells());
  text += fmt::format(
      "Full: {} measured, {:.0f} s together; {} estimated, about {:.1f} h together. Machine: {}.\n\n",
      n_measured, measured, n_estimated, estimated / 3600, machines.empty() ? "-" : machines);
  text += "| id | class | quick | s | full | s | on |\n| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Experiment& one : experiments)
    text += fmt::format(
        "| {} | {} | {} | {} | {}{} | {} | {} |\n", one.id, one.klass, verdict_words(one.quick),
        one.quick.seconds ? short_seconds(*one.quick.seconds) : "-", verdict_words(one.full),
        one.full.expect && one.quick.expect && *one.full.expect != *one.quick.expect ? " (!)" : "",
        full_seconds_words(one.full), one.full.date.empty() ? "-" : one.full.date);
  text +=
      "\n(!): the verdict at the paper's size is another one than in the quick variant; the experiment's "
      "README says why.\n\n"
      "## How the estimates came about\n\n| id | about s | how |\n| --- | --- | --- |\n";
  for (const Experiment& one : experiments)
    if (one.full.estimated_seconds)
      text += fmt::format("| {} | {} | {} |\n", one.id, short_seconds(*one.full.estimated_seconds),
                          one.full.estimate);
  return text;
}

}  // namespace phiflex
