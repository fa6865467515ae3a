// demo: the default scene of the gallery, run as `run` would run it.
#include <filesystem>
#include <memory>

#include "app/exit_codes.h"
#include "app/gallery.h"
#include "app/run_request.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/base/errors.h"
#include "phiflex/record/run_folder.h"

namespace {

using namespace phiflex;

// The folder of scenes/ that holds the default scene.
constexpr const char* default_scene = "bar-drop";
constexpr const char* default_folder = "out/demo";

std::string default_scene_file() {
  const std::filesystem::path gallery = gallery_folder();
  if (gallery.empty())
    throw FileError(
        "scenes",
        "the scenes that come with phiflex are not beside the program; PHIFLEX_SCENES can name their folder");
  return (gallery / default_scene / "scene.json").string();
}

int carry_out_demo(RunRequest request) {
  request.scene = default_scene_file();
  if (request.folder.empty()) request.folder = default_folder;
  const int code = carry_out(request);
  if (code == kDone && request.verbosity.says(LogLevel::info))
    say("Open the report in a browser:  {}\n",
        std::filesystem::absolute(RunFolder{request.folder}.report_html()).lexically_normal().string());
  return code;
}

}  // namespace

void add_demo_verb(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("demo", "Run the default scene and say where its report is");
  verb->footer(
      "The scene is bar-drop of `phiflex list scenes`: a soft bar, held at one end, swings under its "
      "weight.\n"
      "Examples:  phiflex demo\n"
      "           phiflex demo -o out/em --set integrator.type=em");
  const auto request = std::make_shared<RunRequest>();
  request->add_to(verb, default_folder);
  verb->callback([request, &action] { action = [request] { return carry_out_demo(*request); }; });
}
