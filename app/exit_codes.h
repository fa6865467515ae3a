// What the command's exit code says (docs/command.md).
#pragma once

enum ExitCode {
  kDone = 0,
  kDiffers = 1,           // reproduce --check: a claim is not as stored
  kWrongUsage = 2,        // options, or a results folder that is not empty
  kBadInput = 65,         // scene, mesh, file: what it holds is wrong
  kUnavailable = 69,      // a graphics card is asked for, and there is none that can be used
  kInternalError = 70,    // a bug
  kCannotReadWrite = 74,  // a file cannot be opened, read or written
  kLimitReached = 75,     // --max-seconds
  kFailed = 76,           // the simulation failed numerically
  kInterrupted = 130,     // Ctrl-C
};
