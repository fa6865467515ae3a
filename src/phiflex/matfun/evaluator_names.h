// The table of evaluators. A new one is one file and one line here. catalogue.cpp alone includes this file, so that a
// new line compiles little.
#pragma once

// NAME: the function NAME_evaluator() makes its entry. In the order of the documentation.
#define PHIFLEX_EVALUATORS(EVALUATOR) \
  EVALUATOR(lanczos)                  \
  EVALUATOR(chebyshev)                \
  EVALUATOR(rational)                 \
  EVALUATOR(expv)                     \
  EVALUATOR(phipm)                    \
  EVALUATOR(kiops)                    \
  EVALUATOR(taylor)                   \
  EVALUATOR(leja)                     \
  EVALUATOR(dense)
