// The moved vertices of a model, for a device.
#pragma once

#include <memory>

#include "phiflex/cuda/device_body.h"
#include "phiflex/model/deformable_model.h"

namespace phiflex {

// The model must outlive it. Costs as much as a look at all vertices whenever it is asked.
inline device::DeviceMotion motion_of(const DeformableModel& model) {
  struct Places {
    State at;
    Vector x, v;
  };
  const auto places = std::make_shared<Places>();
  places->at = {0, Vector::Zero(model.dofs()), Vector::Zero(model.dofs())};
  const std::vector<int>& vertices = model.constraints().moved_vertices();
  return {.vertices = vertices,
          .at = [&model, &vertices, places](double t, std::span<double> x, std::span<double> v) {
            places->at.t = t;
            model.expand(places->at, places->x, places->v);
            for (std::size_t q = 0; q < x.size(); ++q) {
              const Index from = 3 * Index(vertices[q / 3]) + Index(q % 3);
              x[q] = places->x[from];
              v[q] = places->v[from];
            }
          }};
}

}  // namespace phiflex
