// view: a server for the viewer's page, and the browser that shows it.
#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/base/errors.h"
#include "phiflex/pages/view_server.h"
#include "phiflex/record/run_folder.h"
#include "phiflex/record/run_json.h"
#include "phiflex/run/version.h"
#include "phiflex/study/compare_page.h"

namespace {

using namespace phiflex;

struct ViewArguments {
  std::vector<std::string> folders;
  int port = 0;
  bool no_open = false, json = false, quiet = false;
};

// Runs and comparisons, one after the other.
ViewContent content_of(const std::vector<std::string>& folders) {
  ViewContent content;
  content.program = fmt::format("phiflex {}", version());
  for (const std::string& folder : folders) {
    const std::string place = std::filesystem::weakly_canonical(folder).filename().string();
    if (!std::filesystem::exists(RunFolder{folder}.run_json()) && is_comparison_folder(folder)) {
      ComparisonFolder comparison = read_comparison_folder(folder);
      if (folders.size() == 1) content.comparison = std::move(comparison.comparison);
      content.title = comparison.title;
      for (ViewedRun& run : comparison.runs) {
        if (folders.size() > 1) run.place = place + "/" + run.place;
        content.runs.push_back(std::move(run));
      }
    } else {
      const RunFolder run = open_run_folder(folder);
      const std::string scene = text_at(read_run_json(run.run_json()), "/scene/name", place);
      content.runs.push_back({.folder = run, .name = folders.size() == 1 ? scene : place, .place = place});
      content.title = scene;
    }
  }
  if (folders.size() > 1) content.title = fmt::format("{} runs", content.runs.size());
  std::size_t moving = 0;
  for (ViewedRun& run : content.runs)
    run.motion =
        run.role == RunRole::reference || ++moving <= most_moving_runs ? MotionIs::shown : MotionIs::left_out;
  return content;
}

// Whether there is a screen and a program that knows the user's browser.
bool open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return false;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&files);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);  // the browser does not inherit what we wait for
  posix_spawnattr_setpgroup(&attributes, 0);       // nor our Ctrl-C
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  for (const int stream : {0, 1, 2}) posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
  std::string program = "xdg-open", argument = address;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const bool opened = posix_spawnp(&child, program.c_str(), &files, &attributes, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return opened;
}

int carry_out(const ViewArguments& o) {
  ViewContent content = content_of(o.folders);
  // Blocked before the server's threads begin, so that the signal comes to the wait below.
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  signal(SIGCHLD, SIG_IGN);  // the browser's exit code is not used
  const ViewServer server(std::move(content), static_cast<std::uint16_t>(o.port));
  const std::string address = server.address();
  if (o.json) {
    say_json({{"url", address}}, -1);
  } else {
    say("{}\n", address);
  }
  std::fflush(stdout);
  const bool opened = !o.no_open && open_browser(address);
  if (!o.json && !o.quiet)
    say(stderr, "{}Ctrl-C ends the server.\n", opened ? "" : "Open this address in a browser. ");
  int received = 0;
  sigwait(&ending, &received);
  return kDone;
}

}  // namespace

void add_view_verb(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("view", "Show runs or a comparison in the browser, finished or still going");
  verb->footer("Example:  phiflex view out/bar-drop");
  const auto o = std::make_shared<ViewArguments>();
  verb->add_option("DIR", o->folders, "Results folders of runs or comparisons")->required();
  verb->add_option("--port", o->port, "Listen here on 127.0.0.1 (default: any free port)")
      ->check(CLI::Range(1, 65535));
  verb->add_flag("--no-open", o->no_open, "Print the address and open no browser");
  verb->add_flag("--json", o->json, "Print {\"url\": ...} and nothing else");
  verb->add_flag("--quiet", o->quiet, "Print the address and errors only");
  verb->callback([o, &action] { action = [o] { return carry_out(*o); }; });
}
