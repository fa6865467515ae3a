// The energy-momentum force of linear springs: the discrete gradient in the squared length. With s = x_a -
// x_b, ds its change, s_bar = s + ds/2, l and l+ the lengths at the ends, l_bar their mean and dl = l+ - l,
//
//   f_a = -c s_bar = -f_b,   c = (W+ - W)/((l+^2 - l^2)/2) = k (1 - l0/l_bar)                             (1)
//   dl = s_bar.ds/l_bar                                                                                   (2)
//
// exactly and without a difference of close numbers. The strain measure of damping is the length itself, in
// which the law is linear:
//
//   c += k (chi (dl - ratio dl_before) + (eta/h) dl)/l_bar,   E* part = chi/2 sum k dl^2                  (3)
//
// (|s_bar| <= l_bar: the force stays bounded as a spring shrinks.) With n+ = s+/l+ the tangent's block (a, a)
// is the symmetric part of
//
//   c 1 + s_bar (2 dc/ds+)',   2 dc/ds+ = b n+,   b = (2 k (chi + eta/h) + k - c)/l_bar                   (4)
//
// (without damping k - c = k l0/l_bar). Projected: c+ (1 - n n') + (c + b |s_bar|)+ n n' with n along s_bar.
#include <algorithm>
#include <limits>

#include "phiflex/energy/spring_blocks.h"
#include "phiflex/energy/two_state_term.h"

namespace phiflex {
namespace {

class SpringTwoState final : public TwoStateTerm {
 public:
  SpringTwoState(const std::vector<Spring>& springs, const ElementSchedule& schedule,
                 const FreeVertices& free, const SparsityPattern& pattern)
      : springs_(springs), schedule_(schedule), blocks_(springs, free, pattern) {}

  void begin(const Vector& x, const StepDamping& damping) override {
    x_ = &x;
    damping_ = damping;
  }

  void add_force(const Vector& dx, Vector& f) override {
    schedule_.for_each_chunk([&](int first, int last) {
      for (int e = first; e < last; ++e) {
        const Change change(springs_[e], *x_, dx);
        add_pair(springs_[e], -coefficient(e, change) * change.s_bar, f);  // (1)
      }
    });
  }

  void add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K) override {
    schedule_.for_each_chunk([&](int first, int last) {
      for (int e = first; e < last; ++e)
        blocks_.add(e, tangent_block(e, Change(springs_[e], *x_, dx), definiteness), K);
    });
  }

  bool turns_bodies() const override { return false; }

  double dissipated(const Vector& dx) override {
    if (damping_.eta == 0) return 0;
    return damping_.eta / damping_.h * sum([&](int e) { return Change(springs_[e], *x_, dx).dl; });
  }

  Index memory_size() const override { return Index(springs_.size()); }
  void strain_change(const Vector& dx, double* memory) override {
    for (std::size_t e = 0; e < springs_.size(); ++e) memory[e] = Change(springs_[e], *x_, dx).dl;
  }
  double dial_energy(double chi, const double* memory) override {
    return 0.5 * chi * sum([&](int e) { return memory[e]; });
  }

  Index elements() const override { return Index(springs_.size()); }
  void rates(const Vector& x, const Vector& v, std::span<double> spin, std::span<double> strain) override {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (std::size_t e = 0; e < springs_.size(); ++e) {
      const Vec3<double> s = difference(x, springs_[e]), ds = difference(v, springs_[e]);
      const double square = dot(s, s), turning = norm(cross(s, ds)) / square;
      const double straining = abs(dot(s, ds)) / square;
      spin[e] = turning < infinity ? turning : infinity;
      strain[e] = straining < infinity ? straining : infinity;
    }
  }

 private:
  struct Change {
    Vec3<double> s_plus, s_bar;
    double l_plus, l_bar, dl;

    Change(const Spring& spring, const Vector& x, const Vector& dx) {
      const Vec3<double> s = difference(x, spring), ds = difference(dx, spring);
      s_plus = s + ds;
      s_bar = s + 0.5 * ds;
      l_plus = norm(s_plus);
      l_bar = 0.5 * (norm(s) + l_plus);
      dl = l_bar > 0 ? dot(s_bar, ds) / l_bar : 0;  // (2)
    }
  };

  // The sum over all springs of k times the square of length(e).
  template <class Length>
  double sum(const Length& length) const {
    return schedule_.sum([&](int first, int last) {
      double total = 0;
      for (int e = first; e < last; ++e) total += springs_[e].k * length(e) * length(e);
      return total;
    });
  }

  // c of (1) and (3). A spring without length at both ends has no direction: only l0 = 0 gives it a c.
  double coefficient(int e, const Change& change) const {
    const Spring& spring = springs_[e];
    if (!(change.l_bar > 0)) return spring.rest_length == 0 ? spring.k : 0 * change.l_bar;
    const double before = damping_.memory ? damping_.ratio * damping_.memory[e] : 0;
    const double damped = damping_.chi * (change.dl - before) + damping_.eta / damping_.h * change.dl;
    return spring.k * (1 + (damped - spring.rest_length) / change.l_bar);
  }

  Mat3<double> tangent_block(int e, const Change& change, Definiteness definiteness) const {  // (4)
    const double c = coefficient(e, change), k = springs_[e].k;
    const double size = norm(change.s_bar);
    if (!(change.l_plus > 0) || !(size > 0))
      return Mat3<double>::scaled_identity(definiteness == Definiteness::exact ? c : std::max(c, 0.0));
    const double b = (2 * k * (damping_.chi + damping_.eta / damping_.h) + k - c) / change.l_bar;
    const Mat3<double> one = Mat3<double>::identity();
    if (definiteness == Definiteness::exact) {
      const Mat3<double> oblique = outer((0.5 * b / change.l_plus) * change.s_bar, change.s_plus);
      return c * one + oblique + transpose(oblique);
    }
    const Vec3<double> n = (1 / size) * change.s_bar;
    const Mat3<double> along = outer(n, n);
    return std::max(c, 0.0) * (one - along) + std::max(c + b * size, 0.0) * along;
  }

  const std::vector<Spring>& springs_;
  const ElementSchedule& schedule_;
  SpringBlocks blocks_;
  const Vector* x_ = nullptr;
  StepDamping damping_;
};

}  // namespace

std::unique_ptr<TwoStateTerm> SpringTerm::make_two_state(const FreeVertices& free,
                                                         const SparsityPattern& pattern) const {
  return std::make_unique<SpringTwoState>(springs_, schedule_, free, pattern);
}

}  // namespace phiflex
