#include "phiflex/build/body_skin.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

namespace phiflex {
namespace {

constexpr double kShareOfYoung = 0.03, kWeights = 10;

Eigen::Vector3d place_of(const Vector& rest, int vertex) {
  return rest.segment<3>(3 * Index(vertex));
}

double smallest_young(const BodyMaterials& materials) {
  double least = young_at_rest(materials.elements.front(), materials.curves);
  for (const ElementMaterial& material : materials.elements)
    least = std::min(least, young_at_rest(material, materials.curves));
  return least;
}

double young_of_springs(const SpringNetwork& network) {
  double sum = 0, count = 0;
  for (std::size_t s = 0; s < network.springs.size(); ++s)
    if (network.kinds[s] == SpringKind::structural) {
      sum += network.springs[s].k / network.springs[s].rest_length;
      ++count;
    }
  return count > 0 ? sum / count : 0;
}

}  // namespace

double BodySkin::barrier_modulus(double gravity) const {
  return std::max(kShareOfYoung * young, kWeights * gravity * area_density);
}

double BodySkin::penalty_stiffness(std::size_t i) const {
  return young * areas[i] / edge;
}

BodySkin skin_of(const Body& body, const Vector& rest, const Vector& mass) {
  BodySkin skin;
  skin.part.name = body.name;
  const auto in_model = [&](int vertex) { return vertex + body.first_vertex; };
  for (const auto& [a, b, c] : body.surface)
    skin.part.triangles.push_back({in_model(a), in_model(b), in_model(c)});
  std::vector<char> covered(std::size_t(body.vertex_count()), 0);
  for (const auto& triangle : body.surface)
    for (const int vertex : triangle) covered[std::size_t(vertex)] = 1;
  if (const SpringBody* springs = body.springs()) {
    const SpringNetwork& network = springs->network;
    for (std::size_t s = 0; s < network.springs.size(); ++s) {
      const Spring& spring = network.springs[s];
      if (network.kinds[s] != SpringKind::structural) continue;
      if (covered[std::size_t(spring.a)] && covered[std::size_t(spring.b)]) continue;
      skin.part.edges.push_back(
          {in_model(std::min(spring.a, spring.b)), in_model(std::max(spring.a, spring.b))});
    }
    std::sort(skin.part.edges.begin(), skin.part.edges.end());
    skin.part.edges.erase(std::unique(skin.part.edges.begin(), skin.part.edges.end()), skin.part.edges.end());
    skin.young = young_of_springs(network);
  } else {
    skin.young = smallest_young(*body.materials());
  }
  skin.edge = mean_edge(skin.part, rest);
  skin.part.width = skin.edge;
  skin.part.reach = skin.reach();

  std::map<int, double> area;
  for (const auto& [a, b, c] : skin.part.triangles) {
    const Eigen::Vector3d u = place_of(rest, b) - place_of(rest, a),
                          v = place_of(rest, c) - place_of(rest, a);
    for (const int vertex : {a, b, c}) area[vertex] += u.cross(v).norm() / 6;
  }
  for (const auto& [a, b] : skin.part.edges)
    for (const int vertex : {a, b})
      area[vertex] += 0.5 * skin.part.width * (place_of(rest, a) - place_of(rest, b)).norm();
  double total_mass = 0, total_area = 0;
  for (const auto& [vertex, size] : area) {
    if (!(mass[vertex] > 0)) continue;
    skin.vertices.push_back(vertex);
    skin.areas.push_back(size);
    total_mass += mass[vertex];
    total_area += size;
  }
  skin.area_density = total_area > 0 ? total_mass / total_area : 0;
  return skin;
}

}  // namespace phiflex
