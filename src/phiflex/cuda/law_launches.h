// What depends on the material law, behind one virtual call per launch. The kernels of each law are compiled on their
// own (law_launches_of.h), everything else of the room once for each back end.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "phiflex/cuda/em_kernels.h"

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
  virtual void add_damping_forces(BackEnd& on, const TetView& tets, const PatchView& patches,
                                  const Damping& damping, const double* x, const double* v,
                                  double* sums) const = 0;
  virtual void add_damping_blocks(BackEnd& on, const TetView& tets, const Damping& damping, const double* x,
                                  double factor, Float4* blocks) const = 0;

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

// parameters: of each tetrahedron, one after the other (MaterialInfo::parameters). std::invalid_argument for a law that
// devices do not have. Defined in law_table.h.
template <class BackEnd>
std::unique_ptr<LawLaunches<BackEnd>> make_law_launches(std::string_view law, BackEnd& on, int tets,
                                                        const std::vector<double>& parameters);

}  // namespace phiflex::device
