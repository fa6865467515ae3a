// Ropes against solutions that know nothing of this engine: the elastic catenary, and a swing by an integrator and a
// force written here.
#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/integrate/catalogue.h"
#include "tests/model/sample_models.h"

namespace phiflex {
namespace {

constexpr double kGravity = 9.81;   // m/s^2
constexpr double kDensity = 0.1;    // kg/m
constexpr double kStiffness = 100;  // N per unit strain

// A metre of rope at rest in the x-y plane, `angle` above the vertical, held at its first end.
ModelDescription describe_rope(int segments, double angle, const BodyDamping& damping) {
  const SpringNetwork rope = generate_rope({.from = {0, 0, 0},
                                            .to = {std::sin(angle), -std::cos(angle), 0},
                                            .segments = segments,
                                            .strength = {.value = kStiffness},
                                            .linear_density = kDensity});
  ModelDescription description;
  description.rest.resize(3 * (segments + 1));
  for (int v = 0; v <= segments; ++v)
    for (int i = 0; i < 3; ++i) description.rest[3 * v + i] = rope.vertices[v][i];
  description.vertex_mass = Eigen::Map<const Vector>(rope.masses.data(), segments + 1);
  BodyPart body{"rope", 0, segments + 1, {std::make_shared<SpringTerm>(rope.springs)}, {}};
  body.damping = damping;
  description.bodies.push_back(std::move(body));
  sample::add_gravity(description, {0, -kGravity, 0});
  description.holds.push_back({{0}, {}});
  return description;
}

// Positions after n steps.
Vector simulate(const DeformableModel& model, const std::string& method, double h, int n) {
  const Vector& start =
      model.description().start.size() > 0 ? model.description().start : model.description().rest;
  const auto integrator = make_integrator(method, model, {});
  State state = model.state(0, start, Vector::Zero(start.size())), next;
  for (int step = 0; step < n; ++step) {
    EXPECT_EQ(integrator->step(state, h, next).status, StepStatus::ok);
    std::swap(state, next);
  }
  Vector x, v;
  model.expand(state, x, v);
  return x;
}

// The elastic catenary of a rope of rest length 1 between two ends at one height (Irvine: Cable Structures, 1981),
// s the rest length from an end, w the weight per rest length, V = w/2, H the horizontal tension:
//   x(s) = H s/EA + H/w [asinh(V/H) - asinh((V - w s)/H)]                                               (1)
//   depth(s) = s/EA (V - w s/2) + 1/w [sqrt(H^2 + V^2) - sqrt(H^2 + (V - w s)^2)]                       (2)
struct Catenary {
  double w = kDensity * kGravity, V = w / 2, H = 0;

  explicit Catenary(double span) {
    double low = 1e-6, high = 1e3;
    while (high - low > 1e-13 * high) {
      H = (low + high) / 2;
      (x(1) < span ? low : high) = H;
    }
  }
  double x(double s) const {
    return H * s / kStiffness + H / w * (std::asinh(V / H) - std::asinh((V - w * s) / H));
  }
  double depth(double s) const {
    return s / kStiffness * (V - w * s / 2) + (std::hypot(H, V) - std::hypot(H, V - w * s)) / w;
  }
};

TEST(Rope, HangsInAnElasticCatenary) {
  constexpr double span = 0.8;
  const Catenary catenary(span);
  double error_of_half = 0;
  for (int segments : {80, 40}) {
    ModelDescription description = describe_rope(segments, std::numbers::pi / 2, {.alpha = 6.0});
    description.holds.push_back({{segments}, {}});
    description.start = description.rest;
    for (int v = 0; v <= segments; ++v) {
      const double s = double(v) / segments;
      description.start[3 * v] = span * s;
      description.start[3 * v + 1] = -0.3 * std::sin(std::numbers::pi * s);
    }
    // Strongly damped, by the model and by backward Euler: after 20 s at rest to e^-60.
    const Vector x = simulate(DeformableModel(std::move(description)), "be", 0.05, 400);
    double error = 0;
    for (int v = 0; v <= segments; ++v) {
      const double s = double(v) / segments;
      error = std::max(error, std::hypot(x[3 * v] - catenary.x(s), x[3 * v + 1] + catenary.depth(s)));
    }
    // A polygon of n chords lies within curvature times (1/n)^2/8 of its curve: below 3/(8 n^2).
    EXPECT_LT(error, 3.0 / (8 * segments * segments)) << segments;
    if (segments == 80)
      error_of_half = error;
    else
      EXPECT_NEAR(error / error_of_half, 4, 0.4) << "second order in the length of a segment";
  }
}

// The same rope by hand, damped by alpha M + beta K with the present K; classical Runge-Kutta.
Vector swing_by_hand(int segments, double angle, const BodyDamping& damping, double end, int steps) {
  const double k = kStiffness * segments, rest = 1.0 / segments, m = kDensity / segments;
  using Array = Eigen::Matrix<double, 2, Eigen::Dynamic>;
  Array x(2, segments + 1), v = Array::Zero(2, segments + 1);
  for (int i = 0; i <= segments; ++i)
    x.col(i) << std::sin(angle) * i / segments, -std::cos(angle) * i / segments;
  const auto acceleration = [&](const Array& at, const Array& velocity) {
    Array a = Array::Zero(2, segments + 1);
    for (int i = 0; i < segments; ++i) {
      const Eigen::Vector2d s = at.col(i + 1) - at.col(i), w = velocity.col(i + 1) - velocity.col(i);
      const Eigen::Vector2d along = s.dot(w) / s.squaredNorm() * s;
      const double tension_by_length = k * (1 - rest / s.norm());
      const Eigen::Vector2d pull =
          tension_by_length * s + damping.beta * (k * along + tension_by_length * (w - along));
      a.col(i) += pull / m;
      a.col(i + 1) -= pull / m;
    }
    a.col(segments) *= 2;  // half the mass
    a -= damping.alpha * velocity;
    a.row(1).array() -= kGravity;
    a.col(0).setZero();
    return a;
  };
  const double h = end / steps;
  for (int n = 0; n < steps; ++n) {
    const Array a1 = acceleration(x, v), v2 = v + h / 2 * a1;
    const Array a2 = acceleration(x + h / 2 * v, v2), v3 = v + h / 2 * a2;
    const Array a3 = acceleration(x + h / 2 * v2, v3), v4 = v + h * a3;
    const Array a4 = acceleration(x + h * v3, v4);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  Vector places = Vector::Zero(3 * (segments + 1));
  for (int i = 0; i <= segments; ++i) places.segment<2>(3 * i) = x.col(i);
  return places;
}

// Let go 20 degrees from the vertical, undamped and damped. (Let go at 90 degrees it cracks like a whip when it comes down:
// there 1/480 s is too long for 1e-4 m; the damped rope is off by 1e-2 m at 0.5 s and by 3e-3 m at 1 s.)
TEST(Rope, SwingsAsAnIndependentSolutionOfHighOrder) {
  constexpr int segments = 50;
  constexpr double end = 0.5, angle = 0.35;
  for (const BodyDamping& damping : {BodyDamping{}, {0.01, 0.01, DampedStiffness::current}}) {
    const Vector reference = swing_by_hand(segments, angle, damping, end, 40000);
    ASSERT_LT((swing_by_hand(segments, angle, damping, end, 25000) - reference).lpNorm<Eigen::Infinity>(),
              1e-9)
        << "the reference has converged";
    const DeformableModel model(describe_rope(segments, angle, damping));
    const Vector x = simulate(model, "pexprb43", 1.0 / 480, 240);
    double error = 0;
    for (int v = 0; v <= segments; ++v) error = std::max(error, (x - reference).segment<3>(3 * v).norm());
    EXPECT_LT(error, 1e-4);
  }
}

}  // namespace
}  // namespace phiflex
