// Where kernels run. A back end has memory, copies and three launches, and is what the classes of this room are
// templates on: SerialBackEnd runs on the CPU, one item after the other, CardBackEnd (card_back_end.h) on a graphics
// card. The bodies of the kernels are the same source for both, so that their faults show without a card.
//
//   for_each(count, body)                      body(i) for 0 <= i < count, in any order
//   for_each_group<L>(count, body)             L lanes for each item: s = sum over lanes of body.part(i, lane),
//                                              a Vec3<double> or a TwoVec3, then body.finish(i, s)
//   sum_groups<L, N>(count, body, then)        the same, where body.finish(i, s) returns Sums<N>; their sum over all
//                                              items goes to then(sums), which is called once
//   sum<N>(count, body, then)                  the sum of body(i)
//   for_each_patch(count, body)                kPatchTets threads for each item, with Body::Shared of memory that they share:
//                                              body.run<k>(i, thread, shared) by all of them, then for the next
//                                              k < Body::kPhases
//
// Sums are made in a fixed order, in double, without atomics. The lanes of a group are added in pairs, lane k and
// k + L/2 first. Item i belongs to thread (L i + lane) mod (256 kSumBlocks) of so many threads; a thread adds its items
// in ascending order, the threads of a warp and then the eight warps of a block are added as the lanes of a group are,
// and so are the blocks, 1024 threads adding every 1024th of them. Both back ends keep this order.
#pragma once

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "phiflex/cuda/device_values.h"

namespace phiflex::device {

inline constexpr int kThreads = 256;     // of a block
inline constexpr int kPatchTets = 192;   // of a block of for_each_patch
inline constexpr int kSumBlocks = 1056;  // of a sum, at most; eight for each of an H200's multiprocessors
inline constexpr int kFinalThreads = 1024;
inline constexpr int kMostSums = 9;

// A plain body as one of groups of one lane.
template <class Body>
struct OneLane {
  Body body;
  PHIFLEX_HD Vec3<double> part(int, int) const { return {0.0, 0.0, 0.0}; }
  PHIFLEX_HD auto finish(int i, const Vec3<double>&) const { return body(i); }
};

class SerialBackEnd {
 public:
  std::string name() const { return "the CPU, one item after the other"; }
  void* allocate(std::size_t bytes) { return ::operator new(bytes, std::align_val_t(64)); }
  void release(void* memory) { ::operator delete(memory, std::align_val_t(64)); }
  void copy_in(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  void copy_out(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  void copy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  void set_zero(void* memory, std::size_t bytes) { std::memset(memory, 0, bytes); }
  void wait() {}

  // Launches that are made again and again with the same arguments; a card records them once and replays them.
  class Recording {
   public:
    template <class Launches>
    void run(SerialBackEnd&, const Launches& launches) {
      launches();
    }
  };

  template <class Body>
  void for_each(int count, const Body& body) {
    for (int i = 0; i < count; ++i) body(i);
  }
  template <class Body>
  void for_each_patch(int count, const Body& body) {
    const auto shared = std::make_unique<typename Body::Shared>();
    for (int i = 0; i < count; ++i)
      run_phases(i, body, *shared, std::make_integer_sequence<int, Body::kPhases>{});
  }
  template <int L, class Body>
  void for_each_group(int count, const Body& body) {
    for (int i = 0; i < count; ++i) body.finish(i, group_sum<L>(body, i));
  }
  template <int L, int N, class Body, class Then>
  void sum_groups(int count, const Body& body, const Then& then) {
    constexpr int groups = kThreads / L;  // of a block
    const int blocks = sum_blocks<L>(count);
    std::vector<Sums<N>> of_blocks(kFinalThreads, Sums<N>{});
    for (int block = 0; block < blocks; ++block) {
      Sums<N> of_threads[kThreads] = {};
      for (long base = long(block) * groups; base < count; base += long(blocks) * groups)
        for (int g = 0; g < groups && base + g < count; ++g) {
          const int i = int(base + g);
          add(body.finish(i, group_sum<L>(body, i)), of_threads[L * g]);
        }
      Sums<N> of_warps[kThreads / 32];
      for (int warp = 0; warp < kThreads / 32; ++warp) of_warps[warp] = tree<32>(of_threads + 32 * warp);
      add(tree<kThreads / 32>(of_warps), of_blocks[block % kFinalThreads]);
    }
    Sums<N> of_warps[kFinalThreads / 32];
    for (int warp = 0; warp < kFinalThreads / 32; ++warp)
      of_warps[warp] = tree<32>(of_blocks.data() + 32 * warp);
    then(tree<kFinalThreads / 32>(of_warps));
  }
  template <int N, class Body, class Then>
  void sum(int count, const Body& body, const Then& then) {
    sum_groups<1, N>(count, OneLane<Body>{body}, then);
  }

  template <int L>
  static int sum_blocks(int count) {
    const long needed = (long(count) * L + kThreads - 1) / kThreads;
    return int(needed < kSumBlocks ? needed : kSumBlocks);
  }

 private:
  template <class Body, int... Phase>
  static void run_phases(int i, const Body& body, typename Body::Shared& shared,
                         std::integer_sequence<int, Phase...>) {
    const auto all = [&]<int Now>(std::integral_constant<int, Now>) {
      for (int thread = 0; thread < kPatchTets; ++thread) body.template run<Now>(i, thread, shared);
    };
    (all(std::integral_constant<int, Phase>{}), ...);
  }
  template <int N>
  static void add(const Sums<N>& more, Sums<N>& sums) {
    for (int k = 0; k < N; ++k) sums.e[k] += more.e[k];
  }
  template <int Count, int N>
  static Sums<N> tree(Sums<N>* values) {
    for (int o = Count / 2; o > 0; o /= 2)
      for (int i = 0; i < o; ++i) add(values[i + o], values[i]);
    return values[0];
  }
  template <int L, class Body>
  static auto group_sum(const Body& body, int i) {
    decltype(body.part(0, 0)) parts[L];
    for (int lane = 0; lane < L; ++lane) parts[lane] = body.part(i, lane);
    for (int o = L / 2; o > 0; o /= 2)
      for (int lane = 0; lane < o; ++lane) parts[lane] += parts[lane + o];
    return parts[0];
  }
};

}  // namespace phiflex::device
