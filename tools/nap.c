// For more MPI ranks than cores, with LD_PRELOAD and Open MPI's mpi_yield_when_idle: a rank that waits yields, and here that is
// a sleep of 20 us instead of a turn of the scheduler.
#define _GNU_SOURCE
#include <time.h>
int sched_yield(void) {
  struct timespec nap = {0, 20000};
  return nanosleep(&nap, 0);
}
