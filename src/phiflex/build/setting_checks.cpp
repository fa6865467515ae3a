#include "phiflex/build/setting_checks.h"

#include <fmt/format.h>

#include <cmath>

#include "phiflex/base/range.h"

namespace phiflex {
namespace {

void check_number(double value, const Range& range, const std::string& place, ProblemList& problems) {
  if (range.contains(value) && std::isfinite(value)) return;
  problems.problem(place, fmt::format("{} is not allowed; expected a number {}", value, range_text(range)));
}
void check_number(const std::optional<double>& value, const Range& range, const std::string& place,
                  ProblemList& problems) {
  if (value) check_number(*value, range, place, problems);
}

}  // namespace

void check_settings(const ObstacleSettings& settings, const std::string& place, ProblemList& problems) {
  check_number(settings.friction, ranges::not_negative, place + "/friction", problems);
  check_number(settings.slip_speed, ranges::positive, place + "/slip_speed", problems);
  check_number(settings.thickness, ranges::not_negative, place + "/thickness", problems);
  check_number(settings.stiffness, ranges::positive, place + "/stiffness", problems);
  check_number(settings.distance, ranges::positive, place + "/distance", problems);
}

void check_settings(const BodyContactSettings& settings, const std::string& place, ProblemList& problems) {
  check_number(settings.friction, ranges::not_negative, place + "/friction", problems);
  check_number(settings.slip_speed, ranges::positive, place + "/slip_speed", problems);
  check_number(settings.stiffness, ranges::positive, place + "/stiffness", problems);
  check_number(settings.distance, ranges::positive, place + "/distance", problems);
}

void check_settings(const Wind& wind, const std::string& place, ProblemList& problems) {
  check_number(wind.gust_amplitude, ranges::not_negative, place + "/gust/amplitude", problems);
  check_number(wind.gust_frequency, ranges::not_negative, place + "/gust/frequency", problems);
  check_number(wind.air_density, ranges::positive, place + "/air_density", problems);
  check_number(wind.drag_coefficient, ranges::not_negative, place + "/drag_coefficient", problems);
}

void check_settings(const ActiveTime& active, const std::string& place, ProblemList& problems) {
  if (active.until > active.from) return;
  problems.problem(place + "/until",
                   fmt::format("{} s does not come after \"from\", {} s", active.until, active.from));
}

}  // namespace phiflex
