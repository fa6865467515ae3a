// Wind: pressure drag on triangles, a third of it on each corner.
//
//   w(t)   = velocity (1 + amplitude sin(2 pi frequency t))                                               (1)
//   w_n    = (w(t) - (v_a + v_b + v_c)/3) . n          n, A: normal and area of the deformed triangle     (2)
//   f      = 1/2 rho C A |w_n| w_n n                                                                      (3)
//   -df_i/dv_j = rho C A |w_n| n n'/9    for corners i, j: symmetric, positive semidefinite               (4)
//   df/dt  = rho C A |w_n| (w'(t) . n) n               at fixed x and v                                   (5)
//
// Both sides of a triangle feel the air alike: turning a triangle over changes nothing, so that a cloth needs
// its triangles once. On a closed surface the windward and the leeward side both push along the wind. The
// change of (3) with the positions is not symmetric and is left out of the tangent.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "phiflex/model/load.h"
#include "phiflex/model/modulation.h"

namespace phiflex {

struct Wind {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // m/s
  double gust_amplitude = 0;                           // as a fraction of the velocity
  double gust_frequency = 0;                           // Hz
  double air_density = 1.225;                          // kg/m^3
  double drag_coefficient = 1;                         // of a surface that faces the wind
};

class WindLoad : public Load {
 public:
  // triangles: vertex numbers of the model.
  WindLoad(std::vector<std::array<int, 3>> triangles, Wind wind, ActiveTime active);

  void add_force(const Motion& at, Vector& f) const override;
  void add_force_rate(const Motion& at, Vector& g) const override;
  void add_couplings(std::vector<Coupling>& couplings) const override;
  std::unique_ptr<DragAssembler> make_drag_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override;

 private:
  std::vector<std::array<int, 3>> triangles_;
  Wind wind_;
  ActiveTime active_;
};

}  // namespace phiflex
