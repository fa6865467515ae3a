// Changes of a scene while it goes on. Each gives the scene as it is from then on, which Save writes; what is not
// allowed is an InputError in the sentences of a scene file.
#pragma once

#include <string>
#include <vector>

#include "phiflex/linalg/vector.h"

namespace phiflex {

struct BodySpec;     // scene/body_spec.h
struct DampingSpec;  // scene/body_spec.h
struct Scene;        // scene/scene.h

// pointer=value, as on the command line.
Scene with_overrides(const Scene& scene, const std::string& file, const std::vector<std::string>& overrides);
// Of the integrator of a view, NAME[:key=value...]. InputError for a step of its own: all views make the same steps.
std::vector<std::string> overrides_of_view(const std::string& text);
// All stiffnesses of a body, or of every body when the name is empty, times a factor: of a material the parameters in
// Pa, of springs their stiffness.
Scene with_stiffness(Scene scene, const std::string& file, const std::string& body, double factor);
// Rayleigh damping of a body, or of every body when the name is empty.
Scene with_damping(Scene scene, const std::string& file, const std::string& body, const DampingSpec& damping);
// Holds a vertex of a body where it is, or lets go of one that was pinned by this function.
Scene with_pin_toggled(Scene scene, const std::string& body, int vertex);
// The vertices that with_pin_toggled() holds, by body.
std::vector<std::pair<std::string, int>> pins_of(const Scene& scene);

// As a file: without the settings of methods that the scene does not use.
std::string scene_file_text(const Scene& scene);

// Young's modulus of a body, or the number that stands for its stiffness, with its unit; 0 where a field of the mesh
// gives it.
struct BodyStiffness {
  double value = 0;
  std::string key;  // of the scene
  std::string unit;
};
BodyStiffness stiffness_of(const BodySpec& body);

}  // namespace phiflex
