// The energy-momentum force of springs. With s_j the arms of an element (spring.h), ds_j their change, s-_j = s_j +
// ds_j/2, l_j and l+_j the lengths at the ends, l-_j their mean and dl_j = l+_j - l_j,
//
//   force on the arm  -c_j s-_j,   c_j = sigma_j T/l-_j,   T = (W+ - W)/(e+ - e)                          (1)
//   dl_j = s-_j.ds_j/l-_j,         de = sum_j sigma_j dl_j                                                (2)
//
// exactly and without a difference of close numbers (for the linear law T = k (l- - l0): the discrete gradient in the
// squared length). The strain measure of damping is the extension itself:
//
//   T += k (chi (de - ratio de_before) + (eta/h) de),   E* part = chi/2 sum k de^2                        (3)
//
// (|s-_j| <= l-_j: the force stays bounded as an arm shrinks.) With n+ = s+/l+ the tangent's block between the arms
// j and m is the symmetric part of
//
//   t sigma_j sigma_m s-_j/l-_j n+_m' + delta_jm c_j (1 - s-_j n+_j'/l-_j)                                (4)
//   t = 2 dT/de+, for the linear law k (1 + 2 (chi + eta/h))
//
// Projected, with n along s- and r = |s-|/l- <= 1: t sigma_j sigma_m sqrt(r_j r_m) n_j n_m' plus the positive part of
// c_j (1 - r n n').
#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/energy/spring_blocks.h"
#include "phiflex/energy/spring_term.h"
#include "phiflex/energy/two_state_term.h"

namespace phiflex {
namespace {

template <class Element, class Law>
class SpringTwoState final : public TwoStateTerm {
 public:
  SpringTwoState(const std::vector<Element>& elements, const ElementSchedule& schedule,
                 const FreeVertices& free, const SparsityPattern& pattern)
      : elements_(elements), schedule_(schedule), blocks_(elements, free, pattern) {}

  void begin(const Vector& x, const StepDamping& damping) override {
    x_ = &x;
    damping_ = damping;
  }

  void add_force(const Vector& dx, Vector& f) override {
    schedule_.for_each_chunk([&](int first, int last) {
      for (int e = first; e < last; ++e) {
        const Change change(elements_[e], *x_, dx);
        const Pull pull = pull_of(e, change);
        ArmVectors<Element> on_arms;
        for (int j = 0; j < kArms; ++j) on_arms[j] = -pull.c[j] * change.s_bar[j];  // (1)
        add_to_nodes(elements_[e], on_arms, f);
      }
    });
  }

  void add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K) override {
    schedule_.for_each_chunk([&](int first, int last) {
      for (int e = first; e < last; ++e) {
        const Change change(elements_[e], *x_, dx);
        const Pull pull = pull_of(e, change);
        blocks_.add(e, definiteness == Definiteness::exact ? tangent(change, pull) : projected(change, pull),
                    K);
      }
    });
  }

  bool turns_bodies() const override { return false; }

  double dissipated(const Vector& dx) override {
    if (damping_.eta == 0) return 0;
    return damping_.eta / damping_.h * sum([&](int e) { return Change(elements_[e], *x_, dx).de; });
  }

  Index memory_size() const override { return Index(elements_.size()); }
  void strain_change(const Vector& dx, double* memory) override {
    for (std::size_t e = 0; e < elements_.size(); ++e) memory[e] = Change(elements_[e], *x_, dx).de;
  }
  double dial_energy(double chi, const double* memory) override {
    return 0.5 * chi * sum([&](int e) { return memory[e]; });
  }

  Index elements() const override { return Index(elements_.size()); }
  // Of the arm that turns fastest, and of that which stretches fastest.
  void rates(const Vector& x, const Vector& v, std::span<double> spin, std::span<double> strain) override {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      spin[e] = strain[e] = 0;
      const ArmVectors<Element> s = arms(x, elements_[e]), ds = arms(v, elements_[e]);
      for (int j = 0; j < kArms; ++j) {
        const double square = dot(s[j], s[j]), turning = norm(cross(s[j], ds[j])) / square;
        const double straining = std::abs(dot(s[j], ds[j])) / square;
        spin[e] = turning < infinity ? std::max(spin[e], turning) : infinity;
        strain[e] = straining < infinity ? std::max(strain[e], straining) : infinity;
      }
    }
  }

 private:
  static constexpr int kArms = Element::kArms;
  using PerArm = std::array<double, kArms>;

  struct Change {
    ArmVectors<Element> s_plus, s_bar;
    PerArm l_plus, l_bar;
    double e, e_plus, de = 0;  // extensions at the ends

    Change(const Element& element, const Vector& x, const Vector& dx) {
      const ArmVectors<Element> s = arms(x, element), ds = arms(dx, element);
      e = e_plus = -element.rest_length;
      for (int j = 0; j < kArms; ++j) {
        s_plus[j] = s[j] + ds[j];
        s_bar[j] = s[j] + 0.5 * ds[j];
        const double l = norm(s[j]);
        l_plus[j] = norm(s_plus[j]);
        l_bar[j] = 0.5 * (l + l_plus[j]);
        e += Element::kSigns[j] * l;
        e_plus += Element::kSigns[j] * l_plus[j];
        if (l_bar[j] > 0) de += Element::kSigns[j] * dot(s_bar[j], ds[j]) / l_bar[j];  // (2)
      }
    }
  };

  struct Pull {
    PerArm c;  // of (1)
    double t;  // of (4)
  };

  // An arm without length at both ends has no direction: only l0 = 0 gives it a c.
  Pull pull_of(int number, const Change& change) const {
    const Element& element = elements_[number];
    const double k = element.k, l0 = element.rest_length;
    const double before = damping_.memory ? damping_.ratio * damping_.memory[number] : 0;
    const double rate = damping_.eta / damping_.h;
    const double T = Law::mean_tension(k, l0, change.e, change.e_plus) +
                     k * (damping_.chi * (change.de - before) + rate * change.de);  // (3)
    Pull pull;
    pull.t = Law::mean_stiffness(k, l0, change.e, change.e_plus) + 2 * k * (damping_.chi + rate);
    for (int j = 0; j < kArms; ++j) {
      if (change.l_bar[j] > 0)
        pull.c[j] = Element::kSigns[j] * T / change.l_bar[j];
      else
        pull.c[j] = kArms == 1 && l0 == 0 ? k : 0 * change.l_bar[j];
    }
    return pull;
  }

  static ArmBlocks<Element> tangent(const Change& change, const Pull& pull) {  // (4)
    ArmVectors<Element> u{}, n{};
    for (int j = 0; j < kArms; ++j) {
      if (!(change.l_plus[j] > 0) || !(norm(change.s_bar[j]) > 0)) continue;
      u[j] = (Element::kSigns[j] / change.l_bar[j]) * change.s_bar[j];
      n[j] = (Element::kSigns[j] / change.l_plus[j]) * change.s_plus[j];
    }
    ArmBlocks<Element> B;
    for (int j = 0; j < kArms; ++j)
      for (int m = 0; m < kArms; ++m) {
        B[j][m] = (0.5 * pull.t) * (outer(u[j], n[m]) + outer(n[j], u[m]));
        if (j == m)
          B[j][j] += pull.c[j] * (Mat3<double>::identity() - 0.5 * (outer(u[j], n[j]) + outer(n[j], u[j])));
      }
    return B;
  }

  static ArmBlocks<Element> projected(const Change& change, const Pull& pull) {
    ArmVectors<Element> u{};  // sigma sqrt(r) n
    for (int j = 0; j < kArms; ++j) {
      const double size = norm(change.s_bar[j]);
      if (!(change.l_plus[j] > 0) || !(size > 0)) continue;
      u[j] = (Element::kSigns[j] / std::sqrt(size * change.l_bar[j])) * change.s_bar[j];
    }
    ArmBlocks<Element> B;
    for (int j = 0; j < kArms; ++j)
      for (int m = 0; m < kArms; ++m) {
        B[j][m] = pull.t * outer(u[j], u[m]);
        if (j == m) B[j][j] += std::max(pull.c[j], 0.0) * (Mat3<double>::identity() - outer(u[j], u[j]));
      }
    return B;
  }

  // The sum over all elements of k times the square of extension(e).
  template <class Extension>
  double sum(const Extension& extension) const {
    return schedule_.sum([&](int first, int last) {
      double total = 0;
      for (int e = first; e < last; ++e) {
        const double de = extension(e);
        total += elements_[e].k * de * de;
      }
      return total;
    });
  }

  const std::vector<Element>& elements_;
  const ElementSchedule& schedule_;
  SpringBlocks<Element> blocks_;
  const Vector* x_ = nullptr;
  StepDamping damping_;
};

}  // namespace

template <class Element, class Law>
std::unique_ptr<TwoStateTerm> SpringTermOf<Element, Law>::make_two_state(
    const FreeVertices& free, const SparsityPattern& pattern) const {
  return std::make_unique<SpringTwoState<Element, Law>>(elements_, schedule_, free, pattern);
}

template std::unique_ptr<TwoStateTerm> SpringTermOf<Spring, LinearSpringLaw>::make_two_state(
    const FreeVertices&, const SparsityPattern&) const;
template std::unique_ptr<TwoStateTerm> SpringTermOf<Spring, CubicSpringLaw>::make_two_state(
    const FreeVertices&, const SparsityPattern&) const;
template std::unique_ptr<TwoStateTerm> SpringTermOf<CentreSpring, LinearSpringLaw>::make_two_state(
    const FreeVertices&, const SparsityPattern&) const;
template std::unique_ptr<TwoStateTerm> SpringTermOf<CentreSpring, CubicSpringLaw>::make_two_state(
    const FreeVertices&, const SparsityPattern&) const;
template std::unique_ptr<TwoStateTerm> SpringTermOf<ScissorSpring, LinearSpringLaw>::make_two_state(
    const FreeVertices&, const SparsityPattern&) const;

}  // namespace phiflex
