// Parallel loops on a small pool of threads.
//
// Results never depend on the number of threads as long as the body of task i writes only what belongs to i:
// the loop promises each index once, in no order. A loop started inside a loop runs on its own thread. The
// calls do not allocate.
#pragma once

#include <cstddef>

#include "phiflex/base/function_ref.h"

namespace phiflex {

// The number of threads of the loops of this process (at least 1). Waits for running loops. A forked child begins with
// one.
void set_thread_count(int count);
int thread_count();

// Calls body(i) once for every i in [0, count). An exception of a body is rethrown here, after the loop.
void parallel_for(std::ptrdiff_t count, FunctionRef<void(std::ptrdiff_t)> body);

// While it exists, loops that this thread starts run on this thread alone: for programs with threads of their own.
class LoopsOnThisThread {
 public:
  LoopsOnThisThread();
  ~LoopsOnThisThread();
  LoopsOnThisThread(const LoopsOnThisThread&) = delete;
  LoopsOnThisThread& operator=(const LoopsOnThisThread&) = delete;

 private:
  bool before_;
};

}  // namespace phiflex
