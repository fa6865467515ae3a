// Between numpy and the engine: views of the engine's memory, and arrays from users, checked.
//
// The interpreter's lock is released wherever the engine computes: another thread may hold the engine's pool of threads
// and wait for the interpreter (a load or an integrator written in Python).
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <vector>

#include "phiflex/base/errors.h"
#include "phiflex/linalg/vector.h"
#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {
// pybind11's own types are hidden, so what holds them is too.
namespace python {

namespace py = pybind11;

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Integers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
constexpr py::ssize_t kAnyLength = -1;

enum class Access { read_only, writable };
// A view of memory that `owner` keeps alive, by rows.
template <class T>
py::array view(std::vector<py::ssize_t> shape, const T* data, std::shared_ptr<const void> owner,
               Access access) {
  auto held = std::make_unique<std::shared_ptr<const void>>(std::move(owner));
  const py::capsule base(held.get(),
                         [](void* kept) { delete static_cast<std::shared_ptr<const void>*>(kept); });
  held.release();  // the capsule has it
  py::array array(py::dtype::of<T>(), std::move(shape), data, base);
  if (access == Access::read_only)
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

// A copy of the vector, as an array of its own.
py::array_t<double> copied(const Vector& x);
py::array_t<double> copied(const Vector& x, py::ssize_t columns);

// Real, finite numbers of that shape (kAnyLength: any), or one InputError about `name`.
Numbers numbers(const py::object& value, const std::string& name, const std::vector<py::ssize_t>& shape);
// Whole numbers in the same way. Floating-point arrays are not allowed.
Integers integers(const py::object& value, const std::string& name, const std::vector<py::ssize_t>& shape);
Vector vector_of(const py::object& value, const std::string& name, Index size);
std::vector<Point3> points_of(const py::object& value, const std::string& name);
// From 0 to `below` - 1. An empty list is an error.
std::vector<int> indices_of(const py::object& value, const std::string& name, std::int64_t below);

[[noreturn]] void refuse(const std::string& name, const std::string& message);

}  // namespace python
}  // namespace phiflex
