#define PHIFLEX_DENSE_SOLVERS_COMPILED_HERE
#include "phiflex/linalg/dense_solvers.h"

PHIFLEX_DENSE_SOLVERS()
