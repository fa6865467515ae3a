// Seconds that a thread has worked: what else runs on the machine does not count.
#pragma once

#include <ctime>

namespace phiflex::bench {

inline double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

}  // namespace phiflex::bench
