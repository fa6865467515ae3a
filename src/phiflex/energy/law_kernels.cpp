#include "phiflex/energy/law_kernels.h"

#include <stdexcept>
#include <string>

#include "phiflex/material/catalogue.h"

namespace phiflex {

// Defined in the files that cmake/rooms.cmake writes.
#define PHIFLEX_LAW(header, Law) const LawKernels& kernels_of_##header();
PHIFLEX_LAWS(PHIFLEX_LAW)
#undef PHIFLEX_LAW

const LawKernels& law_kernels(std::string_view law) {
  using Kernels = const LawKernels& (*)();
#define PHIFLEX_LAW(header, Law) kernels_of_##header,
  static constexpr Kernels all[] = {PHIFLEX_LAWS(PHIFLEX_LAW)};
#undef PHIFLEX_LAW
  const MaterialInfo& info = material_info(law);
  return all[&info - material_catalogue().data()]();
}

}  // namespace phiflex
