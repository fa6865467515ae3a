#include "python/src/material.h"

#include <fmt/format.h>

#include <numeric>

#include "phiflex/build/body_curves.h"
#include "phiflex/material/catalogue.h"
#include "phiflex/material/spline_curves.h"

namespace phiflex {
namespace python {
namespace {

const char* word_of(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::direction:
      return "direction";
    case ParameterKind::curve:
      return "curve";
    case ParameterKind::number:
      break;
  }
  return "number";
}

// Numbers that differ from element to element: where they are among those of the law, how many, one row for each.
struct ElementNumbers {
  std::size_t place, count;
  Numbers rows;
};

bool is_number(const py::handle& value) {
  return PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr());
}

// {"knots": [...], "values": [...]}, or the pair of both.
std::optional<CubicSpline> curve_of(const py::handle& value, const std::string& place,
                                    ProblemList& problems) {
  py::object knots, values;
  if (py::isinstance<py::dict>(value) && value.contains("knots") && value.contains("values") &&
      py::len(value) == 2) {
    knots = value["knots"];
    values = value["values"];
  } else if (py::isinstance<py::sequence>(value) && !py::isinstance<py::str>(value) && py::len(value) == 2) {
    knots = py::reinterpret_borrow<py::sequence>(value)[0];
    values = py::reinterpret_borrow<py::sequence>(value)[1];
  } else {
    refuse(place, "expected a curve: {\"knots\": [...], \"values\": [...]}");
  }
  const Numbers x = numbers(knots, place + "/knots", {kAnyLength});
  const Numbers y = numbers(values, place + "/values", {kAnyLength});
  const std::span<const double> at(x.data(), std::size_t(x.size())), to(y.data(), std::size_t(y.size()));
  const std::vector<CurveFault> faults = curve_faults(at, to);
  for (const CurveFault& fault : faults) problems.problem(place + fault.place, fault.message);
  return faults.empty() ? std::optional(CubicSpline(at, to)) : std::nullopt;
}

// What a user gives for one material.
class Given {
 public:
  Given(std::string law, const py::dict& parameters, const py::object& density, const py::list& branches,
        py::ssize_t elements, std::string place, ProblemList& problems)
      : elements_(elements), place_(std::move(place)), problems_(problems), before_(problems.size()) {
    material_.law = std::move(law);
    law_ = find_material(material_.law);
    for (const auto& item : parameters)
      if (!item.second.is_none()) add(py::cast<std::string>(item.first), item.second);
    for (const auto& branch : branches) {
      const auto [ratio, time] = py::cast<std::pair<double, double>>(branch);
      material_.prony.push_back({ratio, time});
    }
    if (density.is_none())
      problems_.problem(place_ + "/density", "missing; expected a number > 0");
    else if (is_number(density))
      material_.density = py::cast<double>(density);
    else
      densities_ = numbers(density, place_ + "/density", {elements_});
  }

  void give(Body& body, const std::vector<int>& elements, int region) const {
    const ElementMaterial shared = element_material(material_, place_, problems_);
    if (problems_.size() != before_) return;
    for (const int element : elements) {
      ElementMaterial& made = body.materials()->elements[std::size_t(element)];
      made = shared;
      for (const ElementNumbers& of : rows_)
        for (std::size_t k = 0; k < of.count; ++k)
          made.parameters[of.place + k] = of.rows.data()[std::size_t(element) * of.count + k];
      if (densities_) made.density = densities_->data()[element];
      body.region[std::size_t(element)] = region;
    }
    check_materials(body, elements, place_, problems_);
    if (problems_.size() == before_ && has_curves_) set_curves(body, elements, curves_, place_, problems_);
  }

 private:
  void add(const std::string& key, const py::handle& value) {
    const ParameterInfo* parameter = law_ ? law_->find(key) : nullptr;
    if (!parameter) {
      material_.parameters[key] = 0.0;  // element_material() says that there is none
      return;
    }
    const std::string at = place_ + "/" + key;
    if (parameter->kind == ParameterKind::curve) {
      (key == "f" ? curves_.f : key == "g" ? curves_.g : curves_.h) = curve_of(value, at, problems_);
      has_curves_ = true;
      return;
    }
    const bool is_direction = parameter->kind == ParameterKind::direction;
    if (!is_direction && is_number(value)) {
      material_.parameters[key] = py::cast<double>(value);
      return;
    }
    const py::object given = py::reinterpret_borrow<py::object>(value);
    if (is_direction) {
      const py::object array = py::array::ensure(given);
      PyErr_Clear();
      if (!array || py::cast<py::array>(array).ndim() != 2) {
        const Numbers one = numbers(given, at, {3});
        material_.parameters[key] = Point3{one.data()[0], one.data()[1], one.data()[2]};
        return;
      }
    }
    const std::size_t count = is_direction ? 3 : 1;
    const std::size_t first = std::size_t(law_->place_of(key));
    rows_.push_back({first, count,
                     numbers(given, at,
                             is_direction ? std::vector<py::ssize_t>{elements_, 3}
                                          : std::vector<py::ssize_t>{elements_})});
    // Stands for the rows where the parameters are put in their order.
    if (is_direction)
      material_.parameters[key] = Point3{1, 0, 0};
    else
      material_.parameters[key] = 1.0;
  }

  Material material_;
  const MaterialInfo* law_ = nullptr;
  std::vector<ElementNumbers> rows_;
  std::optional<Numbers> densities_;
  SplineCurves curves_;
  bool has_curves_ = false;
  py::ssize_t elements_;
  std::string place_;
  ProblemList& problems_;
  std::size_t before_;  // problems of others
};

}  // namespace

py::list material_laws() {
  py::list laws;
  for (const MaterialInfo& law : material_catalogue()) {
    py::list parameters;
    for (const ParameterInfo& parameter : law.parameters) {
      py::dict described;
      described["key"] = parameter.key;
      described["doc"] = parameter.doc;
      described["unit"] = parameter.unit;
      described["kind"] = word_of(parameter.kind);
      described["expected"] =
          parameter.kind == ParameterKind::curve ? "knots and values" : expectation(parameter);
      described["default"] = parameter.fallback ? py::object(py::float_(*parameter.fallback)) : py::none();
      described["example"] = parameter.example;
      parameters.append(described);
    }
    py::dict described;
    described["name"] = std::string(law.name);
    described["summary"] = std::string(law.summary);
    described["citation"] = std::string(law.citation);
    described["form_of"] = std::string(law.properties.form_of);
    described["parameters"] = parameters;
    laws.append(described);
  }
  return laws;
}

void set_materials(Body& body, const py::list& materials, ProblemList& problems) {
  const int count = body.element_count();
  body.materials()->elements.resize(std::size_t(count));
  int region = 0;
  for (const auto& one : materials) {
    const auto entry = py::cast<py::tuple>(one);
    const auto place = py::cast<std::string>(entry[0]);
    try {
      std::vector<int> elements;
      if (const py::object chosen = entry[1]; chosen.is_none()) {
        elements.resize(std::size_t(count));
        std::iota(elements.begin(), elements.end(), 0);
      } else {
        elements = indices_of(chosen, place + "/where", count);
      }
      const Given given(py::cast<std::string>(entry[2]), py::cast<py::dict>(entry[3]), py::object(entry[4]),
                        py::cast<py::list>(entry[5]), count, place + "/material", problems);
      given.give(body, elements, region);
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems()) problems.problem(problem.place, problem.message);
    }
    ++region;
  }
}

}  // namespace python
}  // namespace phiflex
