// MechanicalSystem for Python: forces, energies and matrices of a model, at any state.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "phiflex/model/deformable_model.h"
#include "python/src/arrays.h"

namespace phiflex {
namespace python {

// A tangent, or nothing after the end of its system.
struct TangentCore {
  std::unique_ptr<AssembledTangent> tangent;
};

// A system that Python may use: one of its own, or one lent to an integrator as long as that exists. Tangents refer to
// their system: they end with it.
class SystemLife {
 public:
  explicit SystemLife(std::shared_ptr<const MechanicalSystem> owned) : owned_(owned), system_(owned.get()) {}
  explicit SystemLife(const MechanicalSystem& lent) : system_(&lent) {}

  const MechanicalSystem& system() const;  // std::runtime_error after end()
  bool owns() const { return owned_ != nullptr; }
  std::shared_ptr<TangentCore> make_tangent(Definiteness definiteness);
  void end();

  // Tangents and two-state forces serve one thread at a time. Locked after the interpreter was released.
  std::mutex mutex;
  Work work;  // of an integrator's step

 private:
  std::shared_ptr<const MechanicalSystem> owned_;
  const MechanicalSystem* system_;
  std::vector<std::weak_ptr<TangentCore>> tangents_;
};

class TangentHandle {
 public:
  TangentHandle(std::shared_ptr<SystemLife> life, std::shared_ptr<TangentCore> core)
      : life_(std::move(life)), core_(std::move(core)) {}
  // (values, columns, row starts) of K or D; views where the system is owned, copies where it is lent. None: there is
  // no D.
  py::object matrix(bool damping) const;
  py::array apply(const py::object& x, bool damping) const;
  py::array load_rate() const;

 private:
  const AssembledTangent& tangent() const;
  std::shared_ptr<SystemLife> life_;
  std::shared_ptr<TangentCore> core_;
};

class SystemHandle {
 public:
  explicit SystemHandle(std::shared_ptr<SystemLife> life) : life_(std::move(life)) {}

  Index dofs() const { return life_->system().dofs(); }
  double energy(const py::object& q, double t) const;
  double kinetic_energy(const py::object& v) const;
  py::array force(const py::object& q, const py::object& v, double t) const;
  py::object mass() const;  // the diagonal, or (values, columns, row starts)
  py::array solve_mass(const py::object& f) const;
  std::shared_ptr<TangentHandle> tangent(const py::object& q, const py::object& v, double t,
                                         bool projected) const;
  py::array two_state_force(const py::object& q, const py::object& v, const py::object& w, double h,
                            double t) const;
  py::tuple modes(Index count, double tolerance) const;
  py::array free_vertices() const;
  int dimension() const;
  py::array positions(const py::object& q, double t) const;  // of all vertices

 private:
  State state(const py::object& q, const py::object& v, double t) const;
  const DeformableModel& model() const;
  std::shared_ptr<SystemLife> life_;
};

}  // namespace python
}  // namespace phiflex
