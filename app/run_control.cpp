#include "app/run_control.h"

#include <algorithm>
#include <csignal>

#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/pages/viewer_page.h"
#include "phiflex/scene/scene.h"

using namespace phiflex;

namespace {

std::atomic<bool> stop_requested{false};

void on_signal(int signal) {
  stop_requested.store(true);
  std::signal(signal, SIG_DFL);
}

LogLevel level_called(const std::string& word) {
  return word == "error"     ? LogLevel::error
         : word == "warning" ? LogLevel::warning
         : word == "info"    ? LogLevel::info
                             : LogLevel::debug;
}

}  // namespace

void catch_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool was_interrupted() {
  return stop_requested.load();
}

void Verbosity::add_to(CLI::App* verb, const std::string& summary) {
  verb->add_flag("--json", json, "Print " + summary + " on stdout, and nothing else");
  verb->add_flag("--quiet", quiet, "Print errors only");
  verb->add_option("--log-level", level, "How much to say on stderr")
      ->check(CLI::IsMember({"error", "warning", "info", "debug"}));
}

LogLevel Verbosity::effective() const {
  if (quiet) return LogLevel::error;
  return json ? std::min(level_called(level), LogLevel::warning) : level_called(level);
}

void ControlOptions::add_to(CLI::App* verb, const std::string& limit) {
  verb->add_option("--threads", threads, "Threads (default: all cores)")->check(CLI::Range(1, 1024));
  verb->add_flag("--deterministic", deterministic,
                 "The same bits for any number of threads (BLAS on one thread)");
  verb->add_option("--max-seconds", max_seconds, limit)->check(positive_number);
}

void say_warnings(const Messages& messages, const Verbosity& verbosity) {
  if (!verbosity.says(LogLevel::warning)) return;
  for (const std::string& warning : messages.warnings()) say(stderr, "warning: {}\n", warning);
}

RunControl make_control(const ControlOptions& options, const Verbosity& verbosity, ProgressLine& line) {
  RunControl control;
  control.threads = options.threads;
  control.deterministic = options.deterministic;
  control.max_seconds = options.max_seconds;
  control.stop = &stop_requested;
  control.said = [&verbosity](const Messages& messages) { say_warnings(messages, verbosity); };
  control.finished = [](const RunFolder& folder) { write_report(folder); };
  if (verbosity.says(LogLevel::debug)) {
    control.progress = [](const Progress& p) {
      say(stderr, "step {}  t = {:.6g} s  energy {:.9g} J  loss {:.6g} J\n", p.step, p.time, p.energy,
          p.numerical_loss);
    };
  } else if (verbosity.says(LogLevel::info)) {
    control.progress = [&line](const Progress& p) { line.show(p); };
  }
  return control;
}

Scene read_scene_with(const std::string& file, const std::vector<std::string>& overrides,
                      Messages& messages) {
  std::vector<Problem> remarks;
  Scene scene = read_scene(file, read_options(overrides), remarks);
  for (const Problem& remark : remarks) messages.warn(remark.text());
  return scene;
}

std::string name_of_scene(const std::string& file, const std::vector<std::string>& overrides) {
  Messages unused;
  return read_scene_with(file, overrides, unused).name;
}
