// ModelBuilder: loads.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "phiflex/build/model_builder.h"
#include "phiflex/build/setting_checks.h"
#include "phiflex/model/chamber_load.h"
#include "phiflex/model/muscle_load.h"
#include "phiflex/model/nodal_load.h"
#include "phiflex/model/surface_load.h"

namespace phiflex {
namespace {

std::vector<double> chosen_of(const Vector& all, const std::vector<int>& vertices) {
  std::vector<double> chosen;
  for (const int v : vertices) chosen.push_back(all[v]);
  return chosen;
}

}  // namespace

void ModelBuilder::add_load(std::shared_ptr<const Load> load) {
  pending_loads_.push_back([load = std::move(load)](const ModelParts&) { return load; });
}

void ModelBuilder::add_to_hash(std::span<const double> numbers) {
  parts_.more_of_hash.insert(parts_.more_of_hash.end(), numbers.begin(), numbers.end());
}

void ModelBuilder::add_term(TermPointer term) {
  more_terms_.push_back(std::move(term));
}

void ModelBuilder::add_load(int number, VertexLoad load, std::string place) {
  if (!is_usable(number)) return;
  place = place_of(number, place);
  check_settings(load.active, place, problems_);
  const Body& of = body(number);
  if (load.vertices.empty()) {
    load.vertices.resize(std::size_t(of.vertex_count()));
    std::iota(load.vertices.begin(), load.vertices.end(), 0);
  }
  const std::optional<std::vector<int>> vertices = in_model(number, load.vertices, place);
  if (!vertices) return;
  using Measure = VertexLoad::Measure;
  const ModelDescription& description = parts_.description;
  std::vector<double> weights(vertices->size(), 1.0);
  if (load.measure == Measure::shared_by_mass) {
    add_load(make_shared_load(*vertices, chosen_of(description.vertex_mass, *vertices), load.value,
                              load.active, load.strength));
    return;
  }
  if (load.measure == Measure::acceleration) weights = chosen_of(description.vertex_weight, *vertices);
  if (load.measure == Measure::per_volume) {
    if (of.springs()) {
      problems_.problem(
          place + "/force_density",
          fmt::format("body '{}' is made of springs and has no volume; give force or acceleration", of.name));
      return;
    }
    const std::vector<double> volumes = vertex_volumes(of, parts_.terms[std::size_t(number)].front().terms);
    for (std::size_t n = 0; n < weights.size(); ++n) weights[n] = volumes[std::size_t(load.vertices[n])];
  }
  add_load(make_proportional_load(*vertices, weights, load.value, load.active, load.strength));
}

void ModelBuilder::add_acceleration(const Eigen::Vector3d& acceleration, ActiveTime active,
                                    Modulation strength) {
  pending_loads_.push_back([=](const ModelParts& parts) {
    std::vector<int> vertices(std::size_t(parts.vertices()));
    std::iota(vertices.begin(), vertices.end(), 0);
    return make_proportional_load(vertices, chosen_of(parts.description.vertex_weight, vertices),
                                  acceleration, active, strength);
  });
}

void ModelBuilder::add_wind(const Wind& wind, ActiveTime active, std::optional<int> number,
                            std::string place) {
  if (number && !is_usable(*number)) return;
  if (place.empty()) place = "wind";
  check_settings(wind, place, problems_);
  check_settings(active, place, problems_);
  pending_loads_.push_back([=](const ModelParts& parts) -> std::shared_ptr<const Load> {
    std::vector<std::array<int, 3>> triangles;
    for (std::size_t b = 0; b < parts.bodies.size(); ++b) {
      if (number && std::size_t(*number) != b) continue;
      const Body& of = parts.bodies[b];
      for (const auto& [i, j, k] : of.surface)
        triangles.push_back({i + of.first_vertex, j + of.first_vertex, k + of.first_vertex});
    }
    if (triangles.empty())
      throw InputError("", place,
                       number ? fmt::format("body '{}' has no surface for the wind to push",
                                            parts.bodies[std::size_t(*number)].name)
                              : "no body has a surface for the wind to push");
    return std::make_shared<WindLoad>(std::move(triangles), wind, active);
  });
}

std::vector<std::array<int, 3>> ModelBuilder::surface_of(int number, const std::vector<int>& vertices,
                                                         const std::string& place) {
  const Body& of = body(number);
  std::vector<bool> chosen(std::size_t(of.vertex_count()), false);
  for (const int v : vertices)
    if (v >= 0 && v < of.vertex_count()) chosen[std::size_t(v)] = true;
  std::vector<std::array<int, 3>> triangles;
  for (const auto& [a, b, c] : of.surface)
    if (chosen[std::size_t(a)] && chosen[std::size_t(b)] && chosen[std::size_t(c)])
      triangles.push_back({a + of.first_vertex, b + of.first_vertex, c + of.first_vertex});
  if (triangles.empty())
    problems_.problem(place, fmt::format("no triangle of the surface of body \"{}\" has all its corners "
                                         "among the {} selected vertices; expected a part of its surface",
                                         of.name, vertices.size()));
  return triangles;
}

void ModelBuilder::add_dead_surface_load(const std::vector<std::array<int, 3>>& triangles,
                                         const std::function<Eigen::Vector3d(const Eigen::Vector3d&)>& force,
                                         ActiveTime active, Modulation strength) {
  std::map<int, Eigen::Vector3d> of_vertex;
  for (const std::array<int, 3>& triangle : triangles)
    for (const int v : triangle) {
      const auto [entry, is_new] = of_vertex.try_emplace(v, Eigen::Vector3d::Zero());
      entry->second += force(area_vector(triangle, parts_.description.rest)) / 3;
    }
  std::vector<int> vertices;
  Vector forces(3 * Index(of_vertex.size()));
  for (const auto& [v, total] : of_vertex) {
    forces.segment<3>(3 * Index(vertices.size())) = total;
    vertices.push_back(v);
  }
  add_load(std::make_shared<NodalLoad>(std::move(vertices), std::move(forces), active, std::move(strength)));
}

void ModelBuilder::add_pressure(int number, const std::vector<int>& vertices, double pressure, bool follower,
                                ActiveTime active, Modulation strength, std::string place) {
  if (!is_usable(number)) return;
  std::vector<std::array<int, 3>> triangles = surface_of(number, vertices, place_of(number, place));
  if (triangles.empty()) return;
  if (follower)
    add_load(std::make_shared<PressureLoad>(std::move(triangles), pressure, active, std::move(strength)));
  else
    add_dead_surface_load(
        triangles, [pressure](const Eigen::Vector3d& area) -> Eigen::Vector3d { return -pressure * area; },
        active, std::move(strength));
}

void ModelBuilder::add_traction(int number, const std::vector<int>& vertices, const Eigen::Vector3d& traction,
                                ActiveTime active, Modulation strength, std::string place) {
  if (!is_usable(number)) return;
  const std::vector<std::array<int, 3>> triangles = surface_of(number, vertices, place_of(number, place));
  if (triangles.empty()) return;
  add_dead_surface_load(
      triangles, [&](const Eigen::Vector3d& area) -> Eigen::Vector3d { return area.norm() * traction; },
      active, std::move(strength));
}

void ModelBuilder::add_torque(int number, const std::vector<int>& vertices, const Eigen::Vector3d& torque,
                              ActiveTime active, Modulation strength, std::string place) {
  if (!is_usable(number)) return;
  place = place_of(number, place);
  const std::optional<std::vector<int>> chosen = in_model(number, vertices, place);
  if (!chosen) return;
  bool spans = false;  // three vertices that are not in a line
  const auto at = [&](std::size_t i) -> Eigen::Vector3d {
    return parts_.description.rest.segment<3>(3 * Index((*chosen)[i]));
  };
  for (std::size_t i = 2; i < chosen->size() && !spans; ++i) {
    const Eigen::Vector3d a = at(1) - at(0), b = at(i) - at(0);
    spans = a.cross(b).norm() > 1e-9 * a.norm() * b.norm();
  }
  if (!spans) {
    problems_.problem(
        place,
        fmt::format(
            "{} selected vertices cannot carry a torque; expected three or more that are not in a line",
            chosen->size()));
    return;
  }
  add_load(std::make_shared<TorqueLoad>(*chosen, torque, active, std::move(strength)));
}

void ModelBuilder::add_muscle(int number, const std::vector<int>& elements,
                              std::vector<Eigen::Vector3d> directions, double stress, ActiveTime active,
                              Modulation activation, std::string place) {
  if (!is_usable(number)) return;
  place = place_of(number, place);
  const Body& of = body(number);
  const std::size_t before = problems_.size();
  check_settings(active, place, problems_);
  if (!of.solid())
    problems_.problem(
        place, fmt::format(
                   "body \"{}\" is not made of tetrahedra; expected a solid body, whose elements have fibres",
                   of.name));
  if (!(stress >= 0 && std::isfinite(stress)))
    problems_.problem(place + "/stress", fmt::format("{} is not allowed; expected a number >= 0", stress));
  if (directions.size() == 1) directions.assign(elements.size(), Eigen::Vector3d(directions.front()));
  if (directions.size() != elements.size())
    problems_.problem(place, fmt::format("{} directions for {} elements; expected one for each, or one",
                                         directions.size(), elements.size()));
  else if (std::none_of(directions.begin(), directions.end(), [](const auto& n) { return n.norm() > 0; }))
    problems_.problem(place + "/direction", "has no length; expected a direction of the fibres");
  for (const Eigen::Vector3d& n : directions)
    if (!std::isfinite(n.norm())) {
      problems_.problem(place + "/direction", "is not finite; expected a direction of the fibres");
      break;
    }
  if (problems_.size() != before) return;
  const std::vector<Tet> tets = model_tets(of);
  const std::vector<QuadraticTet> quadratic = model_quadratic(of);
  std::vector<Tet> chosen;
  std::vector<QuadraticTet> chosen_quadratic;
  for (const int e : elements) {
    if (e < 0 || std::size_t(e) >= tets.size()) {
      problems_.problem(
          place, fmt::format("tetrahedron {} is not there: body \"{}\" has {}", e, of.name, tets.size()));
      return;
    }
    chosen.push_back(tets[std::size_t(e)]);
    if (!quadratic.empty()) chosen_quadratic.push_back(quadratic[std::size_t(e)]);
  }
  add_load(std::make_shared<MuscleLoad>(
      muscle_pairs(parts_.description.rest, chosen, chosen_quadratic, directions, stress), active,
      std::move(activation)));
}

namespace {

using Triangles = std::vector<std::array<int, 3>>;

// Triangles that hang together by their vertices, each part in the order of the list.
std::vector<Triangles> connected_parts(const Triangles& triangles) {
  std::map<int, int> parent;  // of vertices
  const auto root = [&](int v) {
    while (parent.at(v) != v) v = parent.at(v) = parent.at(parent.at(v));
    return v;
  };
  for (const auto& t : triangles) {
    for (const int v : t) parent.try_emplace(v, v);
    for (const int v : {t[1], t[2]}) parent.at(root(v)) = root(t[0]);
  }
  std::map<int, std::size_t> number;
  std::vector<Triangles> parts;
  for (const auto& t : triangles) {
    const auto [entry, is_new] = number.try_emplace(root(t[0]), parts.size());
    if (is_new) parts.emplace_back();
    parts[entry->second].push_back(t);
  }
  return parts;
}

// Edges that have no triangle on their other side.
std::size_t open_edges(const Triangles& triangles) {
  std::map<std::array<int, 2>, int> balance;  // of each edge, by ascending vertices
  for (const auto& [a, b, c] : triangles)
    for (const auto& [i, j] : {std::array{a, b}, {b, c}, {c, a}})
      balance[{std::min(i, j), std::max(i, j)}] += i < j ? 1 : -1;
  return std::size_t(
      std::count_if(balance.begin(), balance.end(), [](const auto& edge) { return edge.second != 0; }));
}

}  // namespace

void ModelBuilder::add_chamber(int number, const std::vector<int>& vertices, double pressure,
                               ActiveTime active, Modulation strength, std::string place, std::string name) {
  if (!is_usable(number)) return;
  place = place_of(number, place);
  const Body& of = body(number);
  const std::size_t before = problems_.size();
  check_settings(active, place, problems_);
  if (name.empty()) name = fmt::format("chamber{}", parts_.chambers.size());
  for (const auto& other : parts_.chambers)
    if (other->name() == name)
      problems_.problem(
          place + "/name",
          fmt::format("\"{}\" is the name of an earlier chamber; expected a name of its own", name));
  if (!of.solid())
    problems_.problem(
        place,
        fmt::format("body \"{}\" is not made of tetrahedra; expected a solid body with a hollow", of.name));
  if (problems_.size() != before) return;
  Triangles chosen;
  if (vertices.empty())
    for (const auto& [a, b, c] : of.surface)
      chosen.push_back({a + of.first_vertex, b + of.first_vertex, c + of.first_vertex});
  else
    chosen = surface_of(number, vertices, place += "/surface");
  if (problems_.size() != before) return;
  if (const std::size_t open = open_edges(chosen); open > 0) {
    problems_.problem(place, fmt::format("the selected surface of body \"{}\" is not closed: {} edges have a "
                                         "triangle on one side only; expected a whole inner surface",
                                         of.name, open));
    return;
  }
  Triangles wall;
  for (const Triangles& part : connected_parts(chosen))
    if (hollow_volume(part, parts_.description.rest) > 0)
      wall.insert(wall.end(), part.begin(), part.end());
    else if (!vertices.empty()) {
      problems_.problem(place,
                        fmt::format("the selection holds an outer surface of body \"{}\"; expected the wall "
                                    "of a hollow inside it (`pressure` acts on outer surfaces)",
                                    of.name));
      return;
    }
  if (wall.empty()) {
    problems_.problem(
        place, fmt::format("body \"{}\" has no hollow: its surface has no closed inner part", of.name));
    return;
  }
  parts_.chambers.push_back(
      std::make_shared<ChamberLoad>(name, std::move(wall), pressure, active, std::move(strength)));
  add_load(parts_.chambers.back());
}

void ModelBuilder::add_stokes_fluid(int number, std::vector<int> vertices, const StokesFluid& fluid,
                                    std::string place) {
  // A dense matrix of 3 n x 3 n numbers is factorized in every force.
  constexpr std::size_t most = 3000;
  if (!is_usable(number)) return;
  place = place_of(number, place);
  if (vertices.size() > most) {
    problems_.problem(place,
                      fmt::format("asks for {} Stokeslets; at most {} are allowed: select some by \"where\"",
                                  vertices.size(), most));
    return;
  }
  if (auto chosen = in_model(number, vertices, place))
    add_load(std::make_shared<StokesLoad>(std::move(*chosen), fluid));
}

void ModelBuilder::add_motor(int number, MotorLoad::Parts parts, double torque, ActiveTime active,
                             std::string place) {
  if (!is_usable(number)) return;
  place = place_of(number, place);
  for (std::size_t i = 0; i < 2; ++i)
    if (const auto end = in_model(number, {parts.axis[i]}, fmt::format("{}/axis/{}", place, i)))
      parts.axis[i] = end->front();
    else
      return;
  const auto rotor = in_model(number, parts.rotor, place + "/rotor");
  const auto stator = in_model(number, parts.stator, place + "/stator");
  if (!rotor || !stator) return;
  if (rotor->size() < 3 || stator->size() < 3) {
    problems_.problem(place, "rotor and stator need three vertices or more each, not in a line");
    return;
  }
  add_load(std::make_shared<MotorLoad>(MotorLoad::Parts{parts.axis, *rotor, *stator}, torque, active));
}

}  // namespace phiflex
