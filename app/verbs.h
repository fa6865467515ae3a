// The verbs of the command. Each adds its options to the command line and leaves a
// function that carries it out.
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <functional>

using Action = std::function<int()>;  // returns the exit code

// Checks of option values, in words (CLI11's own print the largest double, and let "nan" pass).
inline const CLI::Validator positive_number(
    [](std::string& text) -> std::string {
      double value = 0;
      const bool good = CLI::detail::lexical_cast(text, value) && value > 0 && std::isfinite(value);
      return good ? "" : "'" + text + "' is not allowed; expected a number > 0";
    },
    "> 0");
inline const CLI::Validator positive_count(
    [](std::string& text) -> std::string {
      std::int64_t value = 0;
      const bool good = CLI::detail::lexical_cast(text, value) && value > 0 && value <= 1'000'000'000;
      return good ? "" : "'" + text + "' is not allowed; expected a whole number from 1 to 1000000000";
    },
    "> 0");
inline const CLI::Validator finite_number(
    [](std::string& text) -> std::string {
      double value = 0;
      const bool good = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
      return good ? "" : "'" + text + "' is not allowed; expected a finite number";
    },
    "finite");

void add_run_verbs(CLI::App& app, Action& action);          // run, settle, resume, check, report
void add_demo_verb(CLI::App& app, Action& action);          // demo
void add_mesh_verb(CLI::App& app, Action& action);          // mesh info|convert|generate|tetrahedralize
void add_analyze_verb(CLI::App& app, Action& action);       // analyze
void add_matfun_verb(CLI::App& app, Action& action);        // matfun
void add_modes_verb(CLI::App& app, Action& action);         // modes
void add_fit_material_verb(CLI::App& app, Action& action);  // fit-material
void add_compare_verb(CLI::App& app, Action& action);       // compare
void add_sweep_verb(CLI::App& app, Action& action);         // sweep
void add_list_verbs(CLI::App& app, Action& action);         // list, schema
void add_render_verb(CLI::App& app, Action& action);        // render
void add_view_verb(CLI::App& app, Action& action);          // view
void add_live_verb(CLI::App& app, Action& action);          // live
void add_export_verb(CLI::App& app, Action& action);        // export
void add_reproduce_verb(CLI::App& app, Action& action);     // reproduce
