// reproduce: the papers' experiments.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "app/exit_codes.h"
#include "app/run_control.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/json_file.h"
#include "phiflex/reproduce/catalogue_table.h"
#include "phiflex/reproduce/pages.h"
#include "phiflex/reproduce/reproduce.h"
#include "phiflex/reproduce/stored_expectation.h"
#include "phiflex/scene/nearest.h"

namespace {

using namespace phiflex;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const std::vector<std::string> kPapers = {"ere", "siere", "sai", "thesis", "zheng"};

struct ReproduceArguments {
  std::vector<std::string> ids, overrides;
  std::string paper, folder = "out/experiments";
  bool list = false, all = false, quick = false, full = false, sweep = false, force = false, check = false,
       store = false, estimate = false, markdown = false;
  int threads = 0;
  Verbosity verbosity;

  bool many() const { return all || !paper.empty(); }
  Variant variant() const { return quick || (many() && !full) ? Variant::quick : Variant::full; }
};

// What has gone wrong with experiments that could not be carried out; the rest goes on.
class Troubles {
 public:
  enum class Output { printed, silent };
  explicit Troubles(Output output = Output::printed) : output_(output) {}

  void add(int code, const std::string& id, const std::string& words) {
    code_ = code_ == kInternalError ? code_ : code;
    ids_.push_back(id);
    if (output_ == Output::printed) say(stderr, "{}: {}\n", id, words);
  }
  const std::vector<std::string>& ids() const { return ids_; }
  int code() const { return code_; }

  // True when `action` came to its end.
  template <typename Action>
  bool spared(const std::string& id, Action action) {
    try {
      action();
      return true;
    } catch (const InputError& error) {
      add(kBadInput, id, error.what());
    } catch (const FileError& error) {
      add(kCannotReadWrite, id, error.what());
    } catch (const std::bad_alloc&) {
      add(kInternalError, id, "out of memory");
    } catch (const std::exception& error) {
      add(kInternalError, id, std::string("internal error: ") + error.what());
    }
    return false;
  }

 private:
  Output output_;
  std::vector<std::string> ids_;
  int code_ = kDone;
};

struct Catalogue {
  std::vector<Experiment> experiments;
  std::vector<std::string> broken;  // experiments that cannot be read
};

// What cannot be read is a trouble only for those who asked for it.
Catalogue read_catalogue(const ReproduceArguments& o, Troubles& troubles) {
  Catalogue catalogue;
  for (const fs::path& folder : list_experiments(find_catalogue())) {
    const std::string id = folder.filename().string();
    const bool asked = o.ids.empty() || std::find(o.ids.begin(), o.ids.end(), id) != o.ids.end();
    Troubles others(Troubles::Output::silent);
    if (!(asked ? troubles : others).spared(id, [&] {
          catalogue.experiments.push_back(read_experiment(folder));
        }))
      catalogue.broken.push_back(id);
  }
  return catalogue;
}

// Those asked for, in the catalogue's order; all of them when nothing is said.
std::vector<const Experiment*> chosen(const Catalogue& catalogue, const ReproduceArguments& o) {
  std::vector<std::string> known = catalogue.broken;
  for (const Experiment& experiment : catalogue.experiments) known.push_back(experiment.id);
  std::vector<Problem> unknown;
  for (const std::string& id : o.ids)
    if (std::find(known.begin(), known.end(), id) == known.end())
      unknown.push_back({"", id,
                         fmt::format("there is no such experiment{}; `phiflex reproduce --list` shows all",
                                     did_you_mean(id, known))});
  if (!unknown.empty()) throw InputError(std::move(unknown));
  std::vector<const Experiment*> wanted;
  for (const Experiment& experiment : catalogue.experiments)
    if (std::find(o.ids.begin(), o.ids.end(), experiment.id) != o.ids.end() ||
        (o.ids.empty() && (o.paper.empty() || experiment.paper == o.paper)))
      wanted.push_back(&experiment);
  return wanted;
}

std::string seconds_words(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:.{}f}", *seconds, *seconds < 10 ? 1 : 0) : "-";
}

constexpr double kEstimateSeconds = 2;  // of a run that is made for an estimate

std::string expectation_words(const VariantSpec& spec) {
  return spec.expect ? std::string(name_of(*spec.expect)) : "-";
}

int print_list(const ReproduceArguments& o) {
  Troubles troubles;
  const Catalogue catalogue = read_catalogue(o, troubles);
  const std::vector<const Experiment*> wanted = chosen(catalogue, o);
  if (o.markdown) {
    std::vector<Experiment> shown;
    for (const Experiment* one : wanted) shown.push_back(*one);
    say("{}", catalogue_table(shown));
    return troubles.code();
  }
  Json json = Json::array();
  std::size_t width = 4;
  for (const Experiment* one : wanted) width = std::max(width, one->id.size());
  if (!o.verbosity.json)
    say("{:<{}}  class  {:>7} {:<15} {:>12} {:<15} {:<23} {}\n", "id", width, "quick s", "expected", "full s",
        "expected", "last", "what");
  for (const Experiment* one : wanted) {
    const std::optional<StoredVerdict> last = read_stored_verdict(fs::path(o.folder) / one->id);
    if (o.verbosity.json) {
      Json entry = {{"id", one->id},
                    {"paper", one->paper},
                    {"item", one->item},
                    {"class", one->klass},
                    {"title", one->title}};
      for (const Variant variant : {Variant::quick, Variant::full}) {
        const VariantSpec& spec = one->variant(variant);
        Json& part = entry[std::string(name_of(variant))] = {{"seconds", nullptr}, {"expected", nullptr}};
        if (spec.seconds) part["seconds"] = *spec.seconds;
        if (spec.estimated_seconds) {
          part["estimated_seconds"] = *spec.estimated_seconds;
          part["estimate"] = spec.estimate;
        }
        if (!spec.machine.empty()) part["machine"] = spec.machine;
        if (!spec.date.empty()) part["date"] = spec.date;
        if (spec.expect) part["expected"] = name_of(*spec.expect);
      }
      entry["last"] = nullptr;
      if (last)
        entry["last"] = {{"verdict", name_of(last->verdict)},
                         {"variant", last->variant},
                         {"reason", last->reason},
                         {"date", last->date}};
      json.push_back(std::move(entry));
    } else {
      say("{:<{}}  {:<5}  {:>7} {:<15} {:>12} {:<15} {:<23} {}\n", one->id, width, one->klass,
          seconds_words(one->quick.seconds), expectation_words(one->quick), full_seconds_words(one->full),
          expectation_words(one->full),
          last ? fmt::format("{} ({})", name_of(last->verdict), last->variant) : "-", one->title);
    }
  }
  if (o.verbosity.json) say_json(json);
  return troubles.code();
}

// How the verdict in `json` (verdict.json) differs from the stored one; empty: not at all.
std::string difference(const Experiment& experiment, Variant variant, const Json& json) {
  const std::optional<Verdict> expected = experiment.variant(variant).expect;
  const std::string verdict = json.at("verdict");
  if (!expected) return fmt::format("{}: {}, and no expectation is stored", experiment.id, verdict);
  if (name_of(*expected) == verdict) return "";
  for (const std::string body : json.at("bodies"))
    if (body.find("not at hand") != std::string::npos) {
      say(stderr, "{}: {} instead of {}; not counted ({})\n", experiment.id, verdict, name_of(*expected),
          body);
      return "";
    }
  return fmt::format("{}: {} instead of {}", experiment.id, verdict, name_of(*expected));
}

void print_numbers(const Outcome& outcome) {
  for (const ClaimOutcome& claim : outcome.claims)
    say("  {:<9} {}{}\n",
        claim.holding == Holding::holds   ? "holds"
        : claim.holding == Holding::fails ? "fails"
                                          : "undecided",
        claim.text, claim.reason.empty() ? "" : fmt::format(" ({})", claim.reason));
  if (outcome.table.empty()) return;
  std::size_t width = 20;
  for (const ComparedNumber& row : outcome.table)
    width = std::max(width, row.what.size() + row.unit.size() + 3);
  say("\n  {:<{}} {:>12} {:>12} {:>10}\n", "", width, "printed", "measured", "ratio");
  for (const ComparedNumber& row : outcome.table) {
    const bool both = row.printed && row.measured && *row.printed != 0;
    say("  {:<{}} {:>12} {:>12} {:>10}\n",
        row.unit.empty() ? row.what : fmt::format("{} [{}]", row.what, row.unit), width,
        row.printed ? fmt::format("{:.5g}", *row.printed) : "-",
        row.measured          ? fmt::format("{:.5g}", *row.measured)
        : row.missing.empty() ? "-"
                              : row.missing,
        both ? fmt::format("{:.3g}", *row.measured / *row.printed) : "");
  }
  say("\n");
}

class Session {
 public:
  Session(const ReproduceArguments& o, const std::vector<Experiment>& experiments, Troubles& troubles)
      : o_(o), experiments_(experiments), troubles_(troubles), folder_(o.folder) {
    ProgressLine line(ProgressLine::Style::none);
    stop_ = make_control({}, o.verbosity, line).stop;
    options_.variant = o.variant();
    options_.sweep = o.sweep ? Sweep::open_parameters : Sweep::none;
    options_.overrides = o.overrides;
    options_.runs = folder_ / "runs";
    options_.meshes = find_meshes();
    options_.threads = o.threads;
    options_.stop = stop_;
  }

  int carry_out(const std::vector<const Experiment*>& wanted) {
    const bool says = o_.verbosity.says(LogLevel::info);
    if (says) introduce(wanted.size());
    if (o_.force) forget(wanted);
    const auto began = std::chrono::steady_clock::now();
    bool interrupted = false;
    for (std::size_t i = 0; i < wanted.size() && !interrupted; ++i) {
      const Experiment& experiment = *wanted[i];
      number_ = wanted.size() > 1 ? fmt::format("[{:>{}}/{}] ", i + 1,
                                                fmt::format("{}", wanted.size()).size(), wanted.size())
                                  : "";
      troubles_.spared(experiment.id, [&] {
        try {
          one(experiment, wanted.size() == 1);
        } catch (const Interrupted&) {
          interrupted = true;
        }
      });
    }
    if (!o_.estimate) write_gallery(folder_, experiments_);
    if (o_.verbosity.json) say_json(json_);
    if (says && !o_.estimate)
      conclude(wanted.size(),
               std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    if (interrupted) {
      say(stderr, "interrupted; the same command goes on after what is finished\n");
      return kInterrupted;
    }
    if (!differences_.empty()) {
      say(stderr, "{} of {} verdicts are not those stored:\n", differences_.size(), wanted.size());
      for (const std::string& line : differences_) say(stderr, "  {}\n", line);
    }
    if (troubles_.code() != kDone) {
      say(stderr, "{} could not be carried out: {}\n", troubles_.ids().size(),
          fmt::join(troubles_.ids(), ", "));
      return troubles_.code();
    }
    if (!differences_.empty()) return kDiffers;
    return kDone;
  }

 private:
  void introduce(std::size_t count) const {
    say("{} experiment{}, {} variant{}; results: {}\n", count, count == 1 ? "" : "s",
        name_of(options_.variant),
        o_.quick || o_.full                 ? ""
        : options_.variant == Variant::full ? " (--quick is the small one)"
                                            : " (--full is the paper's size)",
        folder_.string());
    say("meshes: {}\n", options_.meshes.empty()
                            ? "none found (PHIFLEX_MESHES names their folder); stand-ins are used"
                            : options_.meshes.string());
    std::fflush(stdout);
  }

  // --force makes everything anew, the runs too.
  void forget(const std::vector<const Experiment*>& wanted) const {
    std::error_code ignored;
    fs::remove_all(options_.runs, ignored);
    for (const Experiment* experiment : wanted)
      fs::remove(folder_ / experiment->id / "verdict.json", ignored);
  }

  // Prints what the variant would cost; neither verdict nor page come of it.
  void estimate(const Experiment& experiment) {
    ReproduceOptions options = options_;
    if (o_.verbosity.says(LogLevel::debug))
      options.on_message = [](const std::string& words) { say(stderr, "  {}\n", words); };
    const CostEstimate cost = estimate_cost(experiment, options, kEstimateSeconds);
    if (o_.store) {
      const fs::path file = experiment.folder / "experiment.json";
      write_file_atomically(file, with_estimate(read_file(file), options_.variant, cost));
    }
    if (o_.verbosity.json)
      json_.push_back({{"id", experiment.id}, {"estimated_seconds", cost.seconds}, {"estimate", cost.how}});
    else if (o_.verbosity.says(LogLevel::info))
      say("{}{:<24} about {} of processor time: {}\n", number_, experiment.id, duration_words(cost.seconds),
          cost.how);
    std::fflush(stdout);
  }

  void one(const Experiment& experiment, bool alone) {
    if (o_.estimate) return estimate(experiment);
    const fs::path folder = folder_ / experiment.id;
    const std::string key = outcome_key(experiment, options_);
    const std::optional<StoredVerdict> stored = read_stored_verdict(folder);
    if (stored && stored->key == key && stored->variant == name_of(options_.variant)) {
      ++kept_;
      tell(experiment, stored->verdict, stored->reason,
           fmt::format("finished on {}; --force repeats it", stored->date));
      note(experiment, folder, stored->verdict);
      return;
    }
    const bool terminal = ProgressLine::suited_to_stderr() == ProgressLine::Style::terminal;
    ReproduceOptions options = options_;
    if (o_.verbosity.says(LogLevel::debug) || (alone && o_.verbosity.says(LogLevel::info)))
      options.on_message = [](const std::string& words) { say(stderr, "  {}\n", words); };
    else if (terminal && o_.verbosity.says(LogLevel::info))
      options.on_message = [&](const std::string& words) {
        clear_line(stderr);
        say(stderr, "{}{}: {}", number_, experiment.id, words.substr(0, 60));
        std::fflush(stderr);
      };
    Outcome outcome = reproduce(experiment, options);
    if (terminal && !alone && o_.verbosity.says(LogLevel::info)) clear_line(stderr);
    if (o_.store) {
      const fs::path file = experiment.folder / "experiment.json";
      write_file_atomically(file, with_expectation(read_file(file), outcome));
      outcome.key = outcome_key(experiment, options_);  // it hangs on that file
    }
    write_outcome(folder, experiment, outcome);
    tell(experiment, outcome.verdict, outcome.reason, duration_words(outcome.seconds));
    if (alone && o_.verbosity.says(LogLevel::info)) print_numbers(outcome);
    note(experiment, folder, outcome.verdict);
  }

  void tell(const Experiment& experiment, Verdict verdict, const std::string& reason,
            const std::string& how) const {
    if (!o_.verbosity.says(LogLevel::info)) return;
    say("{}{:<24} {:<14} ({}) {}\n", number_, experiment.id, name_of(verdict), how, reason);
    std::fflush(stdout);
  }

  void note(const Experiment& experiment, const fs::path& folder, Verdict verdict) {
    ++counts_[static_cast<std::size_t>(verdict)];
    if (!o_.verbosity.json && !o_.check) return;
    Json json = read_json_file(folder / "verdict.json");
    if (o_.check)
      if (const std::string words = difference(experiment, options_.variant, json); !words.empty())
        differences_.push_back(words);
    if (o_.verbosity.json) json_.push_back(std::move(json));
  }

  void conclude(std::size_t asked, double seconds) const {
    if (asked > 1 || o_.many())
      say("{} confirmed, {} refuted, {} not comparable; {} kept from before; {}\n", counts_[0], counts_[1],
          counts_[2], kept_, duration_words(seconds));
    else if (counts_[0] + counts_[1] + counts_[2] == 1 && !o_.ids.empty())
      say("page:    {}\n", (folder_ / o_.ids.front() / "index.html").string());
    say("gallery: {}\n", (folder_ / "index.html").string());
  }

  const ReproduceArguments& o_;
  const std::vector<Experiment>& experiments_;
  Troubles& troubles_;
  fs::path folder_;
  ReproduceOptions options_;
  const std::atomic<bool>* stop_ = nullptr;
  std::string number_;  // "[ 3/109] "
  std::array<std::size_t, 3> counts_{};
  std::size_t kept_ = 0;
  std::vector<std::string> differences_;
  Json json_ = Json::array();
};

int carry_out(const ReproduceArguments& o) {
  if (o.ids.empty() && !o.many() && !o.list) {
    say(stderr, "phiflex: name experiments, or give --paper PAPER, --all or --list\n");
    return kWrongUsage;
  }
  if (!o.ids.empty() && o.many()) {
    say(stderr, "phiflex: give either names of experiments or one of --paper and --all\n");
    return kWrongUsage;
  }
  if (o.list) return print_list(o);
  Troubles troubles;
  const Catalogue catalogue = read_catalogue(o, troubles);
  const std::vector<const Experiment*> wanted = chosen(catalogue, o);
  catch_signals();
  return Session(o, catalogue.experiments, troubles).carry_out(wanted);
}

}  // namespace

void add_reproduce_verb(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("reproduce", "The papers' experiments: measured beside printed, and a verdict");
  verb->footer(
      "Verdicts are confirmed, refuted and not comparable; all three are results (exit code 0).\n"
      "Examples:  phiflex reproduce --list\n"
      "           phiflex reproduce ere-fig1\n"
      "           phiflex reproduce ere-table2 --quick --sweep\n"
      "           phiflex reproduce --all --quick -o out/experiments      (begun again, it goes on)");
  const auto o = std::make_shared<ReproduceArguments>();
  verb->add_option("ID", o->ids, "Experiments by name (docs/experiments.md)");
  verb->add_flag("--list", o->list, "Print the experiments: class, seconds, expected and last verdict");
  auto* paper =
      verb->add_option("--paper", o->paper, fmt::format("All of one paper: {}", fmt::join(kPapers, ", ")))
          ->check(CLI::IsMember(kPapers));
  verb->add_flag("--all", o->all, "All of them")->excludes(paper);
  auto* quick = verb->add_flag("--quick", o->quick,
                               "The small variant, below a minute (default with --paper and --all)");
  verb->add_flag("--full", o->full, "The paper's size (default with names)")->excludes(quick);
  auto* sweep =
      verb->add_flag("--sweep", o->sweep, "Also with the alternatives of what the paper leaves open");
  auto* set = verb->add_option("--set", o->overrides, "Change every scene: pointer=value (repeatable)")
                  ->allow_extra_args(false);
  verb->add_option("-o,--output", o->folder, "Results folder (default: out/experiments)");
  verb->add_option("--threads", o->threads, "Threads (default: all cores)")->check(CLI::Range(1, 1024));
  verb->add_flag("--force", o->force, "Again, also what is finished; kept runs are made anew");
  auto* store =
      verb->add_flag("--store", o->store,
                     "Write verdict and seconds into experiment.json as what is expected; of an estimate, "
                     "the seconds")
          ->excludes(sweep)
          ->excludes(set);
  verb->add_flag("--check", o->check, "Exit with 1 when a verdict is not the one stored in experiment.json")
      ->excludes(sweep)
      ->excludes(set)
      ->excludes(store);
  verb->add_flag("--estimate", o->estimate,
                 "What it would cost: every run for some seconds, the rest reckoned; no verdict")
      ->excludes(sweep);
  verb->add_flag("--markdown", o->markdown, "The list as docs/experiment_costs.md");
  o->verbosity.add_to(verb, "the verdicts (or the list)");
  verb->callback([o, &action] { action = [o] { return carry_out(*o); }; });
}
