// One line of progress on a terminal, rewritten; plain lines from time to time elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "phiflex/run/run.h"

class ProgressLine {
 public:
  enum class Style { none, terminal, lines };
  explicit ProgressLine(Style style) : style_(style) {}
  static Style suited_to_stderr();

  void show(const phiflex::Progress& progress);
  void clear();  // before anything else is printed

 private:
  using Clock = std::chrono::steady_clock;
  Style style_;
  Clock::time_point last_ = Clock::now();
  int last_tenth_ = 0;
  bool drawn_ = false;
};

// "3.2 s", "4 min 10 s", "2 h 5 min".
std::string duration_words(double seconds);
