// phiflex::scene: scene files, simulations of them, and what runs leave in their folders.
//
// What these four headers (phiflex/matfun.h, engine.h, own_material.h, scene.h) and docs/library.md name is the
// interface; the headers they include are installed because the compiler needs them, and may change. docs/library.md
// has complete programs.
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
