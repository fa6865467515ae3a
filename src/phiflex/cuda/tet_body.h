// A body of linear tetrahedra on a device: its arrays, its force and energy in double, its tangent in float.
#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "phiflex/cuda/device_body.h"
#include "phiflex/cuda/law_launches.h"
#include "phiflex/cuda/level_layout.h"

namespace phiflex::device {

template <class BackEnd>
class TetBody {
 public:
  // Lanes that share a vertex's corners, and a row of the matrix.
  static constexpr int kGatherLanes = 8, kRowLanes = 8;
  // Free vertices from which on the multigrid is the preconditioner, unless the user says otherwise.
  static constexpr int kFewestForLevels = 5000;

  TetBody(BackEnd& on, const DeviceTets& given)
      : TetBody(on, given, make_tet_layout(given.rest, given.tets, given.held)) {}

  BackEnd& back_end() const { return on_; }
  int vertices() const { return vertices_; }
  int free() const { return free_; }
  int tets() const { return tets_; }
  std::size_t blocks() const { return column_.size(); }
  const std::vector<int>& number() const { return number_; }
  // Of the multigrid; given away, since nothing else needs them on the host.
  bool has_levels() const { return !levels_.empty(); }
  bool has_multigrid() const { return has_multigrid_; }
  std::vector<LevelLayout> take_levels() { return std::move(levels_); }
  const int* row_of() const { return row_of_.data(); }
  double element_size() const { return element_size_; }  // m, of a tetrahedron of mean volume

  // f: of the free vertices. x: positions of all vertices, m.
  void force(const double* x, double* f) {
    law_->corner_forces(on_, view(), x, corner_forces_.data());
    on_.template for_each_group<kGatherLanes>(
        free_, GatherForces<kGatherLanes>{corner_start_.data(), corner_.data(), corner_forces_.data()->e, f});
  }
  // J, into one number on the device.
  void energy(const double* x, double* energy) { law_->energy(on_, view(), x, energy); }

  void assemble(const double* x, Curvature curvature) {
    law_->pair_blocks(on_, view(), x, curvature, pairs_.data());
    assemble_pairs();
  }

  // Energy-momentum steps (em_kernels.h); step.rest is set here.
  bool turns_bodies() const { return law_->turns_bodies(); }
  void start_densities(const double* x, double* psi) { law_->start_densities(on_, view(), x, psi); }
  // r, and the four sums of EmResidual into `sums`.
  void em_residual(TwoStateView step, const Vec3<double>& gravity, const double* mass, const double* v,
                   double* r, double* sums) {
    step.rest = law_->at_rest();
    law_->two_state_forces(on_, view(), step, corner_forces_.data());
    const GatherForces<kGatherLanes> gather{corner_start_.data(), corner_.data(), corner_forces_.data()->e,
                                            r};
    on_.template sum_groups<kGatherLanes, 4>(
        free_, EmResidual<kGatherLanes>{gather, step.h, gravity, mass, v, step.w, r}, StoreSums<4>{sums});
  }
  // r = m (w - v) - s (f(at) + m gravity), and the sums d'r and r'r into `sums`.
  void stage_residual(const double* at, double s, const Vec3<double>& gravity, const double* mass,
                      const double* v, const double* w, const double* d, double* r, double* sums) {
    law_->corner_forces(on_, view(), at, corner_forces_.data());
    const GatherForces<kGatherLanes> gather{corner_start_.data(), corner_.data(), corner_forces_.data()->e,
                                            r};
    on_.template sum_groups<kGatherLanes, 2>(
        free_, StageResidual<kGatherLanes>{gather, s, gravity, mass, v, w, d, r}, StoreSums<2>{sums});
  }
  void assemble_two_state(TwoStateView step) {
    step.rest = law_->at_rest();
    law_->two_state_pairs(on_, view(), step, pairs_.data());
    assemble_pairs();
  }
  // The dial's memory, six numbers for each tetrahedron, and V dE:C0:dE of it.
  void strain_change(const double* x, const double* w, double h, double* strains) {
    law_->strain_change(on_, view(), x, w, h, strains);
  }
  void dial_energy(const double* strains, double* energy) {
    on_.template sum<1>(tets_, DialEnergy{view(), law_->at_rest(), strains}, StoreSums<1>{energy});
  }
  void rate_counts(const double* x, const double* v, double h, double turn, double strain,
                   const double (&limit)[2], double* counts) {
    on_.template sum<4>(tets_, RateCounts{view(), x, v, h, turn, strain, {limit[0], limit[1]}},
                        StoreSums<4>{counts});
  }

  // RowBound of every free vertex.
  void row_bounds(const double* mass, double* bounds) {
    on_.for_each(free_, RowBound{K(), free_, mass, bounds});
  }
  RowMatrix K() const { return {row_start_.data(), column_.data(), values_.data()}; }
  // y = K p; p has a place for every vertex, 0 for held ones, y for every free one.
  void product(const double* p, double* y) {
    on_.template for_each_group<kRowLanes>(free_, Product<kRowLanes>{K(), p, y});
  }

  // Bytes that a launch moves at least, each array once: what benchmarks divide by.
  double force_bytes() const {
    return double(corners_.bytes() + gradient_.bytes() + volume_.bytes() + corner_start_.bytes() +
                  corner_.bytes()) +
           2.0 * double(corner_forces_.bytes()) + 24.0 * vertices_ + 24.0 * free_ + 16.0 * tets_;
  }
  double product_bytes(double bytes_of_vectors) const {
    return double(values_.bytes() + column_.bytes() + row_start_.bytes()) + bytes_of_vectors;
  }
  double assembly_bytes() const {
    return double(corners_.bytes() + gradient_.bytes() + volume_.bytes() + share_.bytes() +
                  share_start_.bytes() + row_of_.bytes() + row_start_.bytes() + values_.bytes()) +
           3.0 * double(pairs_.bytes()) + 24.0 * vertices_ + 16.0 * tets_;
  }

 private:
  TetBody(BackEnd& on, const DeviceTets& given, const TetLayout& layout)
      : on_(on),
        vertices_(layout.vertices),
        free_(layout.free),
        tets_(layout.tets),
        number_(layout.number),
        levels_(wants_levels(given, layout) ? make_levels(layout) : std::vector<LevelLayout>{}),
        has_multigrid_(!levels_.empty()),
        element_size_(size_of_elements(layout)),
        law_(make_law_launches(given.law, on, layout.tets, given.parameters)),
        corners_(on, layout.corners),
        gradient_(on, layout.gradient),
        volume_(on, layout.volume),
        corner_start_(on, layout.corner_start),
        corner_(on, layout.corner),
        row_start_(on, layout.row_start),
        column_(on, layout.column),
        row_of_(on, layout.row_of),
        share_start_(on, layout.share_start),
        share_(on, layout.share),
        corner_forces_(on, 6 * std::size_t(layout.tets)),
        pairs_(on, std::size_t(kPairNumbers / 4) * std::size_t(layout.tets)),
        values_(on, 9 * layout.column.size()) {}

  static bool wants_levels(const DeviceTets& given, const TetLayout& layout) {
    return given.preconditioner == DevicePreconditioner::multigrid ||
           (given.preconditioner == DevicePreconditioner::automatic && layout.free >= kFewestForLevels);
  }
  static double size_of_elements(const TetLayout& layout) {
    double volume = 0;
    for (const double v : layout.volume) volume += v;
    return layout.tets > 0 ? std::cbrt(6 * volume / layout.tets) : 1;
  }
  void assemble_pairs() {
    on_.for_each(int(column_.size()), AssembleBlocks{row_start_.data(), row_of_.data(), share_start_.data(),
                                                     share_.data(), pairs_.data()->e, values_.data()});
  }
  TetView view() const { return {tets_, corners_.data(), gradient_.data(), volume_.data()}; }

  template <class T>
  using Array = DeviceArray<BackEnd, T>;
  BackEnd& on_;
  int vertices_, free_, tets_;
  std::vector<int> number_;
  std::vector<LevelLayout> levels_;
  bool has_multigrid_;  // levels_ may have been given away
  double element_size_;
  std::unique_ptr<LawLaunches<BackEnd>> law_;
  Array<Int4> corners_;
  Array<double> gradient_, volume_;
  Array<int> corner_start_, corner_, row_start_, column_, row_of_, share_start_, share_;
  Array<Double2> corner_forces_;
  Array<Float4> pairs_;
  Array<float> values_;
};

}  // namespace phiflex::device
