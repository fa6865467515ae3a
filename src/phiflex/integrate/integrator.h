// A one-step map (or a multistep method with its history): reads now, writes next. Rejecting a step is not
// using next; what an integrator keeps of earlier steps changes only when a step succeeds. (A kept
// factorization, which only speeds up solves, may be renewed by a step that fails.)
#pragma once

#include "phiflex/base/archive.h"
#include "phiflex/integrate/method_info.h"
#include "phiflex/linalg/kept_inverse.h"
#include "phiflex/system/mechanical_system.h"
#include "phiflex/system/step_report.h"

namespace phiflex {

class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual const MethodInfo& info() const = 0;
  // `now` may be another state than the last step ended in (a contact has changed it): the method compares
  // (step_memory.h), and then starts without its memory of earlier steps.
  virtual StepReport step(const State& now, double h, State& next) = 0;

  // Bodies were in contact before this method took over.
  virtual void expect_impacts() {}

  // The inverse that its implicit steps keep; null: it has none, or one of another kind.
  virtual const KeptInverse* kept_inverse() const { return nullptr; }

  // What is carried from step to step, for a restart that continues bit for bit.
  virtual void save(ArchiveWriter&) const {}
  virtual void load(ArchiveReader&) {}
};

}  // namespace phiflex
