// Integrators written in Python: classes derived from phiflex.Integrator, registered by their names, so that scenes,
// comparisons and analyses find them like those of the catalogue.
//
// A step is given copies of the state: what Python keeps of them stays valid. The system is lent for the life of the
// integrator. The interpreter's lock is taken here; the engine calls without it.
#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/system/state.h"
#include "python/src/bind.h"
#include "python/src/system.h"

namespace phiflex {
namespace python {
namespace {

// Texts and declaration of a class; never freed, since the registry and simulations refer to it (and Python objects
// must not be released after the interpreter's end).
struct Declared {
  std::string name, summary;
  MethodInfo info;
  PyObject* type;
};

constexpr StepStatus kAllStatuses[] = {StepStatus::ok,
                                       StepStatus::not_finite,
                                       StepStatus::not_converged,
                                       StepStatus::not_stable,
                                       StepStatus::not_accurate,
                                       StepStatus::not_positive_definite,
                                       StepStatus::refused,
                                       StepStatus::function_not_evaluated,
                                       StepStatus::modes_not_found,
                                       StepStatus::diverged};
constexpr const char* kStatusWords[] = {"ok",
                                        "not_finite",
                                        "not_converged",
                                        "not_stable",
                                        "not_accurate",
                                        "not_positive_definite",
                                        "refused",
                                        "function_not_evaluated",
                                        "modes_not_found",
                                        "diverged"};

class PythonIntegrator final : public Integrator {
 public:
  PythonIntegrator(const Declared& declared, const MechanicalSystem& system)
      : declared_(declared), life_(std::make_shared<SystemLife>(system)) {
    const py::gil_scoped_acquire acquire;
    const py::handle type(declared_.type);
    const py::object wrap = py::module_::import("phiflex.system").attr("System");
    py::object made = type.attr("__new__")(type);
    made.attr("system") = wrap(SystemHandle(life_));
    made.attr("__init__")();
    self_ = std::move(made);
    state_type_ = py::module_::import("phiflex.integrator").attr("State");
  }
  ~PythonIntegrator() override {
    const py::gil_scoped_acquire acquire;
    life_->end();
    self_ = py::object();
    state_type_ = py::object();
  }

  const MethodInfo& info() const override { return declared_.info; }

  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    const py::gil_scoped_acquire acquire;
    life_->work = {};
    const bool continues = last_.q.size() == now.q.size() && last_.q.size() > 0 &&
                           std::memcmp(last_.q.data(), now.q.data(), bytes(now)) == 0 &&
                           std::memcmp(last_.v.data(), now.v.data(), bytes(now)) == 0;
    py::object from = state_type_(now.t, copied(now.q), copied(now.v), continues);
    py::object to = state_type_(now.t + h, unset(now.q.size()), unset(now.q.size()), false);
    const py::object answer = self_.attr("step")(from, h, to);
    report.work = life_->work;
    report.status = status_of(answer);
    if (report.status != StepStatus::ok) return report;
    take(to.attr("q"), "q", now.q.size(), next.q);
    take(to.attr("v"), "v", now.q.size(), next.v);
    next.t = now.t + h;
    for (Index i = 0; i < next.q.size(); ++i)
      if (!std::isfinite(next.q[i]) || !std::isfinite(next.v[i])) report.status = StepStatus::not_finite;
    if (report.status == StepStatus::ok) last_ = next;
    return report;
  }

  void save(ArchiveWriter& out) const override {
    out.put(static_cast<std::int64_t>(last_.q.size()));
    if (last_.q.size() > 0) put_state(last_, out);
    const py::gil_scoped_acquire acquire;
    const py::object memory = self_.attr("save")();
    if (!py::isinstance<py::bytes>(memory)) refuse(declared_.name, "save() must return bytes");
    out.put(std::string_view(static_cast<std::string>(py::cast<py::bytes>(memory))));
  }
  void load(ArchiveReader& in) override {
    const Index dofs = life_->system().dofs();
    last_ = {};
    if (in.get_integer(0, dofs) > 0) get_state(in, dofs, last_);
    const std::string memory = in.get_text();
    const py::gil_scoped_acquire acquire;
    self_.attr("load")(py::bytes(memory));
  }

 private:
  static std::size_t bytes(const State& state) { return sizeof(double) * std::size_t(state.q.size()); }
  static py::array_t<double> unset(Index size) {
    py::array_t<double> array{py::ssize_t(size)};
    std::fill_n(array.mutable_data(), size, std::numeric_limits<double>::quiet_NaN());
    return array;
  }

  StepStatus status_of(const py::object& answer) const {
    if (answer.is_none()) return StepStatus::ok;
    if (py::isinstance<py::str>(answer)) {
      const std::string word = py::cast<std::string>(answer);
      for (std::size_t i = 0; i < std::size(kAllStatuses); ++i)
        if (word == kStatusWords[i]) return kAllStatuses[i];
    }
    std::string all;
    for (const char* word : kStatusWords) all += std::string(all.empty() ? "" : ", ") + word;
    refuse(declared_.name, "step() must return nothing or the word of a status: " + all);
  }

  // Arrays of the right size. One that is wholly not a number was never written.
  void take(const py::object& value, const char* part, Index size, Vector& x) const {
    const Numbers array =
        value.is_none() ? py::reinterpret_steal<Numbers>(py::handle()) : Numbers::ensure(value);
    if (!array) {
      PyErr_Clear();
      refuse(declared_.name, fmt::format("step() left no numbers in next.{}", part));
    }
    if (array.size() != size)
      refuse(declared_.name,
             fmt::format("step() left {} numbers in next.{}; expected {}", array.size(), part, size));
    const double* data = array.data();
    if (std::all_of(data, data + size, [](double one) { return std::isnan(one); }) && size > 0)
      refuse(declared_.name, fmt::format("step() wrote nothing into next.{}", part));
    x.resize(size);
    std::memcpy(x.data(), data, sizeof(double) * std::size_t(size));
  }

  const Declared& declared_;
  std::shared_ptr<SystemLife> life_;
  py::object self_, state_type_;
  State last_;  // where the latest step ended
};

void register_class(const py::object& type) {
  const auto text = [&](const char* name) { return py::cast<std::string>(type.attr(name)); };
  const auto flag = [&](const char* name) { return py::cast<bool>(type.attr(name)); };
  auto* declared = new Declared{text("name"), text("summary"), {}, type.ptr()};
  declared->info.name = declared->name;
  declared->info.summary = declared->summary;
  declared->info.order = py::cast<int>(type.attr("order"));
  declared->info.symplectic = flag("symplectic");
  declared->info.reversible = flag("reversible");
  declared->info.l_stable = flag("l_stable");
  declared->info.stability_limit = py::cast<double>(type.attr("stability_limit"));
  declared->info.conditionally_stable = declared->info.stability_limit > 0;
  declared->info.citation = "";
  register_integrator(
      {&declared->info, {}, [declared](const MechanicalSystem& system, const IntegratorOptions&) {
         return std::make_unique<PythonIntegrator>(*declared, system);
       }});
  type.inc_ref();
}

}  // namespace

void bind_integrator(py::module_& m) {
  m.def("register_integrator", &register_class);
}

}  // namespace python
}  // namespace phiflex
