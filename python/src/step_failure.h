// A step that failed numerically: phiflex.StepError.
#pragma once

#include <stdexcept>
#include <string>

namespace phiflex {
namespace python {

struct StepFailure : std::runtime_error {
  StepFailure(std::string words, const std::string& why) : std::runtime_error(words), status(why) {}
  std::string status;  // describe(StepStatus)
};

}  // namespace python
}  // namespace phiflex
