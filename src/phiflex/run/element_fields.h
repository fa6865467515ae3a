// Strain and stress of a run as its scene's `output.fields` asks for them: arrays of the frames and columns of
// measures.csv (docs/run_folder.md).
//
// The state of a vertex is the mean of the states of its elements, weighted by their rest volumes V:
//
//   a_v = sum_e V_e a_e / sum_e V_e        for a = J, C, sigma                                               (1)
//
// and its fields follow from that state. The mean of a body or region is over its elements, with their rest
// volumes V or, for stresses, their deformed volumes V J:
//
//   mean a = sum_e V_e a_e / sum_e V_e,    mean sigma = sum_e V_e J_e sigma_e / sum_e V_e J_e                (2)
//
// Its peak is the value that is farthest from the one at rest.
#pragma once

#include <string>
#include <vector>

#include "phiflex/energy/element_state.h"
#include "phiflex/mesh/vtu_writer.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/scene/output_spec.h"

namespace phiflex {

// What is known of a field of elements.
struct FieldInfo {
  OutputField field;
  std::string name;
  std::vector<std::string> components;  // "" for a number
  bool is_stress;                       // Pa; else a strain
  double at_rest;
  void (*values)(const ElementState& state, double* out);
};
// Null for contact forces (recording.h), displacement, velocity and energy density, which are no fields of
// elements or always there.
const FieldInfo* find_field(OutputField field);

class ElementFields {
 public:
  static bool wanted(const OutputSpec& output);
  ElementFields(const SceneModel& world, const OutputSpec& output);

  void update(const DeformableModel& model, double t, const Vector& x);  // x: of all vertices

  // Views of what the last update() left: NAME of every tetrahedron, triangle and spring, vertex_NAME of every vertex.
  void add_frame_arrays(std::vector<VtuArray>& cells, std::vector<VtuArray>& points);

  // Of measures.csv: BODY.NAME_mean, BODY.NAME_peak, and BODY.regionN.NAME_... where a body has regions.
  std::vector<std::string> columns() const;
  void append_measures(std::vector<double>& numbers) const;

 private:
  // Elements of a body, or of one of its regions.
  struct Group {
    std::string name;
    std::vector<int> elements;  // of the model
  };
  struct Column {
    const FieldInfo* info;
    std::vector<double> of_cells, of_points;
  };
  void add_groups(const Body& body);
  void add_nodes(const Body& body);
  void smooth();  // (1)

  SceneModel world_;
  std::vector<Column> fields_;
  std::vector<Group> groups_;
  std::vector<int> node_starts_{0}, nodes_;  // vertices of each element, none of springs
  std::vector<ElementState> of_elements_, of_vertices_;
};

}  // namespace phiflex
