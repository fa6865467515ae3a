// The words by which a scene file names the values of an enumeration.
#pragma once

#include <utility>

#include "phiflex/base/described.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

template <>
struct Words<Volumetric> {
  static constexpr std::pair<Volumetric, const char*> all[] = {{Volumetric::log, "log"},
                                                               {Volumetric::isochoric, "isochoric"}};
};

template <>
struct Words<ElementKind> {
  static constexpr std::pair<ElementKind, const char*> all[] = {
      {ElementKind::tet4, "tet4"}, {ElementKind::tet10, "tet10"}, {ElementKind::tet10_mean, "tet10-mean"},
      {ElementKind::tri3, "tri3"}, {ElementKind::dg_bz, "dg-bz"}, {ElementKind::dg_ip, "dg-ip"}};
};

template <>
struct Words<MassKind> {
  static constexpr std::pair<MassKind, const char*> all[] = {{MassKind::lumped, "lumped"},
                                                             {MassKind::consistent, "consistent"}};
};

template <>
struct Words<DampedStiffness> {
  static constexpr std::pair<DampedStiffness, const char*> all[] = {{DampedStiffness::rest, "rest"},
                                                                    {DampedStiffness::current, "current"}};
};

template <>
struct Words<Axis> {
  static constexpr std::pair<Axis, const char*> all[] = {{Axis::x, "x"}, {Axis::y, "y"}, {Axis::z, "z"}};
};

template <>
struct Words<ContactMode> {
  static constexpr std::pair<ContactMode, const char*> all[] = {{ContactMode::barrier, "barrier"},
                                                                {ContactMode::penalty, "penalty"},
                                                                {ContactMode::project, "project"}};
};

template <>
struct Words<BetweenBodies> {
  static constexpr std::pair<BetweenBodies, const char*> all[] = {{BetweenBodies::all, "all"},
                                                                  {BetweenBodies::none, "none"}};
};

template <>
struct Words<AtStart> {
  static constexpr std::pair<AtStart, const char*> all[] = {{AtStart::error, "error"},
                                                            {AtStart::push, "push"}};
};

template <>
struct Words<FrameFormat> {
  static constexpr std::pair<FrameFormat, const char*> all[] = {{FrameFormat::vtu, "vtu"}};
};

template <>
struct Words<OutputField> {
  static constexpr std::pair<OutputField, const char*> all[] = {
      {OutputField::stress, "stress"},
      {OutputField::von_mises, "von_mises"},
      {OutputField::principal_stresses, "principal_stresses"},
      {OutputField::green_strain, "green_strain"},
      {OutputField::principal_stretches, "principal_stretches"},
      {OutputField::J, "J"},
      {OutputField::contact_force, "contact_force"},
      {OutputField::displacement, "displacement"},
      {OutputField::velocity, "velocity"},
      {OutputField::strain_energy_density, "strain_energy_density"}};
};

template <>
struct Words<Device> {
  static constexpr std::pair<Device, const char*> all[] = {{Device::cpu, "cpu"}, {Device::cuda, "cuda"}};
};

template <>
struct Words<CoarseningType> {
  static constexpr std::pair<CoarseningType, const char*> all[] = {{CoarseningType::eigenfit, "eigenfit"},
                                                                   {CoarseningType::dac, "dac"}};
};

template <>
struct Words<OnMismatch> {
  static constexpr std::pair<OnMismatch, const char*> all[] = {
      {OnMismatch::go_on, "continue"}, {OnMismatch::stop, "stop"}, {OnMismatch::ignore, "ignore"}};
};

}  // namespace phiflex
