#include "phiflex/run/element_fields.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "phiflex/record/field_numbers.h"
#include "phiflex/scene/words.h"

namespace phiflex {
namespace {

void put(const Sym3<double>& a, double* out) {
  const double tensor[6] = {a(0, 0), a(1, 1), a(2, 2), a(0, 1), a(1, 2), a(0, 2)};
  std::copy(tensor, tensor + 6, out);
}
void put(const std::array<double, 3>& a, double* out) {
  std::copy(a.begin(), a.end(), out);
}

std::vector<FieldInfo> make_fields() {
  const auto named = [](OutputField field, auto values) {
    const FieldDescription& known = *find_field_description(word(field));
    return FieldInfo{field, known.name, known.components, known.unit == "Pa", known.at_rest, values};
  };
  return {
      named(OutputField::stress, [](const ElementState& s, double* out) { put(s.stress, out); }),
      named(OutputField::von_mises, [](const ElementState& s, double* out) { *out = von_mises(s.stress); }),
      named(OutputField::principal_stresses,
            [](const ElementState& s, double* out) { put(principal_values(s.stress), out); }),
      named(OutputField::green_strain,
            [](const ElementState& s, double* out) { put(green_strain(s.C), out); }),
      named(OutputField::principal_stretches,
            [](const ElementState& s, double* out) { put(principal_stretches(s), out); }),
      named(OutputField::J, [](const ElementState& s, double* out) { *out = s.J; })};
}

constexpr std::size_t kMostComponents = 6;

}  // namespace

const FieldInfo* find_field(OutputField field) {
  static const std::vector<FieldInfo> all = make_fields();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const FieldInfo& info) { return info.field == field; });
  return found == all.end() ? nullptr : &*found;
}

bool ElementFields::wanted(const OutputSpec& output) {
  return std::any_of(output.fields.begin(), output.fields.end(), find_field);
}

ElementFields::ElementFields(const SceneModel& world, const OutputSpec& output) : world_(world) {
  for (const OutputField field : output.fields) {
    const FieldInfo* info = find_field(field);
    const bool is_new =
        std::none_of(fields_.begin(), fields_.end(), [&](const Column& c) { return c.info == info; });
    if (info && is_new) fields_.push_back({info, {}, {}});
  }
  for (const Body& body : world_.bodies()) {
    add_groups(body);
    add_nodes(body);
  }
}

void ElementFields::add_groups(const Body& body) {
  if (body.springs()) return;
  std::map<int, Group> regions;
  Group whole{body.name, {}};
  for (int e = 0; e < body.element_count(); ++e) {
    const int region = body.region.empty() ? 0 : body.region[std::size_t(e)];
    whole.elements.push_back(body.first_element + e);
    regions[region].elements.push_back(body.first_element + e);
  }
  groups_.push_back(std::move(whole));
  if (regions.size() < 2) return;
  for (auto& [number, region] : regions) {
    region.name = body.name + ".region" + std::to_string(number);
    groups_.push_back(std::move(region));
  }
}

void ElementFields::add_nodes(const Body& body) {
  const auto add = [&](const auto& elements) {
    for (const auto& element : elements) {
      for (const int v : element) nodes_.push_back(body.first_vertex + v);
      node_starts_.push_back(static_cast<int>(nodes_.size()));
    }
  };
  if (const SolidBody* solid = body.solid()) {
    if (solid->quadratic.empty()) {
      add(solid->mesh.tets);
    } else {
      add(solid->quadratic);
    }
  } else if (const PlaneBody* plane = body.plane()) {
    add(plane->nodes);
  } else {
    node_starts_.resize(node_starts_.size() + std::size_t(body.element_count()), node_starts_.back());
  }
}

void ElementFields::update(const DeformableModel& model, double t, const Vector& x) {
  world_.element_states(t, x, of_elements_, &model);
}

void ElementFields::smooth() {
  const ElementState nothing{0, 0, Sym3<double>::zero(), Sym3<double>::zero()};
  of_vertices_.assign(std::size_t(world_.vertices()), nothing);
  for (std::size_t e = 0; e < of_elements_.size(); ++e) {
    const ElementState& of_element = of_elements_[e];
    for (int i = node_starts_[e]; i < node_starts_[e + 1]; ++i) {
      ElementState& sum = of_vertices_[std::size_t(nodes_[std::size_t(i)])];
      sum.volume += of_element.volume;
      sum.J += of_element.volume * of_element.J;
      sum.C += of_element.volume * of_element.C;
      sum.stress += of_element.volume * of_element.stress;
    }
  }
  for (ElementState& state : of_vertices_) {
    if (state.volume > 0)
      state = {state.volume, state.J / state.volume, (1 / state.volume) * state.C,
               (1 / state.volume) * state.stress};
    else
      state = {};
  }
}

void ElementFields::add_frame_arrays(std::vector<VtuArray>& cells, std::vector<VtuArray>& points) {
  smooth();
  const auto fill = [](const FieldInfo& info, const std::vector<ElementState>& states,
                       std::vector<double>& values) {
    const std::size_t width = info.components.size();
    values.resize(width * states.size());
    for (std::size_t i = 0; i < states.size(); ++i) info.values(states[i], values.data() + width * i);
  };
  for (Column& field : fields_) {
    const int width = static_cast<int>(field.info->components.size());
    fill(*field.info, of_elements_, field.of_cells);
    fill(*field.info, of_vertices_, field.of_points);
    cells.push_back({field.info->name, width, field.of_cells, {}});
    points.push_back({"vertex_" + field.info->name, width, field.of_points, {}});
  }
}

std::vector<std::string> ElementFields::columns() const {
  std::vector<std::string> names;
  for (const Group& group : groups_)
    for (const Column& field : fields_)
      for (const std::string& component : field.info->components) {
        const std::string name =
            group.name + "." + field.info->name + (component.empty() ? "" : "_" + component);
        names.push_back(name + "_mean");
        names.push_back(name + "_peak");
      }
  return names;
}

void ElementFields::append_measures(std::vector<double>& numbers) const {
  for (const Group& group : groups_)
    for (const Column& field : fields_) {
      const FieldInfo& info = *field.info;
      const std::size_t width = info.components.size();
      double of_element[kMostComponents], sum[kMostComponents] = {}, peak[kMostComponents], volume = 0;
      std::fill(peak, peak + width, info.at_rest);
      for (const int e : group.elements) {
        const ElementState& state = of_elements_[std::size_t(e)];
        info.values(state, of_element);
        const double weight = info.is_stress ? state.volume * state.J : state.volume;  // (2)
        volume += weight;
        for (std::size_t c = 0; c < width; ++c) {
          sum[c] += weight * of_element[c];
          const double apart = std::abs(of_element[c] - info.at_rest);
          if (!(apart <= std::abs(peak[c] - info.at_rest))) peak[c] = of_element[c];
        }
      }
      for (std::size_t c = 0; c < width; ++c) {
        numbers.push_back(sum[c] / volume);
        numbers.push_back(peak[c]);
      }
    }
}

}  // namespace phiflex
