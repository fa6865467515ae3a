// What a scene must satisfy beyond the shape of each value: relations between values, names that must exist. Each part
// of a scene has a file of its own (body_rules.cpp and so on).
#pragma once

#include "phiflex/scene/rule_context.h"

namespace phiflex {

// Of the whole scene. Rules about places where the shape is already wrong are left out.
void check_rules(const Scene& scene, const ReadOptions& known, Findings& findings);

// Rules of bodies: materials, regions, elements, initial states.
void check_body(RuleContext& rules, const BodySpec& body, const std::string& pointer);

// Rules of meshes and of what generators are asked for.
void check_mesh(RuleContext& rules, const MeshSpec& mesh, const std::string& pointer);
// Of a surface or of springs that follow tetrahedra.
void check_solid_mesh(RuleContext& rules, const MeshSpec& mesh, const std::string& pointer);
// A few characters of a scene can ask for too much.
void check_size(RuleContext& rules, double elements, const char* noun, const std::string& pointer);

// Rules of bodies made of springs.
void check_springs(RuleContext& rules, const SpringsSpec& springs, const std::string& pointer);

// What a scene with a plane body cannot have.
void check_plane(RuleContext& rules);

// Rules of selections.
enum class Selects { vertices, elements, either };
void check_where(RuleContext& rules, const Where& where, Selects selects, const std::string& pointer);

// Whether a selection, or a part of it, is a list of vertices or elements.
bool names_numbers(const Where& where);

// Rules of constraints.
void check_constraint(RuleContext& rules, const ConstraintSpec& constraint, const std::string& pointer);

// Rules of prescribed motions.
void check_rotation(RuleContext& rules, const TransformSpec::Rotation& rotation, const std::string& pointer);
void check_swings(RuleContext& rules, const std::vector<SineSpec>& swings, const std::string& pointer);
void check_motion(RuleContext& rules, const RigidMotionSpec& motion, const std::string& pointer);

template <class Points>
void check_ascending_times(RuleContext& rules, const Points& points, const std::string& pointer) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].time <= points[i - 1].time) {
      rules.add(fmt::format("{}/{}/time", pointer, i),
                fmt::format("{} s does not come after the point before, {} s; expected increasing times",
                            points[i].time, points[i - 1].time),
                {fmt::format("{}/{}", pointer, i - 1)});
    }
  }
}

// Rules of forces.
void check_force(RuleContext& rules, const ForceSpec& force, const std::string& pointer);

// Rules of contacts.
void check_contact(RuleContext& rules, const ContactSpec& contact, const std::string& pointer);

// Rules of coarsening.
void check_coarsening(RuleContext& rules, const CoarseningSpec& coarsening);

}  // namespace phiflex
