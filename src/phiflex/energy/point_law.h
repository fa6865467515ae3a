// A material law at the points of tetrahedra, kLanes at a time: what elastic terms (elastic_tets.h) and their
// energy-momentum forces (elastic_two_state.h) ask of it. Neither depends on the law otherwise, and both are compiled
// once; these functions are compiled once for each law (point_law_of.h), whatever the kind of element.
//
// `place` says which set of the law's moduli is meant: that of a batch of elements, or of a point of one.
#pragma once

#include <cstddef>

#include "phiflex/energy/strain_tangent.h"
#include "phiflex/fem/tet_stiffness.h"
#include "phiflex/material/material.h"
#include "phiflex/system/definiteness.h"

namespace phiflex {
namespace point_detail {

template <class Matrix>
Matrix select_each(MaskOf<Lanes> mask, const Matrix& yes, const Matrix& no) {
  Matrix m;
  for (std::size_t k = 0; k < std::size(m.e); ++k) m.e[k] = select(mask, yes.e[k], no.e[k]);
  return m;
}

}  // namespace point_detail

// material/two_state.h
using PointStart = PointStartOf<Lanes>;
using PointChange = PointChangeOf<Lanes>;

class PointLaw {
 public:
  struct Traits {
    bool function_of_C;  // somewhere
    bool chords;         // some points, or all, are averaged along the chord: elastic_two_state.h, (4)
    int places;          // sets of moduli in a batch: 1, or one for each point
  };
  explicit PointLaw(const Traits& traits) : traits_(traits) {}
  PointLaw(const PointLaw&) = delete;
  PointLaw& operator=(const PointLaw&) = delete;
  virtual ~PointLaw() = default;

  const Traits& traits() const { return traits_; }
  std::size_t place(int batch, int point) const {
    return std::size_t(batch) * std::size_t(traits_.places) + (traits_.places == 1 ? 0 : std::size_t(point));
  }
  // Of the linear elasticity that the law is near rest.
  virtual Lame<Lanes> at_rest(std::size_t place) const = 0;

  // material.h, (1) to (3)
  virtual Lanes psi(std::size_t place, const Mat3<Lanes>& F) const = 0;
  virtual Mat3<Lanes> P(std::size_t place, const Mat3<Lanes>& F) const = 0;
  virtual Mat3<Lanes> dP(std::size_t place, const Mat3<Lanes>& F, const Mat3<Lanes>& dF) const = 0;
  // The blocks volume block(g_a, g_b) of vertices 1 <= a <= b <= 3, exact or projected; the lanes that the projection
  // changed.
  virtual MaskOf<Lanes> stiffness(std::size_t place, const TetGeometry& tet, Lanes volume,
                                  const Mat3<Lanes>& F, Definiteness definiteness, TetStiffness& K) const = 0;

  // A step that starts at F.
  virtual PointStart start(std::size_t place, const Mat3<Lanes>& F) const = 0;
  // elastic_two_state.h, (2) and (3), of a function of C, and A of (5) without damping.
  virtual Sym3<Lanes> mean_stress(std::size_t place, const PointStart& start,
                                  const PointChange& change) const = 0;
  virtual Sym3<Lanes> mean_stress(std::size_t place, const PointStart& start, const PointChange& change,
                                  StrainTangent& A) const = 0;
  // elastic_two_state.h, (4), and what it adds to the blocks of stiffness() where `chord`.
  virtual Mat3<Lanes> chord_stress(std::size_t place, const PointStart& start,
                                   const PointChange& change) const = 0;
  virtual void add_chord_stiffness(std::size_t place, const TetGeometry& tet, Lanes volume,
                                   const PointStart& start, const PointChange& change, MaskOf<Lanes> chord,
                                   Definiteness definiteness, TetStiffness& K) const = 0;

 private:
  Traits traits_;
};

}  // namespace phiflex
