// Gautschi-type trigonometric integrators: the linear part at rest, W^2 = M^-1 K(rest), is solved exactly, all
// the rest of the force,
//
//   g(q, v) = M^-1 f(t, q, v) + W^2 q                                                                     (1)
//
// acts filtered. With x = h W:
//
//   symplectic            phi = sinc x,  psi = sinc^2 x: rotation between two kicks p = phi g(phi q)
//     v' = v + h/2 p,   q+ = cos(x) q + h sinc(x) v',   v+ = -W sin(x) q + cos(x) v' + h/2 p+             (2)
//   gautschi              phi = 1,  psi = sinc^2(x/2)
//   hochbruck-lubich      phi = sinc x (1 + 1/3 sin^2(x/2)),  psi = sinc^2(x/2): in two-step form
//     q+ = 2 cos(x) q - q- + h^2 psi g(phi q)                                                             (3)
//     v+ = v- + 2 h sinc(x) (g(phi q) - W^2 q)                                                            (4)
//   whose first step, and the first one after a change of h, is (2).
//
// They are exact where g = 0, at any step. Every function of W comes from phi-sums of J = [0 I; -W^2 0], whatever the
// evaluator:
//   e^(hJ) (q; v) = (cos(x) q + h sinc(x) v; -W sin(x) q + cos(x) v),
//   the first half of  h phi_1(h J) (0; y)  is  h^2/2 sinc^2(x/2) y.                                      (5)
//
// Damping is part of g, so explicit: it must be weak against 1/h.
// Hochbruck, Lubich: A Gautschi-type method for oscillatory second-order differential equations, 1999;
// Hairer, Lubich, Wanner: Geometric Numerical Integration, 2006, chapter XIII.
#include <array>

#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/step_memory.h"
#include "phiflex/integrate/tangent_phi.h"

namespace phiflex {

enum class GautschiFilter { symplectic, gautschi, hochbruck_lubich };
template <>
struct Words<GautschiFilter> {
  static constexpr std::pair<GautschiFilter, const char*> all[] = {
      {GautschiFilter::symplectic, "symplectic"},
      {GautschiFilter::gautschi, "gautschi"},
      {GautschiFilter::hochbruck_lubich, "hochbruck-lubich"}};
};

namespace {

constexpr MethodInfo kGautschiInfo{
    .name = "gautschi",
    .summary = "trigonometric: exact on the linear part at rest, all else in filtered kicks",
    .order = 2,
    .symplectic = true,
    .reversible = true,
    .conserves_linear_energy = true,
    .citation = "hochbruck1999gautschi",
    .contact = ContactStep::explicit_force,
    .fixed_linear_part = true};
constexpr MethodInfo kTwoStepInfo{.name = kGautschiInfo.name,
                                  .summary = kGautschiInfo.summary,
                                  .order = 2,
                                  .conserves_linear_energy = true,
                                  .history = 2,
                                  .citation = kGautschiInfo.citation,
                                  .fixed_linear_part = true};

struct GautschiOptions : ExponentialOptions {
  GautschiFilter filter = GautschiFilter::symplectic;
};
template <class V>
void fields(V& v, GautschiOptions& o) {
  fields(v, static_cast<ExponentialOptions&>(o));
  v({.key = "filter", .doc = "`gautschi`: the pair of filters"}, o.filter);
}

class Gautschi final : public Integrator {
 public:
  using Options = GautschiOptions;
  Gautschi(const MechanicalSystem& system, const GautschiOptions& options)
      : system_(system), filter_(options.filter), phi_(system, options, JacobianDamping::none) {}
  const MethodInfo& info() const override {
    return filter_ == GautschiFilter::symplectic ? kGautschiInfo : kTwoStepInfo;
  }

  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    if (h != h_) linearize_at_rest(h, report);
    report.status = memory_.continues_with(now, h) ? advance_two_step(now, next, report)
                                                   : advance_one_step(now, next, report);
    if (report.status == StepStatus::ok) report.status = check_inside_domain(system_, next);
    if (report.status == StepStatus::ok && filter_ != GautschiFilter::symplectic) {
      before_ = now;
      memory_.keep(next, h);
    }
    return report;
  }

  const KeptInverse* kept_inverse() const override { return phi_.kept(); }
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

 private:
  void linearize_at_rest(double h, StepReport& report) {
    h_ = h;
    const Index n = system_.dofs();
    phi_.update({0, Vector::Zero(n), Vector::Zero(n)}, h, report);
  }

  // e^(hJ) (x; y).
  StepResult<Vector> rotate(const Vector& x, const Vector& y, StepReport& report) {
    stack(x, y, u_[0]);
    const auto w = phi_.evaluate(std::span(u_).first(1), {&h_, 1}, rotated_, report);
    if (!w.ok()) return w.status();
    return StepResult(w.value()[0]);
  }
  // (0; x) turned: its first half is h sinc(hW) x, its second half cos(hW) x.
  StepResult<Vector> rotate_velocity(const Vector& x, StepReport& report) {
    zero_.setZero(x.size());
    return rotate(zero_, x, report);
  }
  // sinc(hW) x.
  StepResult<Vector> apply_sinc(const Vector& x, StepReport& report) {
    const auto w = rotate_velocity(x, report);
    if (!w.ok()) return w.status();
    sinc_ = w.value().head(x.size()) / h_;
    return StepResult(sinc_);
  }
  // phi(hW) x of the filter.
  StepResult<Vector> apply_filter(GautschiFilter filter, const Vector& x, StepReport& report) {
    if (filter == GautschiFilter::gautschi) return StepResult(x);
    const auto y = apply_sinc(x, report);
    if (filter == GautschiFilter::symplectic || !y.ok()) return y;
    // sinc (1 + 1/3 sin^2(x/2)) = sinc (7/6 - 1/6 cos x).
    const auto w = rotate_velocity(y.value(), report);
    if (!w.ok()) return w.status();
    filtered_ = (7 * y.value() - w.value().tail(x.size())) / 6;
    return StepResult(filtered_);
  }
  // g(phi q, v) of (1).
  StepResult<Vector> evaluate_g(GautschiFilter filter, const State& at, StepReport& report) {
    const auto q = apply_filter(filter, at.q, report);
    if (!q.ok()) return q.status();
    at_.t = at.t;
    at_.q = q.value();
    at_.v = at.v;
    const StepStatus status = evaluate_force(system_, at_, f_, report.work);
    if (status != StepStatus::ok) return status;
    phi_.tangent().apply_K(at_.q, product_);
    ++report.work.stiffness_products;
    f_ += product_;
    system_.mass().solve(f_, g_);
    return StepResult(g_);
  }
  // p = phi g(phi q, v) with the symplectic filter.
  StepResult<Vector> evaluate_kick(const State& at, StepReport& report) {
    const auto g = evaluate_g(GautschiFilter::symplectic, at, report);
    if (!g.ok()) return g.status();
    return apply_sinc(g.value(), report);
  }

  StepStatus advance_one_step(const State& now, State& next, StepReport& report) {
    const Index n = system_.dofs();
    const auto first = evaluate_kick(now, report);
    if (!first.ok()) return first.status();
    kick_ = first.value();
    kicked_ = now.v + h_ / 2 * kick_;
    const auto w = rotate(now.q, kicked_, report);  // (2)
    if (!w.ok()) return w.status();
    next.t = now.t + h_;
    next.q = w.value().head(n);
    kicked_ = w.value().tail(n);
    next.v = kicked_ + h_ / 2 * kick_;  // where damping is taken; its error is of third order in h
    const auto last = evaluate_kick(next, report);
    if (!last.ok()) return last.status();
    next.v = kicked_ + h_ / 2 * last.value();
    return StepStatus::ok;
  }

  StepStatus advance_two_step(const State& now, State& next, StepReport& report) {
    const Index n = system_.dofs();
    const auto g = evaluate_g(filter_, now, report);
    if (!g.ok()) return g.status();
    zero_.setZero(n);
    stack(2 * now.q, zero_, u_[0]);
    stack(zero_, 2 * g.value(), u_[1]);
    const auto w = phi_.evaluate(std::span(u_).first(2), {&h_, 1}, rotated_, report);
    if (!w.ok()) return w.status();
    next.t = now.t + h_;
    next.q = w.value()[0].head(n) - before_.q;  // (3)
    phi_.tangent().apply_K(now.q, product_);
    ++report.work.stiffness_products;
    system_.mass().solve(product_, kick_);
    kick_ = g.value() - kick_;
    const auto dv = apply_sinc(kick_, report);
    if (!dv.ok()) return dv.status();
    next.v = before_.v + 2 * h_ * dv.value();  // (4)
    return StepStatus::ok;
  }

  template <class Top, class Bottom>
  static void stack(const Top& top, const Bottom& bottom, Vector& stacked) {
    stacked.resize(top.size() + bottom.size());
    stacked.head(top.size()) = top;
    stacked.tail(bottom.size()) = bottom;
  }

  const MechanicalSystem& system_;
  GautschiFilter filter_;
  TangentPhi phi_;
  double h_ = 0;       // of the current functions
  StepMemory memory_;  // of the two-step forms
  State before_;       // and the state a step before
  State at_;
  std::array<Vector, 2> u_;
  PhiMemory rotated_;
  Vector f_, g_, kick_, kicked_, product_, sinc_, filtered_, zero_;
};

void Gautschi::save(ArchiveWriter& out) const {
  out.put(h_);
  memory_.save(out);
  if (memory_.known()) put_state(before_, out);
  phi_.save(out);
}

void Gautschi::load(ArchiveReader& in) {
  const double h = in.get_double();
  StepReport not_of_a_step;
  if (h != 0) linearize_at_rest(h, not_of_a_step);
  memory_.load(in, system_.dofs());
  if (memory_.known()) get_state(in, system_.dofs(), before_);
  phi_.load(in);
}

}  // namespace

MethodEntry gautschi_method() {
  return method_entry<Gautschi>(kGautschiInfo);
}

}  // namespace phiflex
