// The linearization of a force, frozen at a state by update():
//
//   df = -K dq - D dv + g dt,       K = -df/dq = +d2W/dq2,   D = -df/dv,   g = df/dt.
//
// K and D are symmetric. K leaves out what has no symmetric part by nature (the change of a wind load or of a
// current-stiffness damping force with the position).
#pragma once

#include <optional>

#include "phiflex/linalg/low_rank.h"
#include "phiflex/linalg/pencil.h"
#include "phiflex/linalg/sparse_matrix.h"
#include "phiflex/linalg/stencil_blocks.h"
#include "phiflex/system/definiteness.h"
#include "phiflex/system/state.h"

namespace phiflex {

// The matrices are assembled on a pattern fixed at construction. Methods that only multiply use them, too: a product
// with the assembled matrix costs less than one element by element, and a step takes many (docs/architecture.md).
class AssembledTangent {
 public:
  virtual ~AssembledTangent() = default;
  virtual void update(const State& at) = 0;
  virtual void load_rate(Vector& g) const = 0;
  virtual const SparseMatrix& K() const = 0;
  virtual const SparseMatrix* D() const = 0;  // null: no damping at all
  // What K and D have beside their sparse parts above; apply_K() and apply_D() include it. Null: nothing, at no time.
  // Otherwise the pointer stays valid as long as the tangent; the low-rank part may change between steps, and may be
  // empty.
  virtual const LowRank* low_rank() const { return nullptr; }
  // The stiffness of contacts, positive semidefinite, which has no place in the pattern (linalg/stencil_blocks.h);
  // apply_K() includes it. Null: there are none, at no time. Otherwise the pointer stays valid as long as the tangent;
  // what it holds changes with update(), and may be empty.
  virtual const StencilBlocks* blocks() const { return nullptr; }
  // The drag of friction between bodies, beside D in the same way; apply_D() includes it, and D() is not null where it
  // is not.
  virtual const StencilBlocks* drag_blocks() const { return nullptr; }
  // D as alpha M + beta K with this tangent's own K, at every state; empty when D is not known to be so.
  virtual std::optional<Rayleigh> rayleigh() const {
    return D() ? std::nullopt : std::optional<Rayleigh>(Rayleigh{});
  }
  void apply_K(const Vector& x, Vector& y) const {
    K().apply(x, y);
    if (const LowRank* low = low_rank(); low && !low->empty())
      add_low_rank_product(low->MU, low->scale, x, modal_, y);
    if (const StencilBlocks* B = blocks()) B->add_product(1, x, y);
  }
  void apply_D(const Vector& x, Vector& y) const {
    if (!D()) {
      y.setZero(x.size());
      return;
    }
    D()->apply(x, y);
    if (const LowRank* low = low_rank(); low && !low->empty())
      add_low_rank_product(low->MU, low->damping_scale, x, modal_, y);
    if (const StencilBlocks* B = drag_blocks()) B->add_product(1, x, y);
  }

 private:
  mutable Vector modal_;  // working memory: a tangent serves one thread at a time
};

}  // namespace phiflex
