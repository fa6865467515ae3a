// The number types of VTK's two formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "phiflex/base/scanner.h"

namespace phiflex {

enum class VtkType { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

std::size_t vtk_type_size(VtkType type);
std::optional<VtkType> find_vtk_legacy_type(std::string_view name);  // "float", "vtktypeint64", ...
std::optional<VtkType> find_vtk_xml_type(std::string_view name);     // "Float32", "Int64", ...

// One binary value in the scanner's byte order.
double read_vtk_real(Scanner& in, VtkType type, const char* what);
// Fails on a number that is not whole or does not fit.
std::int64_t read_vtk_integer(Scanner& in, VtkType type, const char* what);

}  // namespace phiflex
