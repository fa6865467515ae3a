// A cycle of the multigrid by aggregation, as a preconditioner u = B r of A = s M + K: with S the smoother of
// level_kernels.h, (3), and B_1 the same on the next level, or the inverse of its matrix on the last one,
//
//   x = S r,   x += P B_1 P'(r - A x),   u = x + S (r - A x)                                              (1)
//
// B is symmetric, and positive definite as long as no eigenvalue of D^-1 A reaches (1 + q) lambda: beyond, 1 - S A is
// above 1. lambda is a constant, because those eigenvalues have a bound on every level: A is a sum over elements, which
// touch four vertices and so four aggregates at most, and for positive semidefinite A_e with four block rows
//
//   x'A_e x <= 4 sum_i x_i'(A_e)_ii x_i,   hence   eigenvalues of D^-1 A <= 4                              (2)
//
// An estimate of the largest eigenvalue is not enough: those of a few crushed elements hide from it, and B is then
// indefinite. Elements that are not semidefinite may break (2); conjugate gradients see that, and the projected
// stiffness keeps it. Vanek, Mandel, Brezina, Algebraic multigrid by smoothed aggregation (1996); the prolongation is
// not smoothed here.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "phiflex/cuda/level_kernels.h"

namespace phiflex::device {

template <class BackEnd>
class Multigrid {
 public:
  using Array = DeviceArray<BackEnd, double>;

  Multigrid(TetBody<BackEnd>& body, const FineMatrix& A)
      : on_(body.back_end()),
        body_(body),
        A_(A),
        per_length_(1 / (kModeLength * body.element_size())),
        positions_(on_, of_free()),
        x_(on_, all()),
        d_(on_, all()),
        t_(on_, of_free()),
        smoothing_(on_, std::vector<Smoothing>{smoothing_numbers()}) {
    for (const LevelLayout& layout : body.take_levels())
      levels_.push_back(std::make_unique<Level>(on_, layout));
    if (levels_.back()->nodes <= kMostDense) dense_ = std::make_unique<Dense>(on_, 6 * levels_.back()->nodes);
  }

  // Where the vertices are; used by the next refresh().
  void set_positions(const double* x) { on_.copy(positions_.data(), x, positions_.bytes()); }

  // With the matrix as it is now.
  void refresh(double mass_scale) {
    const double* positions = positions_.data();
    int count = body_.free();
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      Level& level = *levels_[k];
      on_.template for_each_group<kLanes>(
          level.nodes,
          Centres<kLanes>{level.member_start.data(), level.member.data(), positions, level.centre.data()});
      on_.for_each(count, Offsets{level.parent_of.data(), positions, level.centre.data(), per_length_,
                                  level.offset.data()});
      const int items = 12 * level.blocks();
      if (k == 0)
        on_.template for_each_group<kLanes>(items, FirstGalerkin<kLanes>{level.view(), A_.K, body_.row_of(),
                                                                         body_.free(), A_.mass, mass_scale});
      else
        on_.template for_each_group<kLanes>(
            items, NextGalerkin<kLanes>{level.view(), levels_[k - 1]->row_of.data(),
                                        levels_[k - 1]->column.data(), levels_[k - 1]->values.data()});
      on_.for_each(level.nodes, InvertSix{level.diagonal.data(), level.values.data(), level.inverse.data()});
      positions = level.centre.data();
      count = level.nodes;
    }
    if (dense_) inversion_.run(on_, [&] { invert_dense(); });
  }

  // (1); u of held vertices stays as it is.
  void apply(const double* r, Float4* u) {
    const Smoothing* numbers = smoothing_.data();
    Level& next = *levels_.front();
    const int free = body_.free();
    on_.for_each(free, FineFirst{A_, numbers, r, d_.data()});
    on_.template for_each_group<kRow>(free, FineSecond<kRow>{A_, numbers, r, d_.data(), x_.data()});
    on_.template for_each_group<kRow>(free, FineRemainder<kRow>{A_, r, x_.data(), t_.data()});
    on_.template for_each_group<kLanes>(
        2 * next.nodes, RestrictVertices<kLanes>{next.member_start.data(), next.member.data(),
                                                 next.offset.data(), t_.data(), next.r.data()});
    cycle(0);
    on_.for_each(free,
                 ProlongToVertices{next.parent_of.data(), next.offset.data(), next.x.data(), x_.data()});
    on_.template for_each_group<kRow>(free, FineAgain<kRow>{A_, numbers, r, x_.data(), t_.data(), d_.data()});
    on_.template for_each_group<kRow>(free, FineLast<kRow>{A_, numbers, t_.data(), d_.data(), x_.data(), u});
  }

 private:
  static constexpr int kLanes = 8, kRow = TetBody<BackEnd>::kRowLanes, kDenseLanes = 32;
  static constexpr double kModeLength = 3;   // in sizes of an element: about half an aggregate
  static constexpr double kSmallest = 0.09;  // q of level_kernels.h
  static constexpr double kBound = 4.05;     // of (2), and the rounding of K to float

  struct Level {
    Level(BackEnd& on, const LevelLayout& layout)
        : nodes(layout.nodes),
          parent_of(on, layout.parent_of),
          member_start(on, layout.member_start),
          member(on, layout.member),
          row_start(on, layout.row_start),
          column(on, layout.column),
          row_of(on, layout.row_of),
          diagonal(on, layout.diagonal),
          share_start(on, layout.share_start),
          share(on, layout.share),
          centre(on, 3 * std::size_t(nodes)),
          offset(on, 3 * layout.parent_of.size()),
          values(on, 36 * layout.column.size()),
          inverse(on, 36 * std::size_t(nodes)),
          r(on, size()),
          x(on, size()),
          d(on, size()),
          t(on, size()),
          rest(on, size()) {}
    std::size_t size() const { return 6 * std::size_t(nodes); }
    int blocks() const { return int(column.size()); }
    LevelView view() {
      return {row_of.data(),       column.data(), share_start.data(), share.data(), parent_of.data(),
              member_start.data(), member.data(), offset.data(),      values.data()};
    }

    int nodes;
    DeviceArray<BackEnd, int> parent_of, member_start, member, row_start, column, row_of, diagonal,
        share_start, share;
    Array centre, offset, values, inverse, r, x, d, t, rest;
  };
  struct Dense {
    Dense(BackEnd& on, int rows)
        : size(rows),
          A(on, std::size_t(rows) * rows),
          B(on, std::size_t(rows) * rows),
          W(on, 6 * std::size_t(rows)) {}
    int size;
    Array A, B, W;  // the inverse is in A or B, as the number of pivots is even or odd
    double* inverse() { return size / 6 % 2 == 0 ? A.data() : B.data(); }
  };

  // x of level k from its r.
  void cycle(std::size_t k) {
    Level& level = *levels_[k];
    const bool last = k + 1 == levels_.size();
    if (last && dense_) {
      on_.template for_each_group<kDenseLanes>(
          2 * level.nodes,
          DenseProduct<kDenseLanes>{dense_->size, dense_->inverse(), level.r.data(), level.x.data()});
      return;
    }
    const Smoothing* numbers = smoothing_.data();
    const double* inverse = level.inverse.data();
    on_.for_each(level.nodes, NodeFirst{numbers, inverse, level.r.data(), level.d.data()});
    remainder(level, level.r.data(), level.d.data(), level.t.data());
    on_.for_each(level.nodes,
                 NodeSecond{numbers, inverse, level.t.data(), level.d.data(), nullptr, level.x.data()});
    if (last) return;
    Level& next = *levels_[k + 1];
    remainder(level, level.r.data(), level.x.data(), level.t.data());
    on_.template for_each_group<kLanes>(
        2 * next.nodes, RestrictNodes<kLanes>{next.member_start.data(), next.member.data(),
                                              next.offset.data(), level.t.data(), next.r.data()});
    cycle(k + 1);
    on_.for_each(level.nodes,
                 ProlongToNodes{next.parent_of.data(), next.offset.data(), next.x.data(), level.x.data()});
    remainder(level, level.r.data(), level.x.data(), level.t.data());
    on_.for_each(level.nodes, NodeFirst{numbers, inverse, level.t.data(), level.d.data()});
    remainder(level, level.t.data(), level.d.data(), level.rest.data());
    on_.for_each(level.nodes, NodeSecond{numbers, inverse, level.rest.data(), level.d.data(), level.x.data(),
                                         level.x.data()});
  }
  void remainder(Level& level, const double* r, const double* x, double* t) {
    on_.template for_each_group<kLanes>(
        2 * level.nodes,
        NodeRemainder<kLanes>{level.row_start.data(), level.column.data(), level.values.data(), r, x, t});
  }

  void invert_dense() {
    Level& level = *levels_.back();
    on_.set_zero(dense_->A.data(), dense_->A.bytes());
    on_.for_each(36 * level.blocks(), FillDense{level.row_of.data(), level.column.data(), level.values.data(),
                                                dense_->size, dense_->A.data()});
    const int size = dense_->size;
    for (int p = 0; p < level.nodes; ++p) {
      const double* A = p % 2 == 0 ? dense_->A.data() : dense_->B.data();
      double* B = p % 2 == 0 ? dense_->B.data() : dense_->A.data();
      on_.for_each(size, PivotRows{size, p, A, dense_->W.data()});
      on_.for_each(size * size, Eliminate{size, p, A, dense_->W.data(), B});
    }
  }

  static Smoothing smoothing_numbers() {
    const double lambda = kBound / (1 + kSmallest);
    const double theta = (1 + kSmallest) / 2 * lambda, delta = (1 - kSmallest) / 2 * lambda,
                 s = theta / delta;
    const double next = 1 / (2 * s - 1 / s);
    return {.first = 1 / theta, .again = next / s, .rest = 2 * next / delta};
  }

  std::size_t all() const { return 3 * std::size_t(body_.vertices()); }
  std::size_t of_free() const { return 3 * std::size_t(body_.free()); }

  BackEnd& on_;
  TetBody<BackEnd>& body_;
  FineMatrix A_;
  double per_length_;
  Array positions_, x_, d_, t_;  // x_ and d_ of held vertices stay 0
  DeviceArray<BackEnd, Smoothing> smoothing_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::unique_ptr<Dense> dense_;
  typename BackEnd::Recording inversion_;
};

}  // namespace phiflex::device
