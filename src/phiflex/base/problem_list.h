// Collects everything that is wrong with an input while it is read or built, so that the user gets all of it in one
// error. What is accepted but worth saying is collected as messages.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "phiflex/base/errors.h"
#include "phiflex/base/function_ref.h"
#include "phiflex/base/messages.h"

namespace phiflex {

class ProblemList {
 public:
  // source: how the user named the input (a scene file); it starts every message. May be empty.
  explicit ProblemList(std::string source) : source_(std::move(source)) {}

  // place: where in the source, a JSON pointer or the name of a body.
  void problem(std::string place, std::string message);
  // `place`: of those problems that name no file.
  void add_all(const InputError& error, const std::string& place);
  // Calls function(), whose InputError is added as by add_all() and whose FileError as a file that cannot be read.
  // False: it threw one of them.
  bool collect(const std::string& place, FunctionRef<void()> function);

  bool empty() const { return size() == 0; }
  std::size_t size() const { return problems_.size() + unreadable_.size(); }
  Messages& messages() { return messages_; }
  const std::string& source() const { return source_; }
  // InputError with every problem; FileError when all problems are files that cannot be read.
  void throw_if_any() const;

 private:
  std::string source_;
  std::vector<Problem> problems_;
  std::vector<std::string> unreadable_;
  Messages messages_;
};

}  // namespace phiflex
