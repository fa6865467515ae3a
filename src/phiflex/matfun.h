// phiflex::matfun: functions of matrices and of symmetric pencils, sparse factorization, modes.
//
// What these four headers (phiflex/matfun.h, engine.h, own_material.h, scene.h) and docs/library.md name is the
// interface; the headers they include are installed because the compiler needs them, and may change. docs/library.md
// has complete programs.
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
