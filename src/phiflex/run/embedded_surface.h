// Surfaces that are carried by bodies (`surface` in a scene's body): an OBJ file with texture coordinates, say, whose
// tetrahedra are coarser. A run stores each in its folder, placed as the body is; `phiflex export` moves it
// (exchange/embedded_surfaces.h).
#pragma once

#include <string>
#include <vector>

#include "phiflex/record/run_folder.h"
#include "phiflex/run/scene_model.h"

namespace phiflex {

// What a user should know of them: vertices far outside of the body's tetrahedra, in sentences. InputError when a file
// is no surface.
std::vector<std::string> surface_warnings(const Scene& scene, const SceneModel& world);
void write_surfaces(const Scene& scene, const RunFolder& folder);

}  // namespace phiflex
