// Held vertices of a body on a device that move in a way that the host knows. What they have at a time is written into
// the vectors of all vertices.
#pragma once

#include <span>
#include <vector>

#include "phiflex/cuda/device_array.h"
#include "phiflex/cuda/device_body.h"
#include "phiflex/cuda/tet_kernels.h"

namespace phiflex::device {

// to of vertex place_k = value_k
struct Scatter {
  const int* place;
  const double* value;
  double* to;
  PHIFLEX_HD void operator()(int k) const { store3(to, load(place + k), load3(value, k)); }
};
// The power of the movers against the forces within the body: -u'(f + m gravity), with their velocity u in w.
template <int Lanes>
struct MoverPower {
  GatherForces<Lanes> gather;
  const int* place;
  Vec3<double> gravity;
  const double *mass, *w;
  PHIFLEX_HD Vec3<double> part(int k, int lane) const { return gather.part(load(place + k), lane); }
  PHIFLEX_HD Sums<1> finish(int k, const Vec3<double>& f) const {
    const int i = load(place + k);
    return {{-dot(load3(w, i), f + load(mass + i) * gravity)}};
  }
};

template <class BackEnd>
class MovedVertices {
 public:
  // number: of each vertex on the device.
  MovedVertices(BackEnd& on, const DeviceMotion& given, const std::vector<int>& number)
      : on_(on),
        at_(given.at),
        count_(int(given.vertices.size())),
        places_(on, places_of(given, number)),
        values_(on, 3 * given.vertices.size()),
        x_(3 * given.vertices.size()),
        v_(x_.size()),
        start_(x_.size()) {}

  int count() const { return count_; }
  const int* places() const { return places_.data(); }
  void put_positions(double t, double* x) { put(t, x_, x); }
  void put_velocities(double t, double* v) { put(t, v_, v); }
  // Their mean velocities from t to t + h.
  void put_means(double t, double h, double* w) {
    if (count_ == 0) return;
    at_(t, start_, v_);
    at_(t + h, x_, v_);
    for (std::size_t q = 0; q < x_.size(); ++q) x_[q] = (x_[q] - start_[q]) / h;
    scatter(x_, w);
  }

 private:
  static std::vector<int> places_of(const DeviceMotion& given, const std::vector<int>& number) {
    std::vector<int> places;
    for (const int v : given.vertices) places.push_back(number[std::size_t(v)]);
    return places;
  }
  void put(double t, const std::vector<double>& values, double* to) {
    if (count_ == 0) return;
    at_(t, x_, v_);
    scatter(values, to);
  }
  void scatter(const std::vector<double>& values, double* to) {
    values_.write(values);
    on_.for_each(count_, Scatter{places_.data(), values_.data(), to});
  }

  BackEnd& on_;
  std::function<void(double, std::span<double>, std::span<double>)> at_;
  int count_;
  DeviceArray<BackEnd, int> places_;
  DeviceArray<BackEnd, double> values_;
  std::vector<double> x_, v_, start_;
};

}  // namespace phiflex::device
