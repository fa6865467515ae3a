// Bodies made of rods, blocks and ellipsoids, filled with tetrahedra (lattice_fill.h): stand-ins of the size and kind
// of those of the papers whose meshes are not public, and a cow.
//
// Each has a greatest extent `size` [m] and a number `cells` of lattice cubes along it. Feet and cut ends are plane.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/lattice_fill.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

constexpr double kPi = std::numbers::pi;

// A body in its own unit, whose greatest extent is `extent`. What would be thinner than the lattice can hold becomes
// thicker.
class Figure {
 public:
  Figure(double extent_in, int cells) : extent(extent_in), cell(extent_in / cells) {}

  void add_rod(const Point3& a, const Point3& b, double ra, double rb) {
    const double least = 0.8 * cell;
    pieces.push_back(rod(a, b, std::max(ra, least), std::max(rb, least)));
  }
  void add_block(Point3 low, Point3 high) {
    for (int i = 0; i < 3; ++i) {
      const double missing = std::max(0.0, 1.6 * cell - (high[i] - low[i]));
      low[i] -= missing / 2;
      high[i] += missing / 2;
    }
    pieces.push_back(block(low, high));
  }
  void add_ellipsoid(const Point3& center, const Point3& radii) {
    pieces.push_back(ellipsoid(center, radii));
  }

  double extent, cell;
  std::vector<SolidPiece> pieces;
  std::vector<SolidCut> cuts;
  std::vector<SolidPiece> inner;  // what the vertex set "inner" holds
};

// ---- Tree: every branch ends in three, each turned by the golden angle -------------------------------------

void add_branch(Figure& figure, const Point3& from, const Point3& direction, double length, double radius,
                int levels, double turn) {
  const Point3 to = from + length * direction;
  const double end_radius = 0.72 * radius;
  figure.add_rod(from, to, radius, end_radius);
  if (levels == 0) return;
  // Two directions across the branch.
  const Point3 helper = std::abs(direction[2]) < 0.9 ? Point3{0, 0, 1} : Point3{1, 0, 0};
  Point3 u = cross(helper, direction);
  u = (1 / norm(u)) * u;
  const Point3 v = cross(direction, u);
  const double golden = kPi * (3 - std::sqrt(5.0));
  for (int child = 0; child < 3; ++child) {
    const double around = turn + 2 * kPi * child / 3, lean = 0.62 + 0.08 * child;
    Point3 next = std::cos(lean) * direction + std::sin(lean) * (std::cos(around) * u + std::sin(around) * v);
    next = next + Point3{0, 0, 0.25};  // towards the light
    add_branch(figure, to, (1 / norm(next)) * next, (0.68 - 0.04 * child) * length, 0.92 * end_radius,
               levels - 1, turn + golden);
  }
}

Figure tree(int cells) {
  Figure figure(138, cells);
  add_branch(figure, {0, 0, -4}, {0, 0, 1}, 61.5, 5.9, 3, 0.4);
  figure.cuts = {{2, 0, 1}};
  return figure;
}

// ---- Tower: four legs that lean together, rings, crosses between them, three floors ------------------------

double tower_half_width(double z) {  // of the square of leg axes at height z
  return 9.2 * std::exp(-z / 14.0) + 0.55;
}

Point3 tower_leg(int leg, double z) {
  constexpr int kSign[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  const double w = tower_half_width(z);
  return {kSign[leg][0] * w, kSign[leg][1] * w, z};
}

Figure tower(int cells) {
  Figure figure(45, cells);
  const double levels[] = {-0.8, 3.5, 8, 12, 15.5, 19, 22.5, 26, 30, 34, 38, 41};
  const std::size_t count = std::size(levels);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const double low = levels[i], high = levels[i + 1];
    const double leg_radius = 0.85 - 0.011 * low, brace = 0.42;
    for (int leg = 0; leg < 4; ++leg) {
      const int next = (leg + 1) % 4;
      figure.add_rod(tower_leg(leg, low), tower_leg(leg, high), leg_radius, leg_radius - 0.04);
      if (low > 20) continue;  // the legs have grown together
      figure.add_rod(tower_leg(leg, high), tower_leg(next, high), brace, brace);
      if (i == 0) continue;  // the arches of the feet stay open
      figure.add_rod(tower_leg(leg, low), tower_leg(next, high), brace, brace);
      figure.add_rod(tower_leg(next, low), tower_leg(leg, high), brace, brace);
    }
  }
  for (const double z : {8.0, 15.5}) {
    const double w = tower_half_width(z) + 0.9;
    figure.add_block({-w, -w, z - 0.45}, {w, w, z + 0.45});
  }
  figure.add_rod({0, 0, 40}, {0, 0, 44.6}, 0.9, 0.4);
  figure.cuts = {{2, 0, 1}};
  return figure;
}

// ---- Bridge: a deck hanging from two arches ----------------------------------------------------------------

double arch_height(double x) {
  return 44 * (1 - (x / 120) * (x / 120));
}

Figure bridge(int cells) {
  Figure figure(240, cells);
  constexpr double kHalf = 120, kSide = 9;
  figure.add_block({-kHalf, -kSide - 2, -1.5}, {kHalf, kSide + 2, 1.5});
  std::vector<double> stations;
  for (int i = -10; i <= 10; ++i) stations.push_back(12.0 * i);
  for (const double side : {-kSide, kSide}) {
    std::vector<Point3> arch;
    for (const double x : stations) arch.push_back({x, side, arch_height(x)});
    for (std::size_t i = 1; i < arch.size(); ++i) figure.add_rod(arch[i - 1], arch[i], 2.2, 2.2);
    for (const Point3& top : arch)
      if (std::abs(top[0]) < 115) figure.add_rod({top[0], side, 0}, top, 1.2, 1.2);
  }
  for (std::size_t i = 4; i + 4 < stations.size(); ++i) {  // braces between the arches, high above the deck
    const double x = stations[i], z = arch_height(x);
    figure.add_rod({x, -kSide, z}, {x, kSide, z}, 1.4, 1.4);
    if (i + 5 < stations.size()) {
      const double next = stations[i + 1], up = arch_height(next);
      const double first = i % 2 ? -kSide : kSide;
      figure.add_rod({x, first, z}, {next, -first, up}, 1.2, 1.2);
    }
  }
  figure.cuts = {{0, -kHalf, 1}, {0, kHalf, -1}};
  return figure;
}

// ---- Moebius: a column with three ribs that wind around it over a sphere ------------------------------------

Figure moebius(int cells) {
  Figure figure(120, cells);
  figure.add_rod({0, 0, -5}, {0, 0, 112}, 9, 8);
  constexpr int kRibs = 3, kParts = 36;
  for (int rib = 0; rib < kRibs; ++rib) {
    std::vector<Point3> points;
    for (int i = 0; i <= kParts; ++i) {
      const double polar = kPi * (0.06 + 0.88 * i / kParts);  // from the foot up
      const double turn = 2 * kPi * rib / kRibs + 1.2 * kPi * i / kParts;
      points.push_back({58 * std::sin(polar) * std::cos(turn), 58 * std::sin(polar) * std::sin(turn),
                        60 - 56 * std::cos(polar)});
    }
    for (std::size_t i = 1; i < points.size(); ++i) figure.add_rod(points[i - 1], points[i], 3.6, 3.6);
  }
  figure.cuts = {{2, 0, 1}};
  return figure;
}

// ---- Body: a standing figure, y up --------------------------------------------------------------------------

// Calls rod(a, b, ra, rb) and ellipsoid(center, radii) for its parts; standing on y = 0, 1.8 m high.
template <class Rod, class Ellipsoid>
void describe_human(Rod rod_at, Ellipsoid ellipsoid_at) {
  ellipsoid_at({0, 1.68, 0.01}, {0.078, 0.115, 0.095});  // head
  rod_at({0, 1.40, 0}, {0, 1.60, 0}, 0.062, 0.055);
  ellipsoid_at({0, 1.27, 0}, {0.185, 0.20, 0.115});  // trunk
  ellipsoid_at({0, 1.07, 0}, {0.155, 0.19, 0.105});
  ellipsoid_at({0, 0.93, 0}, {0.175, 0.13, 0.115});
  rod_at({0, 0.95, 0}, {0, 1.40, 0}, 0.09, 0.08);
  for (const double side : {-1.0, 1.0}) {
    rod_at({side * 0.10, 1.40, 0}, {side * 0.20, 1.38, 0}, 0.07, 0.066);  // arm
    rod_at({side * 0.20, 1.38, 0}, {side * 0.29, 1.12, 0}, 0.06, 0.046);
    rod_at({side * 0.29, 1.12, 0}, {side * 0.36, 0.88, 0.04}, 0.045, 0.033);
    rod_at({side * 0.36, 0.88, 0.04}, {side * 0.385, 0.77, 0.06}, 0.042, 0.03);
    rod_at({side * 0.095, 0.92, 0}, {side * 0.11, 0.50, 0.01}, 0.095, 0.062);  // leg
    rod_at({side * 0.11, 0.50, 0.01}, {side * 0.12, 0.08, -0.01}, 0.062, 0.042);
    rod_at({side * 0.12, 0.03, -0.02}, {side * 0.135, 0.03, 0.15}, 0.046, 0.04);
  }
}

Figure body(int cells) {
  Figure figure(1.8, cells);
  constexpr double kInner = 0.5;  // of the thickness
  describe_human(
      [&](const Point3& a, const Point3& b, double ra, double rb) {
        figure.add_rod(a, b, ra, rb);
        figure.inner.push_back(rod(a, b, kInner * ra, kInner * rb));
      },
      [&](const Point3& center, const Point3& radii) {
        figure.add_ellipsoid(center, radii);
        figure.inner.push_back(ellipsoid(center, kInner * radii));
      });
  figure.cuts = {{1, 0, 1}};
  return figure;
}

// ---- Arm: shoulder at low x, hand at high x ------------------------------------------------------------------

Figure arm(int cells) {
  Figure figure(1.82, cells);
  figure.add_rod({-1.0, 0.13, 0}, {-0.25, -0.05, 0}, 0.16, 0.115);  // upper arm
  figure.add_ellipsoid({-0.62, 0.07, 0.05}, {0.22, 0.13, 0.12});    // biceps
  figure.add_rod({-0.25, -0.05, 0}, {0.42, 0.06, -0.02}, 0.125, 0.075);
  figure.add_ellipsoid({-0.08, -0.02, 0}, {0.2, 0.13, 0.12});  // forearm
  figure.add_rod({0.42, 0.06, -0.02}, {0.62, 0.08, -0.02}, 0.075, 0.09);
  figure.add_block({0.5, -0.02, -0.09}, {0.7, 0.18, 0.03});  // palm
  for (int finger = 0; finger < 4; ++finger) {
    const double y = -0.05 + 0.085 * finger, reach = finger == 0 || finger == 3 ? 0.82 : 0.865;
    figure.add_rod({0.62, 0.04 + 0.5 * (y - 0.04) + 0.04, -0.03}, {reach, y + 0.05, -0.05}, 0.042, 0.036);
  }
  figure.add_rod({0.52, 0.0, 0.0}, {0.68, -0.13, 0.06}, 0.045, 0.036);  // thumb
  figure.cuts = {{0, -0.91, 1}};
  return figure;
}

// ---- Kidney: a bent spheroid ------------------------------------------------------------------------------------

Figure kidney(int cells) {
  Figure figure(0.102, cells);
  constexpr int kParts = 8;
  for (int i = 0; i < kParts; ++i) {
    const auto at = [&](double u) {  // along an arc of 150 degrees around the hilum, radius 33 mm
      const double angle = kPi * (-75 + 150 * u) / 180;
      return Point3{0.033 * std::cos(angle) - 0.02, 0.033 * std::sin(angle), 0};
    };
    const auto thick = [](double u) { return 0.019 + 0.007 * std::sin(kPi * u); };
    const double u = static_cast<double>(i) / kParts, next = static_cast<double>(i + 1) / kParts;
    figure.add_rod(at(u), at(next), thick(u), thick(next));
  }
  return figure;
}

// ---- Cow: standing on y = 0, y up, its head at high x -------------------------------------------------------------

Figure cow(int cells) {
  Figure figure(2.59, cells);
  figure.add_ellipsoid({0, 1.05, 0}, {0.85, 0.44, 0.41});  // trunk
  figure.add_rod({-0.5, 1.1, 0}, {0.5, 1.12, 0}, 0.38, 0.36);
  figure.add_rod({0.55, 1.2, 0}, {0.95, 1.5, 0}, 0.27, 0.21);
  figure.add_ellipsoid({1.06, 1.54, 0}, {0.26, 0.21, 0.2});  // head
  figure.add_rod({1.1, 1.5, 0}, {1.36, 1.38, 0}, 0.17, 0.13);
  figure.add_ellipsoid({-0.38, 0.66, 0}, {0.19, 0.15, 0.17});  // udder
  for (const double side : {-1.0, 1.0}) {
    figure.add_rod({1.0, 1.66, side * 0.12}, {1.02, 1.88, side * 0.24}, 0.07, 0.045);  // horn
    figure.add_rod({0.94, 1.6, side * 0.15}, {0.9, 1.56, side * 0.4}, 0.08, 0.06);     // ear
    figure.add_rod({0.52, 0.9, side * 0.22}, {0.54, -0.05, side * 0.25}, 0.17, 0.11);  // legs
    figure.add_rod({-0.56, 0.95, side * 0.2}, {-0.6, -0.05, side * 0.24}, 0.2, 0.115);
  }
  figure.add_rod({-0.75, 1.25, 0}, {-1.0, 0.75, 0}, 0.07, 0.05);  // tail
  figure.add_ellipsoid({-1.02, 0.66, 0}, {0.085, 0.14, 0.085});
  figure.cuts = {{1, 0, 1}};
  return figure;
}

// ---------------------------------------------------------------------------------------------------------------

void scale(TetMesh& mesh, double factor) {
  for (Point3& x : mesh.vertices) x = factor * x;
}

TetMesh fill_figure(const Figure& figure, double size) {
  TetMesh mesh = fill_with_tetrahedra(figure.pieces, figure.cuts, figure.cell);
  if (!figure.inner.empty()) {
    std::vector<int>& inner = mesh.vertex_sets["inner"];
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      if (std::any_of(figure.inner.begin(), figure.inner.end(),
                      [&](const SolidPiece& piece) { return piece.inside(mesh.vertices[v]) >= 0; }))
        inner.push_back(static_cast<int>(v));
  }
  scale(mesh, size / figure.extent);
  return mesh;
}

// What all figures have in common.
struct FigureShape {
  double size;  // [m]
  int cells;
};
template <class V>
void fields(V& v, FigureShape& s) {
  v({.key = "size",
     .doc = "greatest extent; `phiflex list generators` says how the body lies",
     .unit = "m",
     .range = ranges::positive},
    s.size);
  v({.key = "cells",
     .doc = "number of cubes of the lattice along the greatest extent; the default gives about as many "
            "tetrahedra as the papers' body has",
     .range = {.low = 2, .high = 1000}},
    s.cells);
}

// fill: tetrahedra over cells^3, roughly. The default cells give about as many tetrahedra as the paper's body has.
Generator figure_generator(const char* name, const char* summary, Figure (*figure)(int cells),
                           FigureShape defaults, double fill, bool handles = false) {
  return make_generator<FigureShape, TetMesh>(
      {.name = name,
       .summary = summary,
       .count = [fill](const FigureShape& shape) { return fill * std::pow(double(shape.cells), 3); },
       .generate =
           [figure](const FigureShape& shape) { return fill_figure(figure(shape.cells), shape.size); },
       .defaults = defaults,
       .handles = handles});
}

}  // namespace

Generator tree_generator() {
  return figure_generator("tree", "a bare tree on z = 0, z up: a trunk whose branches fork into three", tree,
                          {138, 103}, 0.075, true);
}
Generator tower_generator() {
  return figure_generator("tower", "a lattice tower on z = 0, z up: four legs, crosses, two floors", tower,
                          {45, 84}, 0.11, true);
}
Generator bridge_generator() {
  return figure_generator("bridge", "a bridge along x from -size/2, z up: a deck hanging from two arches",
                          bridge, {240, 140}, 0.037, true);
}
Generator moebius_generator() {
  return figure_generator("moebius", "a spiral ball on z = 0, z up: a column and three ribs around it",
                          moebius, {120, 34}, 0.43, true);
}
Generator body_generator() {
  return figure_generator("body",
                          "a standing figure on y = 0, y up; the vertex set `inner` lies around the bones",
                          body, {1.8, 107}, 0.16);
}
Generator arm_generator() {
  return figure_generator("arm", "an arm along x, cut at the shoulder at low x, with a hand at high x", arm,
                          {1.82, 49}, 0.17);
}
Generator kidney_generator() {
  return figure_generator("kidney", "a bent spheroid in the x-y plane, its hilum towards -x", kidney,
                          {0.102, 6}, 2.3);
}
Generator cow_generator() {
  return figure_generator("cow", "a cow of simple solids on y = 0, y up, its head at high x", cow, {2.59, 40},
                          0.81);
}

}  // namespace phiflex
