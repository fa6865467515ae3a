#include "phiflex/scene/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "phiflex/scene/nearest.h"
#include "phiflex/scene/words.h"

namespace phiflex {
namespace {

// Limits on what a few characters of a scene can ask for.
constexpr double most_steps = 1e9;
constexpr double most_elements = 2e7;  // of a generator

enum class Selects { vertices, elements, either };

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

bool is_zero(const Triple& vector) {
  return vector == Triple{};
}

class Rules {
 public:
  Rules(const Scene& scene, const ReadOptions& known, Findings& findings)
      : scene_(scene), known_(known), findings_(findings) {
    for (const BodySpec& body : scene.bodies) {
      body_names_.push_back(body.name);
      bodies_.emplace(body.name, &body);
    }
    names_are_known_ = findings.sound("/bodies");
    if (!names_are_known_) {
      names_are_known_ = !scene.bodies.empty();
      for (std::size_t i = 0; i < scene.bodies.size() && names_are_known_; ++i) {
        names_are_known_ = findings.sound(fmt::format("/bodies/{}/name", i));
      }
    }
  }

  void check() {
    check_time();
    check_integrator();
    check_unique(body_names_, "bodies", "body");
    each("bodies", scene_.bodies, [&](const BodySpec& body, const std::string& at) { check_body(body, at); });
    each("constraints", scene_.constraints, [&](const ConstraintSpec& constraint, const std::string& at) {
      std::visit([&](const auto& kind) { check_constraint(kind, at); }, constraint);
    });
    each("forces", scene_.forces, [&](const ForceSpec& force, const std::string& at) {
      std::visit([&](const auto& kind) { check_force(kind, at); }, force);
    });
    each("contacts", scene_.contacts, [&](const ContactSpec& contact, const std::string& at) {
      std::visit([&](const auto& kind) { check_contact(kind, at); }, contact);
    });
    std::vector<std::string> probe_names;
    for (const ProbeSpec& probe : scene_.probes) probe_names.push_back(probe.name);
    check_unique(probe_names, "probes", "probe");
    each("probes", scene_.probes,
         [&](const ProbeSpec& probe, const std::string& at) { check_body_name(probe.body, at + "/body"); });
    if (scene_.coarsening) check_coarsening(*scene_.coarsening);
    check_plane();
  }

 private:
  template <class List, class Function>
  void each(const char* key, const List& list, Function function) {
    for (std::size_t i = 0; i < list.size() && !findings_.full(); ++i)
      function(list[i], fmt::format("/{}/{}", key, i));
  }

  // Adds a problem unless something about these places is wrong already.
  void add(const std::string& pointer, std::string message,
           std::initializer_list<std::string> relies_on = {}) {
    if (!findings_.sound(pointer)) return;
    for (const std::string& place : relies_on) {
      if (!findings_.sound(place)) return;
    }
    findings_.add(pointer, std::move(message));
  }

  void check_time() {
    const double step = scene_.time.step, end = scene_.time.end;
    if (!findings_.sound("/time")) return;
    const double steps = end / step;
    if (step > end) {
      add("/time/end",
          fmt::format("{} s lies before the end of the first step; expected at least one step of {} s", end,
                      step));
    } else if (steps > most_steps) {
      add("/time/end", fmt::format("{} s are {:.3g} steps of {} s; at most {:g} are allowed", end, steps,
                                   step, most_steps));
    } else if (std::abs(steps - std::round(steps)) > 1e-6) {
      // Rounding of end / step is below 1e9 * 2^-53 ~ 1e-7 steps; what exceeds 1e-6 was meant, or mistyped.
      add("/time/end",
          fmt::format(
              "{} s are {:.9g} steps of {} s; expected a whole number of steps, such as {:.12g} or {:.12g} s",
              end, steps, step, std::floor(steps) * step, std::ceil(steps) * step));
    }
  }

  void check_integrator() {
    std::vector<std::string> names;
    for (const MethodWords& method : known_.integrators) names.push_back(method.name);
    check_known("/integrator/type", scene_.integrator.type, names, "an integrator");
    if (const auto* name = std::get_if<std::string>(&scene_.integrator.evaluator)) {
      check_known("/integrator/evaluator", *name, known_.evaluators, "an evaluator");
    } else {
      check_known("/integrator/evaluator/type", std::get<EvaluatorSpec>(scene_.integrator.evaluator).type,
                  known_.evaluators, "an evaluator");
    }
  }

  void check_known(const char* pointer, const std::string& name, const std::vector<std::string>& names,
                   const char* noun) {
    if (names.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
    add(pointer, fmt::format("{} is not {} of this version; expected one of {}{}", shown(name), noun,
                             quoted_list(names), did_you_mean(name, names)));
  }

  void check_unique(const std::vector<std::string>& names, const char* key, const char* noun) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!seen.insert(names[i]).second) {
        add(fmt::format("/{}/{}/name", key, i),
            fmt::format("\"{}\" is the name of an earlier {}; expected a name of its own", names[i], noun));
      }
    }
  }

  void check_body_name(const std::string& name, const std::string& pointer) {
    if (!names_are_known_ || bodies_.contains(name)) return;
    add(pointer, fmt::format("{} is not a body of this scene; expected one of {}{}", shown(name),
                             quoted_list(body_names_), did_you_mean(name, body_names_)));
  }

  // ---- Bodies ---------------------------------------------------------------------------------------------

  void check_body(const BodySpec& body, const std::string& at) {
    if (body.mesh) check_mesh(*body.mesh, at + "/mesh");
    if (body.springs) {
      std::visit([&](const auto& springs) { check_springs(springs, at + "/springs"); }, *body.springs);
      if (body.mass == MassKind::consistent) {
        add(at + "/mass", "\"consistent\" is for bodies with a mesh; springs have \"lumped\" mass",
            {at + "/springs"});
      }
      if (body.element != ElementKind::tet4) {
        add(at + "/element",
            fmt::format("\"{}\" is for bodies with a mesh; this one is made of springs", word(body.element)),
            {at + "/springs"});
      }
    }
    if (body.mesh) check_element(body, at);
    check_initial(body.initial, at + "/initial");
    const bool has_fields = body.mesh && std::holds_alternative<FileMesh>(*body.mesh);
    if (body.material) check_material(*body.material, has_fields, at + "/material", at);
    for (std::size_t i = 0; i < body.regions.size() && !findings_.full(); ++i)
      check_region(body, body.regions[i], has_fields, fmt::format("{}/regions/{}", at, i), at);
    if (is_zero(body.transform.rotate.axis)) {
      add(at + "/transform/rotate/0", "[0, 0, 0] is no direction; expected an axis that is not zero");
    }
    if (body.initial.bend && body.initial.bend->axis == body.initial.bend->toward) {
      add(at + "/initial/bend/toward",
          fmt::format("\"{0}\" is the direction of \"axis\" as well; expected another one",
                      word(body.initial.bend->toward)));
    }
  }

  // Flat meshes have triangles, and their discontinuous ones a penalty.
  void check_element(const BodySpec& body, const std::string& at) {
    const bool plane = is_plane(body.element), flat = is_flat(*body.mesh);
    const bool from_file = std::holds_alternative<FileMesh>(*body.mesh);
    if (flat && !plane)
      add(at + "/element",
          fmt::format("\"{}\" is an element of tetrahedra; the mesh is flat: expected one of \"tri3\", \"dg-bz\", "
                      "\"dg-ip\"",
                      word(body.element)),
          {at + "/mesh"});
    if (plane && !flat && !from_file)
      add(at + "/element",
          fmt::format("\"{}\" is an element of triangles in a plane; the mesh has tetrahedra: expected one of "
                      "\"tet4\", \"tet10\"",
                      word(body.element)),
          {at + "/mesh"});
    if (is_discontinuous(body.element) && !body.penalty)
      add(at + "/penalty", fmt::format("is missing; \"{}\" needs one", word(body.element)), {at + "/element"});
    if (body.penalty && !plane)  // "tri3" has no use for it, but is what discontinuous triangles are compared with
      add(at + "/penalty",
          fmt::format("is of the elements \"dg-bz\" and \"dg-ip\"; this body has \"{}\"", word(body.element)),
          {at + "/element"});
    if (!plane) return;
    if (body.mass == MassKind::consistent)
      add(at + "/mass", "triangles have \"lumped\" mass", {at + "/element"});
    const auto check_law = [&](MaterialLaw law, const std::string& place) {
      if (law == MaterialLaw::corotated || law == MaterialLaw::arap || law == MaterialLaw::spline)
        add(place + "/type",
            fmt::format("\"{}\" has no form for triangles in a plane; expected one of \"linear\", \"stvk\", "
                        "\"neo-hookean\", \"stable-neo-hookean\"",
                        word(law)),
            {at + "/element"});
    };
    if (body.material) check_law(body.material->type, at + "/material");
    for (std::size_t i = 0; i < body.regions.size(); ++i)
      if (body.regions[i].material && body.regions[i].material->type)
        check_law(*body.regions[i].material->type, fmt::format("{}/regions/{}/material", at, i));
  }

  void check_initial(const InitialSpec& initial, const std::string& at) {
    if (!initial.state) return;
    InitialSpec alone;
    alone.state = initial.state;
    if (!(initial == alone))
      add(at + "/state",
          "stands beside other initial conditions; expected it alone: it gives all positions and velocities", {at});
  }

  // What a scene with a plane body cannot have.
  void check_plane() {
    const auto plane = std::find_if(scene_.bodies.begin(), scene_.bodies.end(),
                                    [](const BodySpec& body) { return is_plane(body.element); });
    if (plane == scene_.bodies.end()) return;
    const std::string element =
        fmt::format("/bodies/{}/element", std::distance(scene_.bodies.begin(), plane));
    const auto refuse = [&](const std::string& at, const std::string& message) { add(at, message, {element}); };
    if (scene_.bodies.size() > 1)
      refuse("/bodies", fmt::format("\"{}\" lies in a plane (\"{}\"), and the scene has {} bodies; a scene with a "
                                    "plane body has exactly that one body",
                                    plane->name, word(plane->element), scene_.bodies.size()));
    if (!scene_.contacts.empty())
      refuse("/contacts", fmt::format("a plane body (\"{}\") has no contacts; expected none", word(plane->element)));
    if (scene_.coarsening) refuse("/coarsening", "is for bodies of tetrahedra; this one lies in a plane");
    if (scene_.gravity[2] != 0)
      refuse("/gravity", fmt::format("{} m/s^2 along z move nothing: the body lies in a plane; expected [x, y, 0]",
                                     scene_.gravity[2]));
    each("forces", scene_.forces, [&](const ForceSpec& force, const std::string& at) {
      if (std::holds_alternative<WindForce>(force) || std::holds_alternative<StokesForce>(force) ||
          std::holds_alternative<MotorForce>(force))
        refuse(at, "does not act on a plane body; expected \"uniform\", \"point\" or \"region\"");
    });
    each("constraints", scene_.constraints, [&](const ConstraintSpec& constraint, const std::string& at) {
      const char* const leaves = "leads out of the plane of the body; expected a motion within z = const";
      const auto leads_out = [](const Triple& translate, const TransformSpec::Rotation& rotate) {
        return translate[2] != 0 || (rotate.angle != 0 && (rotate.axis[0] != 0 || rotate.axis[1] != 0));
      };
      const auto check_swing_plane = [&](const std::vector<SineSpec>& swings) {
        for (std::size_t i = 0; i < swings.size(); ++i)
          if (leads_out(swings[i].translate, swings[i].rotate)) refuse(fmt::format("{}/sine/{}", at, i), leaves);
      };
      if (const auto* move = std::get_if<MoveConstraint>(&constraint)) {
        for (std::size_t i = 0; i < move->path.size(); ++i)
          if (move->path[i].offset[2] != 0) refuse(fmt::format("{}/path/{}/offset", at, i), leaves);
        check_swing_plane(move->sine);
      } else if (const auto* frame = std::get_if<FrameConstraint>(&constraint)) {
        for (std::size_t i = 0; i < frame->motion.keys.size(); ++i) {
          const FrameKey& key = frame->motion.keys[i];
          if (leads_out(key.translate, key.rotate)) refuse(fmt::format("{}/keys/{}", at, i), leaves);
        }
        check_swing_plane(frame->motion.sine);
      }
    });
  }

  // Of a surface or of springs that follow tetrahedra.
  void check_solid_mesh(const MeshSpec& mesh, const std::string& at) {
    check_mesh(mesh, at);
    if (is_flat(mesh)) add(at, "is flat; expected a mesh of tetrahedra");
  }

  void check_region(const BodySpec& body, const RegionSpec& region, bool has_fields, const std::string& at,
                    const std::string& of_body) {
    check_where(region.where, Selects::elements, at + "/where");
    if (body.material && region.material)
      check_material(changed(*body.material, *region.material), has_fields, at + "/material", of_body);
    if (body.springs && region.material)
      add(at + "/material", "this body is made of springs; expected \"springs\" with what differs",
          {of_body + "/springs"});
    if (body.mesh && region.springs)
      add(at + "/springs", "this body is a solid; expected \"material\" with what differs",
          {of_body + "/mesh"});
    if (!region.springs) return;
    if (region.springs->stiffness && region.springs->spring_constant)
      add(at + "/springs/spring_constant", "stands beside \"stiffness\"; expected one of them");
    const bool of_fibres = body.springs && (std::holds_alternative<FibreSprings>(*body.springs) ||
                                            std::holds_alternative<FibresSprings>(*body.springs));
    if (of_fibres && (region.springs->stiffness || region.springs->spring_constant || region.springs->law))
      add(at + "/springs", "the springs of fibres follow from their moduli; expected \"factor\" alone",
          {of_body + "/springs"});
  }

  void check_mesh(const MeshSpec& mesh, const std::string& at) {
    const double elements = std::visit(
        Overloaded{
            [](const FileMesh&) { return 0.0; },
            [](const BoxMesh& box) {
              return 6.0 * static_cast<double>(box.cells[0]) * static_cast<double>(box.cells[1]) *
                     static_cast<double>(box.cells[2]);
            },
            [](const BallMesh& ball) { return 20 * std::pow(static_cast<double>(ball.resolution), 3); },
            [](const CylinderMesh& cylinder) {
              const auto rings = static_cast<double>(cylinder.resolution);
              const double along = cylinder.cells_along > 0
                                       ? static_cast<double>(cylinder.cells_along)
                                       : std::ceil(cylinder.length / cylinder.radius * rings);
              return 18 * rings * rings * along;
            },
            [](const HelixMesh& helix) {
              const auto rings = static_cast<double>(helix.resolution);
              return 18 * rings * rings * static_cast<double>(helix.cells_along);
            },
            [](const HoneycombMesh& sheet) {
              return 36.0 * static_cast<double>(sheet.cells[0]) * static_cast<double>(sheet.cells[1]) *
                     static_cast<double>(sheet.divisions) * static_cast<double>(sheet.layers);
            },
            [](const RectangleMesh& rectangle) {
              return 2.0 * static_cast<double>(rectangle.cells[0]) * static_cast<double>(rectangle.cells[1]);
            },
            [](const RightTriangleMesh& triangle) { return std::pow(static_cast<double>(triangle.cells), 2); },
            [](const auto&) { return 0.0; }},  // a lattice: its number of cells has a limit
        mesh);
    check_size(elements, is_flat(mesh) ? "triangles" : "tetrahedra", at);
    if (const BallMesh* ball = std::get_if<BallMesh>(&mesh); ball && ball->shell >= ball->radius) {
      add(at + "/shell",
          fmt::format("{} m is not thinner than the ball; expected less than its radius, {} m", ball->shell,
                      ball->radius),
          {at});
    }
  }

  void check_size(double elements, const char* noun, const std::string& at) {
    if (elements > most_elements) {
      add(at, fmt::format("asks for {:.3g} {}; at most {:g} are generated", elements, noun, most_elements));
    }
  }

  void check_ends(const Triple& from, const Triple& to, const char* noun, const std::string& at) {
    if (from == to)
      add(at + "/to",
          fmt::format("both ends of the {0} are at the same place; expected a {0} of some length", noun),
          {at + "/from"});
  }

  void check_springs(const RopeSprings& rope, const std::string& at) {
    check_size(static_cast<double>(rope.segments), "springs", at);
    check_ends(rope.from, rope.to, "rope", at);
  }

  template <class Sheet>  // a cloth or a flag
  void check_springs(const Sheet& sheet, const std::string& at) {
    check_size(6.0 * static_cast<double>(sheet.cells[0]) * static_cast<double>(sheet.cells[1]), "springs",
               at);
  }

  // Four springs and four scissors per segment, six springs per cross-section.
  static constexpr double springs_per_segment = 14;

  void check_springs(const FibreSprings& fibre, const std::string& at) {
    check_size(springs_per_segment * static_cast<double>(fibre.fibre.segments), "springs", at);
    check_ends(fibre.from, fibre.to, "fibre", at);
  }

  void check_springs(const FibresSprings& fibres, const std::string& at) {
    check_size(
        springs_per_segment * static_cast<double>(fibres.fibre.segments) * static_cast<double>(fibres.count),
        "springs", at);
    if (fibres.direction && is_zero(*fibres.direction))
      add(at + "/direction", "[0, 0, 0] is no direction; expected a vector that is not zero");
  }

  void check_springs(const TetraSprings& springs, const std::string& at) {
    check_solid_mesh(springs.mesh, at + "/mesh");
  }

  void check_springs(const GirderSprings& girder, const std::string& at) {
    check_size(18.0 * static_cast<double>(girder.bays), "springs", at);
  }

  void check_springs(const FileSprings& springs, const std::string& at) {
    if (!springs.area_density && !springs.linear_density)
      add(at, "without mass; expected \"area_density\" for triangles, or \"linear_density\" for lines");
  }

  void check_material(const MaterialSpec& material, bool has_fields, const std::string& at,
                      const std::string& body) {
    if (material.volumetric == Volumetric::isochoric && material.type != MaterialLaw::neo_hookean) {
      add(at + "/volumetric",
          fmt::format("\"isochoric\" is a form of \"neo-hookean\"; this material is \"{}\"",
                      word(material.type)),
          {at + "/type", body + "/material/type"});
    }
    for (const auto& [key, curve] : {std::pair("f", &material.f), {"g", &material.g}, {"h", &material.h}})
      if (*curve) check_curve(**curve, material.type, fmt::format("{}/{}", at, key), at, body);
    const std::pair<const char*, const MaterialValue*> values[] = {
        {"young", &material.young}, {"poisson", &material.poisson}, {"density", &material.density}};
    for (const auto& [key, value] : values) {
      const MeshField* field = std::get_if<MeshField>(value);
      if (field && !has_fields) {
        add(fmt::format("{}/{}", at, key),
            fmt::format("the field {} needs a mesh file; a generated mesh has no fields",
                        shown(field->field)),
            {body + "/mesh"});
      }
    }
  }

  void check_curve(const CurveSpec& curve, MaterialLaw type, const std::string& at,
                   const std::string& material, const std::string& body) {
    if (type != MaterialLaw::spline) {
      add(at, fmt::format("is a curve of \"spline\"; this material is \"{}\"", word(type)),
          {material + "/type", body + "/material/type"});
    }
    if (curve.knots.size() != curve.values.size()) {
      add(at + "/values",
          fmt::format("{} values for {} knots; expected one for each", curve.values.size(),
                      curve.knots.size()),
          {at});
    }
    for (std::size_t i = 1; i < curve.knots.size(); ++i) {
      if (curve.knots[i - 1] < curve.knots[i]) continue;
      add(fmt::format("{}/knots/{}", at, i),
          fmt::format("{} does not lie above the knot before it, {}; expected ascending numbers",
                      curve.knots[i], curve.knots[i - 1]),
          {at});
      break;
    }
  }

  // ---- Selections, constraints, forces --------------------------------------------------------------------

  // `where` is any of the variants of selections.
  template <class AnyKind>
  void check_where(const AnyKind& where, Selects selects, const std::string& at) {
    std::visit(
        Overloaded{
            [&](const BoxWhere& w) {
              for (std::size_t i = 0; i < 3; ++i) {
                if (w.box.low[i] > w.box.high[i]) {
                  add(at + "/box",
                      fmt::format("the box is empty: its low {0} = {1} is above its high {0} = {2}", "xyz"[i],
                                  w.box.low[i], w.box.high[i]));
                }
              }
            },
            [&](const HalfSpaceWhere& w) {
              if (is_zero(w.half_space.normal)) {
                add(at + "/half_space/normal",
                    "[0, 0, 0] is no direction; expected a normal that is not zero");
              }
            },
            [&](const VerticesWhere&) {
              if (selects == Selects::elements) {
                add(at + "/vertices",
                    "elements are selected here, not vertices; expected \"elements\", \"tag\" or a volume");
              }
            },
            [&](const ElementsWhere&) {
              if (selects == Selects::vertices) {
                add(at + "/elements",
                    "vertices are selected here, not elements; expected \"vertices\", \"tag\" or a volume");
              }
            },
            [&](const AllWhere& w) {
              if (w.all == Switch::off)
                add(at + "/all", "false selects nothing; expected true, or another selection");
            },
            [&](const CapsuleWhere& w) { check_ends(w.capsule, at + "/capsule"); },
            [&](const CylinderWhere& w) { check_ends(w.cylinder, at + "/cylinder"); },
            [&](const AxisWhere& w) {
              if (is_zero(w.axis.direction))
                add(at + "/axis/direction", "[0, 0, 0] is no direction; expected one that is not zero");
            },
            [&](const NotWhere& w) { check_where(w.excluded, selects, at + "/not"); },
            [&](const AnyWhere& w) {
              for (std::size_t i = 0; i < w.any.size(); ++i)
                check_where(w.any[i], selects, fmt::format("{}/any/{}", at, i));
            },
            [&](const EveryWhere& w) {
              for (std::size_t i = 0; i < w.every.size(); ++i)
                check_where(w.every[i], selects, fmt::format("{}/every/{}", at, i));
            },
            [](const auto&) {}},
        where);
  }

  template <class Round>
  void check_ends(const Round& round, const std::string& at) {
    if (round.from == round.to)
      add(at + "/to", "both ends of the axis are at the same place; expected some length, or a sphere",
          {at + "/from"});
  }

  void check_constraint(const FixConstraint& fix, const std::string& at) {
    check_body_name(fix.body, at + "/body");
    check_where(fix.where, Selects::vertices, at + "/where");
  }

  void check_constraint(const MoveConstraint& move, const std::string& at) {
    check_body_name(move.body, at + "/body");
    check_where(move.where, Selects::vertices, at + "/where");
    check_ascending_times(move.path, at + "/path");
    if (move.path.empty() && move.sine.empty())
      add(at, "does not say how it moves; expected \"path\" or \"sine\"");
    check_swings(move.sine, at + "/sine");
    for (std::size_t i = 0; i < move.sine.size(); ++i)
      if (move.sine[i].rotate.angle != 0)
        add(fmt::format("{}/sine/{}/rotate", at, i),
            "\"move\" only shifts; expected \"type\": \"frame\" for a rotation", {at + "/type"});
  }

  void check_swings(const std::vector<SineSpec>& swings, const std::string& at) {
    for (std::size_t i = 0; i < swings.size(); ++i) {
      const std::string one = fmt::format("{}/{}", at, i);
      check_rotation(swings[i].rotate, one + "/rotate");
      if (swings[i].until && *swings[i].until <= swings[i].from)
        add(one + "/until",
            fmt::format("{} s does not come after \"from\", {} s", *swings[i].until, swings[i].from),
            {one + "/from"});
    }
  }

  template <class Points>
  void check_ascending_times(const Points& points, const std::string& at) {
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (points[i].time <= points[i - 1].time) {
        add(fmt::format("{}/{}/time", at, i),
            fmt::format("{} s does not come after the point before, {} s; expected increasing times",
                        points[i].time, points[i - 1].time),
            {fmt::format("{}/{}", at, i - 1)});
      }
    }
  }

  void check_rotation(const TransformSpec::Rotation& rotation, const std::string& at) {
    if (is_zero(rotation.axis))
      add(at, "the axis [0, 0, 0] has no direction; expected an axis that is not zero");
  }

  void check_motion(const RigidMotionSpec& motion, const std::string& at) {
    if (motion.keys.empty() && motion.sine.empty())
      add(at, "does not say how it moves; expected \"keys\" or \"sine\"");
    check_swings(motion.sine, at + "/sine");
    check_ascending_times(motion.keys, at + "/keys");
    for (std::size_t i = 0; i < motion.keys.size(); ++i)
      check_rotation(motion.keys[i].rotate, fmt::format("{}/keys/{}/rotate", at, i));
  }

  void check_constraint(const FrameConstraint& frame, const std::string& at) {
    check_body_name(frame.body, at + "/body");
    check_where(frame.where, Selects::vertices, at + "/where");
    check_motion(frame.motion, at);
  }

  void check_constraint(const MotionConstraint& motion, const std::string& at) {
    check_body_name(motion.body, at + "/body");
  }

  void check_window(const TimeWindow& window, const std::string& at) {
    if (window.until && *window.until <= window.from) {
      add(at + "/until", fmt::format("{} s does not come after \"from\", {} s", *window.until, window.from),
          {at + "/from"});
    }
  }

  void check_in_time(const ForceInTime& in_time, const std::string& at) {
    check_window(in_time.window, at);
    check_ascending_times(in_time.profile, at + "/profile");
  }

  void check_force(const UniformForce& force, const std::string& at) {
    if (force.body) check_body_name(*force.body, at + "/body");
    check_in_time(force.in_time, at);
  }

  void check_force(const PointForce& force, const std::string& at) {
    check_body_name(force.body, at + "/body");
    if (force.where) check_where(*force.where, Selects::vertices, at + "/where");
    check_in_time(force.in_time, at);
  }

  void check_force(const RegionForce& force, const std::string& at) {
    check_body_name(force.body, at + "/body");
    check_where(force.where, Selects::either, at + "/where");
    check_in_time(force.in_time, at);
    if (!force.force_density) return;
    const auto body = bodies_.find(force.body);
    if (body != bodies_.end() && body->second->springs) {
      add(at + "/force_density",
          fmt::format("\"{}\" is made of springs and has no volume; expected \"force\" or \"acceleration\"",
                      force.body));
    }
  }

  void check_force(const WindForce& wind, const std::string& at) {
    if (wind.body) check_body_name(*wind.body, at + "/body");
    check_window(wind.window, at);
  }

  void check_force(const StokesForce& fluid, const std::string& at) {
    check_body_name(fluid.body, at + "/body");
    check_where(fluid.where, Selects::vertices, at + "/where");
  }

  void check_force(const MotorForce& motor, const std::string& at) {
    check_body_name(motor.body, at + "/body");
    check_where(motor.rotor, Selects::vertices, at + "/rotor");
    check_where(motor.stator, Selects::vertices, at + "/stator");
    check_window(motor.window, at);
    if (motor.axis[0] == motor.axis[1])
      add(at + "/axis", fmt::format("vertex {} twice is no axis; expected two vertices", motor.axis[0]));
  }

  // ---- Contacts -------------------------------------------------------------------------------------------

  void check_obstacle(const ObstacleSpec& how, const std::string& at) {
    if (how.body) check_body_name(*how.body, at + "/body");
    if (how.motion) check_motion(*how.motion, at + "/motion");
  }

  void check_contact(const FloorContact& floor, const std::string& at) { check_obstacle(floor.how, at); }
  void check_contact(const PlaneContact& plane, const std::string& at) {
    check_obstacle(plane.how, at);
    if (is_zero(plane.normal))
      add(at + "/normal", "[0, 0, 0] is no direction; expected a normal that is not zero");
  }
  void check_contact(const SphereContact& sphere, const std::string& at) { check_obstacle(sphere.how, at); }
  void check_contact(const CapsuleContact& capsule, const std::string& at) {
    check_obstacle(capsule.how, at);
    if (capsule.from == capsule.to)
      add(at + "/to",
          "both ends of the axis are at the same place; expected a capsule of some length, or a sphere",
          {at + "/from"});
  }
  void check_contact(const BoxContact& box, const std::string& at) {
    check_obstacle(box.how, at);
    check_rotation(box.rotate, at + "/rotate");
  }
  void check_contact(const SurfaceContact& surface, const std::string& at) {
    check_obstacle(surface.how, at);
    check_solid_mesh(surface.mesh, at + "/mesh");
    if (surface.how.mode == ContactMode::penalty)
      add(at + "/mode", "a surface has no penalty energy; expected \"project\"");
  }
  void check_contact(const ParticlesContact& particles, const std::string& at) {
    for (std::size_t i = 0; i < particles.bodies.size(); ++i)
      check_body_name(particles.bodies[i], fmt::format("{}/bodies/{}", at, i));
  }

  // ---- Coarsening -----------------------------------------------------------------------------------------

  void check_coarsening(const CoarseningSpec& coarsening) {
    if (coarsening.body) check_body_name(*coarsening.body, "/coarsening/body");
    if (coarsening.fine && coarsening.fine->mesh) check_solid_mesh(*coarsening.fine->mesh, "/coarsening/fine/mesh");
    const auto ratios = coarsening.ratios ? static_cast<std::int64_t>(coarsening.ratios->size()) : 0;
    if (coarsening.ratios && coarsening.type == CoarseningType::dac && ratios != 1)
      add("/coarsening/ratios", fmt::format("has {} numbers; \"dac\" takes one", ratios));
    if (coarsening.ratios && ratios > 200)
      add("/coarsening/ratios", fmt::format("has {} numbers; at most 200 modes are corrected", ratios));
    if (coarsening.ratios && coarsening.modes && *coarsening.modes != ratios)
      add("/coarsening/ratios", fmt::format("has {} numbers for {} modes", ratios, *coarsening.modes),
          {"/coarsening/modes"});
    if (!names_are_known_) return;
    std::vector<std::string> solids;
    for (const BodySpec& body : scene_.bodies)
      if (body.mesh && (!coarsening.body || *coarsening.body == body.name)) solids.push_back(body.name);
    if (solids.empty()) {
      add(coarsening.body ? "/coarsening/body" : "/coarsening",
          "needs a solid body; springs have no finer mesh");
    } else if (solids.size() > 1) {
      add("/coarsening", fmt::format("the scene has several solid bodies; expected \"body\": one of {}",
                                     quoted_list(solids)));
    } else if (coarsening.fine) {
      check_selections_on_the_fine_mesh(solids[0]);
    }
  }

  void check_selections_on_the_fine_mesh(const std::string& name) {
    const auto check = [&](const Where& where, const std::string& at) {
      if (names_numbers(where))
        add(at,
            "a list of numbers means nothing on the fine mesh of /coarsening; expected a volume, or a tag "
            "that "
            "both meshes have");
    };
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
      if (scene_.bodies[b].name == name)
        for (std::size_t r = 0; r < scene_.bodies[b].regions.size(); ++r)
          check(scene_.bodies[b].regions[r].where, fmt::format("/bodies/{}/regions/{}/where", b, r));
    each("constraints", scene_.constraints, [&](const ConstraintSpec& constraint, const std::string& at) {
      std::visit(
          [&](const auto& kind) {
            if (kind.body != name) return;
            if constexpr (requires { kind.where; })
              check(kind.where, at + "/where");
            else
              add(at,
                  "a recorded motion is of the vertices of one mesh; the fine mesh of /coarsening has "
                  "others");
          },
          constraint);
    });
  }

  // Whether a selection, or a part of it, is a list of vertices or elements.
  template <class AnyKind>
  static bool names_numbers(const AnyKind& where) {
    const auto some = [](const auto& parts) {
      return std::any_of(parts.begin(), parts.end(),
                         [](const PartWhere& part) { return names_numbers(part); });
    };
    return std::visit(
        Overloaded{[](const VerticesWhere&) { return true; }, [](const ElementsWhere&) { return true; },
                   [](const NotWhere& w) { return names_numbers(w.excluded); },
                   [&](const AnyWhere& w) { return some(w.any); },
                   [&](const EveryWhere& w) { return some(w.every); }, [](const auto&) { return false; }},
        where);
  }

  const Scene& scene_;
  const ReadOptions& known_;
  Findings& findings_;
  std::vector<std::string> body_names_;
  std::map<std::string, const BodySpec*> bodies_;
  bool names_are_known_;
};

}  // namespace

void check_rules(const Scene& scene, const ReadOptions& known, Findings& findings) {
  Rules(scene, known, findings).check();
}

}  // namespace phiflex
