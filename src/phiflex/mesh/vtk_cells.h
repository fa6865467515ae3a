// Cells and cell data as both of VTK's formats carry them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "phiflex/mesh/mesh_formats.h"

namespace phiflex {

struct VtkCellArrays {
  std::vector<std::int64_t> connectivity;
  std::vector<std::int64_t> ends;   // where each cell's vertices end in `connectivity`
  std::vector<std::int64_t> types;  // VTK's numbers
};

// Appends cells and one-number-per-cell data to `mesh`, whose vertices from `first_vertex` on they count.
// Whole numbers named region, tag, CellEntityIds, gmsh:physical or medit:ref become region tags, other data
// element fields. Throws an InputError (collected) that names cells by their position.
class VtkCellCollector {
 public:
  explicit VtkCellCollector(std::string file) : file_(std::move(file)) {}
  void add(const VtkCellArrays& cells, const std::map<std::string, std::vector<double>>& data,
           std::size_t first_vertex, ParsedMesh& mesh);
  // After the last piece: notes and tags.
  void finish(ParsedMesh& mesh);

 private:
  std::string file_;
  std::size_t quadratic_ = 0;
  std::vector<int> tags_;
  bool has_tags_ = true;
};

// Vectors, one per cell, as the data of their components NAME.x, NAME.y and NAME.z (tet_mesh.h).
void add_components(const std::string& name, const std::vector<double>& vectors,
                    std::map<std::string, std::vector<double>>& data);

// Regions that are named after what they are; see above.
bool is_region_name(const std::string& name);

}  // namespace phiflex
