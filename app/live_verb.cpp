// live: a scene in the browser, which the user moves by hand.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "app/gallery.h"
#include "app/run_control.h"
#include "app/served_page.h"
#include "app/verbs.h"
#include "phiflex/live/live_server.h"
#include "phiflex/pages/viewer_page.h"
#include "phiflex/run/version.h"
#include "phiflex/study/method_variant.h"

namespace {

using namespace phiflex;

struct LiveArguments {
  std::string scene, integrators, output;
  std::vector<std::string> overrides;
  ServedPage page;
  int threads = 0;
  bool deterministic = false, paused = false;
};

int carry_out(const LiveArguments& o) {
  LiveSetup setup;
  setup.scene_file = o.scene;
  setup.overrides = o.overrides;
  if (!o.integrators.empty())
    for (const MethodVariant& variant : parse_method_variants(o.integrators, "--integrators")) {
      if (variant.step)
        throw InputError("--integrators", "",
                         "all views make the same steps: set time.step; expected NAME[:key=value...]");
      setup.integrators.push_back(variant.label());
    }
  setup.output = o.output;
  setup.paused = o.paused;
  setup.control.threads = o.threads;
  setup.control.deterministic = o.deterministic;
  setup.control.finished = [](const RunFolder& folder) { write_report(folder); };
  for (const GalleryScene& scene : gallery_scenes())
    setup.gallery.push_back({scene.name, scene.line, scene.file});
  const EndingSignals signals;
  const LiveServer server(std::move(setup), fmt::format("phiflex {}", version()), o.page.port_number());
  say_address(server.address(), o.page);
  signals.wait();
  return kDone;
}

}  // namespace

void add_live_verb(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "live", "Step a scene in the browser while you pull at it, with two integrators side by side");
  verb->footer(
      "Example:  phiflex live scenes/bar-drop/scene.json --integrators si,em\nWithout a scene the page "
      "offers the gallery.");
  const auto o = std::make_shared<LiveArguments>();
  verb->add_option("SCENE", o->scene, "The scene file (default: choose from the gallery in the page)");
  verb->add_option("--integrators", o->integrators,
                   "Views, separated by commas: NAME[:key=value...] (default: si and the scene's own)");
  verb->add_option("--set", o->overrides, "Change the scene: pointer=value (repeatable)")
      ->allow_extra_args(false);
  verb->add_option("-o,--output", o->output,
                   "Folder of recordings and saved scenes (default: out/live-SCENE)");
  verb->add_flag("--paused", o->paused, "Begin without moving");
  verb->add_option("--threads", o->threads, "Threads (default: all cores)")->check(CLI::Range(1, 1024));
  verb->add_flag("--deterministic", o->deterministic,
                 "The same bits for any number of threads (BLAS on one thread)");
  o->page.add_to(verb);
  verb->callback([o, &action] { action = [o] { return carry_out(*o); }; });
}
