// What a part of a step computed, or why it could not. A failure has no value: asking it for one is a programmer's
// error and throws, so that no step goes on with what was never computed.
#pragma once

#include <stdexcept>

#include "phiflex/system/step_report.h"

namespace phiflex {

template <class Value>
class [[nodiscard]] StepResult {
 public:
  // The value is kept by reference: its source says how long it stays unchanged.
  explicit StepResult(const Value& value) : value_(&value) {}
  StepResult(StepStatus failure) : status_(failure) {
    if (failure == StepStatus::ok) throw std::logic_error("a step's part has neither failed nor a value");
  }

  bool ok() const { return value_ != nullptr; }
  StepStatus status() const { return status_; }
  const Value& value() const {
    if (!value_) throw std::logic_error("a step's part has failed, and its value is asked for");
    return *value_;
  }

 private:
  StepStatus status_ = StepStatus::ok;
  const Value* value_ = nullptr;
};

}  // namespace phiflex
