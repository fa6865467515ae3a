// Expressions whose comparisons are told: what stood on both sides when a claim was decided.
#pragma once

#include <string>
#include <vector>

#include "phiflex/reproduce/expression.h"

namespace phiflex {

struct NumberComparison {
  std::string words;  // "0.0054 < 0.00054", chained ones in one: "0.35 <= 0.71 <= 0.65"
  bool holds = false;
  int depth = 0;  // of nesting: those of the outermost comparison have the smallest
};

// evaluate, and every comparison of numbers that was made, in order.
Value evaluate(const std::string& expression, const Names& names, const Functions& functions,
               std::vector<NumberComparison>& made);

// The outermost of them in one line, at most `most`: "1.2 < 1: no, 0.8 < 1: yes". Empty when there are none.
std::string comparison_words(const std::vector<NumberComparison>& made, std::size_t most);

}  // namespace phiflex
