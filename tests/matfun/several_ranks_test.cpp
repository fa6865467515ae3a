// Matrix functions and modes of a pencil whose rows several ranks share: ranks are threads here, which meet at a
// barrier where ranks of MPI would send messages (tests/mpi has those).
#include <gtest/gtest.h>

#include <barrier>
#include <functional>
#include <random>
#include <thread>

#include "phiflex/linalg/followed_modes.h"
#include "phiflex/linalg/halo.h"
#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/linalg/outer_solver.h"
#include "phiflex/matfun/catalogue.h"
#include "phiflex/matfun/spectral_bounds.h"

namespace phiflex {
namespace {

constexpr int kRows = 60;  // block rows, of three numbers each

struct Meeting {
  explicit Meeting(int ranks)
      : barrier(ranks), numbers(std::size_t(ranks)), from(std::size_t(ranks)), owner(kRows) {}
  std::barrier<> barrier;
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<const double*>> from;
  std::vector<int> owner, place;  // of each block row: its rank, and which of that rank's rows it is
};

class ThreadTeam final : public Team {
 public:
  ThreadTeam(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return int(meeting_.numbers.size()); }
  void sum(std::span<double> numbers) const override {
    reduce(numbers, [](double a, double b) { return a + b; });
  }
  void largest(std::span<double> numbers) const override {
    reduce(numbers, [](double a, double b) { return std::max(a, b); });
  }

 private:
  template <class Join>
  void reduce(std::span<double> numbers, Join join) const {
    meeting_.numbers[std::size_t(rank_)].assign(numbers.begin(), numbers.end());
    meeting_.barrier.arrive_and_wait();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = meeting_.numbers[0].at(i);
      for (std::size_t rank = 1; rank < meeting_.numbers.size(); ++rank)
        numbers[i] = join(numbers[i], meeting_.numbers[rank].at(i));
    }
    meeting_.barrier.arrive_and_wait();
  }
  Meeting& meeting_;
  int rank_;
};

// The inverse of the diagonal: as good as any for a small matrix, but for the number of iterations.
class Jacobi final : public OuterInverse {
 public:
  FactorStatus build(const SparseMatrix& A, const Vector&) override {
    diagonal_ = A.diagonal().cwiseAbs();
    return FactorStatus::ok;
  }
  bool ready() const override { return true; }
  void precondition(const Vector& r, Vector& z) override { z = r.cwiseQuotient(diagonal_); }

 private:
  Vector diagonal_;
};

class ThreadHalo final : public Halo {
 public:
  ThreadHalo(Meeting& meeting, int rank, std::vector<int> ghosts)
      : meeting_(meeting), rank_(rank), ghosts_(std::move(ghosts)) {}
  int ghosts() const override { return int(ghosts_.size()); }
  void fetch(std::span<const double* const> from, std::span<double* const> to) const override {
    meeting_.from[std::size_t(rank_)].assign(from.begin(), from.end());
    meeting_.barrier.arrive_and_wait();
    for (std::size_t j = 0; j < to.size(); ++j)
      for (std::size_t g = 0; g < ghosts_.size(); ++g) {
        const auto row = std::size_t(ghosts_[g]);
        std::copy_n(meeting_.from[std::size_t(meeting_.owner[row])].at(j) + 3 * meeting_.place[row], 3,
                    to[j] + 3 * g);
      }
    meeting_.barrier.arrive_and_wait();
  }
  std::unique_ptr<OuterInverse> make_inverse(std::shared_ptr<const SparsityPattern>) const override {
    return std::make_unique<Jacobi>();
  }

 private:
  Meeting& meeting_;
  int rank_;
  std::vector<int> ghosts_;  // block rows of the whole
};

// A chain with longer springs beside it, held at one end unless `shift` says otherwise.
struct Whole {
  std::vector<Coupling> couplings;
  std::shared_ptr<const SparsityPattern> pattern;
  SparseMatrix K;
  Vector mass;

  explicit Whole(double shift) : couplings(all_couplings()), pattern(make()), K(pattern), mass(3 * kRows) {
    std::mt19937 random(7);
    const auto number = [&] { return double(random()) / double(std::mt19937::max()); };
    for (Index i = 0; i < kRows; ++i) mass.segment<3>(3 * i).setConstant(0.5 + number());
    for (const auto& [a, b] : couplings) {
      const Eigen::Vector3d d = Eigen::Vector3d(number(), number(), number()).normalized();
      const Eigen::Matrix3d k = 1e4 * (d * d.transpose() + 0.1 * Eigen::Matrix3d::Identity());
      for (const auto& [row, col, sign] :
           {std::tuple{a, a, 1.0}, std::tuple{b, b, 1.0}, std::tuple{a, b, -1.0}, std::tuple{b, a, -1.0}})
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) K.block(pattern->find(row, col))[3 * r + c] += sign * k(r, c);
    }
    for (int r = 0; r < 3; ++r) K.block(pattern->diagonal(0))[4 * r] += 1e4;
    K.add_to_diagonal(shift, mass);
  }

 private:
  static std::vector<Coupling> all_couplings() {
    std::vector<Coupling> couplings;
    for (int i = 0; i < kRows; ++i)
      for (const int far : {1, 7})
        if (i + far < kRows) couplings.push_back({i, i + far});
    return couplings;
  }
  std::shared_ptr<const SparsityPattern> make() const {
    return std::make_shared<SparsityPattern>(3, kRows, couplings);
  }
};

// One rank's rows of the whole.
struct Mine {
  std::vector<int> rows;
  std::shared_ptr<const SparsityPattern> pattern;
  std::unique_ptr<SparseMatrix> K;
  std::unique_ptr<MassMatrix> mass;

  Mine(const Whole& whole, Meeting& meeting, const ThreadTeam& team) {
    std::vector<int> number(kRows, -1), ghosts;
    for (int row = 0; row < kRows; ++row)
      if (meeting.owner[std::size_t(row)] == team.rank()) {
        number[std::size_t(row)] = int(rows.size());
        rows.push_back(row);
      }
    const auto is_mine = [&](int row) { return meeting.owner[std::size_t(row)] == team.rank(); };
    std::vector<Coupling> couplings;
    for (const auto& [a, b] : whole.couplings)
      if (is_mine(a) != is_mine(b)) ghosts.push_back(is_mine(a) ? b : a);
    std::sort(ghosts.begin(), ghosts.end());
    ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
    for (std::size_t g = 0; g < ghosts.size(); ++g) number[std::size_t(ghosts[g])] = int(rows.size() + g);
    for (const auto& [a, b] : whole.couplings)
      if (is_mine(a) || is_mine(b)) couplings.push_back({number[std::size_t(a)], number[std::size_t(b)]});
    pattern = std::make_shared<SparsityPattern>(3, int(rows.size()), couplings,
                                                std::make_shared<ThreadHalo>(meeting, team.rank(), ghosts));
    K = std::make_unique<SparseMatrix>(pattern);
    std::vector<int> all = rows;
    all.insert(all.end(), ghosts.begin(), ghosts.end());
    for (int i = 0; i < pattern->block_rows(); ++i)
      for (int k = pattern->row_start()[std::size_t(i)]; k < pattern->row_start()[std::size_t(i) + 1]; ++k) {
        const int col = all[std::size_t(pattern->column()[std::size_t(k)])];
        std::copy_n(whole.K.block(whole.pattern->find(rows[std::size_t(i)], col)), 9, K->block(k));
      }
    mass = std::make_unique<MassMatrix>(of(whole.mass), team);
  }
  Vector of(const Vector& all) const {
    Vector mine(3 * Index(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      mine.segment<3>(3 * Index(i)) = all.segment<3>(3 * Index(rows[i]));
    return mine;
  }
  void put(const Vector& mine, Vector& all) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
      all.segment<3>(3 * Index(rows[i])) = mine.segment<3>(3 * Index(i));
  }
};

// action(part, team) on every rank; of four ranks one has no row.
void on_ranks(const Whole& whole, int ranks,
              const std::function<void(const Mine&, const ThreadTeam&)>& action) {
  Meeting meeting(ranks);
  std::vector<int> count(std::size_t(ranks), 0);
  for (int row = 0; row < kRows; ++row) {
    int rank = row * ranks / kRows;
    if (ranks == 4 && rank == 2) rank = row % 2 == 0 ? 1 : 3;
    meeting.owner[std::size_t(row)] = rank;
    meeting.place.push_back(count[std::size_t(rank)]++);
  }
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      const ThreadTeam team(meeting, rank);
      action(Mine(whole, meeting, team), team);
    });
}

Vector some_vector(unsigned seed) {
  std::mt19937 random(seed);
  Vector x(3 * kRows);
  for (double& entry : x) entry = double(random()) / double(std::mt19937::max()) - 0.5;
  return x;
}

Vector halves(const Vector& q, const Vector& v) {
  Vector w(q.size() + v.size());
  w << q, v;
  return w;
}

// The shift inverse of the evaluators that want one.
std::unique_ptr<OuterSolver> solver_of(const Mine& mine, SparseMatrix& A, double s, Work& work) {
  A.set(s, *mine.K);
  mine.mass->add_to(1, A);
  auto solver = std::make_unique<OuterSolver>(*mine.mass, mine.pattern);
  EXPECT_EQ(solver->build(A, mine.of(Vector::Zero(3 * kRows)), work), FactorStatus::ok);
  return solver;
}

void expect_the_serial_phi_sum(const char* name, Rayleigh damping, bool general, double shift) {
  const Whole whole(shift);
  constexpr double h = 0.1;
  const double tau[] = {0.4 * h, h};
  const Vector q0 = some_vector(1), v0 = 10 * some_vector(2), a = 100 * some_vector(3), g = some_vector(4);
  const MechanicalPhiOptions options{.tolerance = 1e-10,
                                     .largest_basis = 300};  // rough vectors: all of the space
  // The serial result by the dense evaluator.
  std::vector<Vector> expected(2), result(2);
  {
    const MassMatrix mass(whole.mass);
    const AssembledPencil pencil(whole.K, mass);
    Work work;
    const std::vector<Vector> u{halves(q0, v0), halves(v0, a), halves(0 * g, g)};
    const auto report = make_mechanical_phi("dense", options)
                            ->evaluate(FirstOrderForm(pencil, damping), nullptr, u, tau, expected, work);
    ASSERT_EQ(report.status, EvaluationStatus::ok);
  }
  for (const int ranks : {1, 3, 4}) {
    Vector q(3 * kRows), v(3 * kRows);
    long products = 0;
    on_ranks(whole, ranks, [&](const Mine& mine, const ThreadTeam& team) {
      const AssembledPencil pencil(*mine.K, *mine.mass);
      SparseMatrix D(mine.pattern), A(mine.pattern);
      Work work;
      const auto solver = solver_of(mine, A, h * h, work);
      OuterShiftInverse inverse(*solver, h * h);
      struct Damping final : LinearOperator {
        const SparseMatrix* D;
        Index size() const override { return D->rows(); }
        void apply(const Vector& x, Vector& y) const override { D->apply(x, y); }
        double norm() const override { return 1; }
      } by_matrix;
      D.set(damping.beta, *mine.K);
      mine.mass->add_to(damping.alpha, D);
      by_matrix.D = &D;
      const FirstOrderForm J = general ? FirstOrderForm(pencil, by_matrix) : FirstOrderForm(pencil, damping);
      const std::vector<Vector> u{halves(mine.of(q0), mine.of(v0)), halves(mine.of(v0), mine.of(a)),
                                  halves(mine.of(0 * g), mine.of(g))};
      std::vector<Vector> w(2);
      const auto phi = make_mechanical_phi(name, options);
      const auto report = phi->evaluate(J, shift < 0 ? nullptr : &inverse, u, tau, w, work);
      EXPECT_EQ(report.status, EvaluationStatus::ok) << name << " on " << ranks << " ranks";
      const Index n = Index(w[1].size() / 2);
      mine.put(w[1].head(n), q);
      mine.put(w[1].tail(n), v);
      if (team.rank() == 0) products = report.products;
    });
    EXPECT_LE((halves(q, v) - expected[1]).norm(), 1e-8 * expected[1].norm()) << name << " on " << ranks;
    EXPECT_GT(products, 0);
  }
}

TEST(SeveralRanks, HaveTheSerialFunctionsOfAPencil) {
  for (const char* name : {"lanczos", "chebyshev", "rational", "auto"})
    expect_the_serial_phi_sum(name, {0.3, 1e-4}, false, 0);
}

TEST(SeveralRanks, HaveTheSerialFunctionsOfAnIndefinitePencil) {
  for (const char* name : {"lanczos", "chebyshev"}) expect_the_serial_phi_sum(name, {}, false, -20);
}

TEST(SeveralRanks, HaveTheSerialFunctionsWithADampingOfAnyForm) {
  for (const char* name : {"kiops", "auto"}) expect_the_serial_phi_sum(name, {0.3, 1e-4}, true, 0);
}

TEST(SeveralRanks, FollowTheSerialModes) {
  const Whole whole(0);
  const MassMatrix mass(whole.mass);
  Work work;
  Modes expected;
  ASSERT_EQ(compute_modes(AssembledPencil(whole.K, mass), 5, {}, expected, work), ModesStatus::ok);
  for (const int ranks : {1, 3, 4}) {
    Vector lambda;
    Matrix U(3 * kRows, 5);
    on_ranks(whole, ranks, [&](const Mine& mine, const ThreadTeam& team) {
      Work of_rank;
      SparseMatrix A(mine.pattern);
      const auto solver = solver_of(mine, A, 0.01, of_rank);
      OuterShiftInverse inverse(*solver, 0.01);
      const AssembledPencil pencil(*mine.K, *mine.mass);
      FollowedModes modes(5, 1e-8);
      EXPECT_EQ(modes.update(pencil, inverse, of_rank), ModesStatus::ok);
      EXPECT_TRUE(modes.refreshed());
      EXPECT_EQ(modes.update(pencil, inverse, of_rank), ModesStatus::ok);  // kept
      EXPECT_FALSE(modes.refreshed());
      ArchiveWriter out;
      modes.save(out);
      FollowedModes again(5, 1e-8);
      ArchiveReader in(out.bytes());
      again.load(in, 3 * kRows);
      EXPECT_EQ(again.modes().U, modes.modes().U);
      if (team.rank() == 0) lambda = modes.modes().lambda;
      for (Index j = 0; j < 5; ++j) {
        Vector column = Vector::Zero(3 * kRows);
        mine.put(modes.modes().U.col(j), column);
        for (const int row : mine.rows) U.col(j).segment<3>(3 * row) = column.segment<3>(3 * row);
      }
    });
    ASSERT_EQ(lambda.size(), 5) << ranks;
    EXPECT_LE((lambda - expected.lambda).cwiseAbs().maxCoeff(), 1e-8 * expected.lambda.maxCoeff()) << ranks;
    const Matrix G = U.transpose() * whole.mass.asDiagonal() * U;
    EXPECT_LE((G - Matrix::Identity(5, 5)).norm(), 1e-9) << ranks;
  }
}

// Contacts of vertices 1000 to a million times as stiff as the matrix, in directions of their own, take next to no
// iterations beside those of the matrix alone.
TEST(SeveralRanks, SolveWithStiffContactsBesideTheMatrix) {
  const Whole whole(0);
  constexpr double c = 1e-4, tolerance = 1e-8;
  std::vector<StencilBlocks::Term> contacts;  // their rows in numbers of the whole
  for (int row = 0; row < kRows; row += 2) {
    const Eigen::Vector3d g = some_vector(9).segment<3>(3 * row).normalized();
    contacts.push_back({{row, -1, -1, -1}, 1e7 * std::pow(10, row % 4), {g[0], g[1], g[2]}});
  }
  const Vector b = some_vector(8);
  Matrix C = Matrix::Zero(3 * kRows, 3 * kRows);
  for (Index j = 0; j < C.cols(); ++j) {
    Vector column(C.rows());
    whole.K.apply(Vector::Unit(C.rows(), j), column);
    C.col(j) = c * column;
  }
  C.diagonal() += whole.mass;
  for (const StencilBlocks::Term& term : contacts) {
    const Eigen::Vector3d g(term.g.data());
    C.block<3, 3>(3 * term.rows[0], 3 * term.rows[0]) += c * term.k * g * g.transpose();
  }
  const Vector expected = C.ldlt().solve(b);
  for (const int ranks : {1, 3, 4}) {
    Vector x(3 * kRows);
    long with = 0, without = 0;
    on_ranks(whole, ranks, [&](const Mine& mine, const ThreadTeam& team) {
      StencilBlocks of_mine;
      for (StencilBlocks::Term term : contacts)
        if (const auto at = std::find(mine.rows.begin(), mine.rows.end(), term.rows[0]);
            at != mine.rows.end()) {
          term.rows[0] = int(at - mine.rows.begin());
          of_mine.add(term);
        }
      ImplicitMatrix A(*mine.mass, mine.pattern, RefactorPolicy::automatic, 1e-6);
      A.set({1, 0, c}, nullptr, *mine.K);
      A.set_positions(mine.of(Vector::Zero(3 * kRows)));
      Work work;
      EXPECT_EQ(A.refactor(work), SolveStatus::ok);
      Vector z;
      EXPECT_EQ(A.precondition_beside({}, c, mine.of(b), z, tolerance, 200, work), SolveStatus::ok);
      if (team.rank() == 0) without = work.cg_iterations;
      EXPECT_EQ(A.precondition_beside(of_mine, c, mine.of(b), z, tolerance, 200, work), SolveStatus::ok);
      if (team.rank() == 0) with = work.cg_iterations - without;
      mine.put(z, x);
    });
    EXPECT_LE((x - expected).norm(), 1e-6 * expected.norm()) << ranks;
    EXPECT_LE(with, without + 5) << ranks;
  }
}

TEST(SeveralRanks, SeeThatAMatrixIsNotDefinite) {
  for (const double shift : {0.0, -2000.0}) {
    const Whole whole(shift);
    for (const int ranks : {1, 4})
      on_ranks(whole, ranks, [&](const Mine& mine, const ThreadTeam&) {
        Work work;
        OuterSolver solver(*mine.mass, mine.pattern);
        EXPECT_EQ(solver.build(*mine.K, mine.of(Vector::Zero(3 * kRows)), work),
                  shift < 0 ? FactorStatus::not_positive_definite : FactorStatus::ok);
        EXPECT_EQ(solver.ready(), shift == 0);
      });
  }
}

TEST(SeveralRanks, AgreeOnTheSpectrum) {
  const Whole whole(0);
  const MassMatrix mass(whole.mass);
  const SpectralBounds alone = estimate_spectrum(AssembledPencil(whole.K, mass), 12);
  on_ranks(whole, 4, [&](const Mine& mine, const ThreadTeam&) {
    const SpectralBounds bounds = estimate_spectrum(AssembledPencil(*mine.K, *mine.mass), 12);
    EXPECT_NEAR(bounds.largest, alone.largest, 0.3 * alone.largest);
    EXPECT_EQ(bounds.products, alone.products);
  });
}

}  // namespace
}  // namespace phiflex
