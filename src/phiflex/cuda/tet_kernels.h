// The bodies of the kernels on linear tetrahedra (tet_layout.h). With the gradients g_a of the corners, the rest volume V
// and the law's P and block at F (material/material.h):
//
//   F = sum_{a=1..3} (x_a - x_0) g_a',   f_a = -V P g_a,   f_0 = -f_1 - f_2 - f_3                         (1)
//   K_ab = V block(g_a, g_b)   for the six pairs a < b, g_0 = -g_1 - g_2 - g_3                            (2)
//
// Everything is computed in double; the blocks of (2) are rounded to float when they are stored, and so are their sums.
// A translation gives exactly zero by the form of the product, and an outer iteration corrects the rest.
#pragma once

#include <cmath>

#include "phiflex/cuda/tet_layout.h"
#include "phiflex/material/material.h"

namespace phiflex::device {

// Pointers to the arrays of a TetLayout on the device.
struct TetView {
  int tets;
  const Int4* corners;
  const double* gradient;
  const double* volume;
};

PHIFLEX_HD inline void load_gradients(const TetView& tets, int e, Vec3<double> (&g)[3]) {
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i)
      g[a][i] = load(tets.gradient + static_cast<std::size_t>(3 * a + i) * tets.tets + e);
}
PHIFLEX_HD inline Mat3<double> deformation_gradient(const TetView& tets, const double* x, int e,
                                                    const Vec3<double> (&g)[3]) {
  const Int4 v = load(tets.corners + e);
  const Vec3<double> origin = load3(x, v.e[0]);
  Mat3<double> F = Mat3<double>::zero();
  for (int a = 0; a < 3; ++a) F += outer(load3(x, v.e[a + 1]) - origin, g[a]);
  return F;
}

// Moduli of a law, number k of element e at [k tets + e].
template <class Law>
PHIFLEX_HD typename Law::template Moduli<double> load_moduli(const double* moduli, int tets, int e) {
  ModulusArray<Law, double> numbers;
  for (std::size_t k = 0; k < modulus_count<Law>; ++k) numbers[k] = load(moduli + k * std::size_t(tets) + e);
  return moduli_of<Law, double>(numbers);
}

// f_a = P g_a, f_0 = -f_1 - f_2 - f_3: 12 numbers of element e.
PHIFLEX_HD inline void store_corner_forces(const Mat3<double>& P, const Vec3<double> (&g)[3], int e,
                                           Double2* forces) {
  double out[12];
  for (int i = 0; i < 3; ++i) out[i] = 0;
  for (int a = 0; a < 3; ++a) {
    const Vec3<double> f = P * g[a];
    for (int i = 0; i < 3; ++i) {
      out[3 * (a + 1) + i] = f[i];
      out[i] -= f[i];
    }
  }
  for (int k = 0; k < 6; ++k) forces[6 * static_cast<std::size_t>(e) + k] = {{out[2 * k], out[2 * k + 1]}};
}

// The forces of each tetrahedron on its corners, (1).
template <class Law>
struct CornerForces {
  TetView tets;
  const double* moduli;
  const double* x;
  Double2* forces;

  PHIFLEX_HD void operator()(int e) const {
    Vec3<double> g[3];
    load_gradients(tets, e, g);
    const Mat3<double> F = deformation_gradient(tets, x, e, g);
    const typename Law::template At<double> at(load_moduli<Law>(moduli, tets.tets, e), F);
    const Mat3<double> VP = -load(tets.volume + e) * at.P();
    store_corner_forces(VP, g, e, forces);
  }
};

// f_i = the sum of the forces on a vertex's corners.
template <int Lanes>
struct GatherForces {
  const int* corner_start;
  const int* corner;
  const double* forces;  // three for each corner
  double* f;

  PHIFLEX_HD Vec3<double> part(int i, int lane) const {
    Vec3<double> sum = {0.0, 0.0, 0.0};
    const int end = load(corner_start + i + 1);
    for (int c = load(corner_start + i) + lane; c < end; c += Lanes) sum += load3(forces, load(corner + c));
    return sum;
  }
  PHIFLEX_HD void finish(int i, const Vec3<double>& sum) const { store3(f, i, sum); }
};

// The residual of an implicit stage (newton_stepper.h, (1)): r = m (w - v) - s (f + m gravity), and d'r and r'r.
template <int Lanes>
struct StageResidual {
  GatherForces<Lanes> gather;
  double s;
  Vec3<double> gravity;
  const double *mass, *v, *w, *d;
  double* r;

  PHIFLEX_HD Vec3<double> part(int i, int lane) const { return gather.part(i, lane); }
  PHIFLEX_HD Sums<2> finish(int i, const Vec3<double>& f) const {
    const double m = load(mass + i);
    const Vec3<double> ri = m * (load3(w, i) - load3(v, i) - s * gravity) - s * f;
    store3(r, i, ri);
    return {{dot(load3(d, i), ri), dot(ri, ri)}};
  }
};

// V psi of each tetrahedron; not finite outside the law's domain.
template <class Law>
struct ElasticEnergy {
  TetView tets;
  const double* moduli;
  const double* x;

  PHIFLEX_HD Sums<1> operator()(int e) const {
    Vec3<double> g[3];
    load_gradients(tets, e, g);
    const Mat3<double> F = deformation_gradient(tets, x, e, g);
    const typename Law::template At<double> at(load_moduli<Law>(moduli, tets.tets, e), F);
    return {{load(tets.volume + e) * at.psi()}};
  }
};

// The blocks (2), rounded to float: 9 numbers for each pair, and two to fill up.
inline constexpr int kPairNumbers = 56;

PHIFLEX_HD inline void put_block(const Mat3<double>& block, float* out) {
  for (int k = 0; k < 9; ++k) out[k] = float(block.e[k]);
}
PHIFLEX_HD inline void store_pair_blocks(float (&out)[kPairNumbers], int e, Float4* blocks) {
  out[54] = out[55] = 0;
  for (int k = 0; k < kPairNumbers / 4; ++k)
    blocks[std::size_t(kPairNumbers / 4) * e + k] = {
        {out[4 * k], out[4 * k + 1], out[4 * k + 2], out[4 * k + 3]}};
}

// Derivative: Law::At or Law::Projected, over double.
template <class Law, class Derivative>
struct PairBlocks {
  TetView tets;
  const double* moduli;
  const double* x;
  Float4* blocks;

  PHIFLEX_HD void operator()(int e) const {
    Vec3<double> g[3];
    load_gradients(tets, e, g);
    const Mat3<double> F = deformation_gradient(tets, x, e, g);
    const Derivative derivative(load_moduli<Law>(moduli, tets.tets, e), F);
    const double volume = load(tets.volume + e);
    const Vec3<double> g0 = -(g[0] + g[1] + g[2]);
    float out[kPairNumbers];
    put_block(derivative.block(g0, volume * g[0]), out);
    put_block(derivative.block(g0, volume * g[1]), out + 9);
    put_block(derivative.block(g0, volume * g[2]), out + 18);
    put_block(derivative.block(g[0], volume * g[1]), out + 27);
    put_block(derivative.block(g[0], volume * g[2]), out + 36);
    put_block(derivative.block(g[1], volume * g[2]), out + 45);
    store_pair_blocks(out, e, blocks);
  }
};

// K_ij as the sum of its shares.
struct AssembleBlocks {
  const int* row_start;
  const int* row_of;
  const int* share_start;
  const int* share;
  const float* pairs;
  float* values;

  PHIFLEX_HD void operator()(int b) const {
    const int row = load(row_of + b), start = load(row_start + row),
              count = load(row_start + row + 1) - start;
    double sum[9] = {};
    const int end = load(share_start + b + 1);
    for (int s = load(share_start + b); s < end; ++s) {
      const int code = load(share + s), pair = code / 2;
      const float* block =
          pairs + static_cast<std::size_t>(pair / kPairs) * kPairNumbers + 9 * (pair % kPairs);
      const bool transposed = code % 2 != 0;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          const double entry = double(load(block + 3 * r + c));
          if (transposed)
            sum[3 * c + r] += entry;
          else
            sum[3 * r + c] += entry;
        }
    }
    float* out = values + 9 * static_cast<std::size_t>(start) + (b - start);
    for (int k = 0; k < 9; ++k) out[static_cast<std::size_t>(k) * count] = float(sum[k]);
  }
};

PHIFLEX_HD inline void add_product(const double (&block)[9], const Vec3<double>& d, Vec3<double>& sum) {
  for (int r = 0; r < 3; ++r)
    sum[r] += block[3 * r] * d[0] + block[3 * r + 1] * d[1] + block[3 * r + 2] * d[2];
}
PHIFLEX_HD inline void add_product(const double (&block)[9], const TwoVec3& d, TwoVec3& sum) {
  add_product(block, d.a, sum.a);
  add_product(block, d.b, sum.b);
}

// The matrix of tet_layout.h, (1).
struct RowMatrix {
  const int* row_start;
  const int* column;
  const float* values;

  // A lane's share of (K p)_i; X is double, Float4 or Double2 (load3).
  template <int Lanes, class X>
  PHIFLEX_HD auto part(const X* p, int i, int lane) const {
    const int start = load(row_start + i), count = load(row_start + i + 1) - start;
    const auto own = load3(p, i);
    const float* row = values + 9 * static_cast<std::size_t>(start);
    decltype(load3(p, i)) sum{};
    for (int j = lane; j < count; j += Lanes) {
      double block[9];
      for (int k = 0; k < 9; ++k) block[k] = double(load(row + k * count + j));
      add_product(block, load3(p, load(column + start + j)) - own, sum);
    }
    return sum;
  }
};

// The largest of the three rows of vertex i in |M^-1 K| (the sum of its entries' magnitudes), 1/s^2; over the free columns.
struct RowBound {
  RowMatrix K;
  int free;
  const double* mass;
  double* bounds;
  PHIFLEX_HD void operator()(int i) const {
    const int start = load(K.row_start + i), count = load(K.row_start + i + 1) - start;
    const float* row = K.values + 9 * static_cast<std::size_t>(start);
    double sums[3] = {}, diagonal[9] = {};
    for (int j = 0; j < count; ++j) {
      const bool is_free = load(K.column + start + j) < free;
      for (int k = 0; k < 9; ++k) {
        const double entry = double(load(row + k * count + j));
        diagonal[k] -= entry;
        if (is_free) sums[k / 3] += std::abs(entry);
      }
    }
    double most = 0;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) sums[r] += std::abs(diagonal[3 * r + c]);
      if (!(sums[r] <= most)) most = sums[r];  // also where it is not a number
    }
    bounds[i] = most / load(mass + i);
  }
};

// y = K p.
template <int Lanes>
struct Product {
  RowMatrix K;
  const double* p;
  double* y;
  PHIFLEX_HD Vec3<double> part(int i, int lane) const { return K.part<Lanes>(p, i, lane); }
  PHIFLEX_HD void finish(int i, const Vec3<double>& sum) const { store3(y, i, sum); }
};

}  // namespace phiflex::device
