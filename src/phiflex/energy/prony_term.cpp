#include "phiflex/energy/prony_term.h"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "phiflex/energy/elastic_term_of.h"
#include "phiflex/energy/overstress.h"
#include "phiflex/energy/two_state_term.h"

namespace phiflex {

PronyFactors::PronyFactors(double x) : e(std::exp(-x)) {
  if (x < 0.1) {  // series: the formulas would cancel. Rounding is below 1e-13 of each at this limit.
    phi = 0, kappa = 0;
    double term = 1;  // (-x)^k / k!
    for (int k = 0; k < 14; ++k) {
      phi += term / (k + 1);
      kappa += 2 * term / ((k + 1) * (k + 2));
      term *= -x / (k + 1);
    }
    // kappa - phi^2 = (kappa - phi) + phi (1 - phi),  1 - phi = x kappa/2,
    // kappa - phi = sum (-x)^k/k! (2/((k+1)(k+2)) - 1/(k+1)) = -sum (-x)^k/k! k/((k+1)(k+2))
    double difference = 0;
    term = 1;
    for (int k = 1; k < 15; ++k) {
      term *= -x / k;
      difference -= term * k / ((k + 1) * (k + 2));
    }
    rest = difference + phi * 0.5 * x * kappa;
  } else {
    phi = -std::expm1(-x) / x;
    kappa = 2 * (1 - phi) / x;
    rest = kappa - phi * phi;
  }
}

namespace {

template <class Element>
class PronyTermOf final : public PronyTerm {
 public:
  PronyTermOf(const Vector& rest, std::span<const typename Element::Nodes> tets, const PronyElements& given)
      : PronyTerm(given.elements),
        series_(given.series),
        law_(rest, tets,
             {.tets = {}, .parameters = {}, .number = given.number, .first_vertex = given.first_vertex}),
        mu_(law_.tets().pack(given.modulus)),
        A_(series_.size() * places(), Sym3<Lanes>::zero()),
        start_(places(), Sym3<Lanes>::zero()) {
    for (const PronyBranch& branch : series_) ratios_ += branch.ratio;
    set_springs();
  }

  // -- A law like any other, between and within steps.
  double energy(const Vector& x) const override { return law_.energy(x) + beyond_; }
  void add_force(const Vector& x, Vector& f) const override { law_.add_force(x, f); }
  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override {
    law_.add_stiffness_product(x, dx, y);
  }
  void add_couplings(std::vector<Coupling>& couplings) const override { law_.add_couplings(couplings); }
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override {
    return law_.make_assembler(free, pattern);
  }
  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                               const SparsityPattern& pattern) const override {
    return law_.make_two_state(free, pattern);
  }
  std::string diagnose(const Vector& x) const override { return law_.diagnose(x); }
  void element_densities(const Vector& x, std::span<double> densities) const override {
    const std::vector<TetBatchOf<Element>>& batches = law_.tets().batches();
    parallel_for(static_cast<std::ptrdiff_t>(batches.size()), [&](std::ptrdiff_t i) {
      const Lanes psi = stored(int(i), x);
      for (int lane = 0; lane < law_.tets().lanes_used(int(i)); ++lane)
        densities[std::size_t(law_.tets().element(int(i), lane))] = psi[lane];
    });
  }
  void element_states(const Vector& x, std::span<ElementState> states) const override {
    law_.element_states(x, states);
  }

  // -- Steps
  void begin_step(const Vector& x, double h) override {
    factors_.clear();
    double kappas = 0;
    for (const PronyBranch& branch : series_) {
      factors_.emplace_back(h / branch.time);
      kappas += branch.ratio * factors_.back().kappa;
    }
    beyond_ = 0;
    for_each_place([&](int i, int q) {
      const Sym3<Lanes> E = strain(i, q, x);
      Sym3<Lanes> sum = Sym3<Lanes>::zero();
      for (std::size_t k = 0; k < series_.size(); ++k)
        sum += Lanes(series_[k].ratio * factors_[k].phi) * (E - A(k, i, q));
      start_[place(i, q)] = E;
      law_.set_moduli(i, q, {Lanes(kappas) * mu_[std::size_t(i)], E - Lanes(1 / kappas) * sum});  // (3)
    });
  }

  double end_step(const Vector& x) override {
    before_ = A_;
    const double dissipated = sum([&](int i, int q) {
      const Sym3<Lanes> E = strain(i, q, x), dE = E - start_[place(i, q)];
      Lanes density(0.0);
      for (std::size_t k = 0; k < series_.size(); ++k) {
        const PronyFactors& f = factors_[k];
        const Sym3<Lanes> d = start_[place(i, q)] - A(k, i, q);
        density += Lanes(series_[k].ratio) *
                   (Lanes(1 - f.e * f.e) * contract(d, d) + Lanes(2 * f.phi * (1 - f.e)) * contract(d, dE) +
                    Lanes(f.rest) * contract(dE, dE));        // (4)
        A(k, i, q) = E - Lanes(f.e) * d - Lanes(f.phi) * dE;  // (2)
      }
      return density;
    });
    set_springs();
    return dissipated;
  }
  void cancel_step() override { set_springs(); }
  void undo_step() override {
    A_ = before_;
    set_springs();
  }
  void slacken() override {
    beyond_ = 0;
    for_each_place([&](int i, int q) { law_.set_moduli(i, q, {Lanes(0.0), Sym3<Lanes>::zero()}); });
  }
  void relax_at(const Vector& x) override {
    for_each_place([&](int i, int q) {
      const Sym3<Lanes> E = strain(i, q, x);
      for (std::size_t k = 0; k < series_.size(); ++k) A(k, i, q) = E;
    });
    set_springs();
  }

  void save(ArchiveWriter& out) const override { out.put(std::span<const double>(numbers())); }
  void load(ArchiveReader& in) override {
    std::vector<double> values(kPerPlace * A_.size());
    in.get_doubles(values);
    for (const double value : values)
      if (!std::isfinite(value)) throw ArchiveError("a strain of a viscoelastic body is not finite");
    std::memcpy(A_.data(), values.data(), sizeof(double) * values.size());
    set_springs();
  }
  void take(const PronyTerm& other) override {
    const auto* same = dynamic_cast<const PronyTermOf*>(&other);
    if (!same || same->A_.size() != A_.size())
      throw std::invalid_argument("PronyTerm::take: the other term has other elements or branches");
    A_ = same->A_;
    set_springs();
  }

 private:
  static constexpr std::size_t kPerPlace = sizeof(Sym3<Lanes>) / sizeof(double);

  std::size_t places() const { return law_.tets().batches().size() * std::size_t(Element::kPoints); }
  static std::size_t place(int i, int q) { return std::size_t(i * Element::kPoints + q); }
  Sym3<Lanes>& A(std::size_t branch, int i, int q) { return A_[branch * places() + place(i, q)]; }
  const Sym3<Lanes>& A(std::size_t branch, int i, int q) const { return A_[branch * places() + place(i, q)]; }
  Sym3<Lanes> strain(int i, int q, const Vector& x) const {
    return isochoric_strain(gram(deformation_gradient(law_.tets().batches()[std::size_t(i)], x.data(), q)));
  }
  std::vector<double> numbers() const {
    std::vector<double> values(kPerPlace * A_.size());
    std::memcpy(values.data(), A_.data(), sizeof(double) * values.size());
    return values;
  }
  template <class Work>
  void for_each_place(const Work& work) {
    parallel_for(static_cast<std::ptrdiff_t>(law_.tets().batches().size()), [&](std::ptrdiff_t i) {
      for (int q = 0; q < Element::kPoints; ++q) work(int(i), q);
    });
  }
  // The sum over all points of w V mu density(batch, point).
  template <class Density>
  double sum(const Density& density) {
    return law_.tets().schedule().sum([&](int first, int last) {
      Lanes total(0.0);
      for (int i = first; i < last; ++i)
        for (int q = 0; q < Element::kPoints; ++q) {
          const Lanes share = Lanes(Element::kWeight) * law_.tets().batches()[std::size_t(i)].volume;
          total += (share * mu_[std::size_t(i)]) * density(i, q);
        }
      double lanes = 0;
      for (int lane = 0; lane < kLanes; ++lane) lanes += total[lane];
      return lanes;
    });
  }
  // W of (1) as one spring at each point, with the mean A of its branches:
  //   sum G_i |E - A_i|^2 = (sum G_i) |E - A|^2 + sum G_i |A_i - A|^2                                       (5)
  void set_springs() {
    beyond_ = sum([&](int i, int q) {
      Sym3<Lanes> mean = Sym3<Lanes>::zero();
      for (std::size_t k = 0; k < series_.size(); ++k) mean += Lanes(series_[k].ratio / ratios_) * A(k, i, q);
      law_.set_moduli(i, q, {Lanes(ratios_) * mu_[std::size_t(i)], mean});
      Lanes density(0.0);
      for (std::size_t k = 0; k < series_.size(); ++k) {
        const Sym3<Lanes> apart = A(k, i, q) - mean;
        density += Lanes(series_[k].ratio) * contract(apart, apart);
      }
      return density;
    });
  }
  // W of (1) of a batch per rest volume.
  Lanes stored(int i, const Vector& x) const {
    Lanes density(0.0);
    for (int q = 0; q < Element::kPoints; ++q) {
      const Sym3<Lanes> E = strain(i, q, x);
      for (std::size_t k = 0; k < series_.size(); ++k) {
        const Sym3<Lanes> d = E - A(k, i, q);
        density += Lanes(series_[k].ratio) * contract(d, d);
      }
    }
    return (Lanes(Element::kWeight) * mu_[std::size_t(i)]) * density;
  }

  PronySeries series_;
  double ratios_ = 0;  // their sum
  double beyond_ = 0;  // the last part of (5), J; 0 within a step
  ElasticTermOf<Overstress, Element> law_;
  std::vector<Lanes> mu_;                // of each batch, Pa
  std::vector<Sym3<Lanes>> A_, before_;  // of each branch and place
  std::vector<Sym3<Lanes>> start_;       // E where the step began
  std::vector<PronyFactors> factors_;    // of the step
};

}  // namespace

std::unique_ptr<PronyTerm> make_prony_term(const Vector& rest, const PronyElements& elements) {
  const std::size_t count = elements.tets.size();
  if (elements.series.empty() || elements.modulus.size() != count || elements.elements.size() != count ||
      (!elements.quadratic.empty() && elements.quadratic.size() != count))
    throw std::invalid_argument("make_prony_term: sizes do not fit");
  if (elements.quadratic.empty()) return std::make_unique<PronyTermOf<Tet4>>(rest, elements.tets, elements);
  return std::make_unique<PronyTermOf<Tet10>>(rest, elements.quadratic, elements);
}

}  // namespace phiflex
