// Which stencils may come within reach: all pairs of points with triangles, edges and points, and of edges with edges,
// found by hierarchies of boxes and kept over steps.
//
// The stencils are found at a reference shape x_ref and hold for all shapes in which each vertex v lies within its
// radius R_v of it. With s the slack and dx the way that was asked for,
//
//   x_ref = x + dx,   R_v = |dx_v| + s:     all of x to x + dx, and as much again in straight flight         (1)
//   distance at x_ref <= dhat + R_a + R_b   for a pair of vertices a, b of the two sides (the largest R each) (2)
//
// For two pieces of one part the motion that is common to the part makes no difference: there R_v is that of
// dx_v less the mean over the part. A fast body has few candidates within itself.
//
// Where no two parts that may touch have boxes within reach of each other along the way, there are no stencils, and
// nothing is found. With g the least gap of these boxes beyond the reaches, of a shape x_c, this holds for all shapes
// with
//
//   |x - x_c| <= g/2    in every coordinate                                                                 (3)
//
// so that bodies that are far apart cost one comparison of coordinates, and their boxes are looked at seldom.
//
// Only pieces whose boxes meet that of another part which they may touch are put into the hierarchies, and all of a
// part that may touch itself: bodies that meet with one side search with that side.
//
// Copies of one object ask for the same motion: a two-state force, and what answers for the potential. What one of them
// has found is left for the others, which take it over where it covers their way.
//
// What comes out does not depend on the tree, the number of threads or the history, as long as only stencils within
// their reach count: they come in a fixed order, and those that are too far come and go between them.
//
// Within one part, stencils that share a vertex are left out, and those that touch at rest (kTouching). Where others
// are nearer than the reach at rest, the reach is shortened to that distance, so that the rest shape has no contact
// energy: for all stencils of a point alike, for the signs of contact_surface.h count on equal reaches, for two edges
// on their own.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "phiflex/contact/contact_surface.h"
#include "phiflex/contact/stencil.h"
#include "phiflex/mesh/box_tree.h"

namespace phiflex {

// Which parts may touch, themselves included.
class PartPairs {
 public:
  PartPairs(int parts, bool between, bool self);
  void set(int a, int b, bool may_touch);
  bool may_touch(int a, int b) const {
    return pairs_[std::size_t(a) * std::size_t(parts_) + std::size_t(b)] != 0;
  }

 private:
  int parts_;
  std::vector<char> pairs_;
};

struct ContactStencil {
  StencilKind kind = StencilKind::point_point;
  std::array<int, 4> vertices{-1, -1, -1, -1};  // of the model; -1 beyond vertex_count(kind)
  int carrier =
      -1;           // triangle of the surface that a point's edge or point belongs to, for friction; -1: none
  double area = 0;  // m^2, with the sign of contact_surface.h
  double reach = 0;     // dhat, m
  double parallel = 0;  // c0 of the mollifier of two edges, m^4; else 0
  double distance = 0;  // at ContactCandidates::reference(), m
};

class ContactCandidates {
 public:
  static constexpr double kTouching = 1e-3;  // of the reach: at rest at one place
  static constexpr double kParallel = 1e-3;  // c0 over the squared lengths of two edges at rest

  // rest: positions of all vertices; movable: one per vertex of the model, false for those that nothing moves: stencils
  // without a movable one are left out. slack: s of (1), m, above 0.
  ContactCandidates(std::shared_ptr<const ContactSurface> surface, PartPairs pairs, Vector rest,
                    std::vector<char> movable, double slack);

  // Makes sure that every stencil that comes within reach on the way x + t dx, 0 <= t <= 1, is there. True when they
  // had to be found anew. x and dx are finite, of all vertices.
  bool cover(const Vector& x, const Vector& dx);
  // After cover(x, ..): all stencils that come within reach are there as long as no coordinate changes from x by more,
  // m. 0: nothing is promised.
  double room(const Vector& x);
  // Those of points, point after point, then those of edges.
  std::span<const ContactStencil> stencils() const { return stencils_; }
  long searches() const { return searches_; }  // how often they were found anew, taken over, or left out
  const Vector& reference() const { return reference_; }  // x_ref of the stencils
  const ContactSurface& surface() const { return *surface_; }

 private:
  struct Finder;  // finds the stencils of some points or edges
  // x_ref, R_v and the stencils that were found last by any of the copies.
  struct Board {
    std::mutex mutex;
    bool valid = false;
    Vector reference;
    std::vector<double> radius, own_radius;
    std::vector<ContactStencil> stencils;
  };

  bool apart(const Vector& x, const Vector& dx);
  struct Radii {
    const std::vector<double>&of_vertex, &own;
  };
  bool covers(const Vector& reference, Radii radii, const Vector& x, const Vector& dx);
  bool within(Radii radii, const Vector& motion);
  bool take_over(const Vector& x, const Vector& dx);  // what is on the board, if it covers the way
  void leave();                                       // what was found, on the board
  void find_means(const Vector& motion);              // of each part
  void set_reference(const Vector& x, const Vector& dx);
  void shorten_reaches();
  Bounds box_around(std::span<const int> vertices, double more) const;
  void choose_near();
  bool is_near(std::span<const int> vertices, int part) const;
  void build_trees();
  void find();

  std::shared_ptr<const ContactSurface> surface_;
  PartPairs pairs_;
  Vector rest_;
  std::vector<char> movable_;
  double slack_;
  std::vector<double> point_reach_;  // within a point's own part, m
  std::vector<int> part_points_;     // how many each part has

  std::shared_ptr<Board> board_ = std::make_shared<Board>();  // of all copies
  long searches_ = 0;
  bool valid_ = false;  // stencils_ are those of reference_ and the radii
  std::vector<Bounds> part_boxes_;
  Vector clear_at_;   // x_c of (3)
  double clear_ = 0;  // g/2 of (3), m; 0: there is none
  Vector reference_, motion_;
  std::vector<double> radius_, own_radius_;  // R_v of (2) against other parts and within the part, m
  std::vector<int> near_points_, near_edges_, near_triangles_;  // that may have stencils, ascending
  BoxTree point_tree_, edge_tree_, triangle_tree_;              // of these
  std::vector<Bounds> boxes_;
  std::vector<std::vector<ContactStencil>> found_;  // by each task
  std::vector<std::vector<int>> numbers_;           // working memory of each task
  std::vector<ContactStencil> stencils_;
  std::vector<Eigen::Vector3d> means_;
};

}  // namespace phiflex
