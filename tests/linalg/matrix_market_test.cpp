// Matrix Market files: what is read, what comes back, and what is refused with which words.
#include "phiflex/linalg/matrix_market.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "phiflex/base/errors.h"
#include "tests/scratch_folder.h"

namespace phiflex::testing {
namespace {

Matrix read(const std::string& text) {
  const Matrix dense = parse_dense_matrix_market(text, "A.mtx");
  EXPECT_EQ(dense, Matrix(parse_sparse_matrix_market(text, "A.mtx"))) << text;
  return dense;
}

template <class Parse>
std::string refusal_by(Parse parse, const std::string& text) {
  try {
    parse(text, "A.mtx");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal(const std::string& text) {
  const std::string words = refusal_by(parse_dense_matrix_market, text);
  EXPECT_EQ(words, refusal_by(parse_sparse_matrix_market, text)) << text;
  return words;
}

const std::string kGeneral = "%%MatrixMarket matrix coordinate real general\n";
const std::string kArray = "%%MatrixMarket matrix array real general\n";

TEST(MatrixMarket, ReadsCoordinatesWithCommentsBlankLinesAndCarriageReturns) {
  const Matrix expected{{1, 0, -2.5}, {0, 3e-300, 0}};
  EXPECT_EQ(read("%%matrixmarket MATRIX Coordinate Real General\r\n% a comment\r\n\r\n2 3 3\r\n1 1 +1\r\n"
                 "% another\r\n1 3 -2.5\r\n\r\n 2\t2  3E-300 \r\n\r\n"),
            expected);
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate integer general\n2 3 1\n2 3 -7"),
            (Matrix{{0, 0, 0}, {0, 0, -7}}));
}

TEST(MatrixMarket, SumsDuplicates) {
  EXPECT_EQ(read(kGeneral + "1 2 3\n1 2 1\n1 1 5\n1 2 0.25\n"), (Matrix{{5, 1.25}}));
}

TEST(MatrixMarket, MirrorsSymmetricAndSkewSymmetricMatrices) {
  const Matrix symmetric{{1, 2, 4}, {2, 3, 5}, {4, 5, 6}}, skew{{0, -2, -4}, {2, 0, -5}, {4, 5, 0}};
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real symmetric\n3 3 6\n1 1 1\n2 1 2\n2 2 3\n3 1 4\n3 2 5\n"
                 "3 3 6\n"),
            symmetric);
  EXPECT_EQ(read("%%MatrixMarket matrix array real symmetric\n3 3\n1 2 4\n3 5\n6\n"), symmetric);
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 3\n2 1 2\n3 1 4\n3 2 5\n"), skew);
  EXPECT_EQ(read("%%MatrixMarket matrix array real skew-symmetric\n3 3\n2\n4\n5\n"), skew);
}

TEST(MatrixMarket, ReadsArraysColumnByColumn) {
  EXPECT_EQ(read(kArray + "2 3\n1\n2\n3\n4\n5\n6\n"), (Matrix{{1, 3, 5}, {2, 4, 6}}));
}

TEST(MatrixMarket, AWrittenMatrixComesBackBitForBit) {
  ScratchFolder scratch;
  Matrix A = Matrix::Random(7, 4);
  A(1, 2) = std::numeric_limits<double>::denorm_min();
  A(3, 3) = -std::numeric_limits<double>::max();
  A(0, 0) = 0;
  write_matrix_market(scratch.path() / "dense.mtx", A);
  EXPECT_EQ(read_dense_matrix_market(scratch.path() / "dense.mtx"), A);
  write_matrix_market(scratch.path() / "sparse.mtx", GeneralMatrix(A.sparseView()));
  EXPECT_EQ(Matrix(read_sparse_matrix_market(scratch.path() / "sparse.mtx")), A);
}

TEST(MatrixMarket, AMissingFileIsAFileError) {
  EXPECT_THROW(read_sparse_matrix_market("/none/such.mtx"), FileError);
}

TEST(MatrixMarket, RefusesWithLineValueAndWhatIsAllowed) {
  struct Bad {
    std::string text;
    std::vector<const char*> says;
  };
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
  const std::vector<Bad> cases = {
      {"", {"A.mtx", "empty"}},
      {"hello\n", {"line 1", "'hello'", "%%MatrixMarket"}},
      {" " + kGeneral + "1 1 0\n", {"line 1"}},
      {"%%MatrixMarket\n", {"line 1", "the object"}},
      {"%%MatrixMarket vector coordinate real general\n1 1 0\n", {"'vector'", "matrix"}},
      {"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n", {"'complex'", "real, integer"}},
      {"%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", {"'hermitian'", "skew-symmetric"}},
      {"%%MatrixMarket matrix coordinate real general extra\n1 1 0\n", {"line 1", "'extra'"}},
      {kGeneral, {"the file ends", "number of rows"}},
      {kGeneral + "2 2\n", {"the file ends", "number of entries"}},
      {kGeneral + "2 x 1\n1 1 1\n", {"line 2", "'x'"}},
      {kGeneral + "0 2 0\n", {"line 2", "number of rows is 0", "1 to"}},
      {kGeneral + "-3 2 0\n", {"number of rows is -3"}},
      {kGeneral + "2 2 -1\n", {"number of entries is -1"}},
      {kGeneral + "2 2 1 9\n1 1 1\n", {"line 2", "'9'"}},
      {kGeneral + "2 2 2\n1 1 1.0000\n2 2", {"line 4", "value"}},
      {kGeneral + "2 2 2\n1 1 1\n", {"number of entries is 2"}},
      {kGeneral + "2 2 1\n1 1 1\n2 2 1\n", {"line 4", "'2'", "1 entries promised"}},
      {kGeneral + "2 2 1\n3 1 1\n", {"line 3", "a row is 3", "1 to 2"}},
      {kGeneral + "2 2 1\n1 0 1\n", {"line 3", "a column is 0", "1 to 2"}},
      {kGeneral + "2 2 1\n1 1.5 1\n", {"line 3", "'1.5'"}},
      {kGeneral + "2 2 1\n1 1 1e\n", {"line 3", "'1e'"}},
      {kGeneral + "2 2 1\n1 1 1 2\n", {"line 3", "'2'"}},
      {kGeneral + "2 2 1\n1\n1 1\n", {"line 3", "column"}},
      {kGeneral + "2 2 2\n1 1 nan\n2 2 -inf\n", {"line 3", "nan", "line 4", "-inf", "finite"}},
      {kGeneral + "2 2 1\n1 1 1e999\n", {"line 3", "finite"}},
      {kGeneral + "1 1 2\n1 1 1.7e308\n1 1 1.7e308\n", {"(1, 1)", "not finite"}},
      {"%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 2.5\n", {"line 3", "'2.5'"}},
      {symmetric + "2 3 1\n1 1 1\n", {"line 2", "2 x 3", "square"}},
      {symmetric + "2 2 1\n1 2 1\n", {"line 3", "(1, 2)", "lower"}},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", {"line 3", "(1, 1)"}},
      {kArray + "2 2\n1 2 3\n", {"the file ends"}},
      {kArray + "2 2\n1\n2\n3\n4\n5\n", {"line 7", "'5'", "4 values"}},
      {kArray + "1 1\nnan\n", {"line 3", "finite"}},
  };
  for (const Bad& bad : cases) {
    const std::string words = refusal(bad.text);
    for (const char* expected : bad.says)
      EXPECT_NE(words.find(expected), std::string::npos) << bad.text << "\n-> " << words;
  }
}

// Numbers of the file that would ask for terabytes: refused before anything is allocated by them.
TEST(MatrixMarket, RefusesHugeCountsWithoutAllocatingThem) {
  for (const char* sizes : {"2000000000 2000000000 1", "3 3 4000000000", "3 3 2000000000",
                            "9223372036854775807 1 1", "99999999999999999999 1 1", "2000000 1 1"})
    EXPECT_NE(refusal(kGeneral + sizes + "\n1 1 1\n").find("line 2"), std::string::npos) << sizes;
  for (const char* sizes : {"1000000 1000000", "2147483647 2147483647", "900000 1"})
    EXPECT_NE(refusal(kArray + sizes + "\n1\n").find("line 2"), std::string::npos) << sizes;
  // Each dimension may pass on its own; as a dense matrix their product may not.
  EXPECT_THROW(parse_dense_matrix_market(kGeneral + "1000000 1000000 1\n1 1 1\n", "b.mtx"), InputError);
}

}  // namespace
}  // namespace phiflex::testing
