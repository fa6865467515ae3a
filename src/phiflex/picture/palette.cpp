#include "phiflex/picture/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace phiflex {
namespace {

constexpr std::array<std::uint32_t, 8> kinds = {0x3d86c6, 0xe8794a, 0x57a773, 0xc45a86,
                                                0x8a70c4, 0xd9a53f, 0x45b0b8, 0x8b97a8};
constexpr std::array<std::uint32_t, 6> numbers = {0x4758b2, 0x3383c2, 0x2fa6b0, 0x5fbf86, 0xb2d45f, 0xfde45a};

}  // namespace

Colour colour_of_kind(std::size_t kind) {
  return from_srgb(kinds[kind % kinds.size()]);
}

Colour colour_of_number(double fraction) {
  const double at = std::clamp(std::isfinite(fraction) ? fraction : 1.0, 0.0, 1.0) * (numbers.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), numbers.size() - 2);
  const double s = at - static_cast<double>(below);
  return (1 - s) * from_srgb(numbers[below]) + s * from_srgb(numbers[below + 1]);
}

}  // namespace phiflex
