// The parts of a scene against the whole, at a state without symmetry: forces, rows of stiffness, energies, momenta.
// For any
// number of ranks:  mpirun -n 3 build/test_mpi
#include <gtest/gtest.h>

#include "phiflex/mpi/petsc_inverse.h"
#include "tests/mpi/shared_scene.h"

namespace phiflex::testing {
namespace {

constexpr double kAllowed = 1e-13;  // of the largest number

void expect_near(double mine, double expected, double scale) {
  EXPECT_NEAR(mine, expected, kAllowed * scale);
}

TEST(Parts, HaveTheForcesTheStiffnessAndTheEnergiesOfTheWhole) {
  const SharedScene shared;
  const auto& [team, scene, all, description, part, whole, mine, at, at_mine] = shared;
  const FreeVertices& free_mine = mine.constraints().free();
  EXPECT_EQ(sum(team, double(mine.dofs())), double(whole.dofs()));
  EXPECT_EQ(sum(team, double(part.counted())), double(all.tetrahedra()));

  Vector f, f_mine;
  whole.force(at, f);
  mine.force(at_mine, f_mine);
  const auto tangent = whole.assembled_tangent(Definiteness::exact),
             tangent_mine = mine.assembled_tangent(Definiteness::exact);
  tangent->update(at);
  tangent_mine->update(at_mine);
  Vector y(whole.dofs()), y_mine(mine.dofs());
  tangent->apply_K(at.v, y);
  tangent_mine->apply_K(at_mine.v, y_mine);
  for (std::size_t row = 0; row < free_mine.vertex_of_row.size(); ++row) {
    const Index there = 3 * Index(shared.row_of_whole(free_mine.vertex_of_row[row])), here = 3 * Index(row);
    for (int i = 0; i < 3; ++i) {
      expect_near(f_mine[here + i], f[there + i], f.lpNorm<Eigen::Infinity>());
      expect_near(y_mine[here + i], y[there + i], y.lpNorm<Eigen::Infinity>());
    }
  }

  const SparseMatrix &K = tangent->K(), &K_mine = tangent_mine->K();
  std::vector<int> row_of_column(free_mine.vertex_of_row.size() + std::size_t(part.ghosts()), -1);
  for (std::size_t vertex = 0; vertex < free_mine.row_of_vertex.size(); ++vertex)
    if (const int column = free_mine.row_of_vertex[vertex]; column >= 0)
      row_of_column[std::size_t(column)] = shared.row_of_whole(int(vertex));
  double largest_block = 0;
  for (int k = 0; k < K.pattern().blocks(); ++k)
    largest_block = std::max(largest_block, Eigen::Map<const Eigen::Matrix3d>(K.block(k)).norm());
  const SparsityPattern& pattern = K_mine.pattern();
  for (std::size_t row = 0; row < free_mine.vertex_of_row.size(); ++row) {
    const int there = shared.row_of_whole(free_mine.vertex_of_row[row]);
    EXPECT_EQ(pattern.row_start()[row + 1] - pattern.row_start()[row],
              K.pattern().row_start()[std::size_t(there) + 1] - K.pattern().row_start()[std::size_t(there)]);
    for (int k = pattern.row_start()[row]; k < pattern.row_start()[row + 1]; ++k) {
      const int column = row_of_column[std::size_t(pattern.column()[std::size_t(k)])];
      const Eigen::Map<const Eigen::Matrix3d> block(K_mine.block(k)),
          expected(K.block(K.pattern().find(there, column)));
      EXPECT_LE((block - expected).norm(), kAllowed * largest_block);
    }
  }

  const Energies e = whole.energies(at), e_mine = mine.energies(at_mine);
  EXPECT_GT(e.contact, 0);
  expect_near(e_mine.kinetic, e.kinetic, e.kinetic);
  expect_near(e_mine.elastic, e.elastic, e.elastic);
  expect_near(e_mine.gravity, e.gravity, std::abs(e.gravity));
  expect_near(e_mine.contact, e.contact, e.contact);
  const Momenta p = whole.momenta(at), p_mine = mine.momenta(at_mine);
  EXPECT_LE((p_mine.linear - p.linear).norm(), kAllowed * whole.total_mass());  // velocities of 1 m/s
  EXPECT_LE((p_mine.angular - p.angular).norm(), kAllowed * whole.total_mass());
}

}  // namespace
}  // namespace phiflex::testing

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const phiflex::PetscSession session(argc, argv);
  return RUN_ALL_TESTS();
}
