// An energy of one's own: rubber bands from some vertices to a point c,
//
//   W(x) = sum_v k/2 |x_v - c|^2,     f_v = -k (x_v - c),     K_vv = k I                                  (1)
//
// Every integrator can step a model with it. A free bar then swings about c; its centre of mass moves like a harmonic
// oscillator of frequency sqrt(n k/m), n vertices, m the mass, when all vertices have a band and equal masses.
// Here the check is simpler: the energy of a conserving method stays.
#include <phiflex/engine.h>

#include <cmath>
#include <cstdio>

using namespace phiflex;

class Bands final : public PotentialTerm {
 public:
  Bands(std::vector<int> vertices, const Eigen::Vector3d& point, double k)
      : vertices_(std::move(vertices)), point_(point), k_(k) {}

  Account account() const override { return Account::elastic; }
  double energy(const Vector& x) const override {
    double W = 0;
    for (const int v : vertices_) W += 0.5 * k_ * (x.segment<3>(3 * Index(v)) - point_).squaredNorm();
    return W;
  }
  void add_force(const Vector& x, Vector& f) const override {
    for (const int v : vertices_) f.segment<3>(3 * Index(v)) -= k_ * (x.segment<3>(3 * Index(v)) - point_);
  }
  void add_stiffness_product(const Vector&, const Vector& dx, Vector& y) const override {
    for (const int v : vertices_) y.segment<3>(3 * Index(v)) += k_ * dx.segment<3>(3 * Index(v));
  }
  void add_couplings(std::vector<Coupling>&) const override {}  // vertices do not act on each other
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override {
    return std::make_unique<Assembler>(*this, free, pattern);
  }
  // None of its own: energy-momentum steps use the mean force along the chord.
  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices&, const SparsityPattern&) const override {
    return nullptr;
  }

 private:
  class Assembler final : public StiffnessAssembler {
   public:
    Assembler(const Bands& bands, const FreeVertices& free, const SparsityPattern& pattern) : k_(bands.k_) {
      for (const int v : bands.vertices_)
        if (const int row = free.row_of_vertex[std::size_t(v)]; row >= 0)
          blocks_.push_back(pattern.diagonal(row));
    }
    Index add_stiffness(const Vector&, Definiteness, SparseMatrix& K) const override {
      for (const int block : blocks_)
        for (int i = 0; i < 3; ++i) K.block(block)[4 * i] += k_;  // the diagonal of 3 x 3 numbers
      return 0;
    }

   private:
    double k_;
    std::vector<int> blocks_;
  };

  std::vector<int> vertices_;  // of the model
  Eigen::Vector3d point_;      // c, m
  double k_;                   // N/m
};

int main() {
  try {
    ModelBuilder builder;
    builder.add_solid({.name = "bar",
                       .mesh = generate_box({{0.4, 0.1, 0.1}, {8, 2, 2}}),
                       .material = {"neo-hookean", {{"young", 1e5}, {"poisson", 0.3}}, 1000}});
    builder.add_term(std::make_shared<Bands>(std::vector{0, 1, 2}, Eigen::Vector3d(0, 0.5, 0), 20));
    const Assembly assembly = builder.build();
    const std::unique_ptr<DeformableModel> model = assembly.make_model(0);
    const std::unique_ptr<Integrator> integrator = make_integrator("midpoint", *model, {});
    State now = assembly.initial_state(*model), next = now;
    const double before = model->energies(now).total();
    for (int step = 0; step < 200; ++step) {
      if (integrator->step(now, 0.005, next).status != StepStatus::ok) return 1;
      std::swap(now, next);
    }
    const Energies after = model->energies(now);
    std::printf("energy %.5f J at first, %.5f J after 1 s, of which kinetic %.5f J\n", before, after.total(),
                after.kinetic);
    // The midpoint rule keeps the energy to O(h^2).
    return std::abs(after.total() - before) < 0.01 * before && after.kinetic > 0.01 * before ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
