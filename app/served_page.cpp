#include "app/served_page.h"

#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>

#include <cstdlib>

#include "app/say.h"

namespace {

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

}  // namespace

void ServedPage::add_to(CLI::App* verb) {
  verb->add_option("--port", port, "Listen here on 127.0.0.1 (default: any free port)")
      ->check(CLI::Range(1, 65535));
  verb->add_flag("--no-open", no_open, "Print the address and open no browser");
  verb->add_flag("--json", json, "Print {\"url\": ...} and nothing else");
  verb->add_flag("--quiet", quiet, "Print the address and errors only");
}

void say_address(const std::string& address, const ServedPage& page) {
  if (page.json) {
    say_json({{"url", address}}, -1);
  } else {
    say("{}\n", address);
  }
  std::fflush(stdout);
  const bool opened = !page.no_open && open_browser(address);
  if (!page.json && !page.quiet)
    say(stderr, "{}Ctrl-C ends the server.\n", opened ? "" : "Open this address in a browser. ");
}

EndingSignals::EndingSignals() {
  sigemptyset(&ending_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending_, signal);
  pthread_sigmask(SIG_BLOCK, &ending_, nullptr);
  signal(SIGCHLD, SIG_IGN);  // the browser's exit code is not used
}

void EndingSignals::wait() const {
  int received = 0;
  sigwait(&ending_, &received);
}
