// The generators of spring bodies that a scene may name in `springs.generate`, one line each.
#pragma once

#include <array>
#include <string_view>

namespace phiflex {

struct SpringGenerator {
  std::string_view name, summary;
};

inline constexpr std::array spring_generators{
    SpringGenerator{"rope", "springs in a line from `from` to `to`"},
    SpringGenerator{"cloth", "a sheet in the x-z plane: structural, shear and bending springs"},
    SpringGenerator{"flag", "a sheet in the x-y plane beside its pole, of cubic springs"},
    SpringGenerator{"fibre",
                    "a hair or bristle: cuboids of four particles a section, with bending and torsion"},
    SpringGenerator{"fibres", "many of them, on a sphere, a plate or the surface of a file"},
    SpringGenerator{"tetrahedra",
                    "springs on the edges of a tetrahedral mesh and from vertices to opposite faces"},
    SpringGenerator{"girder", "a lattice girder along x"}};

}  // namespace phiflex
