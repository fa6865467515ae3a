// The functions of point_law.h for one law.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "phiflex/energy/point_law.h"
#include "phiflex/material/two_state.h"

namespace phiflex {
namespace point_detail {

// Whether a law's moduli are those of a point of an element, not of the whole element (Law::moduli_of_points).
template <class Law>
inline constexpr bool kModuliOfPoints = false;
template <class Law>
requires requires {
  Law::moduli_of_points;
}
inline constexpr bool kModuliOfPoints<Law> = Law::moduli_of_points;

}  // namespace point_detail

// How many sets of moduli a batch of elements has.
template <class Law, class Element>
inline constexpr int modulus_places = point_detail::kModuliOfPoints<Law> ? Element::kPoints : 1;

template <class Law>
class PointLawOf final : public PointLaw {
 public:
  using At = typename Law::template At<Lanes>;
  using Projected = typename Law::template Projected<Lanes>;
  using TwoState = TwoStateLaw<Law, Lanes>;
  using Moduli = typename Law::template Moduli<Lanes>;

  // numbers: modulus_count<Law> for each batch, one batch after the other. curves: of laws that have them, or null;
  // they must outlive it.
  PointLawOf(std::span<const Lanes> numbers, int places, const SplineCurves* curves)
      : PointLaw({TwoState::kOfC, TwoState::kChords, places}), curves_(curves) {
    constexpr std::size_t count = modulus_count<Law>;
    for (std::size_t i = 0; count * i < numbers.size(); ++i) {
      ModulusArray<Law, Lanes> of_batch;
      for (std::size_t k = 0; k < count; ++k) of_batch[k] = numbers[count * i + k];
      moduli_.insert(moduli_.end(), std::size_t(places), moduli_of<Law, Lanes>(of_batch));
    }
  }

  LawModuli<Law, Lanes> parameters(std::size_t place) const {
    return with_curves<Law, Lanes>(moduli_[place], curves_);
  }
  void set_moduli(std::size_t place, const Moduli& moduli) { moduli_[place] = moduli; }

  Lame<Lanes> at_rest(std::size_t place) const override {
    const ModulusArray<Law, Lanes> of_lanes = modulus_array<Law, Lanes>(moduli_[place]);
    Lame<Lanes> rest;
    for (int lane = 0; lane < kLanes; ++lane) {
      ModulusArray<Law, double> numbers;
      for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = of_lanes[k][lane];
      const Lame<double> of_lane =
          Law::at_rest(with_curves<Law, double>(moduli_of<Law, double>(numbers), curves_));
      rest.mu.set(lane, of_lane.mu);
      rest.lambda.set(lane, of_lane.lambda);
    }
    return rest;
  }

  PHIFLEX_KERNEL Lanes psi(std::size_t place, const Mat3<Lanes>& F) const override {
    return At(parameters(place), F).psi();
  }
  PHIFLEX_KERNEL Mat3<Lanes> P(std::size_t place, const Mat3<Lanes>& F) const override {
    return At(parameters(place), F).P();
  }
  PHIFLEX_KERNEL Mat3<Lanes> dP(std::size_t place, const Mat3<Lanes>& F,
                                const Mat3<Lanes>& dF) const override {
    return At(parameters(place), F).dP(dF);
  }
  MaskOf<Lanes> stiffness(std::size_t place, const TetGeometry& tet, Lanes volume, const Mat3<Lanes>& F,
                          Definiteness definiteness, TetStiffness& K) const override {
    if (definiteness == Definiteness::exact) return blocks<At>(place, tet, volume, F, K);
    return blocks<Projected>(place, tet, volume, F, K);
  }

  PHIFLEX_KERNEL PointStart start(std::size_t place, const Mat3<Lanes>& F) const override {
    return TwoState::start(parameters(place), F);
  }
  PHIFLEX_KERNEL Sym3<Lanes> mean_stress(std::size_t place, const PointStart& start,
                                         const PointChange& change) const override {
    return TwoState::mean_stress(parameters(place), start, change);
  }
  PHIFLEX_KERNEL Sym3<Lanes> mean_stress(std::size_t place, const PointStart& start,
                                         const PointChange& change, StrainTangent& A) const override {
    A = TwoState::tangent(parameters(place), start, change);
    return TwoState::mean_stress(parameters(place), start, change);
  }

  PHIFLEX_KERNEL Mat3<Lanes> chord_stress(std::size_t place, const PointStart& start,
                                          const PointChange& change) const override {
    return TwoState::chord_stress(parameters(place), start, change);
  }
  void add_chord_stiffness(std::size_t place, const TetGeometry& tet, Lanes volume, const PointStart& start,
                           const PointChange& change, MaskOf<Lanes> chord, Definiteness definiteness,
                           TetStiffness& K) const override {
    if constexpr (TwoState::kChords) {
      if (definiteness == Definiteness::exact)
        add_chord_blocks<At>(place, tet, volume, start, change, chord, K);
      else
        add_chord_blocks<Projected>(place, tet, volume, start, change, chord, K);
    }
  }

 private:
  // Derivative: At or Projected.
  template <class Derivative>
  PHIFLEX_KERNEL MaskOf<Lanes> blocks(std::size_t place, const TetGeometry& tet, Lanes volume,
                                      const Mat3<Lanes>& F, TetStiffness& K) const {
    const Derivative derivative(parameters(place), F);
    for (int b = 1; b < 4; ++b) {
      const Vec3<Lanes> Vg = volume * tet.g[b - 1];
      for (int a = 1; a <= b; ++a) K.at[a][b] = derivative.block(tet.g[a - 1], Vg);
    }
    if constexpr (std::is_same_v<Derivative, Projected>)
      return derivative.changed();
    else
      return Lanes(1.0) < Lanes(0.0);
  }

  template <class Derivative>
  PHIFLEX_KERNEL void add_chord_blocks(std::size_t place, const TetGeometry& tet, Lanes volume,
                                       const PointStart& start, const PointChange& change,
                                       MaskOf<Lanes> chord, TetStiffness& K) const {
    for (int i = 0; i < TwoState::kChordPoints; ++i) {
      const GaussPoint point = TwoState::chord_point(i);
      const Derivative derivative(parameters(place), start.F + Lanes(point.g) * change.dF);
      const Lanes factor = select(chord, Lanes(2 * point.weight * point.g) * volume, Lanes(0.0));
      for (int b = 1; b < 4; ++b)
        for (int a = 1; a <= b; ++a) {
          const Mat3<Lanes> block = derivative.block(tet.g[a - 1], tet.g[b - 1]);
          K.at[a][b] += point_detail::select_each(chord, factor * block, Mat3<Lanes>::zero());
        }
    }
  }

  std::vector<Moduli> moduli_;
  const SplineCurves* curves_;
};

}  // namespace phiflex
