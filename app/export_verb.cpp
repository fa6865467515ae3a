// export: a run's motion in other programs' formats.
#include <fmt/format.h>

#include <memory>

#include "app/exit_codes.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/base/errors.h"
#include "phiflex/exchange/export_formats.h"
#include "phiflex/record/frame_selection.h"

namespace {

using namespace phiflex;

struct ExportArguments {
  std::string folder, format, file, frames = "all";
  std::int64_t every = 1;
  bool whole = false;
};

int carry_out(const ExportArguments& o) {
  std::filesystem::path file = o.file;
  std::string ending = file.extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  const ExportFormat& format = export_format(o.format.empty() ? ending : o.format);
  if (ending != format.name) file += std::string(".") + format.name;
  if (o.whole && std::string(format.name) != "pvd")
    throw InputError("", "--whole",
                     fmt::format("{} files hold surfaces only; pvd holds tetrahedra too", format.name));

  const MotionReader motion(open_run_folder(o.folder));
  if (motion.frames() == 0)
    throw InputError(
        o.folder, "",
        "there are no frames to export; run the scene without --no-frames:  phiflex run SCENE -o " +
            o.folder + " --force");
  if (motion.shape().vertices.empty())
    throw InputError(motion.folder().frames_pvd().string(), "",
                     "the first frame that it lists cannot be read");
  std::vector<std::size_t> frames;
  const std::vector<std::size_t> chosen = select_frames(o.frames, motion);
  for (std::size_t i = 0; i < chosen.size(); i += static_cast<std::size_t>(o.every))
    frames.push_back(chosen[i]);
  for (std::size_t i = 1; i < frames.size(); ++i)
    if (frames[i] <= frames[i - 1]) throw InputError("", "--frames", "frames of an export must ascend");

  const std::vector<std::filesystem::path> files =
      format.write({motion, frames, file, o.whole ? ExportCells::all : ExportCells::visible});
  const VisibleShape& shape = motion.shape();
  say("{}: {} frames of {} vertices, {} triangles, {} lines\n", files.front().string(), frames.size(),
      shape.vertices.size(), shape.triangles.size(), shape.lines.size());
  if (files.size() == 2) say("{}\n", files.back().string());
  if (files.size() > 2) say("and {} other files, to {}\n", files.size() - 1, files.back().string());
  return kDone;
}

}  // namespace

void add_export_verb(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("export", "A run's motion for ParaView, Blender, web viewers");
  const auto o = std::make_shared<ExportArguments>();
  std::string names, table;
  for (const ExportFormat& format : export_formats()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
    table += fmt::format("  {:<6}{}\n", format.name, format.description);
  }
  verb->footer("Formats:\n" + table +
               "Examples:  phiflex export out/bar-drop -o bar.glb\n"
               "           phiflex export out/bar-drop --format pc2 -o bar.pc2 --every 2");
  verb->add_option("DIR", o->folder, "The run's results folder")->required();
  verb->add_option("-o,--output", o->file, "The file; others are named after it")->required();
  verb->add_option("--format", o->format, names + " (default: by the file's ending)");
  verb->add_option("--frames", o->frames, "0,50,100 or 0-100:10 or last (default: all)");
  verb->add_option("--every", o->every, "Every so many of these frames (default: 1)")->check(positive_count);
  verb->add_flag("--whole", o->whole, "pvd: tetrahedra too, numbered as in the run, not only what is seen");
  verb->callback([o, &action] { action = [o] { return carry_out(*o); }; });
}
