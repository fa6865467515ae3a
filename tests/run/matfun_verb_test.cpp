// `phiflex matfun` and `phiflex list evaluators` as a user calls them.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "phiflex/linalg/matrix_market.h"
#include "phiflex/matfun/catalogue.h"
#include "tests/run/process.h"

namespace phiflex::testing {
namespace {

const std::string kGeneral = "%%MatrixMarket matrix coordinate real general\n";
const std::string kSymmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
// The generator of rotations, and the second difference.
const std::string kTurn = kGeneral + "2 2 2\n1 2 -1\n2 1 1\n";
const std::string kDiffusion = kSymmetric + "3 3 5\n1 1 -2\n2 1 1\n2 2 -2\n3 2 1\n3 3 -2\n";
const std::string kPair = "%%MatrixMarket matrix array real general\n2 1\n1\n0\n";
const std::string kTriple = "%%MatrixMarket matrix array real general\n3 2\n1\n0\n0\n0\n1\n0\n";

struct Files {
  ScratchFolder scratch;
  std::string A, b, y = (scratch.path() / "y.mtx").string();
  Files(const std::string& matrix, const std::string& vectors)
      : A(scratch.write("A.mtx", matrix).string()), b(scratch.write("b.mtx", vectors).string()) {}
  Finished run(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"matfun", A, b, "-o", y});
    return run_command(scratch, more);
  }
};

TEST(MatfunVerb, ExponentiatesARotationWithEveryGeneralEvaluator) {
  for (const EvaluatorEntry& entry : evaluator_catalogue()) {
    if (entry.info->family != EvaluatorFamily::general) continue;
    Files files(kTurn, kPair);
    const Finished end =
        files.run({"--tau", "0.5", "--evaluator", std::string(entry.info->name), "--tolerance", "1e-9"});
    ASSERT_EQ(end.code, 0) << entry.info->name << end.err;
    const Matrix y = read_dense_matrix_market(files.y);
    // The tolerance asked, within the factor of 3 that evaluators are held to.
    EXPECT_LE(std::hypot(y(0, 0) - std::cos(0.5), y(1, 0) - std::sin(0.5)), 3e-9) << entry.info->name;
    EXPECT_NE(end.out.find(entry.info->name), std::string::npos) << end.out;
  }
}

// phi_1 by its own definition, A phi_1(A) b = e^A b - b. |A| < 4 and both results are at most 1 in size.
TEST(MatfunVerb, EveryEvaluatorServesASymmetricMatrixWithSeveralColumns) {
  const Matrix A{{-2, 1, 0}, {1, -2, 1}, {0, 1, -2}};
  for (const EvaluatorEntry& entry : evaluator_catalogue()) {
    const std::string name(entry.info->name);
    Files files(kDiffusion, kTriple);
    ASSERT_EQ(files.run({"--evaluator", name, "--tolerance", "1e-9"}).code, 0) << name;
    const Matrix exponential = read_dense_matrix_market(files.y);
    ASSERT_EQ(files.run({"--phi", "1", "--evaluator", name, "--tolerance", "1e-9"}).code, 0) << name;
    const Matrix phi_1 = read_dense_matrix_market(files.y);
    ASSERT_EQ(phi_1.cols(), 2);
    EXPECT_LE((A * phi_1 - (exponential - Matrix::Identity(3, 2))).norm(), 3 * (1e-9 * 4 + 1e-9)) << name;
  }
}

TEST(MatfunVerb, TauZeroGivesBOverKFactorialAndANegativeTauTurnsBack) {
  Files files(kTurn, kPair);
  ASSERT_EQ(files.run({"--tau", "0", "--phi", "2"}).code, 0);
  EXPECT_EQ(read_dense_matrix_market(files.y), (Matrix{{0.5}, {0}}));
  ASSERT_EQ(files.run({"--tau", "-1"}).code, 0);
  EXPECT_NEAR(read_dense_matrix_market(files.y)(1, 0), -std::sin(1.0), 3e-6);
}

TEST(MatfunVerb, ReportsItsStatisticsAsJson) {
  Files files(kDiffusion, kTriple);
  const Finished end = files.run({"--json", "--evaluator", "lanczos", "--phi", "1"});
  ASSERT_EQ(end.code, 0) << end.err;
  const auto json = nlohmann::json::parse(end.out);
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["evaluator"], "lanczos");
  EXPECT_EQ(json["rows"], 3);
  EXPECT_EQ(json["columns"], 2);
  EXPECT_EQ(json["entries"], 7);
  EXPECT_GE(json["products"], 2);
  EXPECT_LE(json["error_estimate"], 1e-6);
  for (const char* key : {"tau", "phi", "tolerance", "solves", "krylov_vectors", "largest_basis", "substeps",
                          "rejected", "seconds"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(nlohmann::json::parse(Files(kTurn, kPair).run({"--json"}).out)["evaluator"], "dense");
}

TEST(MatfunVerb, RefusesBadFilesWith65AndWritesNothing) {
  struct Bad {
    const char* what;
    std::string A, b;
    std::vector<std::string> options;
    std::vector<const char*> says;
  };
  const std::vector<Bad> cases = {
      {"not square", kGeneral + "2 3 1\n1 1 1\n", kPair, {}, {"A.mtx", "2 x 3", "square"}},
      {"sizes differ", kTurn, kTriple, {}, {"b.mtx", "3 rows", "2 columns"}},
      {"not finite in A", kGeneral + "2 2 1\n1 1 nan\n", kPair, {}, {"A.mtx", "line 3", "finite"}},
      {"not finite in b",
       kTurn,
       "%%MatrixMarket matrix array real general\n2 1\n1\ninf\n",
       {},
       {"b.mtx", "line 4"}},
      {"malformed", "%%MatrixMarket matrix coordinate real\n2 2 1\n1 1 1\n", kPair, {}, {"A.mtx", "line 1"}},
      {"no header", "1 2 3\n", kPair, {}, {"A.mtx", "MatrixMarket"}},
      {"empty", "", kPair, {}, {"A.mtx", "empty"}},
      {"huge count", kGeneral + "2 2 2000000000\n1 1 1\n", kPair, {}, {"A.mtx", "2000000000"}},
      {"huge size", kGeneral + "2000000000 2000000000 1\n1 1 1\n", kPair, {}, {"A.mtx", "2000000000"}},
      {"complex",
       "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n",
       kPair,
       {},
       {"complex"}},
      {"lanczos",
       kTurn,
       kPair,
       {"--evaluator", "lanczos"},
       {"A.mtx", "lanczos", "symmetric", "(1, 2)", "-1"}},
      {"chebyshev", kTurn, kPair, {"--evaluator", "chebyshev"}, {"symmetric"}},
      {"rational", kTurn, kPair, {"--evaluator", "rational"}, {"symmetric"}},
      {"both wrong", kGeneral + "2 3 1\n1 1 1\n", kPair, {}, {"A.mtx", "b.mtx"}},
  };
  for (const Bad& bad : cases) {
    Files files(bad.A, bad.b);
    const Finished end = files.run(bad.options);
    EXPECT_EQ(end.code, 65) << bad.what << "\n" << end.err;
    for (const char* words : bad.says)
      EXPECT_NE(end.err.find(words), std::string::npos) << bad.what << ": no '" << words << "' in\n"
                                                        << end.err;
    EXPECT_TRUE(end.out.empty()) << end.out;
    EXPECT_FALSE(std::filesystem::exists(files.y)) << bad.what;
  }
}

TEST(MatfunVerb, OtherExitCodesSayWhatHappened) {
  Files files(kTurn, kPair);
  EXPECT_EQ(run_command(files.scratch, {"matfun", files.A, "/none/such.mtx"}).code, 74);
  EXPECT_EQ(run_command(files.scratch, {"matfun", files.A, files.b, "-o", "/none/such/y.mtx"}).code, 74);
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--tau", "nan"},
                                             {"--tau", "x"},
                                             {"--phi", "-1"},
                                             {"--phi", "1.5"},
                                             {"--tolerance", "0"},
                                             {"--tolerance", "1"},
                                             {"--evaluator", "magic"}})
    EXPECT_EQ(files.run(wrong).code, 2) << wrong[0] << " " << wrong[1];
  EXPECT_EQ(run_command(files.scratch, {"matfun", files.A}).code, 2);

  // e^1000 is larger than any double.
  Files growth(kSymmetric + "1 1 1\n1 1 1\n", "%%MatrixMarket matrix array real general\n1 1\n1\n");
  const Finished end = growth.run({"--tau", "1000", "--json"});
  EXPECT_EQ(end.code, 76);
  EXPECT_NE(end.err.find("not finite"), std::string::npos) << end.err;
  EXPECT_EQ(nlohmann::json::parse(end.out)["status"], "failed");
  EXPECT_FALSE(std::filesystem::exists(growth.y));
}

TEST(ListEvaluators, NamesTheCatalogueAndTheDefault) {
  ScratchFolder scratch;
  const Finished text = run_command(scratch, {"list", "evaluators"});
  ASSERT_EQ(text.code, 0);
  const auto json = nlohmann::json::parse(run_command(scratch, {"list", "evaluators", "--json"}).out);
  ASSERT_EQ(json.size(), evaluator_catalogue().size() + 1);
  for (const auto& entry : json) {
    EXPECT_NE(text.out.find(entry["name"].get<std::string>()), std::string::npos);
    EXPECT_FALSE(entry["summary"].get<std::string>().empty());
  }
  EXPECT_EQ(json.back()["name"], "auto");
}

}  // namespace
}  // namespace phiflex::testing
