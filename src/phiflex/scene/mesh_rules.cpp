#include "phiflex/scene/mesh_rules.h"

#include <fmt/format.h>

#include <cmath>

#include "phiflex/scene/overloaded.h"

namespace phiflex {
namespace {

constexpr double most_elements = 2e7;  // of a generator

}  // namespace

void check_mesh(RuleContext& rules, const MeshSpec& mesh, const std::string& at) {
  const double elements = std::visit(
      Overloaded{
          [](const FileMesh&) { return 0.0; },
          [](const BoxMesh& box) {
            return 6.0 * static_cast<double>(box.cells[0]) * static_cast<double>(box.cells[1]) *
                   static_cast<double>(box.cells[2]);
          },
          [](const BallMesh& ball) { return 20 * std::pow(static_cast<double>(ball.resolution), 3); },
          [](const CylinderMesh& cylinder) {
            const auto rings = static_cast<double>(cylinder.resolution);
            const double along = cylinder.cells_along > 0
                                     ? static_cast<double>(cylinder.cells_along)
                                     : std::ceil(cylinder.length / cylinder.radius * rings);
            return 18 * rings * rings * along;
          },
          [](const HelixMesh& helix) {
            const auto rings = static_cast<double>(helix.resolution);
            return 18 * rings * rings * static_cast<double>(helix.cells_along);
          },
          [](const HoneycombMesh& sheet) {
            return 36.0 * static_cast<double>(sheet.cells[0]) * static_cast<double>(sheet.cells[1]) *
                   static_cast<double>(sheet.divisions) * static_cast<double>(sheet.layers);
          },
          [](const RectangleMesh& rectangle) {
            return 2.0 * static_cast<double>(rectangle.cells[0]) * static_cast<double>(rectangle.cells[1]);
          },
          [](const RightTriangleMesh& triangle) { return std::pow(static_cast<double>(triangle.cells), 2); },
          [](const auto&) { return 0.0; }},  // a lattice: its number of cells has a limit
      mesh);
  check_size(rules, elements, is_flat(mesh) ? "triangles" : "tetrahedra", at);
  if (const BallMesh* ball = std::get_if<BallMesh>(&mesh); ball && ball->shell >= ball->radius) {
    rules.add(at + "/shell",
              fmt::format("{} m is not thinner than the ball; expected less than its radius, {} m",
                          ball->shell, ball->radius),
              {at});
  }
}

void check_solid_mesh(RuleContext& rules, const MeshSpec& mesh, const std::string& at) {
  check_mesh(rules, mesh, at);
  if (is_flat(mesh)) rules.add(at, "is flat; expected a mesh of tetrahedra");
}

void check_size(RuleContext& rules, double elements, const char* noun, const std::string& at) {
  if (elements > most_elements) {
    rules.add(at,
              fmt::format("asks for {:.3g} {}; at most {:g} are generated", elements, noun, most_elements));
  }
}

}  // namespace phiflex
