// phiflex::matfun: functions of matrices and of symmetric pencils, sparse factorization, modes.
//
// This header and what it includes are the library's interface. docs/library.md has a complete program.
#pragma once

#include "phiflex/base/errors.h"
#include "phiflex/base/parallel.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/linalg/matrix_market.h"
#include "phiflex/linalg/modes.h"
#include "phiflex/linalg/pencil.h"
#include "phiflex/matfun/catalogue.h"
#include "phiflex/matfun/matrix_phi.h"
#include "phiflex/matfun/mechanical_phi.h"
#include "phiflex/matfun/pencil_evaluator.h"
#include "phiflex/matfun/phi_evaluator.h"
