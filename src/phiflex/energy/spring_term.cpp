#include "phiflex/energy/spring_term.h"

#include <atomic>
#include <utility>

#include "phiflex/energy/spring_blocks.h"

namespace phiflex {
namespace {

constexpr int kSpringsPerChunk = 128;  // fixed: the order of summation depends on it

struct Stretched {
  Vec3<double> n;            // zero for a spring of length zero
  double tension;            // k (l - l0)
  double tension_by_length;  // k (l - l0)/l, the coefficient of (3)

  Stretched(const Spring& spring, const Vector& x) : n(difference(x, spring)) {
    const double length = norm(n);
    tension = spring.k * (length - spring.rest_length);
    if (length > 0) {
      n = (1 / length) * n;
      tension_by_length = tension / length;
    } else {
      n = {0, 0, 0};
      tension_by_length = spring.rest_length == 0 ? spring.k : 0;
    }
  }
};

// Block (a, a) of a spring's stiffness.
Mat3<double> stiffness_block(const Spring& spring, const Stretched& s, StiffnessPart part,
                             Definiteness definiteness) {
  Mat3<double> K = Mat3<double>::zero();
  const Mat3<double> nn = outer(s.n, s.n);
  if (part != StiffnessPart::geometric) K += spring.k * nn;  // (2)
  if (part != StiffnessPart::material && (definiteness == Definiteness::exact || s.tension_by_length > 0))
    K += s.tension_by_length * (Mat3<double>::identity() - nn);  // (3)
  return K;
}

class SpringAssembler final : public StiffnessAssembler {
 public:
  SpringAssembler(const SpringTerm& term, const ElementSchedule& schedule, const FreeVertices& free,
                  const SparsityPattern& pattern, StiffnessPart part)
      : term_(term), schedule_(schedule), part_(part), blocks_(term.springs(), free, pattern) {}

  Index add_stiffness(const Vector& x, Definiteness definiteness, SparseMatrix& K) const override {
    std::atomic<Index> changed = 0;  // whole numbers: their sum does not depend on the order
    schedule_.for_each_chunk([&](int first, int last) {
      Index changed_here = 0;
      for (int e = first; e < last; ++e) {
        const Spring& spring = term_.springs()[e];
        const Stretched s(spring, x);
        blocks_.add(e, stiffness_block(spring, s, part_, definiteness), K);
        changed_here += definiteness == Definiteness::projected && part_ != StiffnessPart::material &&
                        s.tension_by_length < 0;
      }
      changed.fetch_add(changed_here, std::memory_order_relaxed);
    });
    return changed;
  }

 private:
  const SpringTerm& term_;
  const ElementSchedule& schedule_;
  StiffnessPart part_;
  SpringBlocks blocks_;
};

std::vector<int> ends(const std::vector<Spring>& springs) {
  std::vector<int> vertices;
  for (const Spring& spring : springs) vertices.insert(vertices.end(), {spring.a, spring.b});
  return vertices;
}

}  // namespace

SpringTerm::SpringTerm(std::vector<Spring> springs)
    : springs_(std::move(springs)), schedule_(ends(springs_), 2, kSpringsPerChunk) {}

double SpringTerm::energy(const Vector& x) const {
  return schedule_.sum([&](int first, int last) {
    double W = 0;
    for (int e = first; e < last; ++e) {
      const double stretch = norm(difference(x, springs_[e])) - springs_[e].rest_length;
      W += 0.5 * springs_[e].k * stretch * stretch;  // (1)
    }
    return W;
  });
}

void SpringTerm::add_force(const Vector& x, Vector& f) const {
  schedule_.for_each_chunk([&](int first, int last) {
    for (int e = first; e < last; ++e) {
      const Stretched s(springs_[e], x);
      add_pair(springs_[e], -s.tension * s.n, f);  // (1)
    }
  });
}

void SpringTerm::add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const {
  add_stiffness_product(x, StiffnessPart::all, dx, y);
}

void SpringTerm::add_stiffness_product(const Vector& x, StiffnessPart part, const Vector& dx,
                                       Vector& y) const {
  schedule_.for_each_chunk([&](int first, int last) {
    for (int e = first; e < last; ++e) {
      const Spring& spring = springs_[e];
      const Mat3<double> K = stiffness_block(spring, Stretched(spring, x), part, Definiteness::exact);
      add_pair(spring, K * difference(dx, spring), y);
    }
  });
}

void SpringTerm::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Spring& spring : springs_) couplings.push_back({spring.a, spring.b});
}

// T_v += s s_from' at both ends: the rotation that carries the former springs of a vertex best onto its present
// ones (Arun, Huang and Blostein: Least-squares fitting of two 3-D point sets, 1987).
void SpringTerm::add_turning(const Vector& from, const Vector& to, Vector& T) const {
  schedule_.for_each_chunk([&](int first, int last) {
    for (int e = first; e < last; ++e) {
      const Spring& spring = springs_[e];
      const Mat3<double> pair = outer(difference(to, spring), difference(from, spring));
      for (const int vertex : {spring.a, spring.b})
        for (int k = 0; k < 9; ++k) T[9 * Index(vertex) + k] += pair.e[k];
    }
  });
}

std::unique_ptr<StiffnessAssembler> SpringTerm::make_assembler(const FreeVertices& free,
                                                               const SparsityPattern& pattern) const {
  return make_assembler(free, pattern, StiffnessPart::all);
}

std::unique_ptr<StiffnessAssembler> SpringTerm::make_assembler(const FreeVertices& free,
                                                               const SparsityPattern& pattern,
                                                               StiffnessPart part) const {
  return std::make_unique<SpringAssembler>(*this, schedule_, free, pattern, part);
}

}  // namespace phiflex
