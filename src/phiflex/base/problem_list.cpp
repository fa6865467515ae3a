#include "phiflex/base/problem_list.h"

namespace phiflex {

void ProblemList::problem(std::string place, std::string message) {
  problems_.push_back({source_, std::move(place), std::move(message)});
}

void ProblemList::add_all(const InputError& error, const std::string& place) {
  const InputError placed = error.in_file(source_, place);
  problems_.insert(problems_.end(), placed.problems().begin(), placed.problems().end());
}

bool ProblemList::collect(const std::string& place, FunctionRef<void()> function) {
  try {
    function();
    return true;
  } catch (const InputError& error) {
    add_all(error, place);
  } catch (const FileError& error) {
    unreadable_.push_back(error.what());
  }
  return false;
}

void ProblemList::throw_if_any() const {
  if (empty()) return;
  if (problems_.empty()) {
    std::string files;
    for (const std::string& file : unreadable_) files += (files.empty() ? "" : "\n") + file;
    throw FileError(files);
  }
  std::vector<Problem> all = problems_;
  for (const std::string& file : unreadable_) all.push_back({"", "", file});
  throw InputError(std::move(all));
}

}  // namespace phiflex
