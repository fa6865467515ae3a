#include "python/src/arrays.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace phiflex {
namespace python {
namespace {

std::string shape_words(const std::vector<py::ssize_t>& shape) {
  std::string words = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    words += (i > 0 ? ", " : "") + (shape[i] == kAnyLength ? std::string("n") : std::to_string(shape[i]));
  return words + (shape.size() == 1 ? ",)" : ")");
}

std::string type_of(const py::handle& value) {
  return py::cast<std::string>(py::str(py::type::handle_of(value).attr("__name__")));
}

// Any array-like thing whose entries are of one of the kinds ("biuf": numpy's letters).
py::array array_of(const py::object& value, const std::string& name, const char* kinds, const char* expected,
                   const std::vector<py::ssize_t>& shape) {
  py::array array;
  try {
    array = py::module_::import("numpy").attr("asarray")(value);
  } catch (const py::error_already_set&) {
    refuse(name, fmt::format("a {} is not allowed; expected an array of {}", type_of(value), expected));
  }
  const bool empty = array.size() == 0;  // an empty list has the type float64
  if (!empty && !std::strchr(kinds, array.dtype().kind()))
    refuse(name, fmt::format("an array of type {} is not allowed; expected {}",
                             py::cast<std::string>(py::str(array.dtype())), expected));
  std::vector<py::ssize_t> given(array.shape(), array.shape() + array.ndim());
  bool fits = given.size() == shape.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i)
    fits = shape[i] == kAnyLength || shape[i] == given[i];
  if (!fits)
    refuse(name,
           fmt::format("the shape {} is not allowed; expected {}", shape_words(given), shape_words(shape)));
  return array;
}

}  // namespace

void refuse(const std::string& name, const std::string& message) {
  throw InputError("", name, message);
}

py::array_t<double> copied(const Vector& x) {
  py::array_t<double> array(x.size());
  std::memcpy(array.mutable_data(), x.data(), sizeof(double) * std::size_t(x.size()));
  return array;
}

py::array_t<double> copied(const Vector& x, py::ssize_t columns) {
  py::array_t<double> array({py::ssize_t(x.size()) / columns, columns});
  std::memcpy(array.mutable_data(), x.data(), sizeof(double) * std::size_t(x.size()));
  return array;
}

Numbers numbers(const py::object& value, const std::string& name, const std::vector<py::ssize_t>& shape) {
  Numbers array = Numbers::ensure(array_of(value, name, "biuf", "numbers", shape));
  if (!array) throw py::error_already_set();
  const double* data = array.data();
  for (py::ssize_t i = 0; i < array.size(); ++i)
    if (!std::isfinite(data[i]))
      refuse(name, fmt::format("entry {} is {}, which is not allowed; expected finite numbers", i, data[i]));
  return array;
}

Integers integers(const py::object& value, const std::string& name, const std::vector<py::ssize_t>& shape) {
  const py::array given = array_of(value, name, "iu", "whole numbers", shape);
  Integers array = Integers::ensure(given);
  if (!array) throw py::error_already_set();
  return array;
}

Vector vector_of(const py::object& value, const std::string& name, Index size) {
  const Numbers array = numbers(value, name, {py::ssize_t(size)});
  Vector x(size);
  std::memcpy(x.data(), array.data(), sizeof(double) * std::size_t(size));
  return x;
}

std::vector<Point3> points_of(const py::object& value, const std::string& name) {
  const Numbers array = numbers(value, name, {kAnyLength, 3});
  std::vector<Point3> points(std::size_t(array.shape(0)));
  if (!points.empty()) std::memcpy(points.data(), array.data(), sizeof(Point3) * points.size());
  return points;
}

std::vector<int> indices_of(const py::object& value, const std::string& name, std::int64_t below) {
  const Integers array = integers(value, name, {kAnyLength});
  if (array.size() == 0) refuse(name, "selects nothing");
  std::vector<int> indices;
  for (py::ssize_t i = 0; i < array.size(); ++i) {
    const std::int64_t index = array.data()[i];
    if (index < 0 || index >= below)
      refuse(name, fmt::format("{} is not allowed; expected whole numbers from 0 to {}", index, below - 1));
    indices.push_back(int(index));
  }
  return indices;
}

}  // namespace python
}  // namespace phiflex
