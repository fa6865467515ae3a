// phiflex::engine: models of elastic bodies, built in code, and time integrators.
//
// What these four headers (phiflex/matfun.h, engine.h, own_material.h, scene.h) and docs/library.md name is the
// interface; the headers they include are installed because the compiler needs them, and may change. docs/library.md
// has complete programs.
#pragma once

#include "phiflex/build/body_curves.h"
#include "phiflex/build/model_builder.h"
#include "phiflex/energy/elastic_term.h"
#include "phiflex/energy/floor_term.h"
#include "phiflex/energy/gravity_term.h"
#include "phiflex/energy/potential_term.h"
#include "phiflex/energy/spring_network.h"
#include "phiflex/energy/two_state_term.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/material/catalogue.h"
#include "phiflex/matfun.h"
#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/mesh/mesh_writers.h"
#include "phiflex/mesh/refine.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/model/energy_ledger.h"
#include "phiflex/system/mechanical_system.h"
