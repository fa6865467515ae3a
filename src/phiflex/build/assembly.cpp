#include "phiflex/build/assembly.h"

#include <algorithm>

#include "phiflex/base/hash.h"
#include "phiflex/model/modulation.h"

namespace phiflex {
namespace {

const BodyTerms& terms_at(const std::vector<TimedTerms>& timed, double t) {
  std::size_t now = 0;
  for (std::size_t i = 1; i < timed.size(); ++i)
    if (reached(t, timed[i].from)) now = i;
  return timed[now].terms;
}

// Held vertices stay where the rest shape has them.
void put_to_rest(ModelDescription& description) {
  description.start = description.rest;
  description.loads.clear();
  for (VertexConstraint& hold : description.constraints) hold = {std::move(hold.vertices), {}, nullptr};
}

}  // namespace

ModelDescription description_at(const ModelParts& parts, double t) {
  ModelDescription description = parts.description;
  for (std::size_t b = 0; b < parts.terms.size(); ++b)
    description.bodies[b].terms = terms_at(parts.terms[b], t).terms;
  for (const TimedConstraint& timed : parts.constraints)
    if (ActiveTime{0, timed.until}.covers(t)) description.constraints.push_back(timed.constraint);
  return description;
}

int Assembly::tetrahedra() const {
  int count = 0;
  for (const Body& body : bodies()) count += body.solid() ? body.element_count() : 0;
  return count;
}
int Assembly::triangles() const {
  int count = 0;
  for (const Body& body : bodies()) count += body.plane() ? body.element_count() : 0;
  return count;
}
int Assembly::springs() const {
  int count = 0;
  for (const Body& body : bodies()) count += body.springs() ? body.element_count() : 0;
  return count;
}

ModelDescription Assembly::description(double t) const {
  ModelDescription description = description_at(*parts_, t);
  for (const std::vector<TimedTerms>& timed : parts_->terms)
    for (const PronyElements& elements : terms_at(timed, t).branches) {
      description.branches.push_back(make_prony_term(description.rest, elements));
      description.shared_terms.push_back(description.branches.back());
    }
  return description;
}

std::unique_ptr<DeformableModel> Assembly::make_model(double t) const {
  return std::make_unique<DeformableModel>(description(t));
}

std::unique_ptr<DeformableModel> Assembly::make_rest_model(double t) const {
  ModelDescription description = description_at(*parts_, t);
  put_to_rest(description);
  return std::make_unique<DeformableModel>(std::move(description));
}

std::unique_ptr<DeformableModel> Assembly::make_rest_model_of(int body, double t) const {
  ModelDescription description = description_at(*parts_, t);
  put_to_rest(description);
  description.shared_terms.clear();
  description.carried.clear();
  const Body& alone = parts_->bodies.at(std::size_t(body));
  VertexConstraint others;
  for (int v = 0; v < vertices(); ++v)
    if (v < alone.first_vertex || v >= alone.first_vertex + alone.vertex_count())
      others.vertices.push_back(v);
  description.constraints.push_back(std::move(others));
  return std::make_unique<DeformableModel>(std::move(description));
}

State Assembly::initial_state(const DeformableModel& model) const {
  return model.state(parts_->start_time, parts_->description.start, parts_->initial_velocity);
}

std::vector<std::unique_ptr<StepFilter>> Assembly::make_filters(const DeformableModel& model) const {
  std::vector<std::unique_ptr<StepFilter>> filters;
  if (!parts_->obstacles.empty())
    filters.push_back(std::make_unique<ProjectionFilter>(model, parts_->obstacles));
  for (const ParticleContact& contact : parts_->particles)
    filters.push_back(std::make_unique<ParticleFilter>(model, contact));
  return filters;
}

int Assembly::active_constraints(double t) const {
  return static_cast<int>(std::count_if(parts_->constraints.begin(), parts_->constraints.end(),
                                        [t](const TimedConstraint& timed) {
                                          return ActiveTime{0, timed.until}.covers(t);
                                        }));
}

std::vector<double> Assembly::release_times() const {
  std::vector<double> times;
  for (const TimedConstraint& timed : parts_->constraints)
    if (timed.until != kForever) times.push_back(timed.until);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void Assembly::strain_energy_densities(double t, const Vector& x, std::vector<double>& densities,
                                       const DeformableModel* model) const {
  densities.assign(static_cast<std::size_t>(tetrahedra() + triangles() + springs()), 0.0);
  for (std::size_t b = 0; b < bodies().size(); ++b)
    terms_at(parts_->terms[b], t).strain_energy_densities(bodies()[b], x, densities);
  if (!model) return;
  std::vector<double> of_branches;
  for (const auto& branches : model->description().branches) {
    of_branches.resize(branches->elements().size());
    branches->element_densities(x, of_branches);
    for (std::size_t e = 0; e < of_branches.size(); ++e)
      densities[std::size_t(branches->elements()[e])] += of_branches[e];
  }
}

void Assembly::element_states(double t, const Vector& x, std::vector<ElementState>& states,
                              const DeformableModel* model) const {
  states.assign(static_cast<std::size_t>(tetrahedra() + triangles() + springs()), {});
  for (std::size_t b = 0; b < bodies().size(); ++b)
    terms_at(parts_->terms[b], t).element_states(bodies()[b], x, states);
  if (!model) return;
  std::vector<ElementState> of_branches;
  for (const auto& branches : model->description().branches) {
    of_branches.resize(branches->elements().size());
    branches->element_states(x, of_branches);
    for (std::size_t e = 0; e < of_branches.size(); ++e)
      states[std::size_t(branches->elements()[e])].stress += of_branches[e].stress;
  }
}

double Assembly::largest_gap(const Vector& x) const {
  double gap = 0;
  for (const std::vector<TimedTerms>& timed : parts_->terms)
    if (const auto& triangles = timed.front().terms.triangles) gap = std::max(gap, triangles->largest_gap(x));
  return gap;
}

bool Assembly::has_splines() const {
  return std::any_of(parts_->terms.begin(), parts_->terms.end(), [](const std::vector<TimedTerms>& timed) {
    return !timed.front().terms.knot_range_counters.empty();
  });
}

int Assembly::outside_knots(const Vector& x) const {
  int count = 0;
  for (const std::vector<TimedTerms>& timed : parts_->terms)
    for (const KnotRangeCounter& watched : timed.front().terms.knot_range_counters)
      count += watched.outside(x);
  return count;
}

std::string Assembly::hash() const {
  Hash hash;
  hash.add(as_span(parts_->description.start));
  hash.add(as_span(parts_->description.vertex_mass));
  for (const Body& b : bodies()) {
    if (const SolidBody* solid = b.solid())
      for (const Tet& tet : solid->mesh.tets) hash.add(tet.data(), sizeof tet);
    if (const PlaneBody* plane = b.plane()) {
      for (const auto& corners : plane->corners) hash.add(corners.data(), sizeof corners);
      hash.add(std::int64_t(plane->continuity));
      hash.add(plane->penalty);
    }
    if (const BodyMaterials* materials = b.materials())
      for (const ElementMaterial& m : materials->elements) {
        hash.add(m.law);
        for (const double number : m.parameters) hash.add(number);
        for (const PronyBranch& branch : m.prony) {
          hash.add(branch.ratio);
          hash.add(branch.time);
        }
      }
    if (const SpringBody* springs = b.springs()) {
      for (const Spring& s : springs->network.springs) {
        hash.add(std::int64_t{s.a});
        hash.add(std::int64_t{s.b});
        hash.add(s.k);
        hash.add(s.rest_length);
      }
      for (const std::string& law : springs->laws) hash.add(law);
      if (springs->laws.size() > 1)
        for (const int region : b.region) hash.add(std::int64_t{region});
      for (const CentreSpring& s : springs->network.centre_springs) hash.add(s.k);
      for (const ScissorSpring& s : springs->network.scissors) hash.add(s.k);
    }
  }
  // Motions and obstacles may come from files: where they lead, and how far from them everything starts.
  for (const TimedConstraint& timed : parts_->constraints)
    if (const RecordedMotion* record = timed.constraint.record.get())
      for (std::size_t n = 0; n < timed.constraint.vertices.size(); ++n)
        for (const double share : {0.0, 0.3, 0.7, 1.0}) {
          const double t = record->first() + share * (record->last() - record->first());
          for (const double coordinate : record->position(n, t)) hash.add(coordinate);
        }
  for (const Obstacle& obstacle : parts_->obstacles)
    for (const int v : obstacle.vertices)
      hash.add(obstacle.shape->at(parts_->description.start.segment<3>(3 * Index(v))).distance);
  if (!parts_->more_of_hash.empty()) hash.add(parts_->more_of_hash);
  return hash.hexadecimal();
}

}  // namespace phiflex
