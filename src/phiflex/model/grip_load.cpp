#include "phiflex/model/grip_load.h"

namespace phiflex {
namespace {

// function(grip, place) for every grip that pulls at the time, or is about to.
template <class Function>
void for_each_active(const GripTable& table, double t, Function function) {
  const StepTimes::Place place = table.times.place(t);
  for (const Grip& grip : table.grips)
    if (place.n >= grip.track.first && place.n <= grip.track.last()) function(grip, place);
}

class GripStiffness final : public LoadStiffness {
 public:
  GripStiffness(const GripLoad& load, const FreeVertices& free, const SparsityPattern& pattern)
      : load_(load), free_(free), pattern_(pattern) {}

  void add_stiffness(const Motion& at, Definiteness, SparseMatrix& K) const override {
    const int b = pattern_.block();
    for_each_active(load_.table(), at.t, [&](const Grip& grip, const StepTimes::Place& place) {
      const double k = grip.track.at(place)[3];
      for (std::size_t i = 0; i < grip.vertices.size(); ++i) {
        const int row = free_.row_of_vertex[std::size_t(grip.vertices[i])];
        if (row < 0) continue;
        double* entries = K.block(pattern_.diagonal(row));
        for (int d = 0; d < b; ++d) entries[(b + 1) * d] += k * grip.weights[i];  // (1)
      }
    });
  }

 private:
  const GripLoad& load_;
  const FreeVertices& free_;
  const SparsityPattern& pattern_;
};

}  // namespace

void GripLoad::add_force(const Motion& at, Vector& f) const {
  for_each_active(*table_, at.t, [&](const Grip& grip, const StepTimes::Place& place) {
    const Eigen::Vector4d value = grip.track.at(place);
    const Eigen::Vector3d p = value.head<3>();
    if (value[3] == 0) return;
    for (std::size_t i = 0; i < grip.vertices.size(); ++i) {
      const Index v = 3 * Index(grip.vertices[i]);
      f.segment<3>(v) += value[3] * grip.weights[i] * (p + grip.offsets[i] - at.x.segment<3>(v));  // (1)
    }
  });
}

void GripLoad::add_force_rate(const Motion& at, Vector& g) const {
  for_each_active(*table_, at.t, [&](const Grip& grip, const StepTimes::Place& place) {
    const Eigen::Vector4d value = grip.track.at(place), rate = grip.track.rate(place, table_->times.h);
    const Eigen::Vector3d p = value.head<3>(), p_rate = rate.head<3>();
    for (std::size_t i = 0; i < grip.vertices.size(); ++i) {
      const Index v = 3 * Index(grip.vertices[i]);
      g.segment<3>(v) += grip.weights[i] *
                         (rate[3] * (p + grip.offsets[i] - at.x.segment<3>(v)) + value[3] * p_rate);  // (2)
    }
  });
}

std::unique_ptr<LoadStiffness> GripLoad::make_stiffness(const FreeVertices& free,
                                                        const SparsityPattern& pattern) const {
  return std::make_unique<GripStiffness>(*this, free, pattern);
}

void GripLoad::add_stiffness_product(const Motion& at, const Vector& dx, Vector& y) const {
  for_each_active(*table_, at.t, [&](const Grip& grip, const StepTimes::Place& place) {
    const double k = grip.track.at(place)[3];
    for (std::size_t i = 0; i < grip.vertices.size(); ++i) {
      const Index v = 3 * Index(grip.vertices[i]);
      y.segment<3>(v) += k * grip.weights[i] * dx.segment<3>(v);  // (1)
    }
  });
}

}  // namespace phiflex
