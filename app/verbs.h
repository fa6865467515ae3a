// The verbs of the command. Each adds its options to the command line and leaves a
// function that carries it out.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

using Action = std::function<int()>;  // returns the exit code

void add_run_verbs(CLI::App& app, Action& action);   // run, resume, check, report
void add_mesh_verb(CLI::App& app, Action& action);   // mesh info|convert|generate|tetrahedralize
void add_list_verbs(CLI::App& app, Action& action);  // list, schema
