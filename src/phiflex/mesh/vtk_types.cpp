#include "phiflex/mesh/vtk_types.h"

#include <fmt/format.h>

#include <cmath>

namespace phiflex {
namespace {

struct TypeName {
  std::string_view name;
  VtkType type;
};
constexpr TypeName kLegacyNames[] = {{"char", VtkType::int8},
                                     {"signed_char", VtkType::int8},
                                     {"unsigned_char", VtkType::uint8},
                                     {"bit", VtkType::uint8},
                                     {"short", VtkType::int16},
                                     {"unsigned_short", VtkType::uint16},
                                     {"int", VtkType::int32},
                                     {"unsigned_int", VtkType::uint32},
                                     {"long", VtkType::int64},
                                     {"unsigned_long", VtkType::uint64},
                                     {"vtkIdType", VtkType::int32},
                                     {"vtktypeint64", VtkType::int64},
                                     {"vtktypeuint64", VtkType::uint64},
                                     {"vtktypeint32", VtkType::int32},
                                     {"float", VtkType::float32},
                                     {"double", VtkType::float64}};
constexpr TypeName kXmlNames[] = {{"Int8", VtkType::int8},       {"UInt8", VtkType::uint8},
                                  {"Int16", VtkType::int16},     {"UInt16", VtkType::uint16},
                                  {"Int32", VtkType::int32},     {"UInt32", VtkType::uint32},
                                  {"Int64", VtkType::int64},     {"UInt64", VtkType::uint64},
                                  {"Float32", VtkType::float32}, {"Float64", VtkType::float64}};

template <std::size_t N>
std::optional<VtkType> find(const TypeName (&names)[N], std::string_view name) {
  for (const TypeName& candidate : names)
    if (same_word(candidate.name, name)) return candidate.type;
  return std::nullopt;
}

// Calls `use` with the value in its own type.
template <class Use>
auto with_value(Scanner& in, VtkType type, const char* what, Use use) {
  switch (type) {
    case VtkType::int8:
      return use(in.binary<std::int8_t>(what));
    case VtkType::uint8:
      return use(in.binary<std::uint8_t>(what));
    case VtkType::int16:
      return use(in.binary<std::int16_t>(what));
    case VtkType::uint16:
      return use(in.binary<std::uint16_t>(what));
    case VtkType::int32:
      return use(in.binary<std::int32_t>(what));
    case VtkType::uint32:
      return use(in.binary<std::uint32_t>(what));
    case VtkType::int64:
      return use(in.binary<std::int64_t>(what));
    case VtkType::uint64:
      return use(in.binary<std::uint64_t>(what));
    case VtkType::float32:
      return use(in.binary<float>(what));
    default:
      return use(in.binary<double>(what));
  }
}

}  // namespace

std::size_t vtk_type_size(VtkType type) {
  switch (type) {
    case VtkType::int8:
    case VtkType::uint8:
      return 1;
    case VtkType::int16:
    case VtkType::uint16:
      return 2;
    case VtkType::int32:
    case VtkType::uint32:
    case VtkType::float32:
      return 4;
    default:
      return 8;
  }
}

std::optional<VtkType> find_vtk_legacy_type(std::string_view name) {
  return find(kLegacyNames, name);
}
std::optional<VtkType> find_vtk_xml_type(std::string_view name) {
  return find(kXmlNames, name);
}

double read_vtk_real(Scanner& in, VtkType type, const char* what) {
  return with_value(in, type, what, [](auto value) { return static_cast<double>(value); });
}

std::int64_t read_vtk_integer(Scanner& in, VtkType type, const char* what) {
  return with_value(in, type, what, [&](auto value) -> std::int64_t {
    using T = decltype(value);
    if constexpr (std::is_floating_point_v<T>) {
      if (!(std::abs(value) < T(1e15)) || value != std::floor(value))
        in.fail(fmt::format("{} is {}; a whole number is needed", what, value));
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      if (value > static_cast<std::uint64_t>(INT64_MAX))
        in.fail(fmt::format("{} is {}: too large", what, value));
    }
    return static_cast<std::int64_t>(value);
  });
}

}  // namespace phiflex
