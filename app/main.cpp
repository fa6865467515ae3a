// The `phiflex` command: parses arguments, calls the library, maps what happened to an exit code.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "app/exit_codes.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/base/errors.h"
#include "phiflex/base/text.h"
#include "phiflex/base/unavailable.h"
#include "phiflex/record/run_folder.h"
#include "phiflex/run/device_method.h"
#include "phiflex/run/version.h"
#ifdef PHIFLEX_CARD
#include "phiflex/cuda/card_body.h"
#endif

namespace {

using namespace phiflex;

// A standard stream that is closed when the program begins would give its number to the first file that is
// opened, and messages would be written into that file. The null device takes such a stream's place.
void open_missing_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != stream)
      std::_Exit(kCannotReadWrite);  // no stream is left for a message
}

int carry_out(const Action& action) {
  try {
    const int code = action();
    if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
    return code;
  } catch (const InputError& error) {
    say(stderr, "{}\n", error.what());
    if (error.problems().size() > 1) say(stderr, "{} problems; nothing was run.\n", error.problems().size());
    return kBadInput;
  } catch (const FolderNotEmpty& error) {
    say(stderr, "{}\n", error.what());
    return kWrongUsage;
  } catch (const FileError& error) {
    say(stderr, "{}\n", error.what());
    return kCannotReadWrite;
  } catch (const Unavailable& error) {
    say(stderr, "phiflex: {}\n", error.what());
    return kUnavailable;
  } catch (const std::system_error& error) {  // such as a full disk behind stdout
    say(stderr, "phiflex: cannot read or write: {}\n", error.what());
    return kCannotReadWrite;
  } catch (const std::bad_alloc&) {
    say(stderr, "phiflex: out of memory\n");
    return kInternalError;
  } catch (const std::exception& error) {
    say(stderr,
        "phiflex: internal error: {}\nThis is a bug; please report it with the scene and this message.\n",
        error.what());
    return kInternalError;
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_missing_streams();
  std::signal(SIGXFSZ,
              SIG_IGN);  // a file beyond the limit of its size is then a failed write, which is reported
  CLI::App app("Phiflex: elastodynamics whose motion stays alive at large time steps.", "phiflex");
#ifdef PHIFLEX_CARD
  use_card(&device::make_card_body);
#endif
  app.set_version_flag("--version", fmt::format("phiflex {}\n{}\ndevices: cpu{}", version(), build_summary(),
                                                card() ? ", cuda" : ""));
  app.footer("Every verb has --help with an example. Start with:  phiflex demo");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);

  Action action;
  add_run_verbs(app, action);
  add_demo_verb(app, action);
  add_mesh_verb(app, action);
  add_compare_verb(app, action);
  add_sweep_verb(app, action);
  add_analyze_verb(app, action);
  add_matfun_verb(app, action);
  add_modes_verb(app, action);
  add_fit_material_verb(app, action);
  add_render_verb(app, action);
  add_export_verb(app, action);
  add_view_verb(app, action);
  add_live_verb(app, action);
  add_reproduce_verb(app, action);
  add_list_verbs(app, action);
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(verb->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::find(verbs.begin(), verbs.end(), argv[1]) == verbs.end()) {
    say(stderr, "phiflex: '{}' is not a verb; known: {}\n", argv[1], phiflex::joined(verbs, ", "));
    return kWrongUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int code = app.exit(error, out, err) == 0 ? kDone : kWrongUsage;
    return carry_out([&] {
      say_text(stdout, out.str());
      say_text(stderr, err.str());
      return code;
    });
  }
  return carry_out(action);
}
