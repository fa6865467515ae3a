// Distances of stencils at one shape x_k, as bounds for shapes nearby. With m_v the way of vertex v from x_k,
//
//   d(x) >= d(x_k) - max m_a - max m_b       over the vertices a and b of the two sides                     (1)
//
// so that most stencils need no distance of their own. x_k is the shape at which the candidates were found, with
// distances that are known from there. Where vertices have gone farther than what (1) can tell from, the
// distances are computed anew. What is answered is exact whatever x_k is; only the work depends on it.
#pragma once

#include <span>
#include <vector>

#include "phiflex/contact/contact_candidates.h"

namespace phiflex {

class KnownDistances {
 public:
  // For all shapes x + t dx, 0 <= t <= 1, of all vertices.
  void look(const ContactCandidates& candidates, const Vector& x, const Vector& dx);
  // The stencil of this number is at least as far apart at all of them, m; below 0 where (1) tells nothing.
  double bound(const ContactStencil& stencil, std::size_t number) const;
  // By (1): the stencil of this number stays out of its reach, or farther apart than this part of it.
  bool stays_out(const ContactStencil& stencil, std::size_t number, double part = 1) const;

 private:
  void find(std::span<const ContactStencil> stencils, const Vector& x);

  long search_ = -1;              // that found the stencils
  Vector at_;                     // x_k
  std::vector<double> distance_;  // of each stencil, m
  std::vector<double> moved_;     // m_v, m
};

}  // namespace phiflex
