// Steps of a scene on a graphics card ("device": "cuda"): `em`, `si`, `be`, `midpoint`, `ere` and `verlet` of linear
// tetrahedra of one material law, with gravity, forces on vertices, Rayleigh damping, and vertices that are held, moved
// and released. What a card does not have is refused by name; nothing is computed elsewhere without a message.
//
// The body stays on the card from step to step. After each step its state is copied here, and the card's sums of the
// energies are the ledger's; probes, frames, checkpoints and reports are made of that state as on the CPU.
//
// The run room knows a card as a function that makes a body on it. A program that is linked with the kernels says so
// once, at its start: use_card(&device::make_card_body).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "phiflex/base/problem_list.h"
#include "phiflex/cuda/device_body.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/scene/method_spec.h"

namespace phiflex {

using CardMaker = std::unique_ptr<device::DeviceBody> (*)(const device::DeviceTets&);
// Null: the program has no kernels, which is so at the start. To be called while no simulation is made.
void use_card(CardMaker maker);
CardMaker card();

// The name of a method in the catalogue; that of an alias, too.
std::string_view known_name(const std::string& type);
// Problems of methods and settings that no card has.
void refuse_method_of_card(const IntegratorSpec& spec, ProblemList& problems);
// InputError with everything in the scene that a card does not have (device_refusals.cpp).
void refuse_what_no_card_has(const Scene& scene, const SceneModel& world, const DeformableModel& model);
// Of a scene that was not refused. The model must have a free vertex, and outlive the method. Unavailable: no kernels,
// no card, an old driver, too little memory.
std::unique_ptr<Integrator> make_device_method(const SceneModel& world, const DeformableModel& model,
                                               const IntegratorSpec& spec,
                                               const std::array<double, 3>& gravity);
// Of the state that the latest step of a method led to, where a device has summed them.
std::optional<Energies> energies_on_device(const Integrator& method);
// On which device a method computes its steps, in words; empty: where everything else is.
std::string device_of(const Integrator& method);

}  // namespace phiflex
