#include "phiflex/energy/law_kernels.h"

#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "phiflex/material/laws.h"
#include "phiflex/material/registered_materials.h"

namespace phiflex {

// Defined in the files that cmake/rooms.cmake writes.
#define PHIFLEX_LAW(header, Law) const LawKernels& kernels_of_##header();
PHIFLEX_LAWS(PHIFLEX_LAW)
#undef PHIFLEX_LAW

namespace {

// Kernels of registered laws.
struct OwnKernels {
  std::mutex mutex;
  std::map<const MaterialInfo*, std::unique_ptr<const LawKernels>> of;
};

OwnKernels& own_kernels() {
  static OwnKernels all;
  return all;
}

}  // namespace

void register_law(MaterialInfo info, std::unique_ptr<const LawKernels> kernels) {
  OwnKernels& own = own_kernels();
  const std::lock_guard lock(own.mutex);  // until the kernels are there
  own.of.emplace(&register_material(std::move(info)), std::move(kernels));
}

const LawKernels& law_kernels(std::string_view law) {
  using Kernels = const LawKernels& (*)();
#define PHIFLEX_LAW(header, Law) kernels_of_##header,
  static constexpr Kernels all[] = {PHIFLEX_LAWS(PHIFLEX_LAW)};
#undef PHIFLEX_LAW
  const MaterialInfo& info = material_info(law);
  const std::span<const MaterialInfo> table = material_catalogue();
  for (std::size_t i = 0; i < table.size(); ++i)
    if (&info == &table[i]) return all[i]();
  OwnKernels& own = own_kernels();
  const std::lock_guard lock(own.mutex);
  return *own.of.at(&info);
}

std::unique_ptr<ElasticTerm> make_elastic_term(const std::string& material, const Vector& rest,
                                               const ElasticElements& elements) {
  const std::size_t count = elements.tets.size();
  const auto fits_if_given = [count](std::size_t size) { return size == 0 || size == count; };
  if (elements.parameters.size() !=
          count * static_cast<std::size_t>(material_info(material).number_count()) ||
      !fits_if_given(elements.number.size()) || !fits_if_given(elements.quadratic.size()))
    throw std::invalid_argument("make_elastic_term: sizes do not fit");
  return law_kernels(material).make_term(rest, elements);
}

// Dual numbers do not pass through the singular vectors of equal stretches.
bool has_plane_law(const std::string& law) {
  return !material_info(law).properties.singular_vectors;
}

std::unique_ptr<PlaneLaw> make_plane_law(const std::string& law, std::span<const double> numbers) {
  if (!has_plane_law(law))
    throw std::invalid_argument("make_plane_law: not for laws of singular vectors such as " + law);
  return law_kernels(law).make_plane_law(numbers);
}

}  // namespace phiflex
