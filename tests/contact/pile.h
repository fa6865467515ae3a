// Cubes that lie about, for the tests of this folder.
#pragma once

#include <memory>

#include "phiflex/contact/contact_candidates.h"
#include "tests/contact/random_stencils.h"
#include "tests/contact/surface_examples.h"

namespace phiflex {

// Cubes of 1 m at random places in a box, moved apart from their rest shapes.
struct Pile {
  Vector rest, x;
  std::shared_ptr<const ContactSurface> surface;
  explicit Pile(int cubes, int cells, double room, StencilSource& source) {
    std::vector<Example> examples(std::size_t(cubes), cube_surface(cells));
    for (int c = 0; c < cubes; ++c) examples[std::size_t(c)].rest.array() += 3 * c;
    const std::vector<SurfacePart> parts = side_by_side(examples, rest);
    surface = std::make_shared<ContactSurface>(make_contact_surface(parts, rest));
    x = rest;
    const Index each = examples.front().rest.size();
    for (int c = 0; c < cubes; ++c) {
      const Eigen::Matrix3d R = source.rotation(3);
      Eigen::Vector3d shift;
      for (double& s : shift) s = room * source.uniform(0, 1);
      for (Index v = 0; v < each / 3; ++v) {
        auto at = x.segment<3>(c * each + 3 * v);
        at = R * (Eigen::Vector3d(at).array() - 3 * c).matrix() + shift;
      }
    }
  }
  int vertices() const { return int(rest.size() / 3); }
  std::vector<char> movable() const { return std::vector<char>(std::size_t(vertices()), 1); }
  ContactCandidates candidates(double slack = 0.02, bool self = false) const {
    return {surface, PartPairs(int(surface->part_reach.size()), true, self), rest, movable(), slack};
  }
};

// A cube of 0.5 m on one of 1 m, turned and shifted, its lowest point `gap` above the lower one and not beside it. The
// reach is 0.02.
struct CubeOnCube {
  Vector rest, x;
  std::shared_ptr<const ContactSurface> surface;
  explicit CubeOnCube(int cells) {
    Example upper = cube_surface(cells);
    upper.rest *= 0.5;
    const std::vector<SurfacePart> parts = side_by_side({cube_surface(cells), upper}, rest);
    surface = std::make_shared<ContactSurface>(make_contact_surface(parts, rest));
    x = rest;
  }
  void place(const Eigen::Matrix3d& turn, const Eigen::Vector2d& shift, double gap) {
    const Index each = rest.size() / 2;  // vertices of the upper cube follow
    double lowest = 1e300;
    for (Index v = 0; v < each; v += 3) {
      x.segment<3>(each + v) = turn * (rest.segment<3>(each + v) - Eigen::Vector3d::Constant(0.25)) +
                               Eigen::Vector3d(0.5 + shift[0], 0.5 + shift[1], 0);
      lowest = std::min(lowest, x[each + v + 2]);
    }
    for (Index v = 0; v < each; v += 3) x[each + v + 2] += 1 + gap - lowest;
  }
  void place_at_random(double tilt, double gap, StencilSource& source) {
    // One draw after the other: compilers differ in the order of arguments.
    const Eigen::Matrix3d turn = source.rotation(tilt);
    const double shift = source.uniform(-0.05, 0.05), aside = source.uniform(-0.05, 0.05);
    place(turn, {shift, aside}, gap);
  }
  ContactCandidates candidates(double slack = 0.01) const {
    return {surface, PartPairs(2, true, false), rest, std::vector<char>(std::size_t(rest.size() / 3), 1),
            slack};
  }
};

}  // namespace phiflex
