#include "python/src/system.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "phiflex/linalg/modes.h"
#include "python/src/bind.h"

namespace phiflex {
namespace python {
namespace {

double finite_time(double t) {
  if (!std::isfinite(t))
    refuse("t", fmt::format("{} is not allowed; expected a finite number of seconds", t));
  return t;
}

// Views of a matrix whose owner is given; copies without one.
py::tuple block_arrays(const SparseMatrix& A, std::shared_ptr<const void> owner) {
  const SparsityPattern& pattern = A.pattern();
  const py::ssize_t b = pattern.block(), blocks = pattern.blocks();
  const py::ssize_t rows = pattern.block_rows();
  if (owner)
    return py::make_tuple(view({blocks, b, b}, A.values(), owner, Access::read_only),
                          view({blocks}, pattern.column().data(), owner, Access::read_only),
                          view({rows + 1}, pattern.row_start().data(), owner, Access::read_only));
  return py::make_tuple(py::array_t<double>({blocks, b, b}, A.values()),
                        py::array_t<int>(blocks, pattern.column().data()),
                        py::array_t<int>(rows + 1, pattern.row_start().data()));
}

}  // namespace

const MechanicalSystem& SystemLife::system() const {
  if (!system_)
    throw std::runtime_error(
        "this system belonged to an integrator that is gone: its simulation has ended or has released "
        "constraints");
  return *system_;
}

std::shared_ptr<TangentCore> SystemLife::make_tangent(Definiteness definiteness) {
  auto core = std::make_shared<TangentCore>();
  core->tangent = system().assembled_tangent(definiteness);
  std::erase_if(tangents_, [](const std::weak_ptr<TangentCore>& one) { return one.expired(); });
  tangents_.push_back(core);
  return core;
}

void SystemLife::end() {
  for (const std::weak_ptr<TangentCore>& one : tangents_)
    if (const std::shared_ptr<TangentCore> core = one.lock()) core->tangent.reset();
  tangents_.clear();
  system_ = nullptr;
}

const AssembledTangent& TangentHandle::tangent() const {
  life_->system();  // throws when it is gone
  return *core_->tangent;
}

py::object TangentHandle::matrix(bool damping) const {
  const AssembledTangent& at = tangent();
  if (damping && !at.D()) return py::none();
  struct Owner {
    std::shared_ptr<SystemLife> life;
    std::shared_ptr<TangentCore> core;
  };
  return block_arrays(damping ? *at.D() : at.K(),
                      life_->owns() ? std::make_shared<const Owner>(Owner{life_, core_}) : nullptr);
}

py::array TangentHandle::apply(const py::object& x, bool damping) const {
  const AssembledTangent& at = tangent();
  const Vector given = vector_of(x, "x", at.K().rows());
  Vector y;
  {
    const py::gil_scoped_release release;
    const std::lock_guard lock(life_->mutex);
    damping ? at.apply_D(given, y) : at.apply_K(given, y);
    ++life_->work.stiffness_products;
  }
  return copied(y);
}

py::array TangentHandle::load_rate() const {
  Vector g;
  {
    const AssembledTangent& at = tangent();
    const py::gil_scoped_release release;
    const std::lock_guard lock(life_->mutex);
    at.load_rate(g);
  }
  return copied(g);
}

State SystemHandle::state(const py::object& q, const py::object& v, double t) const {
  State at{finite_time(t), vector_of(q, "q", dofs()), {}};
  if (v.is_none())
    at.v = Vector::Zero(dofs());
  else
    at.v = vector_of(v, "v", dofs());
  return at;
}

double SystemHandle::energy(const py::object& q, double t) const {
  const State at = state(q, py::none(), t);
  const MechanicalSystem& system = life_->system();
  const py::gil_scoped_release release;
  return system.potential_energy(at);
}

double SystemHandle::kinetic_energy(const py::object& v) const {
  const State at{0, {}, vector_of(v, "v", dofs())};
  return life_->system().kinetic_energy(at);
}

py::array SystemHandle::force(const py::object& q, const py::object& v, double t) const {
  const State at = state(q, v, t);
  const MechanicalSystem& system = life_->system();
  Vector f;
  {
    const py::gil_scoped_release release;
    system.force(at, f);
    const std::lock_guard lock(life_->mutex);
    ++life_->work.force_evaluations;
  }
  return copied(f);
}

py::object SystemHandle::mass() const {
  const MassMatrix& mass = life_->system().mass();
  if (mass.lumped()) return copied(mass.diagonal());
  return block_arrays(*mass.matrix(), life_->owns() ? std::shared_ptr<const void>(life_) : nullptr);
}

py::array SystemHandle::solve_mass(const py::object& f) const {
  const Vector given = vector_of(f, "f", dofs());
  Vector a;
  {
    const MassMatrix& mass = life_->system().mass();
    const py::gil_scoped_release release;
    mass.solve(given, a);
  }
  return copied(a);
}

std::shared_ptr<TangentHandle> SystemHandle::tangent(const py::object& q, const py::object& v, double t,
                                                     bool projected) const {
  const State at = state(q, v, t);
  std::shared_ptr<TangentCore> core;
  {
    const py::gil_scoped_release release;
    const std::lock_guard lock(life_->mutex);
    core = life_->make_tangent(projected ? Definiteness::projected : Definiteness::exact);
    core->tangent->update(at);
    ++life_->work.assemblies;
  }
  return std::make_shared<TangentHandle>(life_, std::move(core));
}

py::array SystemHandle::two_state_force(const py::object& q, const py::object& v, const py::object& w,
                                        double h, double t) const {
  const State at = state(q, v, t);
  const Vector mean = vector_of(w, "w", dofs());
  if (!(std::isfinite(h) && h > 0)) refuse("h", fmt::format("{} is not allowed; expected a number > 0", h));
  Vector f;
  {
    const MechanicalSystem& system = life_->system();
    const py::gil_scoped_release release;
    const std::unique_ptr<TwoStateForce> two = system.two_state_force();
    if (!two) throw std::runtime_error("this system has no two-state force of its own");
    two->begin(at, h, {});
    two->force(mean, f);
  }
  return copied(f);
}

py::tuple SystemHandle::modes(Index count, double tolerance) const {
  if (count < 1 || count > dofs())
    refuse("count",
           fmt::format("{} is not allowed; expected a whole number from 1 to {}, the free degrees of freedom",
                       count, dofs()));
  if (!(tolerance > 0 && tolerance < 1))
    refuse("tolerance", fmt::format("{} is not allowed; expected a number > 0 and < 1", tolerance));
  Modes modes;
  double norm = 0;
  ModesStatus status;
  {
    const MechanicalSystem& system = life_->system();
    const py::gil_scoped_release release;
    const std::unique_ptr<AssembledTangent> tangent = system.assembled_tangent(Definiteness::exact);
    tangent->update({0, Vector::Zero(dofs()), Vector::Zero(dofs())});
    const AssembledPencil pencil(tangent->K(), system.mass(), tangent->low_rank());
    Work work;
    status = compute_modes(pencil, count, {.tolerance = tolerance}, modes, work);
    norm = pencil.norm();
  }
  const char* words = status == ModesStatus::ok              ? "ok"
                      : status == ModesStatus::not_converged ? "not converged"
                      : status == ModesStatus::not_finite    ? "a value is not finite"
                                                             : "the shifted matrix is not positive definite";
  py::array_t<double> shapes({py::ssize_t(modes.U.cols()), py::ssize_t(modes.U.rows())});  // U' by rows
  std::memcpy(shapes.mutable_data(), modes.U.data(), sizeof(double) * std::size_t(modes.U.size()));
  return py::make_tuple(words, copied(modes.lambda), shapes, copied(modes.residual), norm);
}

const DeformableModel& SystemHandle::model() const {
  const auto* model = dynamic_cast<const DeformableModel*>(&life_->system());
  if (!model) throw std::runtime_error("this system has no vertices: it is the scalar test equation");
  return *model;
}

py::array SystemHandle::free_vertices() const {
  const std::vector<int>& vertices = model().constraints().free().vertex_of_row;
  return py::array_t<int>(py::ssize_t(vertices.size()), vertices.data());
}

int SystemHandle::dimension() const {
  return model().constraints().dimension();
}

py::array SystemHandle::positions(const py::object& q, double t) const {
  const State at = state(q, py::none(), t);
  Vector x, v;
  model().expand(at, x, v);
  return copied(x, 3);
}

void bind_system(py::module_& m) {
  py::class_<TangentHandle, std::shared_ptr<TangentHandle>>(m, "Tangent")
      .def("matrix", &TangentHandle::matrix)
      .def("apply", &TangentHandle::apply)
      .def("load_rate", &TangentHandle::load_rate);
  py::class_<SystemHandle, std::shared_ptr<SystemHandle>>(m, "System")
      .def_property_readonly("dofs", &SystemHandle::dofs)
      .def("energy", &SystemHandle::energy)
      .def("kinetic_energy", &SystemHandle::kinetic_energy)
      .def("force", &SystemHandle::force)
      .def("mass", &SystemHandle::mass)
      .def("solve_mass", &SystemHandle::solve_mass)
      .def("tangent", &SystemHandle::tangent)
      .def("two_state_force", &SystemHandle::two_state_force)
      .def("modes", &SystemHandle::modes)
      .def("free_vertices", &SystemHandle::free_vertices)
      .def("dimension", &SystemHandle::dimension)
      .def("positions", &SystemHandle::positions);
}

}  // namespace python
}  // namespace phiflex
