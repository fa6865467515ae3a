// Comparisons, analyses, and run folders read back, for Python. Tables that lie in files are read by the package.
#include <atomic>
#include <chrono>
#include <cstring>

#include "phiflex/pages/report.h"
#include "phiflex/record/frame_file.h"
#include "phiflex/record/frames.h"
#include "phiflex/study/analyze.h"
#include "phiflex/study/compare.h"
#include "phiflex/study/compare_report.h"
#include "python/src/bind.h"

namespace phiflex {
namespace python __attribute__((visibility("hidden"))) {
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

  }  // namespace

  void bind_study(py::module_ & m) {
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
  }

}  // namespace )
}  // namespace phiflex
