// The `phiflex-mpi` command: run, resume and check of a scene on all ranks of mpirun (docs/cluster.md). Rank 0 speaks;
// an error of another rank is told by it, or by that rank itself when the others cannot be reached, and ends all ranks.
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>
#include <thread>

#include "app/exit_codes.h"
#include "app/run_control.h"
#include "app/run_exit_code.h"
#include "app/say.h"
#include "phiflex/mpi/agreed_failure.h"
#include "phiflex/mpi/cost_model.h"
#include "phiflex/mpi/distributed_run.h"
#include "phiflex/mpi/petsc_inverse.h"
#include "phiflex/run/version.h"
#include "phiflex/scene/scene.h"

namespace {

using namespace phiflex;

struct Request {
  std::string scene, folder, integrator, step, end;
  std::vector<std::string> overrides;
  std::int64_t steps = 0, checkpoint_every = 0;
  int dry_partition = 0;
  double tetrahedra = 0;
  bool no_frames = false, force = false, pieces = false;
  ControlOptions control;
  Verbosity verbosity;

  std::vector<std::string> all_overrides() const {
    std::vector<std::string> all = overrides;
    if (!integrator.empty()) all.push_back("integrator.type=" + integrator);
    if (!step.empty()) all.push_back("time.step=" + step);
    if (!end.empty()) all.push_back("time.end=" + end);
    return all;
  }
};

void announce(const RunSummary& plan, const RunFolder& folder) {
  say("{}: {} vertices, {} tetrahedra, {} degrees of freedom on {} ranks; {} steps of {:.6g} s with {}\n",
      plan.scene.value("name", std::string("scene")), plan.vertices, plan.elements, plan.degrees_of_freedom,
      plan.ranks.value("count", 1), plan.steps_planned, plan.h, plan.method);
  say("results go to {}\n", folder.root.string());
  std::fflush(stdout);
}

int finish(const RunSummary& summary, const std::string& folder, const Verbosity& verbosity,
           const MpiTeam& team) {
  if (team.rank() != 0) return exit_code(summary.status);
  if (verbosity.json) say_json(to_json(summary));
  if (summary.status == RunStatus::failed)
    say(stderr, "phiflex-mpi: the simulation failed: {}\nEverything up to step {} is in {}.\n",
        summary.reason, summary.steps, folder);
  else if (summary.status != RunStatus::done && verbosity.says(LogLevel::warning))
    say(stderr, "{}; a checkpoint is written. Continue with:  mpirun -n {} phiflex-mpi resume {}\n",
        summary.reason, team.size(), folder);
  if (verbosity.says(LogLevel::info))
    say("{} of {} steps in {} ({:.3g} ms per step)\nresults: {}\nreport:  {}/report.html\n", summary.steps,
        summary.steps_planned, duration_words(summary.total_seconds), 1e3 * summary.seconds_per_step, folder,
        folder);
  return exit_code(summary.status);
}

int say_parts(const Request& request, const MpiTeam& team) {
  Messages messages;
  const Scene scene = read_scene_with(request.scene, request.all_overrides(), messages);
  const auto sentences = request.tetrahedra > 0
                             ? describe_size(request.tetrahedra, scene, request.dry_partition)
                             : check_distributed(scene, request.scene, request.dry_partition, team);
  if (team.rank() == 0) {
    say_warnings(messages, request.verbosity);
    if (!request.verbosity.quiet) {
      say("{}: good.\n", request.scene);
      for (const std::string& sentence : sentences) say("{}.\n", sentence);
    }
  }
  return kDone;
}

RunControl control_of(const Request& request, ProgressLine& line, const MpiTeam& team) {
  RunControl control = make_control(request.control, request.verbosity, line);
  if (request.verbosity.says(LogLevel::info)) control.announced = announce;
  if (team.rank() != 0) control.finished = nullptr;
  return control;
}

int run(const Request& request, const MpiTeam& team) {
  if (request.dry_partition > 0) return say_parts(request, team);
  Messages messages;
  const Scene scene = read_scene_with(request.scene, request.all_overrides(), messages);
  RunOptions options;
  options.folder = request.folder.empty() ? std::filesystem::path("out") / scene.name
                                          : std::filesystem::path(request.folder);
  options.existing = request.force ? ExistingFolder::reuse : ExistingFolder::refuse;
  if (request.steps > 0) options.steps = request.steps;
  options.frames = request.no_frames ? Frames::none : Frames::written;
  options.checkpoint_every = request.checkpoint_every;
  ProgressLine line(ProgressLine::suited_to_stderr());  // rank 0 shows it
  options.control = control_of(request, line, team);
  catch_signals();
  const RunSummary summary = run_distributed(scene, request.scene, messages, options,
                                             request.pieces ? FrameForm::pieces : FrameForm::whole, team);
  line.clear();
  return finish(summary, options.folder.string(), request.verbosity, team);
}

int resume(const Request& request, const MpiTeam& team) {
  ProgressLine line(ProgressLine::suited_to_stderr());  // rank 0 shows it
  const RunControl control = control_of(request, line, team);
  catch_signals();
  const RunSummary summary = resume_distributed(request.folder, control, team);
  line.clear();
  return finish(summary, request.folder, request.verbosity, team);
}

int gather(const Request& request, const MpiTeam& team) {
  const long frames = gather_frames(request.folder, team);
  if (team.rank() != 0) return kDone;
  ProgressLine line(ProgressLine::suited_to_stderr());
  const RunControl control = make_control(request.control, request.verbosity, line);
  if (control.finished) control.finished(RunFolder{request.folder});
  if (request.verbosity.says(LogLevel::info))
    say("{}: {} frames of pieces are frames of the whole now\n", request.folder, frames);
  return kDone;
}

void add_scene(CLI::App* verb, Request& request) {
  verb->add_option("SCENE", request.scene, "The scene file (docs/scene.md)")->required();
  verb->add_option("--set", request.overrides, "Change the scene: pointer=value (repeatable)")
      ->allow_extra_args(false);
  verb->add_option("-i,--integrator", request.integrator, "Method instead of the scene's");
  verb->add_option("--step", request.step, "Length of a step in s instead of the scene's");
  verb->add_option("--end", request.end, "End in s instead of the scene's");
  CLI::Option* dry = verb->add_option(
      "--dry-partition", request.dry_partition,
      "Run nothing: say how the scene would be divided among so many ranks, and what it would cost");
  dry->check(CLI::Range(1, 1 << 20));
  verb->add_option("--tetrahedra", request.tetrahedra,
                   "With --dry-partition: what it would cost with so many tetrahedra; no mesh is read")
      ->check(CLI::Range(1.0, 1e12))
      ->needs(dry);
}

using RankAction = std::function<int(const MpiTeam&)>;

// Returns the exit code, the same on all ranks, if what was thrown is known to be the same on all. Otherwise all ranks
// end here: others may wait for this one.
int carry_out(const RankAction& action, const MpiTeam& team) {
  const auto speaks = team.rank() == 0;
  const auto leave = [&](const std::string& message, int code) {
    // Where all ranks meet the same error, rank 0 is the one that says so.
    if (!speaks) std::this_thread::sleep_for(std::chrono::seconds(2));
    say(stderr, "{}{}\n", speaks ? "" : fmt::format("phiflex-mpi: rank {}: ", team.rank()), message);
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, code);
    return code;
  };
  try {
    return action(team);
  } catch (const RankFailed& error) {
    if (speaks) say(stderr, "{}\n", error.what());
    return error.exit_code;
  } catch (const InputError& error) {
    return leave(error.what(), kBadInput);
  } catch (const FolderNotEmpty& error) {
    return leave(error.what(), kWrongUsage);
  } catch (const FileError& error) {
    return leave(error.what(), kCannotReadWrite);
  } catch (const std::system_error& error) {
    return leave(fmt::format("phiflex-mpi: cannot read or write: {}", error.what()), kCannotReadWrite);
  } catch (const std::bad_alloc&) {
    return leave("phiflex-mpi: out of memory", kInternalError);
  } catch (const std::exception& error) {
    return leave(fmt::format("phiflex-mpi: internal error: {}\nThis is a bug; please report it with the "
                             "scene and this message.",
                             error.what()),
                 kInternalError);
  }
}

}  // namespace

int main(int argc, char** argv) {
  // Ours before `--`, PETSc's behind it.
  int own = argc;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--") == 0) {
      own = i;
      break;
    }
  std::vector<char*> of_petsc{argv[0]};
  for (int i = own + 1; i < argc; ++i) of_petsc.push_back(argv[i]);
  int petsc_count = static_cast<int>(of_petsc.size());
  of_petsc.push_back(nullptr);
  char** petsc_words = of_petsc.data();

  CLI::App app("Phiflex on many ranks: mpirun -n 64 phiflex-mpi run SCENE -o DIR [-- PETSc's own options]",
               "phiflex-mpi");
  app.set_version_flag("--version", fmt::format("phiflex-mpi {}\n{}", version(), build_summary()));
  app.require_subcommand(1);
  Request request;
  RankAction action;
  constexpr const char* limit_words = "Stop with a checkpoint after this many seconds (exit code 75)";
  CLI::App* run_verb = app.add_subcommand("run", "Simulate a scene");
  add_scene(run_verb, request);
  run_verb->add_option("-o,--output", request.folder, "Results folder (default: out/<scene name>)");
  run_verb->add_option("--steps", request.steps, "Make this many steps instead of the scene's")
      ->check(CLI::PositiveNumber);
  run_verb
      ->add_option("--checkpoint-every", request.checkpoint_every,
                   "Steps between checkpoints (default: 100, and after 30 s without one)")
      ->check(CLI::PositiveNumber);
  run_verb->add_flag("--no-frames", request.no_frames, "Write no VTU frames");
  run_verb->add_flag(
      "--pieces", request.pieces,
      "Write frames in pieces, one of each rank, as meshes of more than five million tetrahedra have");
  run_verb->add_flag("--force", request.force, "Reuse a results folder that is not empty");
  request.control.add_to(run_verb, limit_words);
  request.verbosity.add_to(run_verb, "the summary (run.json)");
  run_verb->callback([&] { action = [&](const MpiTeam& team) { return run(request, team); }; });
  CLI::App* resume_verb = app.add_subcommand("resume", "Continue a run, bit for bit, with as many ranks");
  resume_verb->add_option("DIR", request.folder, "The run's results folder")->required();
  request.control.add_to(resume_verb, limit_words);
  request.verbosity.add_to(resume_verb, "the summary (run.json)");
  resume_verb->callback([&] { action = [&](const MpiTeam& team) { return resume(request, team); }; });
  CLI::App* gather_verb = app.add_subcommand("gather", "Make whole frames of a run's pieces");
  gather_verb->add_option("DIR", request.folder, "The run's results folder")->required();
  gather_verb->add_flag("--quiet", request.verbosity.quiet, "Print errors only");
  gather_verb->callback([&] { action = [&](const MpiTeam& team) { return gather(request, team); }; });
  CLI::App* check_verb = app.add_subcommand("check", "Validate a scene and say how it would be divided");
  add_scene(check_verb, request);
  check_verb->add_flag("--quiet", request.verbosity.quiet, "Print errors only");
  check_verb->callback([&] { action = [&](const MpiTeam& team) { return say_parts(request, team); }; });

  setenv("SCOTCH_PTHREAD_NUMBER", "1",
         0);  // where an option of PETSc asks for it: else another partition in every run
  const PetscSession session(petsc_count, petsc_words);
  const MpiTeam team;
  try {
    app.parse(own, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int code = app.exit(error, out, err) == 0 ? kDone : kWrongUsage;
    if (team.rank() == 0) {
      say_text(stdout, out.str());
      say_text(stderr, err.str());
    }
    return code;
  }
  return carry_out(action, team);
}
