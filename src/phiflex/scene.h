// phiflex::scene: scene files, simulations of them, and what runs leave in their folders.
//
// This header and what it includes are the library's interface. docs/library.md has a complete program.
#pragma once

#include "phiflex/engine.h"
#include "phiflex/record/run_folder.h"
#include "phiflex/record/run_json.h"
#include "phiflex/record/state_hash.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/run/version.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"
