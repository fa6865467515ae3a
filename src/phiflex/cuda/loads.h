// Loads on the vertices of a body on a device,
//
//   load(t) = sum_l m_l(t) F_l                                                                            (1)
//
// with the forces F_l of the free vertices in its memory, and the factors m_l from the host; and what else acts on
// them.
#pragma once

#include <utility>
#include <vector>

#include "phiflex/cuda/device_array.h"
#include "phiflex/cuda/device_body.h"
#include "phiflex/cuda/vector_kernels.h"

namespace phiflex::device {

template <class BackEnd>
class Loads {
 public:
  // alpha: of the free vertices; empty: no drag. in_order(forces): the numbers of the free vertices, in the order of
  // the device.
  template <class InOrder>
  Loads(BackEnd& on, const DeviceTets& given, int free, const std::vector<double>& alpha,
        const InOrder& in_order)
      : on_(on),
        free_(free),
        gravity_{given.gravity[0], given.gravity[1], given.gravity[2]},
        alpha_(on, alpha),
        sum_(on, given.loads.empty() ? 0 : 3 * std::size_t(free)) {
    for (const DeviceLoad& load : given.loads) {
      std::vector<double> forces = in_order(load.forces);
      forces.resize(3 * std::size_t(free));
      loads_.push_back({load.factor, load.rate, DeviceArray<BackEnd, double>(on, forces)});
    }
  }

  const Vec3<double>& gravity() const { return gravity_; }
  const double* alpha() const { return alpha_.size() > 0 ? alpha_.data() : nullptr; }
  // What acts at t; ahead: so much later, as far as it is known at t, m_l(t) + ahead m_l'(t). Until the next call.
  Outside at(double t, double ahead = 0) {
    std::vector<double> factors;
    for (const Load& load : loads_)
      factors.push_back(load.factor(t) + (ahead != 0 ? ahead * load.rate(t) : 0));
    if (factors != factors_) {
      factors_ = std::move(factors);
      acts_ = false;
      for (std::size_t l = 0; l < loads_.size(); ++l) {
        if (factors_[l] == 0) continue;
        const double* force = loads_[l].forces.data();
        on_.for_each(
            free_, Combine{factors_[l], acts_ ? 1.0 : 0.0, force, acts_ ? sum_.data() : force, sum_.data()});
        acts_ = true;
      }
    }
    return {gravity_, acts_ ? sum_.data() : nullptr, alpha()};
  }

 private:
  struct Load {
    std::function<double(double)> factor, rate;
    DeviceArray<BackEnd, double> forces;
  };
  BackEnd& on_;
  int free_;
  Vec3<double> gravity_;
  DeviceArray<BackEnd, double> alpha_, sum_;
  std::vector<Load> loads_;
  std::vector<double> factors_;  // of sum_
  bool acts_ = false;            // some factor is not 0
};

}  // namespace phiflex::device
