#include "phiflex/model/eigenfit_correction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "phiflex/base/function_ref.h"
#include "phiflex/linalg/shift_inverse.h"
#include "phiflex/system/state.h"

namespace phiflex {
namespace {

constexpr double kRigid = 1e-8;      // of the largest lambda at rest: below, a mode is rigid
constexpr long kMostSweeps = 3;      // in a step, and
constexpr Index kMostRefreshes = 3;  // in a row: then the modes' inverse is made again
constexpr double kBelow = 2;  // 1/s of the modes' inverse lies below the lowest elastic lambda by this factor
constexpr double kUnused = 1e-6;  // the modes' matrix solves nothing, it preconditions

bool elastic(const PotentialTerm& term) {
  return term.account() == PotentialTerm::Account::elastic;
}

// An inverse that turns with the body when it is first asked for, which most steps do not.
class TurningInverse final : public ShiftInverse {
 public:
  TurningInverse(ImplicitMatrix& matrix, FunctionRef<void()> turn) : inverse_(matrix), turn_(turn) {}
  double shift() const override { return inverse_.shift(); }
  SolveStatus prepare(Work& work) override {
    if (!std::exchange(turned_, true)) turn_();
    return inverse_.prepare(work);
  }
  void apply(const Matrix& R, Matrix& X, Work& work) override { inverse_.apply(R, X, work); }
  double preparation_work() const override { return inverse_.preparation_work(); }
  double solve_work() const override { return inverse_.solve_work(); }

 private:
  ImplicitShiftInverse inverse_;
  FunctionRef<void()> turn_;
  bool turned_ = false;
};

}  // namespace

Index matched_columns(const Matrix& G) {
  Index matched = 0;
  for (Index j = 0; j < G.cols(); ++j)
    if (G.rows() > 0 && G.col(j).cwiseAbs().maxCoeff() > kModeMatch) ++matched;
  return matched;
}

EigenFitCorrection::EigenFitCorrection(const DeformableModel& model, Modes rest, Vector ratios,
                                       const EigenFitOptions& options)
    : model_(model),
      rest_(std::move(rest)),
      ratios_(std::move(ratios)),
      options_(options),
      trivial_((ratios_.array() == 1).all()),
      tangent_(std::make_unique<DeformableTangent>(model, Definiteness::exact)),
      inverse_matrix_(model.mass(), model.pattern(), RefactorPolicy::automatic, kUnused),
      followed_(rest_, ratios_.size(), options.modes_tolerance) {
  if (rest_.count() > kMostModes)
    throw std::invalid_argument("EigenFitCorrection: ratios for at most 256 modes");
  rest_.U.conservativeResize(Eigen::NoChange, ratios_.size());
  rest_.lambda.conservativeResize(ratios_.size());
  origin_.q = origin_.v = Vector::Zero(model.dofs());
  modes_at_ = origin_;
  const double rigid = rest_.count() > 0 ? kRigid * rest_.lambda[rest_.count() - 1] : 0;
  elastic_modes_ = (rest_.lambda.array() > rigid).count();
  low_rank_.U.resize(model.dofs(), 0);
  low_rank_.MU.resize(model.dofs(), 0);
  low_rank_.solve = options.solve;
  if (elastic_modes_ == 0) trivial_ = true;
  for (const TermPointer& term : model.terms()) {
    others_ = others_ || !elastic(*term);
    contacts_ = contacts_ || term->account() == PotentialTerm::Account::contact;
  }
  damping_changes_ = !model.description().loads.empty() ||
                     std::any_of(model.terms().begin(), model.terms().end(), [&](const TermPointer& term) {
                       return model.damping().beta_of_current(*term) != 0;
                     });
  if (trivial_) return;
  inverse_at_ = origin_;
  tangent_->update(origin_);
  stiffness_at_rest_.emplace(model.pattern());
  stiffness_at_rest_->set(1, tangent_->K());
  Work not_of_a_step;
  if (!prepare_inverse(not_of_a_step)) switch_off("the stiffness at rest cannot be factorized");
  model_.rotations(inverse_at_, modes_at_, between_);
}

// M + s K with the current tangent, of inverse_at_. It turns with the body from there, and serves until sweeps become
// many. Where K is indefinite, the projected one takes its place: it is an inverse for modes, which are of the exact K.
bool EigenFitCorrection::prepare_inverse(Work& work) {
  const double lowest = rest_.lambda[rest_.count() - elastic_modes_];
  const Shift shift{1, 0, kBelow / lowest};
  inverse_matrix_.set(shift, nullptr, tangent_->K());
  if (inverse_matrix_.refactor(work) == SolveStatus::ok) return true;
  const auto projected = model_.assembled_tangent(Definiteness::projected);
  projected->update(inverse_at_);
  inverse_matrix_.set(shift, nullptr, projected->K());
  return inverse_matrix_.refactor(work) == SolveStatus::ok;
}

void EigenFitCorrection::switch_off(std::string reason) {
  reason_ = std::move(reason);
  low_rank_.clear();
  change_.resize(0);
}

bool EigenFitCorrection::has_force_at(const State& at) const {
  return !trivial_ && !is_off() && at.t == at_.t && at.q.size() == at_.q.size() && at.q == at_.q &&
         at.v == at_.v;
}

void EigenFitCorrection::update(const State& now, Work& work) {
  if (trivial_ || is_off()) return;
  {
    const PhaseTimer timer(work.assembly_seconds);
    ++work.assemblies;
    tangent_->update(now);
    at_ = now;
  }
  if (!update_modes(now, work)) return switch_off("the modes of the coarse mesh could not be found");
  const PhaseTimer timer(work.modes_seconds);
  if (modes_changed_) {
    set_low_rank();
    // Modes that are kept, turned with the body or not, are matched as they were when they were found.
    if (followed_.refreshed() || change_.size() == 0) {
      if (!match(now))
        return switch_off(fmt::format(
            "only {} of the {} modes at rest are found again in the modes of the moving body; ratios of "
            "eigenvalues at rest no longer apply",
            matched_, elastic_modes_));
      model_.expand(now, x_, v_);
      set_damping();
    }
  }
  set_forces(now);
}

// modes_changed_: they are not the very vectors of the last update.
bool EigenFitCorrection::update_modes(const State& now, Work& work) {
  const bool turned_before = followed_.turned();
  bool turned = false;
  const auto turning = [&]() -> const BlockRotations& {
    if (!std::exchange(turned, true)) model_.rotations(modes_at_, now, since_refresh_);
    return since_refresh_;
  };
  const auto turn_inverse = [&] {
    if (turns_) {
      turning();
      since_inverse_.resize(between_.blocks());
      for (Index v = 0; v < between_.blocks(); ++v)
        since_inverse_[v].noalias() = since_refresh_[v] * between_[v];
    } else {
      since_inverse_.clear();
    }
    inverse_matrix_.warp(since_inverse_);
  };
  TurningInverse inverse(inverse_matrix_, turn_inverse);
  const AssembledPencil pencil(tangent_->K(), model_.mass());
  const long sweeps = work.mode_sweeps;
  if (followed_.update(pencil, inverse, turning, work) != ModesStatus::ok) return false;
  if (followed_.refreshed()) {
    modes_at_ = now;
    ++refreshes_;
    if (work.mode_sweeps - sweeps > kMostSweeps || refreshes_ >= kMostRefreshes) {
      inverse_at_ = now;  // the body has come too far from where the inverse was made
      if (!prepare_inverse(work)) return false;
      refreshes_ = 0;
    }
    model_.rotations(inverse_at_, modes_at_, between_);
  } else {
    refreshes_ = 0;
  }
  modes_changed_ = low_rank_.empty() || followed_.refreshed() || followed_.turned() || turned_before;
  return true;
}

void EigenFitCorrection::set_low_rank() {
  low_rank_.U = followed_.modes().U;
  low_rank_.lambda = followed_.modes().lambda;
  model_.mass().apply(low_rank_.U, low_rank_.MU);
}

// (3), and the safeguard.
bool EigenFitCorrection::match(const State& now) {
  model_.rotations(origin_, now, since_rest_);
  turned_rest_ = rest_.U;
  if (!since_rest_.empty()) since_rest_.apply(turned_rest_);
  G_.noalias() = low_rank_.MU.transpose() * rest_.U;
  G_turned_.noalias() = low_rank_.MU.transpose() * turned_rest_;
  turns_ = G_turned_.squaredNorm() > G_.squaredNorm();
  if (turns_) G_.swap(G_turned_);
  matched_ = matched_columns(G_.rightCols(elastic_modes_));
  if (2 * matched_ < elastic_modes_ && options_.safeguard == Safeguard::on) return false;
  change_ = G_.cwiseAbs2() * (ratios_.array() - 1).matrix();
  if (!contacts_) {  // the stiffness of a contact is none of a load
    set_share_at_rest();
    change_.array() *= share_at_rest_.array();
  }
  return true;
}

// (4): of the modes of now, turned back.
void EigenFitCorrection::set_share_at_rest() {
  turned_back_ = low_rank_.U;
  if (turns_ && !since_rest_.empty()) since_rest_.apply_transposed(turned_back_);
  stiffness_at_rest_->apply(turned_back_, DU_);
  share_at_rest_.resize(low_rank_.count());
  for (Index i = 0; i < low_rank_.count(); ++i) {
    const double at_rest = turned_back_.col(i).dot(DU_.col(i)), lambda = low_rank_.lambda[i];
    share_at_rest_[i] = lambda > at_rest ? std::clamp(at_rest / lambda, 0., 1.) : 1;
  }
}

void EigenFitCorrection::expand(const Vector& free, Vector& all) const {
  const std::vector<int>& vertices = model_.constraints().free().vertex_of_row;
  all.setZero(3 * model_.vertices());
  for (std::size_t row = 0; row < vertices.size(); ++row)
    all.segment<3>(3 * Index(vertices[row])) = free.segment<3>(3 * Index(row));
}

// U'(f_elastic - beta K* v) from the whole force, by taking off what else acts.
void EigenFitCorrection::set_elastic_force(const State& now) {
  model_.force(now, force_);
  f_ = force_;
  const RayleighDamping& damping = model_.damping();
  const bool fitted = low_rank_.damping_scale.any();
  if (others_ || !model_.description().loads.empty() || (damping.has_beta() && !fitted)) {
    y_.setZero(x_.size());
    z_.resize(x_.size());
    for (const TermPointer& term : model_.terms())
      if (!elastic(*term)) term->add_force(x_, y_);
    for (const auto& load : model_.description().loads) load->add_force({now.t, x_, v_}, y_);
    if (!fitted) damping.add_stiffness_part(-1, x_, v_, y_, z_);
    model_.constraints().gather(y_, inner_);
    f_ -= inner_;
  }
  z_.resize(f_.size());
  damping.add_mass_part(1, model_.mass(), now.v, f_, z_);
  modal_force_.noalias() = low_rank_.U.transpose() * f_;
  modal_force_.array() *= change_.array();
}

// The constants of (2). Where other terms than elastic ones have a stiffness (penalties), it is not scaled.
void EigenFitCorrection::set_forces(const State& now) {
  model_.expand(now, x_, v_);
  set_elastic_force(now);
  const std::vector<int>& moved = model_.constraints().moved_vertices();
  const bool moves = std::any_of(moved.begin(), moved.end(),
                                 [&](int vertex) { return v_.segment<3>(3 * Index(vertex)).any(); });
  if (contacts_ || moves) {
    y_.setZero(x_.size());
    for (const TermPointer& term : model_.terms())
      if (elastic(*term)) term->add_stiffness_product(x_, v_, y_);
    model_.constraints().gather(y_, f_);
  } else {
    tangent_->K().apply(now.v, f_);
  }
  modal_rate_.noalias() = low_rank_.U.transpose() * f_;
  modal_rate_.array() *= change_.array();
  modal_q_.noalias() = low_rank_.MU.transpose() * now.q;

  low_rank_.scale = low_rank_.lambda;
  for (const TermPointer& term : model_.terms()) {
    if (!contacts_ || term->account() != PotentialTerm::Account::contact) continue;
    for (Index i = 0; i < low_rank_.count(); ++i) {
      f_ = low_rank_.U.col(i);
      expand(f_, v_);
      y_.setZero(x_.size());
      term->add_stiffness_product(x_, v_, y_);
      low_rank_.scale[i] -= v_.dot(y_);
    }
  }
  for (const auto& obstacle : model_.description().carried)
    for (Index i = 0; i < low_rank_.count(); ++i) {
      f_ = low_rank_.U.col(i);
      expand(f_, v_);
      y_.setZero(x_.size());
      obstacle->add_stiffness_product(now.t, x_, v_, y_);
      low_rank_.scale[i] -= v_.dot(y_);
    }
  low_rank_.scale.array() *= change_.array();
  inner_.noalias() = low_rank_.MU.transpose() * now.v;
  modal_force_.array() += low_rank_.damping_scale.array() * inner_.array();
  modal_rate_.array() = low_rank_.scale.array() * inner_.array() - modal_rate_.array();
}

// d_i = u_i'D u_i, and B of (2). Without loads, which may have a drag, D is alpha M + beta K*.
void EigenFitCorrection::set_damping() {
  low_rank_.damping.setZero(low_rank_.count());
  low_rank_.damping_scale.setZero(low_rank_.count());
  if (!tangent_->D()) return;
  tangent_->D()->apply(low_rank_.U, DU_);
  low_rank_.damping = low_rank_.U.cwiseProduct(DU_).colwise().sum().transpose();
  const RayleighDamping& damping = model_.damping();
  if (options_.damping == FittedDamping::none || !damping.has_beta()) return;
  for (Index i = 0; i < low_rank_.count(); ++i) {
    f_ = low_rank_.U.col(i);
    double stiffness_part = low_rank_.damping[i];
    if (!model_.description().loads.empty()) {
      expand(f_, v_);
      y_.setZero(x_.size());
      z_.resize(x_.size());
      damping.add_stiffness_part(1, x_, v_, y_, z_);
      stiffness_part = v_.dot(y_);
    } else if (damping.has_alpha()) {
      y_.setZero(f_.size());
      z_.resize(f_.size());
      damping.add_mass_part(1, model_.mass(), f_, y_, z_);
      stiffness_part -= f_.dot(y_);
    }
    low_rank_.damping_scale[i] = change_[i] * stiffness_part;
  }
}

void EigenFitCorrection::add_force(const State& at, Vector& f) const {
  if (low_rank_.empty()) return;
  Modal modal(low_rank_.count()), velocity(low_rank_.count());
  modal.noalias() = low_rank_.MU.transpose() * at.q;
  velocity.noalias() = low_rank_.MU.transpose() * at.v;
  modal = modal_force_ + (at.t - at_.t) * modal_rate_ - low_rank_.scale.cwiseProduct(modal - modal_q_) -
          low_rank_.damping_scale.cwiseProduct(velocity);
  f.noalias() += low_rank_.MU * modal;  // (2)
}

void EigenFitCorrection::add_load_rate(Vector& g) const {
  if (!low_rank_.empty()) g.noalias() += low_rank_.MU * modal_rate_;
}

void EigenFitCorrection::save(ArchiveWriter& out) const {
  out.put(std::string_view(reason_));
  out.put(std::int64_t{turns_});
  out.put(std::int64_t(refreshes_));
  out.put(std::int64_t(matched_));
  put_state(inverse_at_, out);
  put_state(modes_at_, out);
  followed_.save(out);
  out.put(as_span(change_));
  if (change_.size() == 0) return;
  out.put(as_span(low_rank_.damping));
  out.put(as_span(low_rank_.damping_scale));
}

void EigenFitCorrection::load(ArchiveReader& in) {
  std::string reason = in.get_text();
  at_ = {};  // tangent and force are not valid before the next update()
  turns_ = in.get_integer() != 0;
  refreshes_ = in.get_integer();
  matched_ = in.get_integer();
  get_state(in, model_.dofs(), inverse_at_);
  if (!trivial_ && reason.empty()) {
    Work not_of_a_step;
    tangent_->update(inverse_at_);
    if (!prepare_inverse(not_of_a_step)) throw ArchiveError("the archive is of another model");
  }
  get_state(in, model_.dofs(), modes_at_);
  model_.rotations(inverse_at_, modes_at_, between_);
  followed_.load(in);
  const std::vector<double> change = in.get_doubles();
  change_ = Eigen::Map<const Vector>(change.data(), Index(change.size()));
  if (change_.size() > 0) {
    if (change_.size() != followed_.modes().lambda.size())
      throw ArchiveError("the archive's ratios are of other modes");
    set_low_rank();
    low_rank_.damping.resize(change_.size());
    low_rank_.damping_scale.resize(change_.size());
    in.get_doubles(as_span(low_rank_.damping));
    in.get_doubles(as_span(low_rank_.damping_scale));
  }
  if (!reason.empty()) switch_off(std::move(reason));
}

}  // namespace phiflex
