// Laws that a program adds to those of the catalogue (energy/own_law.h). find_material() and material_info() find them;
// material_catalogue() and the keys of scene files do not hold them.
#pragma once

#include "phiflex/material/catalogue.h"

namespace phiflex {

// The law stays for the rest of the process, and so does what is returned. std::invalid_argument when a law has this
// name already. Any thread may call it.
const MaterialInfo& register_material(MaterialInfo info);

}  // namespace phiflex
