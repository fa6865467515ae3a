#include "phiflex/energy/contact_term.h"

#include <fmt/format.h>

#include <limits>

#include "phiflex/energy/limits_ways.h"
#include "phiflex/energy/two_state_term.h"

namespace phiflex {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

class NothingToAssemble final : public StiffnessAssembler {
 public:
  Index add_stiffness(const Vector&, Definiteness, SparseMatrix&) const override { return 0; }
};

class ContactTwoState final : public TwoStateTerm, public LimitsWays {
 public:
  ContactTwoState(ContactForces forces, const FreeVertices& free)
      : forces_(std::move(forces)), row_of_vertex_(free.row_of_vertex) {}

  void begin(const Vector& x, const StepDamping& damping) override {
    x_ = &x;
    forces_.begin(x, damping.h);
    known_ = false;
  }
  double room() const override { return forces_.room(); }
  void limit_ways(const Vector& from, const Vector& dx, std::vector<double>& part) override {
    known_ = false;
    from_ = *x_ + from;
    forces_.limit_ways(from_, dx, part);
  }
  void add_force(const Vector& dx, Vector& f) override {
    if (stays_free(dx)) return;
    if (!dx.allFinite()) {  // no boxes around that
      f.setConstant(kNoNumber);
      return;
    }
    go(dx);
    forces_.add_step_force(f);
  }
  void add_tangent(const Vector&, Definiteness, SparseMatrix&) override {}
  void add_blocks(StencilBlocks& blocks) const override {
    const std::size_t first = blocks.size();
    forces_.add_step_blocks(blocks);
    blocks.place(first, row_of_vertex_);
  }
  double dissipated(const Vector& dx) override {
    go(dx);
    return forces_.step_work().dial;
  }
  double friction(const Vector& dx) override {
    go(dx);
    return forces_.step_work().friction;
  }
  bool turns_bodies() const override { return forces_.active() > 0; }
  double approach_rate(const Vector& x, const Vector& v, double h) override {
    if (!v.allFinite()) return 0;
    known_ = false;
    return forces_.approach_rate(x, v, h);
  }

 private:
  bool stays_free(const Vector& dx) {
    if (!forces_.step_within_room(dx)) return false;
    known_ = false;
    return true;
  }
  void go(const Vector& dx) {
    if (stays_free(dx) || (known_ && latest_ == dx)) return;
    forces_.step(dx);
    latest_ = dx;
    known_ = true;
  }

  ContactForces forces_;
  std::vector<int> row_of_vertex_;
  const Vector* x_ = nullptr;
  Vector from_;
  Vector latest_;       // the dx of the latest step
  bool known_ = false;  // there is one
};

}  // namespace

// Borrows what is idle, or a copy of the fresh one.
class ContactTerm::Lease {
 public:
  explicit Lease(const ContactTerm& term) : term_(term) {
    {
      const std::lock_guard lock(term.mutex_);
      if (!term.idle_.empty()) {
        memory_ = std::move(term.idle_.back());
        term.idle_.pop_back();
      }
    }
    if (!memory_) memory_ = std::make_unique<Memory>(Memory{term.fresh_, Vector()});
  }
  ~Lease() {
    const std::lock_guard lock(term_.mutex_);
    term_.idle_.push_back(std::move(memory_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  ContactForces& forces() { return memory_->forces; }
  const ContactForces& at(const Vector& x) {
    if (memory_->at.size() != x.size() || memory_->at != x) {
      memory_->forces.look(x);
      memory_->at = x;
    }
    return memory_->forces;
  }

 private:
  const ContactTerm& term_;
  std::unique_ptr<Memory> memory_;
};

ContactTerm::ContactTerm(ContactCandidates candidates, const ContactLaw& law)
    : fresh_(std::move(candidates), law) {}

double ContactTerm::energy(const Vector& x) const {
  if (!x.allFinite()) return std::numeric_limits<double>::infinity();
  return Lease(*this).at(x).energy();
}

void ContactTerm::add_force(const Vector& x, Vector& f) const {
  if (!x.allFinite()) {
    f.setConstant(kNoNumber);
    return;
  }
  Lease(*this).at(x).add_force(f);
}

void ContactTerm::add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const {
  Lease(*this).at(x).add_stiffness_product(dx, y);
}

std::unique_ptr<StiffnessAssembler> ContactTerm::make_assembler(const FreeVertices&,
                                                                const SparsityPattern&) const {
  return std::make_unique<NothingToAssemble>();
}

std::unique_ptr<TwoStateTerm> ContactTerm::make_two_state(const FreeVertices& free,
                                                          const SparsityPattern&) const {
  return std::make_unique<ContactTwoState>(fresh_, free);
}

void ContactTerm::add_blocks(const Vector& x, const FreeVertices& free, StencilBlocks& blocks) const {
  const std::size_t first = blocks.size();
  Lease(*this).at(x).add_blocks(blocks);
  blocks.place(first, free.row_of_vertex);
}

void ContactTerm::add_friction(const Vector& x, const Vector& v, Vector& f) const {
  if (!x.allFinite() || !v.allFinite()) {
    f.setConstant(kNoNumber);
    return;
  }
  Lease(*this).at(x).add_friction(x, v, f);
}

void ContactTerm::add_friction_blocks(const Vector& x, const Vector& v, const FreeVertices& free,
                                      StencilBlocks& blocks) const {
  const std::size_t first = blocks.size();
  Lease(*this).at(x).add_friction_blocks(x, v, blocks);
  blocks.place(first, free.row_of_vertex);
}

double ContactTerm::free_way(const Vector& x, const Vector& dx) const {
  if (!dx.allFinite()) return 0;
  return Lease(*this).forces().free_way(x, dx);
}

std::string ContactTerm::diagnose(const Vector& x) const {
  if (!x.allFinite()) return {};
  Lease lease(*this);
  const ContactStencil* stencil = lease.at(x).touching();
  if (!stencil) return {};
  std::string sides[2];
  for (int a = 0; a < vertex_count(stencil->kind); ++a) {
    std::string& side = sides[a < first_side(stencil->kind) ? 0 : 1];
    side += fmt::format("{}{}", side.empty() ? "" : ", ", stencil->vertices[std::size_t(a)]);
  }
  return fmt::format("surfaces touch: ({}) and ({}), by vertices of the model", sides[0], sides[1]);
}

}  // namespace phiflex
