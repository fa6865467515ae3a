#include "phiflex/base/interruption.h"

namespace phiflex {
namespace {

thread_local InterruptionPoll poll_of_thread = nullptr;
thread_local int interruptible_scopes = 0;

}  // namespace

PollForInterruption::PollForInterruption(InterruptionPoll poll) : before_(poll_of_thread) {
  poll_of_thread = poll;
}
PollForInterruption::~PollForInterruption() {
  poll_of_thread = before_;
}

Interruptible::Interruptible() {
  ++interruptible_scopes;
}
Interruptible::~Interruptible() {
  --interruptible_scopes;
}

void poll_for_interruption() {
  if (poll_of_thread && interruptible_scopes > 0) poll_of_thread();
}

}  // namespace phiflex
