#include "phiflex/reproduce/expression.h"
#include "phiflex/reproduce/comparisons.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace phiflex {
namespace {

Value value(const std::string& expression, const Names& names = {}, const Functions& functions = {}) {
  return evaluate(expression, names, functions);
}

TEST(Expression, ArithmeticBindsAsInMathematics) {
  EXPECT_EQ(value("1 + 2 * 3").number(), 7);
  EXPECT_EQ(value("(1 + 2) * 3").number(), 9);
  EXPECT_EQ(value("2 ^ 3 ^ 2").number(), 512);
  EXPECT_EQ(value("-2 ^ 2").number(), -4);
  EXPECT_EQ(value("7 - 2 - 1").number(), 4);
  EXPECT_EQ(value("8 / 2 / 2").number(), 2);
  EXPECT_EQ(value("1e-3 * 2").number(), 2e-3);
  EXPECT_EQ(value("2^-1").number(), 0.5);
}

TEST(Expression, ComparisonsChainAndTruthsCombine) {
  EXPECT_TRUE(value("0.35 <= 0.5 <= 0.65").truth());
  EXPECT_FALSE(value("0.35 <= 0.7 <= 0.65").truth());
  EXPECT_TRUE(value("1 < 2 and not 3 < 2").truth());
  EXPECT_TRUE(value("1 > 2 or 2 != 3").truth());
  EXPECT_TRUE(value("'be' == 'be'").truth());
}

TEST(Expression, WhatIsNotTakenIsNotEvaluated) {
  const Functions functions = {
      {"never", [](std::span<const Value>) -> Value { throw std::logic_error("evaluated"); }}};
  EXPECT_EQ(value("if 1 < 2 then 5 else never()", {}, functions).number(), 5);
  EXPECT_TRUE(value("true or never()", {}, functions).truth());
  EXPECT_FALSE(value("false and never()", {}, functions).truth());
  EXPECT_THROW(value("true and never()", {}, functions), std::logic_error);
}

TEST(Expression, ListsGoElementByElement) {
  const Value list = value("2 * [1, 2, 3] + [10, 20, 30]");
  EXPECT_EQ(list.numbers(), (std::vector<double>{12, 24, 36}));
  EXPECT_EQ(value("[x ^ 2 for x in [1, 2, 3]]").numbers(), (std::vector<double>{1, 4, 9}));
  EXPECT_EQ(value("[[x * y for y in [1, 2]] for x in [1, 10]][1][1]").number(), 20);
  EXPECT_TRUE(value("all([x < 4 for x in [1, 2, 3]])").truth());
  EXPECT_THROW(value("[1, 2] + [1, 2, 3]"), ExpressionError);
  EXPECT_THROW(value("[1, 2][2]"), ExpressionError);
}

TEST(Expression, EveryUseOfAValueThatIsNotKnownIsUndecided) {
  const Names names = {{"n", Value::unknown("no mesh")}, {"m", 2}};
  for (const char* use :
       {"n + 1", "n", "n < 1", "len(n)", "[x for x in n]", "'{n}'", "if n then 1 else 2", "max(n, m)"})
    EXPECT_THROW(
        {
          const Value made = value(use, names);
          made.written();  // a name alone is used by whoever reads it
        },
        Undecided)
        << use;
  EXPECT_EQ(value("if m > 1 then m else n", names).number(), 2);
}

TEST(Expression, ListsThatChangePlacesAreCounted) {
  EXPECT_EQ(value("order_changes([[1, 2, 3], [2, 3, 4]])").number(), 0);
  EXPECT_EQ(value("order_changes([[1, 3, 1], [2, 2, 2]])").number(), 2);
  EXPECT_EQ(value("order_changes([[1, 9], [2, 2], [3, 3]])").number(), 2);
  EXPECT_THROW(value("order_changes([[1, 2], [1, 2, 3]])"), ExpressionError);
  EXPECT_THROW(value("order_changes([[1, 2], [1, log(0 - 1)]])"), Undecided);
}

TEST(Expression, AComprehensionLeavesItsNameAsItWas) {
  EXPECT_EQ(value("sum([x for x in [1, 2]]) + x", {{"x", 40}}).number(), 43);
  EXPECT_THROW(value("sum([y for y in [1, 2]]) + y"), ExpressionError);
}

TEST(Expression, TextsHoldExpressions) {
  EXPECT_EQ(value("'ere-{K}'", {{"K", 100}}).text(), "ere-100");
  EXPECT_EQ(filled("h = {1/4} s", {}, {}), "h = 0.25 s");
  EXPECT_EQ(filled("{K}", {{"K", 1e-3}}, {}), "0.001");
  EXPECT_THROW(filled("{K", {{"K", 1}}, {}), ExpressionError);
}

TEST(Expression, WholeNumbersStayWholeInScenes) {
  EXPECT_EQ(Value(50).json().dump(), "50");
  EXPECT_EQ(Value(0.5).json().dump(), "0.5");
  EXPECT_EQ(value("[1, 2.5]").json().dump(), "[1,2.5]");
}

TEST(Expression, WrongSyntaxSaysWhere) {
  for (const char* wrong :
       {"1 +", "(1", "[1, 2", "'text", "1 2", "if 1 < 2 then 3", "a b", "1 ? 2", "", "[x for in y]"})
    EXPECT_THROW(check_expression(wrong), ExpressionError) << wrong;
  EXPECT_NO_THROW(check_expression("all([err('a-{k}', 'truth') < 2 * unknown for k in [1, 2]])"));
  EXPECT_THROW(value("unknown + 1"), ExpressionError);
  EXPECT_THROW(value("unknown(1)"), ExpressionError);
  EXPECT_THROW(value("1 and true"), ExpressionError);
  EXPECT_THROW(check_expression(std::string(1000, '(') + "1" + std::string(1000, ')')), ExpressionError);
}

TEST(Expression, TheExponentOfAPowerLawIsItsPower) {
  EXPECT_NEAR(value("exponent([1, 2, 4, 8], [3 * x ^ 1.5 for x in [1, 2, 4, 8]])").number(), 1.5, 1e-12);
  EXPECT_THROW(value("exponent([1], [1])"), ExpressionError);
}

TEST(Expression, ListFunctionsSayWhatTheirNamesSay) {
  EXPECT_EQ(value("median([3, 1, 2])").number(), 2);
  EXPECT_EQ(value("median([4, 1, 2, 3])").number(), 2.5);
  EXPECT_EQ(value("max(1, [5, 2])").number(), 5);
  EXPECT_EQ(value("first([false, true, true])").number(), 1);
  EXPECT_EQ(value("first([false])").number(), -1);
  EXPECT_EQ(value("where([1, 2, 3], [true, false, true])").numbers(), (std::vector<double>{1, 3}));
  EXPECT_EQ(value("range(0, 1, 3)").numbers(), (std::vector<double>{0, 0.5, 1}));
  EXPECT_NEAR(value("geometric(1, 100, 3)[1]").number(), 10, 1e-12);
  EXPECT_EQ(value("interpolate([0, 1], [10, 20], 0.25)").number(), 12.5);
  EXPECT_TRUE(value("increasing([1, 2, 3]) and not increasing([1, 1])").truth());
  EXPECT_TRUE(value("within(95, 100, 0.05) and not within(94, 100, 0.05)").truth());
  EXPECT_EQ(value("slice([1, 2, 3, 4], 1, 3)").numbers(), (std::vector<double>{2, 3}));
  EXPECT_NEAR(value("sin(pi / 2)").number(), 1, 1e-15);
}

TEST(Comparisons, TheSidesOfTheOutermostComparisonsAreTold) {
  const auto told = [](const std::string& expression) {
    std::vector<NumberComparison> made;
    evaluate(expression, {{"l", std::vector<double>{1, 2, 3}}}, list_functions(), made);
    return comparison_words(made, 2);
  };
  EXPECT_EQ(told("max(l) < 2 + 0.5"), "3 < 2.5: no");
  EXPECT_EQ(told("0.35 <= l[1] / 4 <= 0.65"), "0.35 <= 0.5 <= 0.65: yes");
  EXPECT_EQ(told("1 < 2 and 3 > 4"), "1 < 2: yes, 3 > 4: no");
  EXPECT_EQ(told("all([x < 2 for x in l])"), "1 < 2: yes, 2 < 2: no, and 1 more");
  EXPECT_EQ(told("len(where(l, [x > 1 for x in l])) == 2"), "2 == 2: yes");
  EXPECT_EQ(told("within(l[0], l[1], 0.15)"), "1 within 15 % of 2: no");
  EXPECT_EQ(told("between(l[0], 0.5, 1.5)"), "0.5 <= 1 <= 1.5: yes");
  EXPECT_EQ(told("increasing(l)"), "");
}

}  // namespace
}  // namespace phiflex
