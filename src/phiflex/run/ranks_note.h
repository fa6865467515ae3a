// What a serial run says of a mesh that outgrows one machine: that there is phiflex-mpi (docs/cluster.md).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace phiflex {

inline constexpr std::int64_t kManyTetrahedra = 2'000'000;

// Empty up to kManyTetrahedra.
inline std::string ranks_note(std::int64_t tetrahedra) {
  if (tetrahedra <= kManyTetrahedra) return {};
  return fmt::format("{} tetrahedra: `phiflex-mpi` runs such scenes on many ranks (docs/cluster.md)",
                     tetrahedra);
}

}  // namespace phiflex
