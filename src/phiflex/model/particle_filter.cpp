#include "phiflex/model/particle_filter.h"

#include <algorithm>

namespace phiflex {

ParticleFilter::ParticleFilter(const DeformableModel& model, ParticleContact contact)
    : model_(model), contact_(std::move(contact)), inverse_mass_(std::size_t(model.vertices()), 0.0) {
  for (const TermPointer& term : model.terms()) term->add_couplings(couplings_);
  for (auto& [a, b] : couplings_)
    if (a > b) std::swap(a, b);
  std::sort(couplings_.begin(), couplings_.end());
  couplings_.erase(std::unique(couplings_.begin(), couplings_.end()), couplings_.end());
  for (const int vertex : model.constraints().free().vertex_of_row)
    inverse_mass_[std::size_t(vertex)] = 1 / model.description().vertex_mass[vertex];
}

FilterReport ParticleFilter::apply(const StepEnd& step, State& at) {
  const double h = step.h;
  FilterReport report;
  model_.expand(at, x_, v_);
  find_pairs(h);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool pushed = false;
    for (const auto& [a, b] : pairs_) pushed = push_apart(a, b, h, report) || pushed;
    if (!pushed) break;
  }
  if (report.impulses > 0) model_.constraints().gather(v_, at.v);
  return report;
}

void ParticleFilter::find_pairs(double h) {
  boxes_.clear();
  for (const int vertex : contact_.vertices) {
    Bounds box;
    for (int i = 0; i < 3; ++i) {
      const double from = x_[3 * Index(vertex) + i], to = from + h * v_[3 * Index(vertex) + i];
      box.low[i] = std::min(from, to) - 0.5 * contact_.distance;
      box.high[i] = std::max(from, to) + 0.5 * contact_.distance;
    }
    boxes_.push_back(box);
  }
  tree_.build(boxes_);
  tree_.overlapping_pairs(pairs_);
  const Vector& rest = model_.description().rest;
  std::size_t kept = 0;
  for (const auto& [i, j] : pairs_) {
    const auto [a, b] = std::minmax(contact_.vertices[std::size_t(i)], contact_.vertices[std::size_t(j)]);
    const double apart = (rest.segment<3>(3 * Index(a)) - rest.segment<3>(3 * Index(b))).norm();
    if (apart >= contact_.distance && !coupled(a, b)) pairs_[kept++] = {a, b};
  }
  pairs_.resize(kept);
}

bool ParticleFilter::coupled(int a, int b) const {
  return std::binary_search(couplings_.begin(), couplings_.end(), Coupling{a, b});
}

bool ParticleFilter::push_apart(int a, int b, double h, FilterReport& report) {
  const double inverse_a = inverse_mass_[std::size_t(a)], inverse_b = inverse_mass_[std::size_t(b)];
  if (inverse_a + inverse_b == 0) return false;
  const Eigen::Vector3d r = x_.segment<3>(3 * Index(a)) - x_.segment<3>(3 * Index(b));
  auto v_a = v_.segment<3>(3 * Index(a)), v_b = v_.segment<3>(3 * Index(b));
  const double length = r.norm();
  const Eigen::Vector3d n = length > 0 ? Eigen::Vector3d(r / length) : Eigen::Vector3d::UnitY();
  const Eigen::Vector3d w = v_a - v_b;
  const double g = std::max(0.0, length - contact_.distance) / h, w_n = w.dot(n);
  constexpr double rounding = 1e-12;  // an impulse that was given is not given again for its last digits
  if (w_n >= -g - rounding * w.norm()) return false;  // (1)
  const double m = 1 / (inverse_a + inverse_b), p_n = m * (-g - w_n);
  const Eigen::Vector3d w_t = w - w_n * n;
  const double slip = w_t.norm(), p_t = std::min(contact_.friction * p_n, m * slip);
  const Eigen::Vector3d p = p_n * n - (slip > 0 ? p_t / slip : 0.0) * w_t;  // (2)
  report.friction += p_t * (slip - 0.5 * p_t / m);
  if (inverse_a == 0) report.external -= p.dot(v_a);  // a held particle is moved by somebody
  if (inverse_b == 0) report.external += p.dot(v_b);
  v_a += inverse_a * p;  // (3)
  v_b -= inverse_b * p;
  ++report.impulses;
  return true;
}

}  // namespace phiflex
