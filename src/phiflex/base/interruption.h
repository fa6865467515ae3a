// Leaving a long computation: a caller of the engine may set a function on its thread, and the engine calls it now and
// then where a computation may be left. The function throws when it is to be left.
//
// Places where it may be left are inside a scope of Interruptible; there, what the computation has begun is dropped as
// after any exception. Without a function, or outside such a scope, nothing happens.
#pragma once

namespace phiflex {

using InterruptionPoll = void (*)();

// While it exists, the function is the thread's own.
class PollForInterruption {
 public:
  explicit PollForInterruption(InterruptionPoll poll);
  ~PollForInterruption();
  PollForInterruption(const PollForInterruption&) = delete;
  PollForInterruption& operator=(const PollForInterruption&) = delete;

 private:
  InterruptionPoll before_;
};

// While it exists, the thread's computation may be left.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
};

void poll_for_interruption();

}  // namespace phiflex
