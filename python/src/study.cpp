// Comparisons, analyses, the scalar test equation, and run folders read back, for Python. Tables that lie in files are
// read by the package.
#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>

#include "phiflex/integrate/integrator.h"
#include "phiflex/pages/viewer_page.h"
#include "phiflex/record/frame_file.h"
#include "phiflex/record/frames.h"
#include "phiflex/study/analyze.h"
#include "phiflex/study/compare.h"
#include "phiflex/study/compare_report.h"
#include "phiflex/study/oscillator.h"
#include "phiflex/study/penalty_study.h"
#include "python/src/bind.h"

namespace phiflex {
namespace python {
namespace {

std::vector<MethodVariant> variants(const std::vector<std::string>& words) {
  std::vector<MethodVariant> all;
  for (const std::string& word : words) all.push_back(parse_method_variant(word, "integrators"));
  return all;
}

void compare(const std::string& scene, const std::vector<std::string>& overrides,
             const std::vector<std::string>& integrators, const std::vector<double>& steps,
             const std::string& reference, double reference_seconds, const std::string& folder, bool reuse,
             bool frames, const py::object& on_message) {
  CompareOptions options;
  options.integrators = variants(integrators);
  options.steps = steps;
  if (!reference.empty()) options.reference = parse_method_variant(reference, "reference");
  options.reference_seconds = reference_seconds;
  options.folder = folder;
  options.existing = reuse ? ExistingFolder::reuse : ExistingFolder::refuse;
  options.frames = frames ? Frames::written : Frames::none;
  if (!on_message.is_none())
    options.on_message = [&on_message](const std::string& words) {
      const py::gil_scoped_acquire acquire;
      on_message(words);
    };
  // Ctrl-C ends the comparison after the current step.
  std::atomic<bool> stop{false};
  auto looked = std::chrono::steady_clock::now();
  py::object type, value, trace;
  options.control.stop = &stop;
  options.control.progress = [&](const Progress&) {
    const auto now = std::chrono::steady_clock::now();
    if (now - looked < std::chrono::milliseconds(20)) return;
    looked = now;
    const py::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() == 0) return;
    PyErr_Fetch(&type.ptr(), &value.ptr(), &trace.ptr());
    stop.store(true);
  };
  {
    const py::gil_scoped_release release;
    const Comparison comparison = compare_scene(scene, overrides, options);
    write_comparison(folder, comparison);
  }
  if (!type) return;
  PyErr_Restore(type.release().ptr(), value.release().ptr(), trace.release().ptr());
  throw py::error_already_set();
}

py::tuple analyze_methods(const std::string& topic, const std::vector<std::string>& methods, double from,
                          double to, int points, double damping_ratio) {
  constexpr AnalysisTopic topics[] = {AnalysisTopic::damping, AnalysisTopic::stability,
                                      AnalysisTopic::accuracy};
  const auto* found = std::find_if(std::begin(topics), std::end(topics),
                                   [&](AnalysisTopic one) { return name_of(one) == topic; });
  if (found == std::end(topics))
    refuse("topic", "\"" + topic + "\" is not allowed; expected damping, stability or accuracy");
  if (!(from > 0 && to > from && std::isfinite(to))) refuse("range", "expected 0 < from < to");
  if (points < 2 || points > 100000) refuse("points", "expected a whole number from 2 to 100000");
  if (!(damping_ratio >= 0 && damping_ratio < 1)) refuse("damping_ratio", "expected a number >= 0 and < 1");
  const std::vector<MethodVariant> chosen = methods.empty() ? all_methods() : variants(methods);
  Analysis analysis;
  {
    const py::gil_scoped_release release;
    analysis =
        analyze(*found, chosen, {.from = from, .to = to, .points = points, .damping_ratio = damping_ratio});
  }
  py::list curves;
  for (const AnalysisCurve& curve : analysis.curves)
    curves.append(py::make_tuple(curve.method, curve.abscissae, curve.values));
  return py::make_tuple(analysis.abscissa, analysis.quantities, curves, findings(analysis));
}

py::list frame_list(const std::string& folder) {
  py::list list;
  for (const FrameEntry& entry : read_frame_list(RunFolder{folder}))
    list.append(py::make_tuple(entry.time, entry.file.string()));
  return list;
}

template <class Point>
py::array rows_of(const std::vector<Point>& points) {
  return py::array_t<double>({py::ssize_t(points.size()), py::ssize_t(3)},
                             points.empty() ? nullptr : points.front().data());
}

py::dict read_frame(const std::string& path, bool with_cells) {
  FrameFile frame;
  {
    const py::gil_scoped_release release;
    frame = read_frame_file(path, with_cells ? FrameParts::all : FrameParts::motion_only);
  }
  py::dict parts;
  parts["positions"] = rows_of(frame.points);
  parts["displacement"] = rows_of(frame.displacement);
  parts["velocity"] = rows_of(frame.velocity);
  parts["strain_energy_density"] = py::array_t<double>(py::ssize_t(frame.strain_energy_density.size()),
                                                       frame.strain_energy_density.data());
  if (!with_cells) return parts;
  const auto ints = [](const std::vector<int>& list) {
    return py::array_t<int>(py::ssize_t(list.size()), list.data());
  };
  parts["connectivity"] = ints(frame.cells.connectivity);
  parts["offsets"] = ints(frame.cells.offsets);
  parts["body"] = ints(frame.body);
  parts["region"] = ints(frame.region);
  return parts;
}

// -- The scalar test equation

MeasuredMethod scalar_method(const std::string& words, bool printed, double stiffening) {
  MeasuredMethod method = measured(parse_method_variant(words, "method"));
  if (printed) method.options.set("printed", true);
  method.stiffening = stiffening;
  return method;
}

py::list spectral_radii(const std::string& words, const std::vector<double>& xs, double xi, bool printed,
                        double stiffening) {
  if (!(stiffening > 0)) refuse("stiffening", "expected a number > 0");
  const MeasuredMethod method = scalar_method(words, printed, stiffening);
  py::list radii;
  for (const double x : xs) radii.append(measure_spectrum(method, x, xi).radius());
  return radii;
}

// (root, angle) of the principal root at ascending x.
py::list principal_roots(const std::string& words, const std::vector<double>& xs, double xi) {
  const MeasuredMethod method = scalar_method(words, false, 1);
  PrincipalRoot principal(method, xi);
  double reached = 0;
  py::list roots;
  for (const double x : xs) {
    if (x < reached) principal = PrincipalRoot(method, xi);
    principal.advance(x);
    reached = x;
    roots.append(py::make_tuple(principal.root(), principal.angle()));
  }
  return roots;
}

py::list oscillator(const std::string& words, double w, double d, double h, int n, double q, double v) {
  const MeasuredMethod method = scalar_method(words, false, 1);
  const Oscillator system(w, d);
  const std::unique_ptr<Integrator> integrator = method.entry->make(system, method.options);
  State now = oscillator_state(q, v), next = now;
  py::list positions;
  positions.append(now.q[0]);
  bool failed = false;
  for (int i = 0; i < n; ++i) {
    now.t = i * h;
    failed = failed || integrator->step(now, h, next).status != StepStatus::ok;
    std::swap(now, next);
    positions.append(failed ? std::numeric_limits<double>::quiet_NaN() : now.q[0]);
  }
  return positions;
}

py::list exact_oscillator(double w, double d, const std::vector<double>& times, double q, double v) {
  const Oscillator system(w, d);
  py::list positions;
  for (const double t : times) positions.append(system.exact(q, v, t).q[0]);
  return positions;
}

py::dict penalty_curves(double from, double to, int points) {
  PenaltyStudy study;
  study.from = from;
  study.to = to;
  study.points = points;
  const PenaltyCurves curves = study_penalty(study);
  py::dict made;
  made["penalty"] = curves.penalty;
  made["bz"] = curves.babuska_zlamal;
  made["ip"] = curves.interior_penalty;
  made["continuous"] = curves.continuous;
  return made;
}

}  // namespace

void bind_study(py::module_& m) {
  m.def("compare", &compare);
  m.def("analyze", &analyze_methods);
  m.def("frame_list", &frame_list);
  m.def("read_frame", &read_frame);
  m.def("write_report", [](const std::string& folder) {
    const RunFolder run = open_run_folder(folder);
    const py::gil_scoped_release release;
    write_report(run);
    return run.report_html().string();
  });
  m.def("spectral_radii", &spectral_radii);
  m.def("principal_roots", &principal_roots);
  m.def("oscillator", &oscillator);
  m.def("exact_oscillator", &exact_oscillator);
  m.def("penalty_curves", &penalty_curves);
}

}  // namespace python
}  // namespace phiflex
