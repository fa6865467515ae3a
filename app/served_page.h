// What the verbs that serve a page share: where it is served, how its address is told, the browser, and how they end.
#pragma once

#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

struct ServedPage {
  int port = 0;
  bool no_open = false, json = false, quiet = false;

  void add_to(CLI::App* verb);
  std::uint16_t port_number() const { return static_cast<std::uint16_t>(port); }
};

// Prints the address and opens the browser, as the user asked for.
void say_address(const std::string& address, const ServedPage& page);

// Ctrl-C and the like, held back from the moment it is made: to be made before the server's threads begin, so that the
// signal comes to wait().
class EndingSignals {
 public:
  EndingSignals();
  void wait() const;

 private:
  sigset_t ending_;
};
