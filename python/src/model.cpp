// ModelBuilder for Python: arrays in, a checked model out. Every problem, of an array's shape or of what the builder
// checks, is collected and thrown by build().
#include "python/src/model.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "phiflex/build/model_builder.h"
#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/model/nodal_load.h"
#include "python/src/bind.h"
#include "python/src/material.h"
#include "python/src/system.h"

namespace phiflex {
namespace python {
namespace {

constexpr double kForeverIn = std::numeric_limits<double>::infinity();

// f(t, x, v) -> forces, of the vertices of one body or of all. Python gets copies.
class CallableLoad final : public Load {
 public:
  CallableLoad(py::object function, std::string place, int first, int count)
      : function_(std::move(function)), place_(std::move(place)), first_(first), count_(count) {}
  ~CallableLoad() override {
    const py::gil_scoped_acquire acquire;
    function_ = py::object();
  }

  void add_force(const Motion& at, Vector& f) const override { add(at.t, at, 1, f); }
  // Central difference in time: loads are smooth on the scale of 1 us, and the error is far below an integrator's.
  void add_force_rate(const Motion& at, Vector& g) const override {
    const double dt = 1e-6 * std::max(1.0, std::abs(at.t));
    add(at.t + dt, at, 0.5 / dt, g);
    add(at.t - dt, at, -0.5 / dt, g);
  }

 private:
  void add(double t, const Motion& at, double factor, Vector& f) const {
    const py::gil_scoped_acquire acquire;
    const Numbers forces = numbers(function_(t, part(at.x), part(at.v)), place_, {py::ssize_t(count_), 3});
    const double* from = forces.data();
    double* to = f.data() + 3 * Index(first_);
    for (Index i = 0; i < 3 * Index(count_); ++i) to[i] += factor * from[i];
  }
  py::array part(const Vector& all) const {
    return py::array_t<double>({py::ssize_t(count_), py::ssize_t(3)}, all.data() + 3 * Index(first_));
  }

  py::object function_;
  std::string place_;
  int first_, count_;
};

Eigen::Vector3d triple_of(const py::object& value, const std::string& name) {
  const Numbers array = numbers(value, name, {3});
  return {array.data()[0], array.data()[1], array.data()[2]};
}

// Rows of time and offset.
Path path_of(const py::object& value, const std::string& name) {
  if (value.is_none()) return {};
  const Numbers rows = numbers(value, name, {kAnyLength, 4});
  std::vector<PathKnot> knots;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
    const double* row = rows.data() + 4 * i;
    if (!knots.empty() && !(row[0] > knots.back().time))
      refuse(name, fmt::format("the time {} does not come after {}; expected ascending times", row[0],
                               knots.back().time));
    knots.push_back({.time = row[0], .offset = {row[1], row[2], row[3]}});
  }
  if (knots.empty()) refuse(name, "selects no point; expected one or more");
  return Path(std::move(knots));
}

// Rows of vertex numbers. what: how messages name a row.
template <std::size_t n>
std::vector<std::array<int, n>> corners_of(const py::object& value, const std::string& name, const char* what,
                                           std::int64_t vertices) {
  const Integers corners = integers(value, name, {kAnyLength, py::ssize_t(n)});
  std::vector<std::array<int, n>> rows(std::size_t(corners.shape(0)));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < n; ++k) {
      const std::int64_t vertex = corners.data()[n * i + k];
      if (vertex < 0 || vertex >= vertices)
        refuse(name, fmt::format(
                         "{} {} has the vertex {}, which is not allowed; expected whole numbers from 0 to {}",
                         what, i, vertex, vertices - 1));
      rows[i][k] = int(vertex);
    }
  return rows;
}

ActiveTime active(double from, const std::optional<double>& until) {
  return {from, until.value_or(kForeverIn)};
}

class BuilderHandle {
 public:
  explicit BuilderHandle(std::string source) : builder_(std::move(source)) {}

  // Wrong arrays are problems like all others. Returns whether there were none.
  template <class Function>
  bool collect(const std::string& place, Function&& function) {
    const std::size_t before = builder_.problems().size();
    try {
      function();
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems())
        builder_.problems().problem(problem.place.empty() ? place : place + "/" + problem.place,
                                    problem.message);
    } catch (const std::invalid_argument& error) {
      builder_.problems().problem(place, error.what());
    }
    return builder_.problems().size() == before;
  }

  // Returns the body's number; -1 where something is wrong with it.
  int add_solid(const std::string& name, const py::object& vertices, const py::object& tets,
                const py::list& materials, const std::string& elements, const std::string& mass,
                const py::dict& damping) {
    const std::string place = fmt::format("body \"{}\"", name);
    int number = -1;
    const bool good = collect(place, [&] {
      TetMesh mesh;
      mesh.vertices = points_of(vertices, "vertices");
      mesh.tets = corners_of<4>(tets, "tetrahedra", "tetrahedron", std::int64_t(mesh.vertices.size()));
      if (elements != "linear" && elements != "quadratic")
        refuse("elements", fmt::format("\"{}\" is not allowed; expected linear or quadratic", elements));
      if (mass != "lumped" && mass != "consistent")
        refuse("mass", fmt::format("\"{}\" is not allowed; expected lumped or consistent", mass));
      ProblemList& problems = builder_.problems();
      const std::size_t before = problems.size();
      Body body = make_solid(name, std::move(mesh), place + "/mesh", place, problems);
      if (problems.size() != before) return;
      set_materials(body, materials, problems);
      if (problems.size() != before) return;
      if (elements == "quadratic") make_quadratic(body);
      body.solid()->mass = mass == "consistent" ? MassKind::consistent : MassKind::lumped;
      body.damping = damping_of(damping);
      number = builder_.add_body(std::move(body));
    });
    return good ? number : -1;
  }

  int add_springs(const std::string& name, const py::object& vertices, const py::object& masses,
                  const py::object& pairs, const py::object& constants, const py::object& rest_lengths,
                  const py::object& triangles, const std::string& law, const py::dict& damping) {
    const std::string place = fmt::format("body \"{}\"", name);
    int number = -1;
    const bool good = collect(place, [&] {
      SpringSettings springs{.name = name, .law = law};
      SpringNetwork& network = springs.network;
      network.vertices = points_of(vertices, "vertices");
      const py::ssize_t count = py::ssize_t(network.vertices.size());
      const Numbers kilograms = numbers(masses, "masses", {count});
      network.masses.assign(kilograms.data(), kilograms.data() + count);
      const std::vector<std::array<int, 2>> ends = corners_of<2>(pairs, "springs", "spring", count);
      const Numbers k = numbers(constants, "constants", {py::ssize_t(ends.size())});
      const Numbers lengths = numbers(rest_lengths, "rest_lengths", {py::ssize_t(ends.size())});
      for (std::size_t i = 0; i < ends.size(); ++i) {
        network.springs.push_back({ends[i][0], ends[i][1], k.data()[i], lengths.data()[i]});
        network.kinds.push_back(SpringKind::structural);
      }
      if (!triangles.is_none()) network.triangles = corners_of<3>(triangles, "triangles", "triangle", count);
      springs.damping = damping_of(damping);
      number = builder_.add_springs(std::move(springs));
    });
    return good ? number : -1;
  }

  py::object rest(int body) const { return points_array(builder_.body(body).rest()); }

  void set_initial(int body, const py::object& positions, const py::object& velocities) {
    collect(place_of(body), [&] {
      std::vector<Point3> x = builder_.initial_positions(body), v = builder_.initial_velocities(body);
      if (!positions.is_none()) x = points_of(positions, "positions");
      if (!velocities.is_none()) v = points_of(velocities, "velocities");
      const std::size_t count = std::size_t(builder_.body(body).vertex_count());
      if (x.size() != count || v.size() != count)
        refuse("initial", fmt::format("{} positions and {} velocities are not allowed; expected {}", x.size(),
                                      v.size(), count));
      builder_.set_initial(body, x, v);
    });
  }

  void hold(int body, const py::object& vertices, const py::object& path, const std::optional<double>& until,
            const std::string& place) {
    collect(place, [&] {
      builder_.hold(body, indices_of(vertices, "where", builder_.body(body).vertex_count()),
                    path_of(path, "path"), until.value_or(kForeverIn), place);
    });
  }

  void set_gravity(const py::object& value) {
    collect("gravity", [&] { builder_.set_gravity(triple_of(value, "")); });
  }

  // measure: of VertexLoad; forces: one row, or one for each of the vertices.
  void add_force(int body, const std::string& measure, const py::object& value, const py::object& vertices,
                 double from, const std::optional<double>& until, const std::string& place) {
    collect(place, [&] {
      const Body& at = builder_.body(body);
      VertexLoad load{.active = active(from, until)};
      if (!vertices.is_none()) load.vertices = indices_of(vertices, "where", at.vertex_count());
      const py::array given = py::array::ensure(value);
      if (given && given.ndim() == 2) {
        if (measure != "each_vertex")
          refuse("force", "rows for each vertex are allowed for forces in newtons only");
        if (load.vertices.empty())
          for (int v = 0; v < at.vertex_count(); ++v) load.vertices.push_back(v);
        const Numbers rows = numbers(value, "force", {py::ssize_t(load.vertices.size()), 3});
        Vector forces(rows.size());
        std::memcpy(forces.data(), rows.data(), sizeof(double) * std::size_t(rows.size()));
        builder_.add_load(std::make_shared<NodalLoad>(shifted(load.vertices, at.first_vertex),
                                                      std::move(forces), load.active));
        return;
      }
      PyErr_Clear();
      load.value = triple_of(value, "force");
      using Measure = VertexLoad::Measure;
      load.measure = measure == "shared_by_mass" ? Measure::shared_by_mass
                     : measure == "acceleration" ? Measure::acceleration
                     : measure == "per_volume"   ? Measure::per_volume
                                                 : Measure::each_vertex;
      builder_.add_load(body, std::move(load), place);
    });
  }

  // body -1: of all vertices of all bodies, which must have been added.
  void add_callable(int body, const py::object& function, const std::string& place) {
    collect(place, [&] {
      if (!PyCallable_Check(function.ptr())) refuse("", "is not callable; expected f(t, x, v) -> forces");
      int first = 0, count = 0;
      if (body >= 0) {
        first = builder_.body(body).first_vertex;
        count = builder_.body(body).vertex_count();
      } else {
        for (const Body& one : builder_.bodies()) count += one.vertex_count();
      }
      builder_.add_load(std::make_shared<CallableLoad>(function, place, first, count));
    });
  }

  void add_wind(std::optional<int> body, const py::object& velocity, double gust_amplitude,
                double gust_frequency, double air_density, double drag_coefficient, double from,
                const std::optional<double>& until, const std::string& place) {
    collect(place, [&] {
      builder_.add_wind(
          {triple_of(velocity, "velocity"), gust_amplitude, gust_frequency, air_density, drag_coefficient},
          active(from, until), body, place);
    });
  }

  void add_obstacle(const std::string& shape, const py::dict& sizes, const py::dict& how,
                    std::optional<int> body, const std::string& place) {
    collect(place, [&] {
      ObstacleSettings settings;
      take(how, "friction", settings.friction);
      take(how, "slip_speed", settings.slip_speed);
      take(how, "thickness", settings.thickness);
      take(how, "stiffness", settings.stiffness);
      take(how, "distance", settings.distance);
      const auto word = [&](const char* key) {
        return how.contains(key) ? py::cast<std::string>(how[key]) : std::string();
      };
      const std::string mode = word("mode");
      settings.mode = mode == "penalty"   ? ContactMode::penalty
                      : mode == "project" ? ContactMode::project
                                          : ContactMode::barrier;
      if (const std::string start = word("at_start"); !start.empty())
        settings.at_start = start == "push" ? AtStart::push : AtStart::error;
      settings.body = body;
      if (how.contains("path")) settings.motion = path_of(how["path"], "path");
      const auto triple = [&](const char* key) { return triple_of(py::object(sizes[key]), key); };
      const auto positive = [&](const char* key) {
        const double value = py::cast<double>(sizes[key]);
        if (!(value > 0 && std::isfinite(value)))
          refuse(key, fmt::format("{} is not allowed; expected a number > 0", value));
        return value;
      };
      if (shape == "floor") {
        const double height = py::cast<double>(sizes["height"]);
        if (!std::isfinite(height))
          refuse("height", fmt::format("{} is not allowed; expected a finite number", height));
        builder_.add_floor(height, settings, place);
      } else if (shape == "plane") {
        const Eigen::Vector3d normal = triple("normal");
        if (normal.norm() == 0) refuse("normal", "has no direction; expected a vector that is not zero");
        builder_.add_obstacle(std::make_shared<PlaneSolid>(triple("point"), normal), settings, place);
      } else if (shape == "sphere") {
        builder_.add_obstacle(std::make_shared<SphereSolid>(triple("center"), positive("radius")), settings,
                              place);
      } else if (shape == "capsule") {
        builder_.add_obstacle(
            std::make_shared<CapsuleSolid>(triple("from"), triple("to"), positive("radius")), settings,
            place);
      } else {
        const Eigen::Vector3d size = triple("size");
        if (!(size.minCoeff() > 0)) refuse("size", "is not allowed; expected three numbers > 0");
        builder_.add_obstacle(
            std::make_shared<CuboidShape>(triple("center"), size, Eigen::Matrix3d::Identity()), settings,
            place);
      }
    });
  }

  // pairs: numbers of bodies. self: none, sheets or all.
  void add_body_contact(bool between_all, const std::vector<std::array<int, 2>>& pairs,
                        const std::string& self, const py::dict& how, const std::string& place) {
    collect(place, [&] {
      BodyContactSettings settings{.between_all = between_all, .pairs = pairs};
      using Self = BodyContactSettings::Self;
      settings.self = self == "all" ? Self::all : self == "sheets" ? Self::sheets : Self::none;
      take(how, "friction", settings.friction);
      take(how, "slip_speed", settings.slip_speed);
      take(how, "distance", settings.distance);
      take(how, "stiffness", settings.stiffness);
      builder_.add_body_contact(std::move(settings), place);
    });
  }

  int nearest_vertex(int body, const py::object& point, const std::string& place) {
    int vertex = -1;
    collect(place, [&] { vertex = builder_.nearest_vertex(body, triple_of(point, "at")); });
    return vertex;
  }

  void problem(const std::string& place, const std::string& message) {
    builder_.problems().problem(place, message);
  }

  std::shared_ptr<ModelHandle> build() const {
    builder_.check();  // a bad body is not in the builder, which would miss it
    return std::make_shared<ModelHandle>(ModelHandle{builder_.build()});
  }

  static py::object points_array(const std::vector<Point3>& points) {
    return py::array_t<double>({py::ssize_t(points.size()), py::ssize_t(3)},
                               points.empty() ? nullptr : points.front().data());
  }

 private:
  std::string place_of(int body) const { return fmt::format("body \"{}\"", builder_.body(body).name); }

  template <class Value>
  static void take(const py::dict& how, const char* key, Value& value) {
    if (how.contains(key)) value = py::cast<double>(how[key]);
  }
  static BodyDamping damping_of(const py::dict& damping) {
    BodyDamping result;
    if (damping.contains("mass")) result.alpha = py::cast<double>(damping["mass"]);
    if (damping.contains("stiffness")) result.beta = py::cast<double>(damping["stiffness"]);
    if (damping.contains("stiffness_of") && py::cast<std::string>(damping["stiffness_of"]) == "current")
      result.stiffness = DampedStiffness::current;
    return result;
  }

  ModelBuilder builder_;
};

// fields: numbers for each tetrahedron, by name.
void write_tets(const std::string& path, const py::object& vertices, const py::object& tets,
                const std::map<std::string, std::vector<double>>& fields) {
  TetMesh mesh;
  mesh.vertices = points_of(vertices, "vertices");
  const Integers corners = integers(tets, "tetrahedra", {kAnyLength, 4});
  for (py::ssize_t i = 0; i < corners.shape(0); ++i) {
    const std::int64_t* c = corners.data() + 4 * i;
    mesh.tets.push_back({int(c[0]), int(c[1]), int(c[2]), int(c[3])});
  }
  mesh.element_fields = fields;
  write_mesh(path, mesh, {.encoding = Encoding::binary});
}

py::tuple mesh_arrays(const TetMesh& mesh);

py::tuple generate(const std::string& name, const GeneratorArguments& arguments) {
  return mesh_arrays(generate_mesh(name, arguments));
}

py::tuple read_tets(const std::string& path) {
  return mesh_arrays(read_tet_mesh(path));
}

py::tuple mesh_arrays(const TetMesh& mesh) {
  py::array_t<int> tets({py::ssize_t(mesh.tets.size()), py::ssize_t(4)});
  if (!mesh.tets.empty())
    std::memcpy(tets.mutable_data(), mesh.tets.data(), sizeof(int) * 4 * mesh.tets.size());
  return py::make_tuple(BuilderHandle::points_array(mesh.vertices), tets);
}

}  // namespace

py::list body_list(const Assembly& assembly) {
  py::list list;
  for (const Body& body : assembly.bodies())
    list.append(py::make_tuple(body.name, body.first_vertex, body.vertex_count(),
                               body.solid()   ? "solid"
                               : body.plane() ? "plane"
                                              : "springs"));
  return list;
}

void bind_model(py::module_& m) {
  py::class_<ModelHandle, std::shared_ptr<ModelHandle>>(m, "Model")
      .def("bodies", [](const ModelHandle& model) { return body_list(model.assembly); })
      .def("warnings", [](const ModelHandle& model) { return model.assembly.messages().warnings(); })
      .def("notes", [](const ModelHandle& model) { return model.assembly.messages().notes(); })
      .def("rest", [](const ModelHandle& model) { return copied(model.assembly.rest(), 3); })
      .def("hash", [](const ModelHandle& model) { return model.assembly.hash(); })
      .def("system", [](const ModelHandle& model, double t) {
        return std::make_shared<SystemHandle>(std::make_shared<SystemLife>(
            std::shared_ptr<const MechanicalSystem>(model.assembly.make_model(t))));
      });
  m.def("material_laws", &material_laws);
  m.def("read_tets", &read_tets);
  m.def("write_tets", &write_tets);
  m.def("generate_mesh", &generate);
  py::class_<BuilderHandle>(m, "Builder")
      .def(py::init<std::string>())
      .def("add_solid", &BuilderHandle::add_solid)
      .def("add_springs", &BuilderHandle::add_springs)
      .def("rest", &BuilderHandle::rest)
      .def("set_initial", &BuilderHandle::set_initial)
      .def("hold", &BuilderHandle::hold)
      .def("set_gravity", &BuilderHandle::set_gravity)
      .def("add_force", &BuilderHandle::add_force)
      .def("add_callable", &BuilderHandle::add_callable)
      .def("add_wind", &BuilderHandle::add_wind)
      .def("add_obstacle", &BuilderHandle::add_obstacle)
      .def("add_body_contact", &BuilderHandle::add_body_contact)
      .def("nearest_vertex", &BuilderHandle::nearest_vertex)
      .def("problem", &BuilderHandle::problem)
      .def("build", &BuilderHandle::build);
}

}  // namespace python
}  // namespace phiflex
