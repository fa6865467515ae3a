// A body of linear tetrahedra on a device: its arrays, its force and energy in double, its tangent in float.
#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "phiflex/cuda/device_array.h"
#include "phiflex/cuda/device_body.h"
#include "phiflex/cuda/law_launches.h"
#include "phiflex/cuda/level_layout.h"
#include "phiflex/cuda/moved_vertices.h"

namespace phiflex::device {

template <class BackEnd>
class TetBody {
  template <class T>
  using Array = DeviceArray<BackEnd, T>;

 public:
  // Lanes that share a vertex's places in patches, and a row of the matrix.
  static constexpr int kGatherLanes = 1, kRowLanes = device::kRowLanes;
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

  bool has_damping() const { return beta_.size() > 0; }  // by stiffness

  // f: of the free vertices. x: positions of all vertices, m. v: their velocities, m/s, for damping by stiffness; null:
  // without.
  void force(const double* x, double* f, const double* v = nullptr) {
    sum_patches(x, v);
    on_.template for_each_group<kGatherLanes>(
        free_, GatherForces<kGatherLanes>{place_start_.data(), place_.data(), patch_sums_.data(), f});
  }
  // J, into one number on the device.
  void energy(const double* x, double* energy) { law_->energy(on_, view(), x, energy); }

  // K, or K + damping beta K*.
  void assemble(const double* x, Curvature curvature, double damping = 0) {
    law_->pair_blocks(on_, view(), x, curvature, pairs_->data());
    add_damping(x, damping);
    assemble_pairs<false>();
  }
  // beta K* in the place of K.
  void assemble_damping(const double* x) {
    on_.set_zero(pairs_->data(), pairs_->bytes());
    add_damping(x, 1);
    assemble_pairs<false>();
  }

  // Energy-momentum steps (em_kernels.h); step.rest is set here. Their tangent needs twice the memory for pairs.
  void reserve_two_state() {
    const std::size_t needed = std::size_t(kOrderedNumbers / 4) * std::size_t(tets_);
    if (pairs_->size() >= needed) return;
    pairs_.reset();
    pairs_ = std::make_unique<Array<Float4>>(on_, needed);
  }
  bool turns_bodies() const { return law_->turns_bodies(); }
  void start_densities(const double* x, double* psi) { law_->start_densities(on_, view(), x, psi); }
  // r, and the four sums of EmResidual into `sums`.
  void em_residual(TwoStateView step, const Outside& outside, const double* mass, const double* v, double* r,
                   double* sums) {
    step.rest = law_->at_rest();
    step.eta = beta();
    law_->two_state_forces(on_, view(), patches(), step, patch_sums_.data());
    const GatherForces<kGatherLanes> gather{place_start_.data(), place_.data(), patch_sums_.data(), r};
    on_.template sum_groups<kGatherLanes, 4>(
        free_, EmResidual<kGatherLanes>{gather, step.h, outside, mass, v, step.w, r}, StoreSums<4>{sums});
  }
  // r = m (w - v) - s (f(at) + load + m gravity), and the sums d'r and r'r into `sums`.
  void stage_residual(const double* at, double s, const Outside& outside, const double* mass, const double* v,
                      const double* w, const double* d, double* r, double* sums) {
    sum_patches(at, w);
    const GatherForces<kGatherLanes> gather{place_start_.data(), place_.data(), patch_sums_.data(), r};
    on_.template sum_groups<kGatherLanes, 2>(
        free_, StageResidual<kGatherLanes>{gather, s, outside, mass, v, w, d, r}, StoreSums<2>{sums});
  }
  // MoverPower in such a step.
  void mover_power(TwoStateView step, MovedVertices<BackEnd>& moved, const Vec3<double>& gravity,
                   const double* mass, double* power) {
    step.rest = law_->at_rest();
    step.eta = beta();
    law_->two_state_forces(on_, view(), patches(), step, patch_sums_.data());
    const GatherForces<kGatherLanes> gather{place_start_.data(), place_.data(), patch_sums_.data(), nullptr};
    on_.template sum_groups<kGatherLanes, 1>(
        moved.count(), MoverPower<kGatherLanes>{gather, moved.places(), gravity, mass, step.w},
        StoreSums<1>{power});
  }
  void assemble_two_state(TwoStateView step) {
    step.rest = law_->at_rest();
    step.eta = beta();
    reserve_two_state();
    law_->two_state_pairs(on_, view(), step, pairs_->data());
    assemble_pairs<true>();
  }
  // The dial's memory, six numbers for each tetrahedron, and V dE:C0:dE of it.
  void strain_change(const double* x, const double* w, double h, double* strains) {
    law_->strain_change(on_, view(), x, w, h, strains);
  }
  void dial_energy(const double* strains, double* energy) { strain_energy(strains, nullptr, energy); }
  // eta V dE:C0:dE
  void damping_energy(const double* strains, double* energy) { strain_energy(strains, beta(), energy); }
  void rate_counts(const double* x, const double* v, double h, double turn, double strain,
                   const double (&limit)[2], double* counts) {
    on_.template sum<4>(tets_, RateCounts{view(), x, v, h, turn, strain, {limit[0], limit[1]}},
                        StoreSums<4>{counts});
  }

  // RowBound of every free vertex.
  void row_bounds(const double* mass, double* bounds) {
    on_.for_each(free_, RowBound{K(), free_, mass, bounds});
  }
  RowMatrix K() const { return {row_start_.data(), column_.data(), slice_start_.data(), lines_.data()}; }
  // y = K p; p has a place for every vertex, 0 for held ones, y for every free one.
  void product(const double* p, double* y) {
    on_.template for_each_group<kRowLanes>(free_, Product<kRowLanes>{K(), p, y});
  }

  // Bytes that a launch moves at least, each array once: what benchmarks divide by.
  double force_bytes() const {
    return double(local_.bytes() + gradient_.bytes() + volume_.bytes() + patch_vertex_.bytes() +
                  local_start_.bytes() + local_corner_.bytes() + place_start_.bytes() + place_.bytes()) +
           2.0 * double(patch_sums_.bytes()) + 24.0 * vertices_ + 24.0 * free_ + 16.0 * tets_;
  }
  double product_bytes(double bytes_of_vectors) const {
    return 40.0 * double(blocks()) + double(slice_start_.bytes()) + bytes_of_vectors;
  }
  double assembly_bytes() const {
    return double(corners_.bytes() + gradient_.bytes() + volume_.bytes() + share_.bytes() +
                  share_start_.bytes() + row_start_.bytes()) +
           36.0 * double(blocks()) + 3.0 * 4 * kPairNumbers * double(tets_) + 24.0 * vertices_ + 16.0 * tets_;
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
        law_(make_law_launches(given.law, on, layout.tets, in_order(given.parameters, layout.order))),
        corners_(on, layout.corners),
        gradient_(on, layout.gradient),
        volume_(on, layout.volume),
        beta_(on, in_order(given.beta, layout.order)),
        damps_current_(given.damps_current),
        patch_start_(on, layout.patch_start),
        patch_vertices_(on, layout.patch_vertices),
        patch_vertex_(on, layout.patch_vertex),
        local_start_(on, layout.local_start),
        place_start_(on, layout.place_start),
        place_(on, layout.place),
        local_(on, layout.local),
        local_corner_(on, layout.local_corner),
        patch_sums_(on, 3 * layout.patch_vertex.size()),
        row_start_(on, layout.row_start),
        column_(on, layout.column),
        row_of_(on, layout.row_of),
        share_start_(on, layout.share_start),
        share_(on, layout.share),
        pairs_(std::make_unique<Array<Float4>>(on, std::size_t(kPairNumbers / 4) * std::size_t(layout.tets))),
        slice_start_(on, layout.slice_start),
        slice_of_(on, layout.slice_of),
        lines_(on, layout.lines) {}

  static bool wants_levels(const DeviceTets& given, const TetLayout& layout) {
    return given.preconditioner == DevicePreconditioner::multigrid ||
           (given.preconditioner == DevicePreconditioner::automatic && layout.free >= kFewestForLevels);
  }
  // A law's numbers, as many for each tetrahedron, in the order of the device.
  static std::vector<double> in_order(const std::vector<double>& given, const std::vector<int>& order) {
    const std::size_t each = order.empty() ? 0 : given.size() / order.size();
    std::vector<double> ordered;
    ordered.reserve(given.size());
    for (const int e : order)
      for (std::size_t k = 0; k < each; ++k) ordered.push_back(given[each * std::size_t(e) + k]);
    return ordered;
  }
  static double size_of_elements(const TetLayout& layout) {
    double volume = 0;
    for (const double v : layout.volume) volume += v;
    return layout.tets > 0 ? std::cbrt(6 * volume / layout.tets) : 1;
  }
  template <bool Ordered>
  void assemble_pairs() {
    on_.for_each(kSlots * int(lines_.size()),
                 AssembleBlocks<Ordered>{K(), free_, slice_of_.data(), share_start_.data(), share_.data(),
                                         pairs_->data()->e, lines_.data()});
  }
  const double* beta() const { return has_damping() ? beta_.data() : nullptr; }
  Damping damping() const { return {beta(), damps_current_}; }
  void sum_patches(const double* x, const double* v) {
    law_->patch_forces(on_, view(), patches(), x, patch_sums_.data());
    if (has_damping() && v)
      law_->add_damping_forces(on_, view(), patches(), damping(), x, v, patch_sums_.data());
  }
  void add_damping(const double* x, double factor) {
    if (has_damping() && factor != 0)
      law_->add_damping_blocks(on_, view(), damping(), x, factor, pairs_->data());
  }
  void strain_energy(const double* strains, const double* weight, double* energy) {
    on_.template sum<1>(tets_, StrainEnergy{view(), law_->at_rest(), strains, weight}, StoreSums<1>{energy});
  }
  PatchView patches() const {
    return {int(patch_start_.size()) - 1, patch_start_.data(), patch_vertices_.data(), patch_vertex_.data(),
            local_start_.data(),          local_.data(),       local_corner_.data()};
  }
  TetView view() const { return {tets_, corners_.data(), gradient_.data(), volume_.data()}; }

  BackEnd& on_;
  int vertices_, free_, tets_;
  std::vector<int> number_;
  std::vector<LevelLayout> levels_;
  bool has_multigrid_;  // levels_ may have been given away
  double element_size_;
  std::unique_ptr<LawLaunches<BackEnd>> law_;
  Array<Int4> corners_;
  Array<double> gradient_, volume_, beta_;  // beta_: empty without damping
  bool damps_current_;
  Array<int> patch_start_, patch_vertices_, patch_vertex_, local_start_, place_start_, place_;
  Array<unsigned> local_;
  Array<unsigned short> local_corner_;
  Array<double> patch_sums_;
  Array<int> row_start_, column_, row_of_, share_start_, share_;
  std::unique_ptr<Array<Float4>> pairs_;  // never null but while it grows
  Array<int> slice_start_, slice_of_;
  Array<Line> lines_;
};

}  // namespace phiflex::device
