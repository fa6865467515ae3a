#include "phiflex/energy/spring_term.h"

#include <array>
#include <atomic>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "phiflex/energy/spring_blocks.h"

namespace phiflex {
namespace {

constexpr int kSpringsPerChunk = 128;  // fixed: the order of summation depends on it

template <class Element>
double extension(const Element& element, const Vector& x) {
  const auto s = arms(x, element);
  double e = -element.rest_length;
  for (int j = 0; j < Element::kArms; ++j) e += Element::kSigns[j] * norm(s[j]);
  return e;
}

template <class Element, class Law>
struct Stretched {
  ArmVectors<Element> n;                                      // zero for an arm of length zero
  double tension, stiffness;                                  // T, T'
  std::array<double, Element::kArms> tension_by_length = {};  // sigma_j T/l_j, the coefficient of (3)

  Stretched(const Element& element, const Vector& x) : n(arms(x, element)) {
    std::array<double, Element::kArms> length;
    double e = -element.rest_length;
    for (int j = 0; j < Element::kArms; ++j) e += Element::kSigns[j] * (length[j] = norm(n[j]));
    tension = Law::tension(element.k, element.rest_length, e);
    stiffness = Law::stiffness(element.k, element.rest_length, e);
    for (int j = 0; j < Element::kArms; ++j) {
      if (length[j] > 0) {
        n[j] = (1 / length[j]) * n[j];
        tension_by_length[j] = Element::kSigns[j] * tension / length[j];
      } else {
        n[j] = {0, 0, 0};
        tension_by_length[j] = Element::kArms == 1 && element.rest_length == 0 ? element.k : 0;
      }
    }
  }

  bool compressed() const {
    for (const double t : tension_by_length)
      if (t < 0) return true;
    return false;
  }
};

// (2) and (3).
template <class Element, class Law>
ArmBlocks<Element> stiffness_blocks(const Stretched<Element, Law>& s, StiffnessPart part,
                                    Definiteness definiteness) {
  ArmBlocks<Element> B;
  for (int j = 0; j < Element::kArms; ++j)
    for (int k = 0; k < Element::kArms; ++k) {
      const Mat3<double> nn = outer(s.n[j], s.n[k]);
      B[j][k] = part == StiffnessPart::geometric
                    ? Mat3<double>::zero()
                    : (Element::kSigns[j] * Element::kSigns[k] * s.stiffness) * nn;
      if (j != k || part == StiffnessPart::material) continue;
      if (definiteness == Definiteness::exact || s.tension_by_length[j] > 0)
        B[j][j] += s.tension_by_length[j] * (Mat3<double>::identity() - nn);
    }
  return B;
}

template <class Element, class Law>
class SpringAssembler final : public StiffnessAssembler {
 public:
  SpringAssembler(const SpringTermOf<Element, Law>& term, const ElementSchedule& schedule,
                  const FreeVertices& free, const SparsityPattern& pattern, StiffnessPart part)
      : term_(term), schedule_(schedule), part_(part), blocks_(term.elements(), free, pattern) {}

  Index add_stiffness(const Vector& x, Definiteness definiteness, SparseMatrix& K) const override {
    const bool counts = definiteness == Definiteness::projected && part_ != StiffnessPart::material;
    std::atomic<Index> changed = 0;  // whole numbers: their sum does not depend on the order
    schedule_.for_each_chunk([&](int first, int last) {
      Index changed_here = 0;
      for (int e = first; e < last; ++e) {
        const Stretched<Element, Law> s(term_.elements()[e], x);
        blocks_.add(e, stiffness_blocks(s, part_, definiteness), K);
        changed_here += counts && s.compressed();
      }
      changed.fetch_add(changed_here, std::memory_order_relaxed);
    });
    return changed;
  }

 private:
  const SpringTermOf<Element, Law>& term_;
  const ElementSchedule& schedule_;
  StiffnessPart part_;
  SpringBlocks<Element> blocks_;
};

template <class Element>
std::vector<int> all_nodes(const std::vector<Element>& elements) {
  std::vector<int> vertices;
  vertices.reserve(elements.size() * Element::kNodes);
  for (const Element& element : elements)
    for (const int node : element.nodes()) vertices.push_back(node);
  return vertices;
}

}  // namespace

template <class Element, class Law>
SpringTermOf<Element, Law>::SpringTermOf(std::vector<Element> elements)
    : elements_(std::move(elements)), schedule_(all_nodes(elements_), Element::kNodes, kSpringsPerChunk) {
  if constexpr (Law::kNeedsRestLength)
    for (const Element& element : elements_)
      if (!(element.rest_length > 0))
        throw std::invalid_argument("SpringTerm: the law needs a rest length above zero");
}

template <class Element, class Law>
double SpringTermOf<Element, Law>::energy(const Vector& x) const {
  return schedule_.sum([&](int first, int last) {
    double W = 0;
    for (int e = first; e < last; ++e)
      W += Law::energy(elements_[e].k, elements_[e].rest_length, extension(elements_[e], x));  // (1)
    return W;
  });
}

template <class Element, class Law>
void SpringTermOf<Element, Law>::element_energies(const Vector& x, std::span<double> energies) const {
  parallel_for(std::ptrdiff_t(elements_.size()), [&](std::ptrdiff_t e) {
    energies[e] = Law::energy(elements_[e].k, elements_[e].rest_length, extension(elements_[e], x));
  });
}

template <class Element, class Law>
void SpringTermOf<Element, Law>::add_force(const Vector& x, Vector& f) const {
  schedule_.for_each_chunk([&](int first, int last) {
    for (int e = first; e < last; ++e) {
      Stretched<Element, Law> s(elements_[e], x);
      for (int j = 0; j < Element::kArms; ++j) s.n[j] = (-Element::kSigns[j] * s.tension) * s.n[j];  // (1)
      add_to_nodes(elements_[e], s.n, f);
    }
  });
}

template <class Element, class Law>
void SpringTermOf<Element, Law>::add_stiffness_product(const Vector& x, StiffnessPart part, const Vector& dx,
                                                       Vector& y) const {
  schedule_.for_each_chunk([&](int first, int last) {
    for (int e = first; e < last; ++e) {
      const Stretched<Element, Law> s(elements_[e], x);
      const ArmBlocks<Element> B = stiffness_blocks(s, part, Definiteness::exact);
      const ArmVectors<Element> d = arms(dx, elements_[e]);
      ArmVectors<Element> Bd{};
      for (int j = 0; j < Element::kArms; ++j)
        for (int k = 0; k < Element::kArms; ++k) Bd[j] += B[j][k] * d[k];
      add_to_nodes(elements_[e], Bd, y);
    }
  });
}

template <class Element, class Law>
void SpringTermOf<Element, Law>::add_couplings(std::vector<Coupling>& couplings) const {
  for (const Element& element : elements_) {
    const auto nodes = element.nodes();
    for (int i = 0; i < Element::kNodes; ++i)
      for (int k = i + 1; k < Element::kNodes; ++k) couplings.push_back({nodes[i], nodes[k]});
  }
}

// T_v += s s_from' at the nodes of each arm: the rotation that carries the former springs of a vertex best onto its
// present ones (Arun, Huang and Blostein: Least-squares fitting of two 3-D point sets, 1987).
template <class Element, class Law>
void SpringTermOf<Element, Law>::add_turning(const Vector& from, const Vector& to, Vector& T) const {
  schedule_.for_each_chunk([&](int first, int last) {
    for (int e = first; e < last; ++e) {
      const auto nodes = elements_[e].nodes();
      const ArmVectors<Element> s = arms(to, elements_[e]), s_from = arms(from, elements_[e]);
      for (int j = 0; j < Element::kArms; ++j) {
        const Mat3<double> pair = outer(s[j], s_from[j]);
        for (int i = 0; i < Element::kNodes; ++i) {
          if (Element::kWeights[j][i] == 0) continue;
          for (int k = 0; k < 9; ++k) T[9 * Index(nodes[i]) + k] += pair.e[k];
        }
      }
    }
  });
}

template <class Element, class Law>
std::unique_ptr<StiffnessAssembler> SpringTermOf<Element, Law>::make_assembler(const FreeVertices& free,
                                                                               const SparsityPattern& pattern,
                                                                               StiffnessPart part) const {
  return std::make_unique<SpringAssembler<Element, Law>>(*this, schedule_, free, pattern, part);
}

template class SpringTermOf<Spring, LinearSpringLaw>;
template class SpringTermOf<Spring, CubicSpringLaw>;
template class SpringTermOf<CentreSpring, LinearSpringLaw>;
template class SpringTermOf<CentreSpring, CubicSpringLaw>;
template class SpringTermOf<ScissorSpring, LinearSpringLaw>;

namespace {

template <class Element, class Law>
std::unique_ptr<AnySpringTerm> make(std::vector<Element> elements) {
  return std::make_unique<SpringTermOf<Element, Law>>(std::move(elements));
}

constexpr auto kLaws = std::apply(
    []<class... Law>(const NamedSpringLaw<Law>&... law) {
      return std::array{
          SpringLawInfo{law.name, law.description, make<Spring, Law>, make<CentreSpring, Law>}...};
    },
    spring_laws);

}  // namespace

std::span<const SpringLawInfo> spring_law_catalogue() {
  return kLaws;
}

const SpringLawInfo& find_spring_law(std::string_view name) {
  for (const SpringLawInfo& info : kLaws)
    if (info.name == name) return info;
  throw std::invalid_argument("no spring law of the name " + std::string(name));
}

}  // namespace phiflex
