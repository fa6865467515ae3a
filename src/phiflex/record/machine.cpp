#include "phiflex/record/machine.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

namespace phiflex {
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return "unknown";
}

int usable_cores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
}

}  // namespace

std::string Machine::text() const {
  return fmt::format("{}, {} core{}, {:.1f} GB of memory, {}", cpu, cores, cores == 1 ? "" : "s",
                     memory_gigabytes, system);
}

Machine this_machine() {
  Machine machine;
  machine.cpu = cpu_model();
  machine.cores = usable_cores();
  machine.memory_gigabytes =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e9;
  utsname name{};
  machine.system = ::uname(&name) == 0 ? fmt::format("{} {}", name.sysname, name.release) : "unknown system";
  return machine;
}

}  // namespace phiflex
