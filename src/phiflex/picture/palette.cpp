#include "phiflex/picture/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace phiflex {
namespace {

constexpr std::array<std::uint32_t, 8> kinds = {0x3d86c6, 0xe8794a, 0x57a773, 0xc45a86,
                                                0x8a70c4, 0xd9a53f, 0x45b0b8, 0x8b97a8};
constexpr std::array<std::uint32_t, 6> numbers = {0x4758b2, 0x3383c2, 0x2fa6b0, 0x5fbf86, 0xb2d45f, 0xfde45a};
constexpr std::array<std::uint32_t, 7> differences = {0x2a4f9e, 0x5b8fc9, 0xaecbe3, 0xececec,
                                                      0xf0b99b, 0xd8705a, 0xa3213a};

Colour anchored(std::span<const std::uint32_t> anchors, double fraction) {
  const double at = std::clamp(std::isfinite(fraction) ? fraction : 1.0, 0.0, 1.0) *
                    static_cast<double>(anchors.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), anchors.size() - 2);
  const double s = at - static_cast<double>(below);
  return (1 - s) * from_srgb(anchors[below]) + s * from_srgb(anchors[below + 1]);
}

}  // namespace

Colour colour_of_kind(std::size_t kind) {
  return from_srgb(kinds[kind % kinds.size()]);
}

Colour colour_of_number(double fraction, Sides sides) {
  return sides == Sides::two ? anchored(differences, fraction) : anchored(numbers, fraction);
}

}  // namespace phiflex
