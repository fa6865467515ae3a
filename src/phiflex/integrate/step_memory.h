// Whether a step continues the last one. What a method carries from the end of one step to the beginning of the next
// (a state before, a force, a momentum) is of use only when the next step begins in the very state in which the last
// one ended. Otherwise (the first step, a state that was changed from outside) the method starts from (q, v) alone.
#pragma once

#include <cmath>
#include <cstdint>

#include "phiflex/linalg/team.h"
#include "phiflex/system/state.h"

namespace phiflex {

// Times are compared to a millionth of a step h: t = n h is rounded, and a time loop may round it otherwise.
inline bool same_time(double a, double b, double h) {
  return std::abs(a - b) <= 1e-6 * h;
}

class StepMemory {
 public:
  bool known() const { return h_ != 0; }
  double length() const { return h_; }  // of the last step, s; 0: there is none
  bool has_length(double h) const { return known() && same_time(h, h_, h); }
  // Whether the last step does. version: MechanicalSystem::force_version() where forces are carried. team: the ranks
  // that share the state; on some of them it may have been changed, and on others not.
  bool ends_in(const State& now, double h, std::int64_t version = 0, const Team& team = alone()) const {
    if (!known() || version != version_ || !same_time(now.t, end_.t, h)) return false;
    return !any(team, !(now.q.size() == end_.q.size() && now.q == end_.q && now.v == end_.v));
  }
  // Whether the last step ends at that time, in whatever state.
  bool ends_at(double t, double h) const { return known() && same_time(t, end_.t, h); }
  // It ends there and has the same length, as multistep formulas ask.
  bool continues_with(const State& now, double h) const { return has_length(h) && ends_in(now, h); }

  void keep(const State& end, double h, std::int64_t version = 0) {
    end_ = end;
    h_ = h;
    version_ = version;
  }
  void forget() { h_ = 0; }

  void save(ArchiveWriter& out) const {
    out.put(h_);
    if (known()) put_state(end_, out);
  }
  // Throws ArchiveError when the archive is of a system with another number of degrees of freedom.
  void load(ArchiveReader& in, Index dofs) {
    h_ = in.get_double();
    version_ = 0;  // a force that changes between steps has another one in every step
    if (known()) get_state(in, dofs, end_);
  }

 private:
  State end_;
  double h_ = 0;
  std::int64_t version_ = 0;
};

// A vector carried along: the methods' own, empty when there is none.
inline void put_carried(const StepMemory& memory, const Vector& carried, ArchiveWriter& out) {
  memory.save(out);
  if (memory.known()) out.put(as_span(carried));
}
inline void get_carried(ArchiveReader& in, Index dofs, StepMemory& memory, Vector& carried) {
  memory.load(in, dofs);
  carried.resize(dofs);
  if (memory.known()) in.get_doubles(as_span(carried));
}

}  // namespace phiflex
