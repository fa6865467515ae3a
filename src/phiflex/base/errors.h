// The three ways a library call can refuse.
//
//   InputError   what a user gave is wrong: every problem found, with file, place, value and what is allowed
//   FileError    a file cannot be opened, read or written
//   misuse       a programmer's error: std::invalid_argument or std::logic_error
//
// Numerical failure is none of these: it is a status in a report (system/step_report.h).
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace phiflex {

// One thing wrong with what a user gave.
struct Problem {
  std::string file;          // as the user named it; empty when there is none
  std::string place;         // "line 12", "byte 96" or a JSON pointer such as /bodies/0/material/young
  std::string message;       // the value given and what is allowed
  std::string text() const;  // "file: place: message", on one line and printable (printable.h)
};

// Bad input; what() lists all problems, one a line. The command maps it to exit code 65.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Problem> problems);
  InputError(std::string file, std::string place, std::string message);
  const std::vector<Problem>& problems() const { return problems_; }
  // The same problems; those that name no file lie in this one, at `within` (a JSON pointer): their own place follows
  // it, unless it is a pointer from the top of the file itself.
  InputError in_file(const std::string& file, const std::string& within = "") const;

 private:
  std::vector<Problem> problems_;
};

// Calls function(). Code that sees only a part of a scene (a mesh to make, a system to step) throws problems without a
// file; a caller that knows the file uses this.
template <class Function>
decltype(auto) in_file(const std::string& file, const std::string& within, Function&& function) {
  try {
    return function();
  } catch (const InputError& error) {
    throw error.in_file(file, within);
  }
}

// A file that cannot be opened, read or written. The command maps it to exit code 74.
class FileError : public std::runtime_error {
 public:
  FileError(const std::string& file, const std::string& reason);
  explicit FileError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace phiflex
