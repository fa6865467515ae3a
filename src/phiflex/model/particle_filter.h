// Impulses that keep particles apart. For a pair a, b with r = x_a - x_b, n = r/|r|, relative velocity
// w = v_a - v_b, and 1/m = 1/m_a + 1/m_b (a held particle has 1/m_a = 0): within the next step h they may come
// as near as `distance` D and no nearer,
//
//   w.n >= -g,     g = max(0, |r| - D)/h                                                                  (1)
//   else  p_n = m (-g - w.n),     p_t = min(mu p_n, m |w_t|),     w_t = w - (w.n) n                       (2)
//   v_a += p/m_a,   v_b -= p/m_b,     p = p_n n - p_t w_t/|w_t|                                           (3)
//
// Each impulse keeps the pair's momentum and, with |w.n| and |w_t| never growing, gives no energy; friction takes
// p_t (|w_t| - p_t/(2 m)) of it. Pairs come
// from a hierarchy of boxes around the particles' ways along the next step, in ascending order of their numbers,
// and are gone through kSweeps times, for an impulse may spoil another's. Left out are pairs that an element or
// a spring couples, and those nearer than D in the rest shape.
//
// Positions stay: what overlaps already is not pushed apart, only kept from getting deeper.
#pragma once

#include <utility>
#include <vector>

#include "phiflex/mesh/box_tree.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/model/step_filter.h"

namespace phiflex {

struct ParticleContact {
  std::vector<int> vertices;  // that meet one another
  double distance = 0;        // D, m
  double friction = 0;        // mu
};

class ParticleFilter final : public StepFilter {
 public:
  static constexpr int kSweeps = 4;
  ParticleFilter(const DeformableModel& model, ParticleContact contact);  // the model must outlive it
  FilterReport apply(const StepEnd& step, State& at) override;

 private:
  void find_pairs(double h);
  bool coupled(int a, int b) const;
  bool push_apart(int a, int b, double h, FilterReport& report);

  const DeformableModel& model_;
  ParticleContact contact_;
  std::vector<Coupling> couplings_;  // first < second, sorted
  std::vector<double> inverse_mass_;
  BoxTree tree_;
  std::vector<Bounds> boxes_;
  std::vector<std::pair<int, int>> pairs_;  // of the model's vertices
  Vector x_, v_;
};

}  // namespace phiflex
