// mesh info | convert | generate | tetrahedralize.

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "app/exit_codes.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/base/errors.h"
#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/mesh_info.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/mesh/tetrahedralize.h"

namespace {

using namespace phiflex;

void say_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) say(stderr, "note: {}\n", note);
}

void say_written(const std::string& file, const AnyMesh& mesh) {
  std::visit(
      [&](const auto& m) {
        if constexpr (std::is_same_v<std::decay_t<decltype(m)>, TetMesh>) {
          say("{}: {} vertices, {} tetrahedra\n", file, m.vertices.size(), m.tets.size());
        } else {
          say("{}: {} vertices, {} triangles, {} edges\n", file, m.vertices.size(), m.triangles.size(),
              m.edges.size());
        }
      },
      mesh);
}

void add_info(CLI::App* mesh, Action& action) {
  CLI::App* verb = mesh->add_subcommand(
      "info", "Counts, groups, fields, volume, quality, orientation, components, defects");
  verb->footer("Example:  phiflex mesh info bunny.msh");
  struct Options {
    std::string file;
    bool json = false;
  };
  const auto o = std::make_shared<Options>();
  verb->add_option("FILE", o->file, "A mesh: " + readable_mesh_extensions())->required();
  verb->add_flag("--json", o->json, "As JSON");
  verb->callback([o, &action] {
    action = [o] {
      MeshInfo info = mesh_info(read_mesh(o->file));
      if (std::string question = unit_question(info); !question.empty())
        info.notes.push_back(std::move(question));
      if (!o->json) {
        say("{}", describe(info));
        return kDone;
      }
      nlohmann::ordered_json json;
      for (const auto& [name, value] : info_entries(info))
        std::visit([&, &key = name](const auto& v) { json[key] = v; }, value);
      say_json(json);
      return kDone;
    };
  });
}

void add_convert(CLI::App* mesh, Action& action) {
  CLI::App* verb = mesh->add_subcommand("convert", "Another format; vertex numbering is kept");
  verb->footer("Example:  phiflex mesh convert bunny.msh bunny.vtu");
  struct Options {
    std::string from, to, msh_version = "4.1";
    bool surface = false, fix_orientation = false, binary = false;
  };
  const auto o = std::make_shared<Options>();
  verb->add_option("FROM", o->from, "Reads " + readable_mesh_extensions())->required();
  verb->add_option("TO", o->to, "Writes " + writable_mesh_extensions())->required();
  verb->add_flag("--surface", o->surface, "Keep the boundary triangles only");
  verb->add_flag("--fix-orientation", o->fix_orientation, "Turn tetrahedra of negative volume");
  verb->add_option("--msh-version", o->msh_version, "Of a .msh file")->check(CLI::IsMember({"2.2", "4.1"}));
  verb->add_flag("--binary", o->binary, "A binary .msh file");
  verb->callback([o, &action] {
    action = [o] {
      AnyMesh any = read_mesh(o->from);
      if (auto* tets = std::get_if<TetMesh>(&any)) {
        say_notes(tets->notes);
        if (o->fix_orientation) {
          say(stderr, "turned {} tetrahedra\n", fix_orientation(*tets));
        } else if (const std::size_t inverted = mesh_info(*tets).inverted; inverted > 0) {
          say(stderr, "warning: {} tetrahedra have negative volume; --fix-orientation turns them\n",
              inverted);
        }
        if (o->surface) any = AnyMesh(extract_surface(*tets));
      } else {
        say_notes(std::get<SurfaceMesh>(any).notes);
      }
      WriteOptions options;
      options.msh_version = o->msh_version == "2.2" ? MshVersion::v2_2 : MshVersion::v4_1;
      options.encoding = o->binary ? Encoding::binary : Encoding::text;
      write_mesh(o->to, any, options);
      say_written(o->to, any);
      return kDone;
    };
  });
}

// "size=0.4,0.1,0.1" -> {"size", {0.4, 0.1, 0.1}}
GeneratorArguments parse_arguments(const std::vector<std::string>& texts) {
  GeneratorArguments arguments;
  std::vector<Problem> problems;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    std::vector<double> numbers;
    bool good = equals != std::string::npos;
    std::istringstream rest(good ? text.substr(equals + 1) : "");
    for (std::string item; std::getline(rest, item, ',');) {
      std::size_t used = 0;
      try {
        numbers.push_back(std::stod(item, &used));
      } catch (const std::exception&) {
        used = std::string::npos;
      }
      good = good && used == item.size();
    }
    if (!good || numbers.empty()) {
      problems.push_back({"", text, "not of the form name=number or name=number,number,number"});
    } else {
      arguments[text.substr(0, equals)] = numbers;
    }
  }
  if (!problems.empty()) throw InputError(problems);
  return arguments;
}

void add_generate(CLI::App* mesh, Action& action) {
  CLI::App* verb = mesh->add_subcommand("generate", "A parametric mesh (see `phiflex list generators`)");
  verb->footer("Example:  phiflex mesh generate box -o bar.vtu -p size=0.4,0.1,0.1 -p cells=20,5,5");
  struct Options {
    std::string name, to;
    std::vector<std::string> parameters;
  };
  const auto o = std::make_shared<Options>();
  verb->add_option("NAME", o->name, "box, ball, ...: see `phiflex list generators`")->required();
  verb->add_option("-o,--output", o->to, "Writes " + writable_mesh_extensions())->required();
  verb->add_option("-p,--parameter", o->parameters, "name=value or name=x,y,z (repeatable)")
      ->allow_extra_args(false);
  verb->callback([o, &action] {
    action = [o] {
      const AnyMesh made = generate_any_mesh(o->name, parse_arguments(o->parameters));
      write_mesh(o->to, made);
      say_written(o->to, made);
      return kDone;
    };
  });
}

void add_tetrahedralize(CLI::App* mesh, Action& action) {
  CLI::App* verb =
      mesh->add_subcommand("tetrahedralize", "Fill a closed surface with tetrahedra (runs TetGen)");
  verb->footer("Example:  phiflex mesh tetrahedralize spot.obj spot.mesh --max-volume 1e-3");
  struct Options {
    std::string from, to;
    TetrahedralizeOptions tetgen;
    bool refine_surface = false;
  };
  const auto o = std::make_shared<Options>();
  verb->add_option("FROM", o->from, "A closed surface: .obj, .ply, .stl, .off")->required();
  verb->add_option("TO", o->to, "Writes " + writable_mesh_extensions())->required();
  verb->add_option("--max-volume", o->tetgen.max_volume, "Largest tetrahedron, m^3")->check(positive_number);
  verb->add_option("--radius-edge-ratio", o->tetgen.radius_edge_ratio, "Quality bound (default 2)")
      ->check(positive_number)
      ->check(CLI::Range(1.2, 100.0));
  verb->add_option("--max-seconds", o->tetgen.max_seconds, "Stop TetGen after this many seconds")
      ->check(positive_count);
  verb->add_flag("--refine-surface", o->refine_surface, "Let new vertices lie on the surface");
  verb->callback([o, &action] {
    action = [o] {
      o->tetgen.keep_surface = !o->refine_surface;
      const SurfaceMesh surface = read_surface_mesh(o->from);
      say_notes(surface.notes);
      const AnyMesh made = tetrahedralize(surface, o->from, o->tetgen);
      write_mesh(o->to, made);
      say_written(o->to, made);
      return kDone;
    };
  });
}

}  // namespace

void add_mesh_verb(CLI::App& app, Action& action) {
  CLI::App* mesh = app.add_subcommand("mesh", "Inspect, convert, generate and fill meshes");
  mesh->footer("Example:  phiflex mesh info bunny.msh");
  mesh->require_subcommand(1);
  add_info(mesh, action);
  add_convert(mesh, action);
  add_generate(mesh, action);
  add_tetrahedralize(mesh, action);
}
