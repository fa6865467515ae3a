// The extension module _phiflex: what the package phiflex (python/phiflex) is made of. Names, documentation and checks
// of ordinary arguments are there; here are arrays, ownership and the interpreter's lock.
#include <algorithm>
#include <thread>

#include "phiflex/base/archive.h"
#include "phiflex/base/parallel.h"
#include "phiflex/base/unavailable.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/material/catalogue.h"
#include "phiflex/matfun/catalogue.h"
#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/record/run_folder.h"
#include "phiflex/run/device_method.h"
#include "phiflex/run/version.h"
#include "python/src/bind.h"
#include "python/src/step_failure.h"
#ifdef PHIFLEX_CARD
#include "phiflex/cuda/card_body.h"
#endif

namespace phiflex {
namespace python {
namespace {

// The package's exception classes (phiflex/errors.py), made with these arguments and raised.
template <class... Arguments>
void raise_as(const char* name, Arguments&&... arguments) {
  const py::object type = py::module_::import("phiflex.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(std::forward<Arguments>(arguments)...).ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    py::list problems;
    for (const Problem& problem : error.problems())
      problems.append(py::make_tuple(problem.file, problem.place, problem.message));
    raise_as("InputError", error.what(), problems);
  } catch (const ArchiveError& error) {
    raise_as("InputError", std::string("the saved state cannot be used: ") + error.what(), py::list());
  } catch (const FileError& error) {
    raise_as("FileError", error.what());
  } catch (const FolderNotEmpty& error) {
    raise_as("FolderNotEmpty", error.what());
  } catch (const Unavailable& error) {
    raise_as("DeviceError", error.what());
  } catch (const StepFailure& error) {
    raise_as("StepError", error.what(), error.status);
  }
}

int take_threads(int count, bool deterministic) {
  if (count < 0 || count > 1024)
    refuse("threads", std::to_string(count) + " is not allowed; expected a whole number from 0 to 1024");
  const int threads = count > 0 ? count : int(std::max(1U, std::thread::hardware_concurrency()));
  const py::gil_scoped_release release;
  set_thread_count(threads);
  set_blas_threads(deterministic ? 1 : threads);
  return threads;
}

template <class Catalogue, class Info>
py::list summaries(const Catalogue& catalogue, Info info) {
  py::list list;
  for (const auto& entry : catalogue)
    list.append(py::make_tuple(std::string(info(entry).name), std::string(info(entry).summary)));
  return list;
}

}  // namespace
}  // namespace python
}  // namespace phiflex

PYBIND11_MODULE(_phiflex, m) {
  using namespace phiflex;
  using namespace phiflex::python;
  m.doc() = "The engine behind the package phiflex; use that.";
#ifdef PHIFLEX_CARD
  use_card(&device::make_card_body);
#endif
  py::register_exception_translator(&translate);
  m.def("version", [] { return version(); });
  m.def("use_threads", &take_threads);
  m.def("thread_count", &thread_count);
  m.def("integrators", [] {
    return summaries(integrator_catalogue(),
                     [](const MethodEntry& e) -> const MethodInfo& { return *e.info; });
  });
  m.def("evaluators", [] {
    return summaries(evaluator_catalogue(),
                     [](const EvaluatorEntry& e) -> const EvaluatorInfo& { return *e.info; });
  });
  m.def("materials", [] {
    return summaries(material_catalogue(), [](const MaterialInfo& e) -> const MaterialInfo& { return e; });
  });
  m.def("generators", [] {
    py::list entries;
    for (const Generator& generator : generator_catalogue())
      if (!generator.flat) entries.append(py::make_tuple(generator.name, generator.summary));
    return entries;
  });
  bind_system(m);
  bind_integrator(m);
  bind_model(m);
  bind_simulation(m);
  bind_matfun(m);
  bind_study(m);
  bind_experiments(m);
}
