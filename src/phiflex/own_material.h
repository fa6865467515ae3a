// phiflex::engine: material laws of a program's own. Not part of engine.h, because it takes long to compile.
//
// This header and what it includes are the library's interface. docs/library.md has a complete program.
#pragma once

#include "phiflex/energy/own_law.h"
#include "phiflex/engine.h"
#include "phiflex/material/invariant_law.h"
