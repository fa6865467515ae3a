#include "phiflex/base/work.h"

namespace phiflex {

Work& Work::operator+=(const Work& other) {
  for (const WorkCount& count : work_counts) this->*count.member += other.*count.member;
  for (const WorkPhase& phase : work_phases) this->*phase.seconds += other.*phase.seconds;
  return *this;
}

}  // namespace phiflex
