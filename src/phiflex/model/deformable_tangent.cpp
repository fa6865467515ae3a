#include "phiflex/model/deformable_tangent.h"

#include <algorithm>

#include "phiflex/base/interruption.h"

namespace phiflex {

DeformableTangent::DeformableTangent(const DeformableModel& model, Definiteness definiteness,
                                     ImplicitPart part)
    : model_(model), definiteness_(definiteness), K_(model.pattern()) {
  const FreeVertices& free = model.constraints().free();
  for (const TermPointer& term : model.terms()) {
    const double beta = model.damping().beta_of_current(*term);
    auto group =
        std::find_if(groups_.begin(), groups_.end(), [&](const Group& known) { return known.beta == beta; });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), Group{beta, {}, {}});
    if (part == ImplicitPart::stiff)
      group->stiff.push_back(term->make_stiff_assembler(free, *model.pattern()));
    if (part == ImplicitPart::all || beta != 0)
      group->whole.push_back(term->make_assembler(free, *model.pattern()));
    if (beta != 0 && !S_) S_ = std::make_unique<SparseMatrix>(model.pattern());
  }
  for (const auto& load : model.description().loads) {
    if (auto drag = load->make_drag_assembler(free, *model.pattern())) drags_.push_back(std::move(drag));
    if (auto stiffness = load->make_stiffness(free, *model.pattern()))
      load_stiffness_.push_back(std::move(stiffness));
    if (load->has_drag_blocks()) rubs_.push_back(load.get());
  }
  if (drags_.empty() && rubs_.empty() && definiteness == Definiteness::exact && part == ImplicitPart::all)
    rayleigh_ = model.damping().as_one(model.terms());
  const bool damps_all = model.description().carried.empty() && load_stiffness_.empty();  // of K
  if (rayleigh_ && rayleigh_->beta != 0 && !damps_all) rayleigh_.reset();
  if (model.damping().none() && drags_.empty() && rubs_.empty()) {
    rayleigh_ = Rayleigh{};
    return;
  }
  D_ = std::make_unique<SparseMatrix>(model.pattern());
  model.damping().add_constant_part(model.mass(), free, *D_);
  if (S_ || !drags_.empty())
    D_constant_ = std::make_unique<SparseMatrix>(*D_);  // to start from at every update
}

void DeformableTangent::update(const State& at) {
  poll_for_interruption();
  t_ = at.t;
  model_.expand(at, x_, v_);
  K_.set_zero();
  if (S_ || !drags_.empty()) {
    D_->set_zero();
    D_->add(1, *D_constant_);
  }
  for (const Group& group : groups_) {
    if (group.beta != 0) {
      S_->set_zero();
      for (const auto& assembler : group.whole) assembler->add_stiffness(x_, Definiteness::exact, *S_);
      D_->add(group.beta, *S_);  // (2)
      if (definiteness_ == Definiteness::exact && group.stiff.empty()) {
        K_.add(1, *S_);
        continue;
      }
    }
    for (const auto& assembler : group.stiff.empty() ? group.whole : group.stiff)
      assembler->add_stiffness(x_, definiteness_, K_);  // (1)
  }
  for (const auto& obstacle : model_.description().carried)
    obstacle->add_stiffness(t_, x_, model_.constraints().free(), definiteness_, K_);
  for (const auto& load : load_stiffness_) load->add_stiffness({t_, x_, v_}, definiteness_, K_);
  if (model_.has_contacts()) model_.contact_blocks(t_, x_, blocks_);
  for (const auto& drag : drags_) drag->add_drag({t_, x_, v_}, *D_);
  drag_blocks_.clear();
  for (const Load* load : rubs_)
    load->add_drag_blocks({t_, x_, v_}, model_.constraints().free(), drag_blocks_);
}

void DeformableTangent::load_rate(Vector& g) const {
  model_.force_rate({t_, x_, v_}, g);
}

}  // namespace phiflex
