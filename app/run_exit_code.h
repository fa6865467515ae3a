// The exit code that a run's status becomes (docs/command.md).
#pragma once

#include "app/exit_codes.h"
#include "phiflex/record/run_json.h"

namespace phiflex {

inline int exit_code(RunStatus status) {
  switch (status) {
    case RunStatus::done:
      return kDone;
    case RunStatus::failed:
      return kFailed;
    case RunStatus::interrupted:
      return kInterrupted;
    case RunStatus::limit:
      return kLimitReached;
    case RunStatus::running:
      break;
  }
  return kInternalError;
}

}  // namespace phiflex
