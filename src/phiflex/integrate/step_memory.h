// A vector that a method carries from the end of one step to the beginning of the next. It is of use only
// when the next step begins in the very state in which the last one ended, and has its length: otherwise the
// method starts afresh from (q, v).
#pragma once

#include "phiflex/integrate/same_time.h"
#include "phiflex/system/state_archive.h"

namespace phiflex {

class StepMemory {
 public:
  bool holds(const State& now, double h) const {
    return h_ != 0 && same_time(h, h_, h) && same_time(now.t, end_.t, h) && now.q == end_.q &&
           now.v == end_.v;
  }
  const Vector& value() const { return value_; }
  void keep(const State& end, double h, const Vector& value) {
    end_ = end;
    h_ = h;
    value_ = value;
  }

  void save(ArchiveWriter& out) const {
    out.put(h_);
    if (h_ == 0) return;
    put_state(end_, out);
    out.put(as_span(value_));
  }
  // Throws ArchiveError when the archive is of a system with another number of degrees of freedom.
  void load(ArchiveReader& in, Index dofs) {
    h_ = in.get_double();
    if (h_ == 0) return;
    get_state(in, dofs, end_);
    value_.resize(dofs);
    in.get_doubles(as_span(value_));
  }

 private:
  State end_;
  double h_ = 0;  // of the step that ended there; 0: there is none
  Vector value_;
};

}  // namespace phiflex
