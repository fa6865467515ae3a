// reproduce: the papers' experiments, which are Python programs (experiments/, phiflex.experiments). Here their options
// are read and the interpreter is started with what it needs to find.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "app/exit_codes.h"
#include "app/run_control.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/base/text.h"

namespace {

using namespace phiflex;
namespace fs = std::filesystem;

const std::vector<std::string> kPapers = {"ere", "siere", "sai", "thesis", "zheng"};
constexpr const char* kInterpreter = "/usr/bin/python3";
// A missing package is told in a sentence, whatever its import says.
constexpr const char* kProgram = R"py(
import sys
try:
    from phiflex.experiments.command import main
except ImportError as error:
    missing = getattr(error, "name", None) == "phiflex"
    print("phiflex: " + ("the experiments are Python programs, and " + sys.executable + " has no package phiflex: `make python` "
          "builds it in a clone, and python3-phiflex, which `make package` makes, installs it" if missing else str(error)), file=sys.stderr)
    sys.exit(74)
sys.exit(main(sys.argv[1:]))
)py";

struct ReproduceArguments {
  std::vector<std::string> ids, overrides;
  std::string paper, folder = "out/experiments";
  bool list = false, all = false, quick = false, full = false, sweep = false, force = false, check = false,
       store = false, estimate = false, markdown = false;
  int threads = 0;
  Verbosity verbosity;
};

std::vector<std::string> words_of(const ReproduceArguments& o) {
  std::vector<std::string> words;
  const std::pair<bool, const char*> flags[] = {{o.list, "--list"},          {o.all, "--all"},
                                                {o.quick, "--quick"},        {o.full, "--full"},
                                                {o.sweep, "--sweep"},        {o.force, "--force"},
                                                {o.check, "--check"},        {o.store, "--store"},
                                                {o.estimate, "--estimate"},  {o.markdown, "--markdown"},
                                                {o.verbosity.json, "--json"}};
  for (const auto& [set, word] : flags)
    if (set) words.emplace_back(word);
  if (!o.paper.empty()) words.insert(words.end(), {"--paper", o.paper});
  for (const std::string& one : o.overrides) words.push_back("--set=" + one);
  words.push_back("--output=" + o.folder);
  if (o.threads > 0) words.insert(words.end(), {"--threads", fmt::format("{}", o.threads)});
  if (!o.verbosity.says(LogLevel::error) || !o.verbosity.says(LogLevel::info)) words.emplace_back("--quiet");
  if (o.verbosity.says(LogLevel::debug)) words.insert(words.end(), {"--log-level", "debug"});
  words.emplace_back("--");
  words.insert(words.end(), o.ids.begin(), o.ids.end());
  return words;
}

// The package of this build and the catalogue of this installation, where they lie beside the program; the program
// itself draws the pictures.
void tell_places() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return;
  setenv("PHIFLEX_COMMAND", program.c_str(), 1);
  for (const fs::path& packages : {program.parent_path() / "python",
                                   program.parent_path().parent_path() / "lib/python3/dist-packages"}) {
    if (!fs::is_directory(packages / "phiflex", error)) continue;
    const char* given = std::getenv("PYTHONPATH");
    setenv("PYTHONPATH", (packages.string() + (given && *given ? fmt::format(":{}", given) : "")).c_str(), 1);
    break;
  }
  if (std::getenv("PHIFLEX_EXPERIMENTS")) return;
  const fs::path here = fs::current_path(error);
  for (fs::path at = here; !at.empty() && at != at.parent_path(); at = at.parent_path())
    if (fs::is_directory(at / "experiments" / "ere", error))
      return;  // that of a clone, which the programs find
  for (const fs::path& place : {program.parent_path().parent_path() / "share/phiflex/experiments",
                                program.parent_path().parent_path() / "experiments"})
    if (fs::is_directory(place / "ere", error)) {
      setenv("PHIFLEX_EXPERIMENTS", place.c_str(), 1);
      return;
    }
}

int carry_out(const ReproduceArguments& o) {
  tell_places();
  std::vector<std::string> words = words_of(o);
  std::vector<char*> argv = {const_cast<char*>(kInterpreter), const_cast<char*>("-B"),
                             const_cast<char*>("-c"), const_cast<char*>(kProgram)};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(kInterpreter, argv.data());
  say(stderr,
      "phiflex: the experiments are Python programs, and {} cannot be started: {} (Debian: python3)\n",
      kInterpreter, std::strerror(errno));
  return kCannotReadWrite;
}

}  // namespace

void add_reproduce_verb(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("reproduce", "The papers' experiments: measured beside printed, each claim judged");
  verb->footer(
      "Claims hold, fail or are open; all three are results (exit code 0).\n"
      "Examples:  phiflex reproduce --list\n"
      "           phiflex reproduce ere-fig1\n"
      "           phiflex reproduce ere-table2 --quick --sweep\n"
      "           phiflex reproduce --all --quick -o out/experiments      (begun again, it goes on)");
  const auto o = std::make_shared<ReproduceArguments>();
  verb->add_option("ID", o->ids, "Experiments by name (docs/experiments.md)");
  verb->add_flag("--list", o->list, "Print the experiments: class, seconds, stored and last results");
  auto* paper =
      verb->add_option("--paper", o->paper, fmt::format("All of one paper: {}", joined(kPapers, ", ")))
          ->check(CLI::IsMember(kPapers));
  verb->add_flag("--all", o->all, "All of them")->excludes(paper);
  auto* quick = verb->add_flag("--quick", o->quick,
                               "The small variant, at most about a minute (default with --paper and --all)");
  verb->add_flag("--full", o->full, "The paper's size (default with names)")->excludes(quick);
  verb->add_flag("--sweep", o->sweep, "Also with the alternatives of what the paper leaves open");
  auto* set = verb->add_option("--set", o->overrides, "Change every scene: pointer=value (repeatable)")
                  ->allow_extra_args(false);
  verb->add_option("-o,--output", o->folder, "Results folder (default: out/experiments)");
  verb->add_option("--threads", o->threads, "Threads (default: all cores)")->check(CLI::Range(1, 1024));
  verb->add_flag("--force", o->force, "Again, also what is finished; kept runs are made anew");
  auto* store = verb->add_flag("--store", o->store,
                               "Write claims and seconds beside the programs as what is expected; of an "
                               "estimate, the seconds")
                    ->excludes(set);
  verb->add_flag("--check", o->check, "Exit with 1 when a claim is not as stored; sweeps what is open")
      ->excludes(set)
      ->excludes(store);
  verb->add_flag("--estimate", o->estimate,
                 "What it would cost: every run for some seconds, the rest reckoned; no verdict");
  verb->add_flag("--markdown", o->markdown, "The list as docs/experiment_costs.md");
  o->verbosity.add_to(verb, "the verdicts (or the list)");
  verb->callback([o, &action] { action = [o] { return carry_out(*o); }; });
}
