// The bodies of the kernels on linear tetrahedra (tet_layout.h). With the gradients g_a of the corners, the rest volume
// V and the law's P and block at F (material/material.h):
//
//   F = sum_{a=1..3} (x_a - x_0) g_a',   f_a = -V P g_a,   f_0 = -f_1 - f_2 - f_3                         (1)
//   K_ab = V block(g_a, g_b)   for the six pairs a < b, g_0 = -g_1 - g_2 - g_3                            (2)
//
// Everything is computed in double; the blocks of (2) are rounded to float when they are stored, and so are their sums.
// A translation gives exactly zero by the form of the product, and an outer iteration corrects the rest.
#pragma once

#include <cmath>

#include "phiflex/cuda/tet_layout.h"
#include "phiflex/cuda/vector_kernels.h"
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

// Where the lists of patches are on the device (tet_layout.h).
struct PatchView {
  int patches;
  const int *start, *vertices, *vertex, *local_start;
  const unsigned* local;
  const unsigned short* local_corner;
};
// A vector at the vertices of a patch, in shared memory.
struct PatchVector {
  double e[3 * kPatchVertices];

  PHIFLEX_HD void gather(const PatchView& patches, int first, int numbers, const double* from, int thread) {
    for (int q = thread; q < numbers; q += kPatchTets) {
      const int v = q / 3;
      e[q] = load(from + 3 * static_cast<std::size_t>(load(patches.vertex + first + v)) + (q - 3 * v));
    }
  }
  PHIFLEX_HD Vec3<double> at(unsigned v) const { return {e[3 * v], e[3 * v + 1], e[3 * v + 2]}; }
  // Sum over corners of the vector times g', for a tetrahedron with these vertices.
  PHIFLEX_HD Mat3<double> gradient(unsigned local, const Vec3<double> (&g)[3]) const {
    const Vec3<double> origin = at(local & 255);
    Mat3<double> F = Mat3<double>::zero();
    for (int a = 0; a < 3; ++a) F += outer(at(local >> 8 * (a + 1) & 255) - origin, g[a]);
    return F;
  }
};
// The forces of a patch's tetrahedra on their corners: component c of corner a of tetrahedron t at [(3 a + c)
// kPatchTets + t].
struct PatchCorners {
  double e[12 * kPatchTets];

  // f_a = P g_a, f_0 = -f_1 - f_2 - f_3
  PHIFLEX_HD void put(int t, const Mat3<double>& P, const Vec3<double> (&g)[3]) {
    Vec3<double> origin = {0.0, 0.0, 0.0};
    for (int a = 0; a < 3; ++a) {
      const Vec3<double> f = P * g[a];
      origin = origin - f;
      for (int c = 0; c < 3; ++c) e[(3 * (a + 1) + c) * kPatchTets + t] = f[c];
    }
    for (int c = 0; c < 3; ++c) e[c * kPatchTets + t] = origin[c];
  }
  // Their sums at the patch's vertices; add: to what is there.
  PHIFLEX_HD void sum(const PatchView& patches, int first, int numbers, int thread, double* sums,
                      bool add = false) const {
    for (int q = thread; q < numbers; q += kPatchTets) {
      const int v = q / 3, c = q - 3 * v, end = load(patches.local_start + first + v + 1);
      double total = add ? sums[3 * static_cast<std::size_t>(first) + std::size_t(q)] : 0;
      for (int k = load(patches.local_start + first + v); k < end; ++k)
        total += e[patches.local_corner[k] + c * kPatchTets];
      sums[3 * static_cast<std::size_t>(first) + std::size_t(q)] = total;
    }
  }
};
// What bodies of for_each_patch share: what a patch is made of.
struct Patch {
  int first, tets, first_vertex, numbers;  // numbers: three for each vertex
  PHIFLEX_HD Patch(const PatchView& patches, int p)
      : first(load(patches.start + p)),
        tets(load(patches.start + p + 1) - first),
        first_vertex(load(patches.vertices + p)),
        numbers(3 * (load(patches.vertices + p + 1) - first_vertex)) {}
};

// Moduli of a law, number k of element e at [k tets + e].
template <class Law>
PHIFLEX_HD typename Law::template Moduli<double> load_moduli(const double* moduli, int tets, int e) {
  ModulusArray<Law, double> numbers;
  for (std::size_t k = 0; k < modulus_count<Law>; ++k) numbers[k] = load(moduli + k * std::size_t(tets) + e);
  return moduli_of<Law, double>(numbers);
}

// The forces (1), summed over each patch.
template <class Law>
struct PatchForces {
  TetView tets;
  PatchView patches;
  const double* moduli;
  const double* x;
  double* sums;

  struct Shared {
    PatchVector x;
    PatchCorners corners;
  };
  static constexpr int kPhases = 3;
  template <int Phase>
  PHIFLEX_HD void run(int p, int thread, Shared& shared) const {
    const Patch patch(patches, p);
    if constexpr (Phase == 0) {
      shared.x.gather(patches, patch.first_vertex, patch.numbers, x, thread);
    } else if constexpr (Phase == 1) {
      if (thread >= patch.tets) return;
      const int e = patch.first + thread;
      Vec3<double> g[3];
      load_gradients(tets, e, g);
      const Mat3<double> F = shared.x.gradient(patches.local[e], g);
      const typename Law::template At<double> at(load_moduli<Law>(moduli, tets.tets, e), F);
      shared.corners.put(thread, -load(tets.volume + e) * at.P(), g);
    } else {
      shared.corners.sum(patches, patch.first_vertex, patch.numbers, thread, sums);
    }
  }
};

// Damping by stiffness, f = -beta K* v, with K* at rest or at x.
struct Damping {
  const double* beta;  // s, of each tetrahedron; null: none
  bool current;        // at x
};

// Its forces, added to the sums over each patch.
template <class Law>
struct DampingForces {
  TetView tets;
  PatchView patches;
  const double* moduli;
  Damping damping;
  const double *x, *v;
  double* sums;

  struct Shared {
    PatchVector x, v;
    PatchCorners corners;
  };
  static constexpr int kPhases = 3;
  template <int Phase>
  PHIFLEX_HD void run(int p, int thread, Shared& shared) const {
    const Patch patch(patches, p);
    if constexpr (Phase == 0) {
      shared.x.gather(patches, patch.first_vertex, patch.numbers, x, thread);
      shared.v.gather(patches, patch.first_vertex, patch.numbers, v, thread);
    } else if constexpr (Phase == 1) {
      if (thread >= patch.tets) return;
      const int e = patch.first + thread;
      const unsigned local = patches.local[e];
      Vec3<double> g[3];
      load_gradients(tets, e, g);
      const Mat3<double> F = damping.current ? shared.x.gradient(local, g) : Mat3<double>::identity();
      const typename Law::template At<double> at(load_moduli<Law>(moduli, tets.tets, e), F);
      shared.corners.put(
          thread, -(load(damping.beta + e) * load(tets.volume + e)) * at.dP(shared.v.gradient(local, g)), g);
    } else {
      shared.corners.sum(patches, patch.first_vertex, patch.numbers, thread, sums, true);
    }
  }
};

// f_i = the sum over the places of a vertex in patches.
template <int Lanes>
struct GatherForces {
  const int* place_start;
  const int* place;
  const double* sums;
  double* f;

  PHIFLEX_HD Vec3<double> part(int i, int lane) const {
    Vec3<double> sum = {0.0, 0.0, 0.0};
    const int end = load(place_start + i + 1);
    for (int c = load(place_start + i) + lane; c < end; c += Lanes) sum += load3(sums, load(place + c));
    return sum;
  }
  PHIFLEX_HD void finish(int i, const Vec3<double>& sum) const { store3(f, i, sum); }
};

// The residual of an implicit stage (newton_stepper.h, (1)): r = m (w - v) - s (f + m gravity), and d'r and r'r.
template <int Lanes>
struct StageResidual {
  GatherForces<Lanes> gather;
  double s;
  Outside outside;
  const double *mass, *v, *w, *d;
  double* r;

  PHIFLEX_HD Vec3<double> part(int i, int lane) const { return gather.part(i, lane); }
  PHIFLEX_HD Sums<2> finish(int i, const Vec3<double>& f) const {
    const double m = load(mass + i);
    const Vec3<double> ri =
        m * (load3(w, i) - load3(v, i) - s * outside.gravity) - s * outside.force(f, i, m, load3(w, i));
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

template <class Derivative>
PHIFLEX_HD void put_pair_blocks(const Derivative& derivative, const Vec3<double> (&g)[3], double volume,
                                float (&out)[kPairNumbers]) {
  const Vec3<double> g0 = -(g[0] + g[1] + g[2]);
  put_block(derivative.block(g0, volume * g[0]), out);
  put_block(derivative.block(g0, volume * g[1]), out + 9);
  put_block(derivative.block(g0, volume * g[2]), out + 18);
  put_block(derivative.block(g[0], volume * g[1]), out + 27);
  put_block(derivative.block(g[0], volume * g[2]), out + 36);
  put_block(derivative.block(g[1], volume * g[2]), out + 45);
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
    float out[kPairNumbers];
    put_pair_blocks(Derivative(load_moduli<Law>(moduli, tets.tets, e), F), g, load(tets.volume + e), out);
    store_pair_blocks(out, e, blocks);
  }
};
// factor beta K* in the same form, added to what is there.
template <class Law>
struct AddDampingBlocks {
  TetView tets;
  const double* moduli;
  Damping damping;
  const double* x;
  double factor;
  Float4* blocks;

  PHIFLEX_HD void operator()(int e) const {
    Vec3<double> g[3];
    load_gradients(tets, e, g);
    const Mat3<double> F = damping.current ? deformation_gradient(tets, x, e, g) : Mat3<double>::identity();
    const typename Law::template At<double> at(load_moduli<Law>(moduli, tets.tets, e), F);
    float out[kPairNumbers];
    put_pair_blocks(at, g, factor * load(damping.beta + e) * load(tets.volume + e), out);
    const float* before = blocks[std::size_t(kPairNumbers / 4) * e].e;
    for (int k = 0; k < 54; ++k) out[k] += before[k];
    store_pair_blocks(out, e, blocks);
  }
};

PHIFLEX_HD inline Line::Last load_once(const Line::Last* p) {
#ifdef __CUDA_ARCH__
  Line::Last v;
  asm("ld.global.nc.L1::no_allocate.v2.b32 {%0, %1}, [%2];" : "=f"(v.value), "=r"(v.column) : "l"(p));
  return v;
#else
  return *p;
#endif
}

// sum += block d, with the block as it lies in a line.
PHIFLEX_HD inline void add_product(const Float4& low, const Float4& high, float last, const Vec3<double>& d,
                                   Vec3<double>& sum) {
  sum[0] += double(low.e[0]) * d[0] + double(low.e[1]) * d[1] + double(low.e[2]) * d[2];
  sum[1] += double(low.e[3]) * d[0] + double(high.e[0]) * d[1] + double(high.e[1]) * d[2];
  sum[2] += double(high.e[2]) * d[0] + double(high.e[3]) * d[1] + double(last) * d[2];
}
PHIFLEX_HD inline void add_product(const Float4& low, const Float4& high, float last, const TwoVec3& d,
                                   TwoVec3& sum) {
  add_product(low, high, last, d.a, sum.a);
  add_product(low, high, last, d.b, sum.b);
}

// The matrix of tet_layout.h, (1) and (2).
struct RowMatrix {
  const int *row_start, *column;  // of the blocks, row by row
  const int* slice_start;
  const Line* lines;

  // Block j of row i.
  struct Block {
    const Line& line;
    int slot;
    PHIFLEX_HD double entry(int k) const {
      return double(k < 4 ? line.low[slot].e[k] : k < 8 ? line.high[slot].e[k - 4] : line.last[slot].value);
    }
  };
  PHIFLEX_HD Block block(int i, int j) const {
    return {lines[load(slice_start + i / kSliceRows) + j / kRowLanes],
            kRowLanes * (i % kSliceRows) + j % kRowLanes};
  }

  // A lane's share of (K p)_i; X is double, Float4 or Double2 (load3).
  template <int Lanes, class X>
  PHIFLEX_HD auto part(const X* p, int i, int lane) const {
    static_assert(Lanes == kRowLanes);
    const int slice = i / kSliceRows, slot = Lanes * (i % kSliceRows) + lane,
              end = load(slice_start + slice + 1);
    const auto own = load3(p, i);
    decltype(load3(p, i)) sum{};
    PHIFLEX_UNROLL_BY(kRowUnroll)
    for (int l = load(slice_start + slice); l < end; ++l) {
      const Line& line = lines[l];
      const Float4 low = load_once(line.low + slot), high = load_once(line.high + slot);
      const Line::Last last = load_once(line.last + slot);
      add_product(low, high, last.value, load3(p, last.column) - own, sum);
    }
    return sum;
  }
};

// K_ij as the sum of its shares, in the order of the slots. Ordered: each share has a block of its own (em_kernels.h),
// else both shares of a pair have one.
template <bool Ordered>
struct AssembleBlocks {
  RowMatrix K;
  int rows;
  const int *slice_of, *share_start, *share;
  const float* pairs;
  Line* lines;

  PHIFLEX_HD void operator()(int item) const {
    const int line = item / kSlots, slice = load(slice_of + line), slot = item % kSlots;
    const int row = kSliceRows * slice + slot / kRowLanes;
    if (row >= rows) return;
    const int start = load(K.row_start + row), count = load(K.row_start + row + 1) - start;
    const int j = kRowLanes * (line - load(K.slice_start + slice)) + slot % kRowLanes;
    if (j >= count) return;
    double sum[9] = {};
    const int end = load(share_start + start + j + 1);
    for (int s = load(share_start + start + j); s < end; ++s) add(load(share + s), sum);
    Line& out = lines[line];
    out.low[slot] = {{float(sum[0]), float(sum[1]), float(sum[2]), float(sum[3])}};
    out.high[slot] = {{float(sum[4]), float(sum[5]), float(sum[6]), float(sum[7])}};
    out.last[slot].value = float(sum[8]);
  }

 private:
  PHIFLEX_HD void add(int code, double (&sum)[9]) const {
    if constexpr (Ordered) {
      const float* block = pairs + 9 * static_cast<std::size_t>(code);
      for (int k = 0; k < 9; ++k) sum[k] += double(load(block + k));
    } else {
      const int pair = code / 2;
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
  }
};

// The largest of the three rows of vertex i in |M^-1 K| (the sum of its entries' magnitudes), 1/s^2; over the free
// columns.
struct RowBound {
  RowMatrix K;
  int free;
  const double* mass;
  double* bounds;
  PHIFLEX_HD void operator()(int i) const {
    const int start = load(K.row_start + i), count = load(K.row_start + i + 1) - start;
    double sums[3] = {}, diagonal[9] = {};
    for (int j = 0; j < count; ++j) {
      const bool is_free = load(K.column + start + j) < free;
      const RowMatrix::Block block = K.block(i, j);
      for (int k = 0; k < 9; ++k) {
        const double entry = block.entry(k);
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
