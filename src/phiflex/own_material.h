// phiflex::engine: material laws of a program's own. Not part of engine.h, because it takes long to compile.
//
// What these four headers (phiflex/matfun.h, engine.h, own_material.h, scene.h) and docs/library.md name is the
// interface; the headers they include are installed because the compiler needs them, and may change. docs/library.md
// has complete programs.
#pragma once

#include "phiflex/energy/own_law.h"
#include "phiflex/engine.h"
#include "phiflex/material/invariant_law.h"
