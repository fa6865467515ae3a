// The kernels of tetrahedra, run by the serial back end, against the terms of the host.
#include <gtest/gtest.h>

#include <stdexcept>

#include "phiflex/cuda/tet_layout.h"
#include "tests/cuda/device_cases.h"

namespace phiflex::device {
namespace {

// A block is rounded to float in each of its shares and once more as their sum: 2^-24 each, of numbers that are at most
// about as large as the largest of the row.
constexpr double kFloatRounding = 4 * 0x1p-24;

struct Case {
  ElasticBox box;
  DeviceTets tets;
  std::unique_ptr<ElasticTerm> term;
  Vector x;
  std::unique_ptr<DeviceBody> body;

  Case(const std::string& law, bool held)
      : box(elastic_box(3, law)),
        tets(device_tets(box, law, held)),
        term(make_elastic_term(law, box.rest, box.elements)),
        x(deformed_for(law, box.rest, 3)),
        body(make_serial_body(tets)) {
    body->set_state(as_list(x), std::vector<double>(std::size_t(x.size()), 0.0));
  }
  Vector device_product(const Vector& p) {
    Vector y(p.size());
    body->product(as_span(p), as_span(y));
    return y;
  }
};

TEST(TetBody, ForceAndEnergyAreThoseOfTheHostForEveryLaw) {
  for (const std::string& law : device_laws())
    for (bool held : {false, true}) {
      Case c(law, held);
      Vector expected = Vector::Zero(c.x.size()), f(c.x.size());
      c.term->add_force(c.x, expected);
      expected = without_held(c.tets, expected);
      c.body->elastic_force(as_span(f));
      EXPECT_LE((f - expected).norm(), 1e-13 * expected.norm()) << law;
      const double W = c.term->energy(c.x);
      EXPECT_NEAR(c.body->energy().elastic, W, 1e-13 * W) << law;
    }
}

TEST(TetBody, TheProductIsThatOfTheHostToTheRoundingOfFloatForEveryLaw) {
  for (const std::string& law : device_laws())
    for (bool held : {false, true}) {
      Case c(law, held);
      const Vector p = without_held(c.tets, wiggle(c.x.size(), 1.7));
      Vector expected = Vector::Zero(p.size());
      c.term->add_stiffness_product(c.x, p, expected);
      expected = without_held(c.tets, expected);
      c.body->assemble(false);
      EXPECT_LE((c.device_product(p) - expected).norm(), kFloatRounding * expected.norm()) << law;
    }
}

TEST(TetBody, TheProjectedProductIsThatOfTheHostForEveryLaw) {
  for (const std::string& law : device_laws()) {
    Case c(law, false);
    const int vertices = int(c.x.size() / 3);
    FreeVertices free;
    for (int v = 0; v < vertices; ++v) {
      free.row_of_vertex.push_back(v);
      free.vertex_of_row.push_back(v);
    }
    std::vector<Coupling> couplings;
    c.term->add_couplings(couplings);
    SparseMatrix K(std::make_shared<const SparsityPattern>(3, vertices, couplings));
    c.term->make_assembler(free, K.pattern())->add_stiffness(c.x, Definiteness::projected, K);
    const Vector p = wiggle(c.x.size(), 0.4);
    Vector expected(p.size());
    K.apply(p, expected);
    c.body->assemble(true);
    EXPECT_LE((c.device_product(p) - expected).norm(), kFloatRounding * expected.norm()) << law;
  }
}

TEST(TetBody, ATranslationGivesExactlyNothing) {
  Case c("neo-hookean", false);
  c.body->assemble(false);
  Vector p(c.x.size());
  for (Index v = 0; v < p.size() / 3; ++v) p.segment<3>(3 * v) << 0.1, -3.7, 1e4;
  EXPECT_EQ(c.device_product(p).norm(), 0.0);
}

// Entries of K across the diagonal, by products with unit vectors: the same floats, summed alone.
TEST(TetBody, BlocksAcrossTheDiagonalAreTheSameNumbers) {
  for (const std::string& law : device_laws()) {
    Case c(law, false);
    c.body->assemble(false);
    for (Index row : {0, 40, 76})
      for (Index column = 0; column < c.x.size(); ++column) {
        if (row / 3 == column / 3) continue;
        const double entry = c.device_product(Vector::Unit(c.x.size(), column))[row];
        EXPECT_EQ(entry, c.device_product(Vector::Unit(c.x.size(), row))[column]) << law;
      }
  }
}

// The blocks on the diagonal, which nobody stores, are minus the sums of their rows: symmetric to the rounding of
// float.
TEST(TetBody, TheMatrixIsSymmetricToTheRoundingOfFloat) {
  for (const std::string& law : device_laws()) {
    Case c(law, true);
    c.body->assemble(false);
    const Vector p = without_held(c.tets, wiggle(c.x.size(), 0.2)),
                 y = without_held(c.tets, wiggle(c.x.size(), 2.9));
    const Vector Kp = c.device_product(p), Ky = c.device_product(y);
    EXPECT_NEAR(y.dot(Kp), p.dot(Ky), kFloatRounding * Kp.norm() * y.norm()) << law;
  }
}

TEST(TetBody, AnInvertedElementGivesAnEnergyAndForceThatAreNotFiniteWhereTheLawForbidsIt) {
  Case c("neo-hookean", false);
  Vector x = c.x, f(x.size());
  x.head<3>() << 2, 2, 2;
  c.body->set_state(as_span(x), as_list(Vector::Zero(x.size())));
  c.body->elastic_force(as_span(f));
  EXPECT_FALSE(f.allFinite());
  EXPECT_FALSE(std::isfinite(c.body->energy().elastic));
}

TEST(TetBody, RefusesWhatDoesNotFit) {
  const DeviceTets good = Case("linear", false).tets;
  DeviceTets bad = good;
  bad.law = "spline";
  EXPECT_THROW((void)make_serial_body(bad), std::invalid_argument);
  bad = good;
  bad.masses.pop_back();
  EXPECT_THROW((void)make_serial_body(bad), std::invalid_argument);
  bad = good;
  std::swap(bad.tets[3][0], bad.tets[3][1]);  // turned inside out
  EXPECT_THROW((void)make_serial_body(bad), std::invalid_argument);
  bad = good;
  bad.tets[0][2] = int(good.held.size());
  EXPECT_THROW((void)make_serial_body(bad), std::invalid_argument);
}

TEST(TetLayout, FreeVerticesComeFirstAndBlocksHaveTheSharesOfTheirEdges) {
  // Two tetrahedra on a common face 1, 2, 3; vertex 2 is held.
  const std::vector<double> rest = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  const std::vector<std::array<int, 4>> tets = {{0, 1, 2, 3}, {4, 2, 1, 3}};
  const std::vector<char> held = {0, 0, 1, 0, 0};
  const TetLayout layout = make_tet_layout(rest, tets, held);
  EXPECT_EQ(layout.free, 4);
  EXPECT_EQ(layout.number, (std::vector<int>{0, 1, 4, 2, 3}));
  EXPECT_EQ(layout.row_start, (std::vector<int>{0, 3, 7, 11, 14}));
  EXPECT_EQ((std::vector<int>(layout.column.begin(), layout.column.begin() + 7)),
            (std::vector<int>{1, 2, 4, 0, 2, 3, 4}));
  // Block (1, 2), vertices 1 and 3: corners 1 and 3 of the first tetrahedron, 2 and 3 of the second.
  EXPECT_EQ(layout.share_start[4 + 1] - layout.share_start[4], 2);
  EXPECT_EQ(layout.share[std::size_t(layout.share_start[4])], 2 * 4);
  EXPECT_EQ(layout.share[std::size_t(layout.share_start[4]) + 1], 2 * (kPairs + 5));
  // Block (1, 0) is the transpose of corners 0 and 1.
  EXPECT_EQ(layout.share[std::size_t(layout.share_start[3])], 1);
}

}  // namespace
}  // namespace phiflex::device
