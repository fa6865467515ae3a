#include "phiflex/energy/spring_term.h"

#include <atomic>
#include <stdexcept>
#include <utility>

#include "phiflex/base/mat3.h"

namespace phiflex {
namespace {

constexpr int kSpringsPerChunk = 128;  // fixed: the order of summation depends on it

Vec3<double> difference(const Vector& x, const Spring& spring) {
  const double *a = x.data() + 3 * Index(spring.a), *b = x.data() + 3 * Index(spring.b);
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// +value at a, -value at b.
void add_pair(const Spring& spring, const Vec3<double>& value, Vector& y) {
  double *a = y.data() + 3 * Index(spring.a), *b = y.data() + 3 * Index(spring.b);
  for (int i = 0; i < 3; ++i) {
    a[i] += value[i];
    b[i] -= value[i];
  }
}

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
      : term_(term), schedule_(schedule), part_(part) {
    for (const Spring& spring : term.springs()) {
      const int a = free.row_of_vertex[spring.a], b = free.row_of_vertex[spring.b];
      Places p;
      if (a >= 0) p.aa = pattern.diagonal(a);
      if (b >= 0) p.bb = pattern.diagonal(b);
      if (a >= 0 && b >= 0) {
        p.ab = pattern.find(a, b);
        p.ba = pattern.find(b, a);
        if (p.ab < 0 || p.ba < 0)
          throw std::invalid_argument("SpringTerm: a block is missing in the pattern");
      }
      places_.push_back(p);
    }
  }

  Index add_stiffness(const Vector& x, Definiteness definiteness, SparseMatrix& K) const override {
    std::atomic<Index> changed = 0;  // whole numbers: their sum does not depend on the order
    schedule_.for_each_chunk([&](int first, int last) {
      Index changed_here = 0;
      for (int e = first; e < last; ++e) {
        const Spring& spring = term_.springs()[e];
        const Stretched s(spring, x);
        const Mat3<double> block = stiffness_block(spring, s, part_, definiteness);
        add(places_[e].aa, 1, block, K);
        add(places_[e].bb, 1, block, K);
        add(places_[e].ab, -1, block, K);
        add(places_[e].ba, -1, block, K);
        changed_here += definiteness == Definiteness::projected && part_ != StiffnessPart::material &&
                        s.tension_by_length < 0;
      }
      changed.fetch_add(changed_here, std::memory_order_relaxed);
    });
    return changed;
  }

 private:
  // Numbers of blocks; -1 for a vertex without a row.
  struct Places {
    int aa = -1, bb = -1, ab = -1, ba = -1;
  };

  static void add(int place, double sign, const Mat3<double>& block, SparseMatrix& K) {
    if (place < 0) return;
    double* to = K.block(place);
    for (int k = 0; k < 9; ++k) to[k] += sign * block.e[k];
  }

  const SpringTerm& term_;
  const ElementSchedule& schedule_;
  StiffnessPart part_;
  std::vector<Places> places_;
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
