// view: a server for the viewer's page, and the browser that shows it.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "app/served_page.h"
#include "app/verbs.h"
#include "phiflex/base/errors.h"
#include "phiflex/pages/view_server.h"
#include "phiflex/record/json_file.h"
#include "phiflex/record/run_folder.h"
#include "phiflex/record/run_json.h"
#include "phiflex/run/version.h"
#include "phiflex/study/compare_page.h"

namespace {

using namespace phiflex;

struct ViewArguments {
  std::vector<std::string> folders;
  ServedPage page;
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

int carry_out(const ViewArguments& o) {
  ViewContent content = content_of(o.folders);
  const EndingSignals signals;
  const ViewServer server(std::move(content), o.page.port_number());
  say_address(server.address(), o.page);
  signals.wait();
  return kDone;
}

}  // namespace

void add_view_verb(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("view", "Show runs or a comparison in the browser, finished or still going");
  verb->footer("Example:  phiflex view out/bar-drop");
  const auto o = std::make_shared<ViewArguments>();
  verb->add_option("DIR", o->folders, "Results folders of runs or comparisons")->required();
  o->page.add_to(verb);
  verb->callback([o, &action] { action = [o] { return carry_out(*o); }; });
}
