// The words by which a scene file names the values of an enumeration.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "phiflex/scene/scene.h"

namespace phiflex {

// `all` pairs each value with its word. `later` holds words that the format reserves for methods which this
// version does not have: refused, but with the right reason.
template <class Enum>
struct Words;

template <class Enum>
struct NothingLater {
  static constexpr std::span<const char* const> later{};
};

template <>
struct Words<Refactor> : NothingLater<Refactor> {
  static constexpr std::pair<Refactor, const char*> all[] = {{Refactor::automatic, "auto"},
                                                             {Refactor::always, "always"}};
};

template <>
struct Words<BasisProductOf> : NothingLater<BasisProductOf> {
  static constexpr std::pair<BasisProductOf, const char*> all[] = {{BasisProductOf::step, "step"},
                                                                   {BasisProductOf::energy, "energy"}};
};

template <>
struct Words<HessianRepair> : NothingLater<HessianRepair> {
  static constexpr std::pair<HessianRepair, const char*> all[] = {{HessianRepair::projection, "projection"},
                                                                  {HessianRepair::diagonal, "diagonal"}};
};

template <>
struct Words<LinearForm> : NothingLater<LinearForm> {
  static constexpr std::pair<LinearForm, const char*> all[] = {{LinearForm::one_solve, "one-solve"},
                                                               {LinearForm::woodbury, "woodbury"}};
};

template <>
struct Words<Filter> : NothingLater<Filter> {
  static constexpr std::pair<Filter, const char*> all[] = {{Filter::symplectic, "symplectic"},
                                                           {Filter::gautschi, "gautschi"},
                                                           {Filter::hochbruck_lubich, "hochbruck-lubich"}};
};

template <>
struct Words<SpringLaw> : NothingLater<SpringLaw> {
  static constexpr std::pair<SpringLaw, const char*> all[] = {
      {SpringLaw::linear, "linear"}, {SpringLaw::cubic, "cubic"}, {SpringLaw::corotated, "corotated"}};
};

template <>
struct Words<MaterialLaw> : NothingLater<MaterialLaw> {
  static constexpr std::pair<MaterialLaw, const char*> all[] = {
      {MaterialLaw::linear, "linear"},
      {MaterialLaw::corotated, "corotated"},
      {MaterialLaw::arap, "arap"},
      {MaterialLaw::stvk, "stvk"},
      {MaterialLaw::neo_hookean, "neo-hookean"},
      {MaterialLaw::stable_neo_hookean, "stable-neo-hookean"},
      {MaterialLaw::spline, "spline"}};
};

template <>
struct Words<Volumetric> : NothingLater<Volumetric> {
  static constexpr std::pair<Volumetric, const char*> all[] = {{Volumetric::log, "log"},
                                                               {Volumetric::isochoric, "isochoric"}};
};

template <>
struct Words<ElementKind> : NothingLater<ElementKind> {
  static constexpr std::pair<ElementKind, const char*> all[] = {{ElementKind::tet4, "tet4"},
                                                                {ElementKind::tet10, "tet10"},
                                                                {ElementKind::tri3, "tri3"},
                                                                {ElementKind::dg_bz, "dg-bz"},
                                                                {ElementKind::dg_ip, "dg-ip"}};
};

template <>
struct Words<MassKind> : NothingLater<MassKind> {
  static constexpr std::pair<MassKind, const char*> all[] = {{MassKind::lumped, "lumped"},
                                                             {MassKind::consistent, "consistent"}};
};

template <>
struct Words<StiffnessOf> : NothingLater<StiffnessOf> {
  static constexpr std::pair<StiffnessOf, const char*> all[] = {{StiffnessOf::rest, "rest"},
                                                                {StiffnessOf::current, "current"}};
};

template <>
struct Words<Axis> : NothingLater<Axis> {
  static constexpr std::pair<Axis, const char*> all[] = {{Axis::x, "x"}, {Axis::y, "y"}, {Axis::z, "z"}};
};

template <>
struct Words<ContactMode> : NothingLater<ContactMode> {
  static constexpr std::pair<ContactMode, const char*> all[] = {{ContactMode::project, "project"},
                                                                {ContactMode::penalty, "penalty"}};
};

template <>
struct Words<AtStart> : NothingLater<AtStart> {
  static constexpr std::pair<AtStart, const char*> all[] = {{AtStart::error, "error"},
                                                            {AtStart::push, "push"}};
};

template <>
struct Words<FrameFormat> : NothingLater<FrameFormat> {
  static constexpr std::pair<FrameFormat, const char*> all[] = {{FrameFormat::vtu, "vtu"}};
};

template <class Enum>
std::string word(Enum value) {
  for (const auto& [candidate, text] : Words<Enum>::all) {
    if (candidate == value) return text;
  }
  return {};
}

template <>
struct Words<CoarseningType> : NothingLater<CoarseningType> {
  static constexpr std::pair<CoarseningType, const char*> all[] = {{CoarseningType::eigenfit, "eigenfit"},
                                                                   {CoarseningType::dac, "dac"}};
};

template <>
struct Words<OnMismatch> : NothingLater<OnMismatch> {
  static constexpr std::pair<OnMismatch, const char*> all[] = {{OnMismatch::go_on, "continue"},
                                                               {OnMismatch::stop, "stop"},
                                                               {OnMismatch::ignore, "ignore"}};
};

}  // namespace phiflex
