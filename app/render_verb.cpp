// render: strips of pictures, and films.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/exit_codes.h"
#include "app/progress.h"
#include "app/run_control.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/parallel.h"
#include "phiflex/picture/figures.h"
#include "phiflex/picture/film.h"
#include "phiflex/record/frame_selection.h"
#include "phiflex/scene/nearest.h"

namespace {

using namespace phiflex;

constexpr double kMostPixels = 60e6;  // 16 bytes each while it is drawn

// CLI11's own lets "nan" pass.
CLI::Validator number_between(double low, double high) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        double value = 0;
        const bool good = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
        return good ? ""
                    : fmt::format("'{}' is not allowed; expected a number from {} to {}", text, low, high);
      },
      fmt::format("from {} to {}", low, high));
}

struct RenderArguments {
  std::vector<std::string> folders, names;
  std::string frames, times, picture, film, colour = "body", range;
  int moments = 5, threads = 0;
  bool ground = false, no_ground = false, transparent = false, no_words = false;
  SheetOptions sheet;
  FilmOptions speed;
};

const Quantity& colour_of(const std::string& word) {
  if (const Quantity* known = find_quantity(word)) return *known;
  std::vector<std::string> names;
  for (const Quantity& known : quantities()) names.push_back(known.name);
  throw InputError(
      "", "--colour",
      fmt::format("'{}' is not known; expected {}{}", word, quoted_list(names), did_you_mean(word, names)));
}

// "0,2.5"
void read_range(const std::string& text, SheetOptions& sheet) {
  const std::size_t comma = text.find(',');
  double low = 0, high = 0;
  if (comma == std::string::npos || !CLI::detail::lexical_cast(text.substr(0, comma), low) ||
      !CLI::detail::lexical_cast(text.substr(comma + 1), high) || !std::isfinite(low) ||
      !std::isfinite(high) || !(low < high))
    throw InputError("", "--range", "'" + text + "' is not allowed; expected two numbers such as 0,2.5");
  sheet.low = low;
  sheet.high = high;
}

std::string name_of_run(const std::filesystem::path& folder) {
  const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

std::vector<PictureRun> chosen_runs(const RenderArguments& o) {
  if (!o.names.empty() && o.names.size() != o.folders.size())
    throw InputError("", "--names", fmt::format("{} names for {} runs", o.names.size(), o.folders.size()));
  std::vector<PictureRun> runs;
  for (std::size_t r = 0; r < o.folders.size(); ++r) {
    PictureRun run{
        o.names.empty() ? name_of_run(o.folders[r]) : o.names[r], open_run_folder(o.folders[r]), {}};
    const MotionReader motion(run.folder);
    if (!o.times.empty())
      run.frames = select_times(o.times, motion);
    else if (!o.frames.empty())
      run.frames = select_frames(o.frames, motion);
    else
      run.frames =
          spread_frames(o.film.empty() ? static_cast<std::size_t>(o.moments) : motion.frames(), motion);
    runs.push_back(std::move(run));
  }
  return runs;
}

struct FilmWasLeft {};  // Ctrl-C

int carry_out(const RenderArguments& o) {
  if (o.picture.empty() == o.film.empty()) {
    say(stderr, "phiflex: give one of -o FILE.png (a strip) and --video FILE.mp4 (a film)\n");
    return kWrongUsage;
  }
  if (static_cast<double>(o.sheet.width) * std::max(o.sheet.height, 1) > kMostPixels) {
    say(stderr, "phiflex: {} x {} pixels are more than {:.0f} million\n", o.sheet.width, o.sheet.height,
        1e-6 * kMostPixels);
    return kWrongUsage;
  }
  if (!o.picture.empty() && std::filesystem::path(o.picture).extension() != ".png")
    throw InputError("", o.picture, "pictures are PNG files; the name must end in .png (films: --video)");
  if (o.threads > 0) set_thread_count(o.threads);
  SheetOptions sheet = o.sheet;
  sheet.quantity = colour_of(o.colour);
  if (!o.range.empty()) read_range(o.range, sheet);
  sheet.ground = o.no_ground ? Ground::never : o.ground ? Ground::always : Ground::as_scene;
  sheet.background = o.transparent ? Background::transparent : Background::white;
  sheet.lettering = o.no_words ? Lettering::none : Lettering::shown;
  const std::vector<PictureRun> runs = chosen_runs(o);
  if (!o.picture.empty()) {
    const Image strip = draw_strip(runs, sheet);
    write_file_atomically(o.picture, encode_png(strip));
    say("{}: {} x {} pixels\n", o.picture, strip.width(), strip.height());
    return kDone;
  }
  const bool terminal = ProgressLine::suited_to_stderr() == ProgressLine::Style::terminal;
  std::size_t total = 0;
  catch_signals();
  try {
    write_film(o.film, runs, sheet, o.speed, [&](std::size_t done, std::size_t all) {
      total = all;
      if (terminal) {
        clear_line(stderr);
        say(stderr, "picture {} of {}{}", done, all, done == all ? "\n" : "");
      }
      if (was_interrupted() && done < all) throw FilmWasLeft{};
    });
  } catch (const FilmWasLeft&) {
    say(stderr, "{}interrupted: no film was made\n", terminal ? "\n" : "");
    return kInterrupted;
  } catch (const FileError&) {  // Ctrl-C ends ffmpeg, too
    if (!was_interrupted()) throw;
    say(stderr, "{}interrupted: no film was made\n", terminal ? "\n" : "");
    return kInterrupted;
  }
  say("{}: {} pictures, {:.3g} s\n", o.film, total, static_cast<double>(total) / o.speed.frames_per_second);
  return kDone;
}

}  // namespace

void add_render_verb(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("render", "Pictures of a run: a strip of moments (PNG), or a film");
  verb->footer(
      "Examples:  phiflex render out/bar-drop --frames 0,50,100 -o strip.png\n"
      "           phiflex render out/si out/em --times 0,0.5,1 --colour speed -o compare.png\n"
      "           phiflex render out/bar-drop --video film.mp4 --speed 0.5");
  const auto o = std::make_shared<RenderArguments>();
  verb->add_option("DIR", o->folders,
                   "Results folders; each gets a row of the strip, in films they are side by side")
      ->required();
  verb->add_option("-o,--output", o->picture, "The strip, a PNG file");
  verb->add_option("--video", o->film, "The film (" + film_extensions() + "); needs the program ffmpeg");
  auto* frames =
      verb->add_option("--frames", o->frames, "Frames by number: 0,50,100 or 0-100:10 or last or all");
  verb->add_option("--times", o->times, "Frames by time in seconds: 0,0.5,1")->excludes(frames);
  verb->add_option("--moments", o->moments, "Without these: so many frames, evenly spread (default: 5)")
      ->check(CLI::Range(1, 100));
  verb->add_option("--names", o->names, "Names of the rows, with commas (default: the folders' names)")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--width", o->sheet.width, "Pixels of the whole picture (default: 1200)")
      ->check(CLI::Range(16, 20000));
  verb->add_option("--height", o->sheet.height, "Pixels (default: as the motion asks for; films 16:9)")
      ->check(CLI::Range(16, 20000));
  verb->add_option("--samples", o->sheet.samples, "Rays through each pixel (default: 16)")
      ->check(CLI::Range(1, 1024));
  verb->add_option(
      "--colour,--color", o->colour,
      "body, region, speed, displacement, strain-energy, or of a scene's output.fields "
      "von-mises, stretch, J, stress-xx, principal-stresses-1, contact-force, ... (default: body)");
  verb->add_option(
      "--range", o->range,
      "Ends of the colour scale: LOW,HIGH (default: as far as the values go from the one at rest)");
  verb->add_option("--azimuth", o->sheet.view.azimuth, "Degrees round the vertical; 0: from +z (default: 25)")
      ->check(number_between(-360.0, 360.0));
  verb->add_option("--elevation", o->sheet.view.elevation, "Degrees above the horizon (default: 15)")
      ->check(number_between(-89.0, 89.0));
  verb->add_option("--zoom", o->sheet.view.zoom, "1: the whole motion fills the picture (default)")
      ->check(number_between(0.01, 100.0));
  verb->add_option("--field-of-view", o->sheet.view.field_of_view,
                   "Degrees across the shorter side (default: 20)")
      ->check(number_between(1.0, 120.0));
  verb->add_flag("--ground", o->ground, "A ground under the motion also when the scene has no floor");
  verb->add_flag("--no-ground", o->no_ground, "No ground");
  verb->add_flag("--transparent", o->transparent, "Nothing behind the bodies but their shadows (PNG)");
  verb->add_flag("--no-text", o->no_words, "No captions, no legend");
  verb->add_option("--text-size", o->sheet.text_size, "Pixels (default: by the width)")
      ->check(positive_number);
  verb->add_option("--tube-radius", o->sheet.tube_radius, "Of springs, m (default: by their length)")
      ->check(positive_number);
  verb->add_option("--fps", o->speed.frames_per_second, "Pictures in a second of film (default: 30)")
      ->check(number_between(1.0, 240.0));
  verb->add_option("--speed", o->speed.speed, "Of the film: 0.5 is slow motion (default: 1)")
      ->check(positive_number);
  verb->add_option("--threads", o->threads, "Threads (default: all cores)")->check(CLI::Range(1, 1024));
  verb->callback([o, &action] { action = [o] { return carry_out(*o); }; });
}
