#include "phiflex/base/errors.h"

#include <utility>

#include "phiflex/base/printable.h"

namespace phiflex {
namespace {

std::string joined(const std::vector<Problem>& problems) {
  std::string all;
  for (const Problem& problem : problems) {
    if (!all.empty()) all += '\n';
    all += problem.text();
  }
  return all;
}

}  // namespace

std::string Problem::text() const {
  std::string out;
  if (!file.empty()) out += printable(file) + ": ";
  if (!place.empty()) out += printable(place) + ": ";
  return out + printable(message);
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(joined(problems)), problems_(std::move(problems)) {}

InputError::InputError(std::string file, std::string place, std::string message)
    : InputError(std::vector<Problem>{{std::move(file), std::move(place), std::move(message)}}) {}

InputError InputError::in_file(const std::string& file, const std::string& within) const {
  std::vector<Problem> placed = problems_;
  for (Problem& problem : placed) {
    if (!problem.file.empty()) continue;
    problem.file = file;
    if (problem.place.starts_with('/') || within.empty()) continue;
    problem.place = problem.place.empty() ? within : within + "/" + problem.place;
  }
  return InputError(std::move(placed));
}

FileError::FileError(const std::string& file, const std::string& reason)
    : std::runtime_error(printable(file) + ": " + reason) {}

}  // namespace phiflex
