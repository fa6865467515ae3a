// What depends on the material law, behind one virtual call per launch: everything else of the room is compiled once for
// each back end.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "phiflex/cuda/device_array.h"
#include "phiflex/cuda/em_kernels.h"
#include "phiflex/material/all_laws.h"

namespace phiflex::device {

enum class Curvature { exact, projected };

template <class BackEnd>
class LawLaunches {
 public:
  virtual ~LawLaunches() = default;
  virtual void patch_forces(BackEnd& on, const TetView& tets, const PatchView& patches, const double* x,
                            double* sums) const = 0;
  virtual void energy(BackEnd& on, const TetView& tets, const double* x, double* energy) const = 0;
  virtual void pair_blocks(BackEnd& on, const TetView& tets, const double* x, Curvature curvature,
                           Float4* blocks) const = 0;

  // Of energy-momentum steps (em_kernels.h).
  virtual bool turns_bodies() const = 0;      // some elements may have a torque from within
  virtual const double* at_rest() const = 0;  // TwoStateView::rest
  virtual void start_densities(BackEnd& on, const TetView& tets, const double* x, double* psi) const = 0;
  virtual void two_state_forces(BackEnd& on, const TetView& tets, const PatchView& patches,
                                const TwoStateView& step, double* sums) const = 0;
  virtual void two_state_pairs(BackEnd& on, const TetView& tets, const TwoStateView& step,
                               Float4* blocks) const = 0;
  virtual void strain_change(BackEnd& on, const TetView& tets, const double* x, const double* w, double h,
                             double* strains) const = 0;
};

// Puts a sum where the host, or the next kernel, finds it.
template <int N>
struct StoreSums {
  double* to;
  PHIFLEX_HD void operator()(const Sums<N>& sums) const {
    for (int k = 0; k < N; ++k) to[k] = sums.e[k];
  }
};

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
  // parameters: of each tetrahedron, one after the other (MaterialInfo::parameters).
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

// std::invalid_argument for a law that devices do not have.
template <class BackEnd>
std::unique_ptr<LawLaunches<BackEnd>> make_law_launches(std::string_view law, BackEnd& on, int tets,
                                                        const std::vector<double>& parameters) {
  std::unique_ptr<LawLaunches<BackEnd>> made;
  const auto try_law = [&]<class Law>(const Law*) {
    if constexpr (on_devices<Law>)
      if (!made && Law::name == law)
        made = std::make_unique<LawLaunchesOf<BackEnd, Law>>(on, tets, parameters);
  };
  const auto try_all = [&]<class... Law>(const std::tuple<Law...>*) {
    (try_law(static_cast<const Law*>(nullptr)), ...);
  };
  try_all(static_cast<const Laws*>(nullptr));
  if (!made) throw std::invalid_argument("no device computes the material law " + std::string(law));
  return made;
}

}  // namespace phiflex::device
