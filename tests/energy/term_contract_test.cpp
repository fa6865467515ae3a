// What every potential energy promises, over all materials and all other terms.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "phiflex/base/parallel.h"
#include "phiflex/linalg/dense_solvers.h"
#include "tests/energy/term_cases.h"

namespace phiflex {
namespace {

constexpr double kDifferenceError = 1e-7;

TEST(EveryTerm, ItsForceIsMinusTheDerivativeOfItsEnergy) {
  for (const TermCase& c : term_cases(3)) {
    const Vector f = force(*c.term, c.x), d = wiggle(c.x.size(), 1.0);
    const double dW = derivative([&](double s) { return c.term->energy(c.x + s * d); });
    EXPECT_NEAR(-f.dot(d), dW, kDifferenceError * f.norm() * d.norm()) << c.name;
    EXPECT_GT(f.norm(), 0) << c.name;
  }
}

TEST(EveryTerm, ItsStiffnessIsMinusTheDerivativeOfItsForce) {
  for (const TermCase& c : term_cases(3)) {
    const Vector d = wiggle(c.x.size(), 2.0), Kd = stiffness_product(*c.term, c.x, d);
    const Vector df = derivative([&](double s) -> Vector { return force(*c.term, c.x + s * d); });
    EXPECT_LE((Kd + df).norm(), kDifferenceError * (Kd.norm() + force(*c.term, c.x).norm())) << c.name;
  }
}

TEST(EveryTerm, ItsAssembledStiffnessIsThatOfItsProductsOnTheFreeVertices) {
  for (const TermCase& c : term_cases(3)) {
    for (int every : {0, 3}) {
      const FreeVertices free = free_except(c.x.size() / 3, every);
      const SparseMatrix K = stiffness(*c.term, c.x, free, Definiteness::exact);
      const Vector d = wiggle(K.rows(), 3.0);
      Vector full = Vector::Zero(c.x.size()), Kd(K.rows());
      for (std::size_t row = 0; row < free.vertex_of_row.size(); ++row)
        full.segment<3>(3 * free.vertex_of_row[row]) = d.segment<3>(3 * row);
      K.apply(d, Kd);
      const Vector y = stiffness_product(*c.term, c.x, full);
      // Both sum a few hundred products per row, in different orders.
      const double tolerance = 1000 * kEps * (y.norm() + 1);
      for (std::size_t row = 0; row < free.vertex_of_row.size(); ++row) {
        EXPECT_NEAR((Kd.segment<3>(3 * row) - y.segment<3>(3 * free.vertex_of_row[row])).norm(), 0, tolerance)
            << c.name << ", every " << every;
      }
    }
  }
}

TEST(EveryTerm, ItsStiffnessIsAddedToWhatIsThere) {
  for (const TermCase& c : term_cases(2)) {
    const FreeVertices free = free_except(c.x.size() / 3, 4);
    const auto pattern = free_pattern(*c.term, free);
    const auto assembler = c.term->make_assembler(free, *pattern);
    SparseMatrix once(pattern), twice(pattern);
    assembler->add_stiffness(c.x, Definiteness::exact, once);
    assembler->add_stiffness(c.x, Definiteness::exact, twice);
    assembler->add_stiffness(c.x, Definiteness::exact, twice);
    const double size = dense(once).norm();
    EXPECT_NEAR((dense(twice) - 2 * dense(once)).norm(), 0, 100 * kEps * size) << c.name;
  }
}

TEST(EveryTerm, ItsStiffnessIsSymmetric) {
  for (const TermCase& c : term_cases(3)) {
    for (Definiteness definiteness : {Definiteness::exact, Definiteness::projected}) {
      const Matrix K = dense(stiffness(*c.term, c.x, free_except(c.x.size() / 3, 0), definiteness));
      EXPECT_LE((K - K.transpose()).norm(), 100 * kEps * K.norm()) << c.name;
    }
  }
}

TEST(EveryTerm, ItsInternalForcesHaveNoResultantAndNoTorque) {
  for (const TermCase& c : term_cases(3)) {
    if (!c.internal) continue;
    const Vector f = force(*c.term, c.x);
    Eigen::Vector3d resultant = Eigen::Vector3d::Zero(), torque = resultant;
    for (Index v = 0; v < f.size() / 3; ++v) {
      resultant += f.segment<3>(3 * v);
      torque += Eigen::Vector3d(c.x.segment<3>(3 * v)).cross(Eigen::Vector3d(f.segment<3>(3 * v)));
    }
    // Element forces are some ten times larger than the nodal sums; positions are below 2. Linear elasticity
    // alone knows no rotation, and its torque is not zero away from rest.
    EXPECT_LE(resultant.norm(), 1000 * kEps * f.lpNorm<1>()) << c.name;
    if (!is_small_strain(c)) {
      EXPECT_LE(torque.norm(), 1000 * kEps * f.lpNorm<1>()) << c.name;
    }
  }
}

TEST(EveryTerm, ItsProjectedStiffnessIsTheExactOneWithoutNegativeParts) {
  for (const TermCase& c : term_cases(2)) {
    // Strong compression along one axis makes most energies lose convexity.
    Vector x = c.x;
    for (Index v = 0; v < x.size() / 3; ++v) x[3 * v] = 0.6 * x[3 * v];
    const FreeVertices free = free_except(x.size() / 3, 0);
    Index changed = 0, changed_in_exact = 0;
    const Matrix exact = dense(stiffness(*c.term, x, free, Definiteness::exact, &changed_in_exact));
    const Matrix projected = dense(stiffness(*c.term, x, free, Definiteness::projected, &changed));
    const double size = projected.norm() + exact.norm();
    const auto lowest = [](const Matrix& A) {
      return Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues()[0];
    };
    EXPECT_EQ(changed_in_exact, 0) << c.name;
    EXPECT_GE(lowest(projected), -1e-11 * size) << c.name;
    EXPECT_GE(lowest(projected - exact), -1e-11 * size) << c.name;
    if (changed == 0) {
      EXPECT_LE((projected - exact).norm(), 1e-11 * size) << c.name;
    }
    if (lowest(exact) < -1e-6 * size) {
      EXPECT_GT(changed, 0) << c.name;
    }
  }
}

TEST(EveryTerm, CompressionMakesSomeStiffnessIndefiniteSoThatTheProjectionIsTested) {
  Index changed = 0;
  for (TermCase& c : term_cases(2)) {
    for (Index v = 0; v < c.x.size() / 3; ++v) c.x[3 * v] *= 0.6;
    Index here = 0;
    stiffness(*c.term, c.x, free_except(c.x.size() / 3, 0), Definiteness::projected, &here);
    changed += here;
    EXPECT_GE(here, 0);
    EXPECT_LE(here, 6 * 2 * 2 * 2 + 100) << c.name;  // never more than there are elements
  }
  EXPECT_GT(changed, 0);
}

TEST(EveryTerm, ItGivesTheSameBitsForAnyNumberOfThreads) {
  for (const TermCase& c : term_cases(8)) {  // 3,071 tetrahedra: a dozen chunks
    const FreeVertices free = free_except(c.x.size() / 3, 5);
    const auto pattern = free_pattern(*c.term, free);
    const Vector d = wiggle(c.x.size(), 4.0);
    struct Results {
      double energy;
      Vector force, product;
      SparseMatrix exact, projected;
      Index changed;
    };
    const auto compute = [&](int threads) {
      set_thread_count(threads);
      Results r{c.term->energy(c.x),   force(*c.term, c.x),   stiffness_product(*c.term, c.x, d),
                SparseMatrix(pattern), SparseMatrix(pattern), 0};
      const auto assembler = c.term->make_assembler(free, *pattern);
      assembler->add_stiffness(c.x, Definiteness::exact, r.exact);
      r.changed = assembler->add_stiffness(c.x, Definiteness::projected, r.projected);
      set_thread_count(1);
      return r;
    };
    const auto same = [](const double* a, const double* b, std::size_t count) {
      return std::memcmp(a, b, count * sizeof(double)) == 0;
    };
    const Results one = compute(1);
    for (int threads : {2, 3, 4, 8}) {
      const Results many = compute(threads);
      EXPECT_EQ(many.energy, one.energy) << c.name << ", " << threads << " threads";
      EXPECT_EQ(many.changed, one.changed) << c.name << ", " << threads << " threads";
      EXPECT_TRUE(same(many.force.data(), one.force.data(), one.force.size())) << c.name << ", " << threads;
      EXPECT_TRUE(same(many.product.data(), one.product.data(), one.product.size()))
          << c.name << ", " << threads;
      EXPECT_TRUE(same(many.exact.values(), one.exact.values(), one.exact.value_count()))
          << c.name << ", " << threads;
      EXPECT_TRUE(same(many.projected.values(), one.projected.values(), one.projected.value_count()))
          << c.name << ", " << threads;
    }
  }
}

TEST(EveryTerm, AtRestItsEnergyAndInternalForcesVanish) {
  for (const TermCase& c : term_cases(3)) {
    const double scale = std::abs(c.term->energy(c.x));
    EXPECT_NEAR(c.term->energy(c.rest), 0, 1e-12 * scale) << c.name;
    if (c.internal) {
      EXPECT_LE(force(*c.term, c.rest).norm(), 1e-12 * force(*c.term, c.x).norm()) << c.name;
    }
  }
}

TEST(EveryTerm, ItHasNothingToSayAboutAHealthyState) {
  for (const TermCase& c : term_cases(2)) EXPECT_EQ(c.term->diagnose(c.x), "") << c.name;
}

}  // namespace
}  // namespace phiflex
