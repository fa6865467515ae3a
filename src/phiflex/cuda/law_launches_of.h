// The launches of one law (law_launches.h), for the files that CMake writes: one for each law and back end.
#pragma once

#include <type_traits>

#include "phiflex/cuda/device_array.h"
#include "phiflex/cuda/law_launches.h"

namespace phiflex::device {

// Fills a law's parameters from the list that elements hold.
struct ParameterReader {
  const double* next;
  void operator()(const ParameterInfo&, double& number) { number = *next++; }
  void operator()(const ParameterInfo&, Vec3<double>& direction) {
    for (double& x : direction.e) x = *next++;
  }
};

template <class BackEnd, class Law>
class LawLaunchesOf final : public LawLaunches<BackEnd> {
 public:
  LawLaunchesOf(BackEnd& on, int tets, const std::vector<double>& parameters)
      : moduli_(on, arranged(tets, parameters)), at_rest_(on, rest_moduli(tets, parameters)) {}

  void patch_forces(BackEnd& on, const TetView& tets, const PatchView& patches, const double* x,
                    double* sums) const override {
    on.for_each_patch(patches.patches, PatchForces<Law>{tets, patches, moduli_.data(), x, sums});
  }
  void energy(BackEnd& on, const TetView& tets, const double* x, double* energy) const override {
    on.template sum<1>(tets.tets, ElasticEnergy<Law>{tets, moduli_.data(), x}, StoreSums<1>{energy});
  }
  void pair_blocks(BackEnd& on, const TetView& tets, const double* x, Curvature curvature,
                   Float4* blocks) const override {
    using At = typename Law::template At<double>;
    using Projected = typename Law::template Projected<double>;
    if (curvature == Curvature::exact)
      on.for_each(tets.tets, PairBlocks<Law, At>{tets, moduli_.data(), x, blocks});
    else
      on.for_each(tets.tets, PairBlocks<Law, Projected>{tets, moduli_.data(), x, blocks});
  }
  void add_damping_forces(BackEnd& on, const TetView& tets, const PatchView& patches, const Damping& damping,
                          const double* x, const double* v, double* sums) const override {
    on.for_each_patch(patches.patches,
                      DampingForces<Law>{tets, patches, moduli_.data(), damping, x, v, sums});
  }
  void add_damping_blocks(BackEnd& on, const TetView& tets, const Damping& damping, const double* x,
                          double factor, Float4* blocks) const override {
    on.for_each(tets.tets, AddDampingBlocks<Law>{tets, moduli_.data(), damping, x, factor, blocks});
  }

  bool turns_bodies() const override { return TwoStateLaw<Law, double>::kChords; }
  const double* at_rest() const override { return at_rest_.data(); }
  void start_densities(BackEnd& on, const TetView& tets, const double* x, double* psi) const override {
    on.for_each(tets.tets, StartDensities<Law>{tets, moduli_.data(), x, psi});
  }
  void two_state_forces(BackEnd& on, const TetView& tets, const PatchView& patches, const TwoStateView& step,
                        double* sums) const override {
    on.for_each_patch(patches.patches, TwoStateForces<Law>{tets, patches, moduli_.data(), step, sums});
  }
  void two_state_pairs(BackEnd& on, const TetView& tets, const TwoStateView& step,
                       Float4* blocks) const override {
    on.for_each(tets.tets, TwoStatePairs<Law>{tets, moduli_.data(), step, blocks});
  }
  void strain_change(BackEnd& on, const TetView& tets, const double* x, const double* w, double h,
                     double* strains) const override {
    on.for_each(tets.tets, StrainChange<Law>{tets, x, w, h, strains});
  }

 private:
  using Moduli = typename Law::template Moduli<double>;
  // of(e, moduli) of each tetrahedron.
  template <class Of>
  static void for_each_moduli(int tets, const std::vector<double>& parameters, const Of& of) {
    const std::size_t count = std::size_t(tets), each = count > 0 ? parameters.size() / count : 0;
    for (std::size_t e = 0; e < count; ++e) {
      typename Law::template Parameters<double> given{};
      ParameterReader reader{parameters.data() + each * e};
      Law::fields(reader, given);
      of(e, Law::moduli(given));
    }
  }
  static std::vector<double> arranged(int tets, const std::vector<double>& parameters) {
    const std::size_t count = std::size_t(tets);
    std::vector<double> moduli(modulus_count<Law> * count);
    for_each_moduli(tets, parameters, [&](std::size_t e, const Moduli& of_tet) {
      const ModulusArray<Law, double> numbers = modulus_array<Law, double>(of_tet);
      for (std::size_t k = 0; k < numbers.size(); ++k) moduli[k * count + e] = numbers[k];
    });
    return moduli;
  }
  static std::vector<double> rest_moduli(int tets, const std::vector<double>& parameters) {
    const std::size_t count = std::size_t(tets);
    std::vector<double> rest(2 * count);
    for_each_moduli(tets, parameters, [&](std::size_t e, const Moduli& of_tet) {
      const Lame<double> at_rest = Law::at_rest(of_tet);
      rest[e] = at_rest.mu;
      rest[count + e] = at_rest.lambda;
    });
    return rest;
  }
  DeviceArray<BackEnd, double> moduli_, at_rest_;
};

// A law with curves, which are lists on the host, is not on devices: `spline`.
template <class Law>
inline constexpr bool on_devices =
    std::is_same_v<LawModuli<Law, double>, typename Law::template Moduli<double>>;

// Null where the law has another name, or is not on devices.
template <class BackEnd, class Law>
std::unique_ptr<LawLaunches<BackEnd>> launches_of(std::string_view law, BackEnd& on, int tets,
                                                  const std::vector<double>& parameters) {
  if constexpr (on_devices<Law>)
    if (law == Law::name) return std::make_unique<LawLaunchesOf<BackEnd, Law>>(on, tets, parameters);
  return nullptr;
}

}  // namespace phiflex::device
