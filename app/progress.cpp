#include "app/progress.h"
#include "app/say.h"
#include "phiflex/record/energy_csv.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

using namespace phiflex;

std::string duration_words(double seconds) {
  if (seconds < 60) return fmt::format("{:.2g} s", seconds);
  const long whole = static_cast<long>(seconds + 0.5);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

ProgressLine::Style ProgressLine::suited_to_stderr() {
  return isatty(STDERR_FILENO) ? Style::terminal : Style::lines;
}

void ProgressLine::show(const Progress& p) {
  if (style_ == Style::none) return;
  const Clock::time_point now = Clock::now();
  const double since = std::chrono::duration<double>(now - last_).count();
  const int tenth = static_cast<int>(10 * p.step / p.steps);
  const bool due = style_ == Style::terminal ? since > 0.1 || p.step == p.steps
                                             : (tenth > last_tenth_ && since > 1) || since > 30;
  if (!due) return;
  last_ = now;
  last_tenth_ = tenth;
  const std::string loss = joules(without_rounding(p.numerical_loss, p.energy_exchanged));
  const std::string line =
      fmt::format("step {}/{}  t = {:.4g} s  energy {:.4g} J  loss {}  {:.3g} ms/step  {} left", p.step,
                  p.steps, p.time, p.energy, loss, 1e3 * p.step_seconds, duration_words(p.seconds_left));
  if (style_ == Style::terminal) {
    clear_line(stderr);
    say(stderr, "{}", line);
    drawn_ = true;
  } else {
    say(stderr, "{}\n", line);
  }
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (drawn_) clear_line(stderr);
  drawn_ = false;
}
