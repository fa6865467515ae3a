// The back end of a graphics card (serial_back_end.h says what a back end is and in which order it adds). For nvcc
// only.
#pragma once

#ifndef __CUDACC__
#error "card_back_end.h is compiled by nvcc"
#endif

#include <cuda_runtime.h>

#include <cstring>
#include <string>

#include "phiflex/base/unavailable.h"
#include "phiflex/cuda/serial_back_end.h"

namespace phiflex::device {

// What the driver refuses: no card, an old driver, no memory left.
class CardError : public Unavailable {
 public:
  using Unavailable::Unavailable;
};

namespace card_detail {

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // an error that does not stay is forgotten, so that the next call may succeed
  throw CardError(std::string("the graphics card: ") + what + ": " + cudaGetErrorString(error));
}

template <int Width>
__device__ double sum_lanes(double v) {
#pragma unroll
  for (int o = Width / 2; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o, Width);
  return v;
}
template <int L>
__device__ Vec3<double> sum_lanes(const Vec3<double>& v) {
  return {sum_lanes<L>(v[0]), sum_lanes<L>(v[1]), sum_lanes<L>(v[2])};
}
template <int L>
__device__ TwoVec3 sum_lanes(const TwoVec3& v) {
  return {sum_lanes<L>(v.a), sum_lanes<L>(v.b)};
}
// Thread 0 of a block of `Threads` returns the sum over the block.
template <int Threads, int N>
__device__ Sums<N> sum_block(Sums<N> own) {
  __shared__ double of_warps[N][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < N; ++k) {
    own.e[k] = sum_lanes<32>(own.e[k]);
    if (lane == 0) of_warps[k][warp] = own.e[k];
  }
  __syncthreads();
  if (warp == 0)
#pragma unroll
    for (int k = 0; k < N; ++k) {
      own.e[k] = lane < Threads / 32 ? of_warps[k][lane] : 0.0;
      own.e[k] = sum_lanes<Threads / 32>(own.e[k]);
    }
  return own;
}

template <class Body>
__global__ void __launch_bounds__(kThreads) run_each(int count, Body body) {
  const int i = int(blockIdx.x * static_cast<long>(kThreads) + threadIdx.x);
  if (i < count) body(i);
}
template <int Phase, class Body>
__device__ void run_phases(const Body& body, typename Body::Shared& shared) {
  body.template run<Phase>(int(blockIdx.x), int(threadIdx.x), shared);
  if constexpr (Phase + 1 < Body::kPhases) {
    __syncthreads();
    run_phases<Phase + 1>(body, shared);
  }
}
template <class Body>
__global__ void __launch_bounds__(kPatchTets) run_patches(Body body) {
  __shared__ typename Body::Shared shared;
  run_phases<0>(body, shared);
}
template <int L, class Body>
__global__ void __launch_bounds__(kThreads) run_groups(int count, Body body) {
  const long i = (blockIdx.x * static_cast<long>(kThreads) + threadIdx.x) / L;
  const int lane = threadIdx.x % L;
  using Part = decltype(body.part(0, 0));
  const Part part = i < count ? body.part(int(i), lane) : Part{};
  const Part sum = sum_lanes<L>(part);
  if (i < count && lane == 0) body.finish(int(i), sum);
}
template <int L, int N, class Body>
__global__ void __launch_bounds__(kThreads) run_sum(int count, Body body, Sums<N>* of_blocks) {
  constexpr int groups = kThreads / L;
  const int lane = threadIdx.x % L;
  Sums<N> own = {};
  for (long base = blockIdx.x * static_cast<long>(groups); base < count;
       base += gridDim.x * static_cast<long>(groups)) {
    const long i = base + threadIdx.x / L;
    using Part = decltype(body.part(0, 0));
    Part sum = i < count ? body.part(int(i), lane) : Part{};
    if constexpr (L > 1) sum = sum_lanes<L>(sum);
    if (i < count && lane == 0) {
      const Sums<N> more = body.finish(int(i), sum);
#pragma unroll
      for (int k = 0; k < N; ++k) own.e[k] += more.e[k];
    }
  }
  own = sum_block<kThreads>(own);
  if (threadIdx.x == 0) of_blocks[blockIdx.x] = own;
}
template <int N, class Then>
__global__ void __launch_bounds__(kFinalThreads) finish_sum(int blocks, const Sums<N>* of_blocks, Then then) {
  Sums<N> own = {};
  for (int b = threadIdx.x; b < blocks; b += kFinalThreads)
#pragma unroll
    for (int k = 0; k < N; ++k) own.e[k] += of_blocks[b].e[k];
  own = sum_block<kFinalThreads>(own);
  if (threadIdx.x == 0) then(own);
}

}  // namespace card_detail

class CardBackEnd {
 public:
  CardBackEnd() {
    card_detail::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cannot be used");
    try {
      of_blocks_ = allocate(kSumBlocks * kMostSums * sizeof(double));
      card_detail::check(cudaMallocHost(&few_, kFewBytes), "no memory for the body");
    } catch (...) {
      release(of_blocks_);
      cudaStreamDestroy(stream_);
      throw;
    }
  }
  ~CardBackEnd() {
    cudaFreeHost(few_);
    release(of_blocks_);
    cudaStreamDestroy(stream_);
  }
  CardBackEnd(const CardBackEnd&) = delete;
  CardBackEnd& operator=(const CardBackEnd&) = delete;

  std::string name() const {
    int card = 0;
    cudaDeviceProp properties{};
    card_detail::check(cudaGetDevice(&card), "cannot be used");
    card_detail::check(cudaGetDeviceProperties(&properties, card), "cannot be used");
    return properties.name;
  }
  void* allocate(std::size_t bytes) {
    void* memory = nullptr;
    card_detail::check(cudaMalloc(&memory, bytes > 0 ? bytes : 16), "no memory for the body");
    return memory;
  }
  void release(void* memory) { cudaFree(memory); }
  void copy_in(void* to, const void* from, std::size_t bytes) {
    move(to, from, bytes, cudaMemcpyHostToDevice), wait();
  }
  void copy_out(void* to, const void* from, std::size_t bytes) {
    const bool few = bytes <= kFewBytes;
    move(few ? few_ : to, from, bytes, cudaMemcpyDeviceToHost), wait();
    if (few) std::memcpy(to, few_, bytes);
  }
  void copy(void* to, const void* from, std::size_t bytes) {
    move(to, from, bytes, cudaMemcpyDeviceToDevice);
  }
  void set_zero(void* memory, std::size_t bytes) {
    card_detail::check(cudaMemsetAsync(memory, 0, bytes, stream_), "clearing memory");
  }
  void wait() { card_detail::check(cudaStreamSynchronize(stream_), "a kernel"); }
  cudaStream_t stream() const { return stream_; }

  class Recording {
   public:
    Recording() = default;
    ~Recording() {
      if (executable_) cudaGraphExecDestroy(executable_);
    }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    template <class Launches>
    void run(CardBackEnd& card, const Launches& launches) {
      if (!executable_) record(card, launches);
      card_detail::check(cudaGraphLaunch(executable_, card.stream()), "a graph of kernels");
    }

   private:
    template <class Launches>
    void record(CardBackEnd& card, const Launches& launches) {
      using card_detail::check;
      check(cudaStreamBeginCapture(card.stream(), cudaStreamCaptureModeThreadLocal), "recording kernels");
      cudaGraph_t graph = nullptr;
      try {
        launches();
      } catch (...) {
        cudaStreamEndCapture(card.stream(), &graph);
        if (graph) cudaGraphDestroy(graph);
        throw;
      }
      check(cudaStreamEndCapture(card.stream(), &graph), "recording kernels");
      const cudaError_t error = cudaGraphInstantiate(&executable_, graph, 0);
      cudaGraphDestroy(graph);
      check(error, "a graph of kernels");
    }
    cudaGraphExec_t executable_ = nullptr;
  };

  template <class Body>
  void for_each(int count, const Body& body) {
    if (count == 0) return;
    card_detail::run_each<<<blocks_of<1>(count), kThreads, 0, stream_>>>(count, body);
    launched();
  }
  template <class Body>
  void for_each_patch(int count, const Body& body) {
    if (count == 0) return;
    card_detail::run_patches<<<unsigned(count), kPatchTets, 0, stream_>>>(body);
    launched();
  }
  template <int L, class Body>
  void for_each_group(int count, const Body& body) {
    if (count == 0) return;
    card_detail::run_groups<L><<<blocks_of<L>(count), kThreads, 0, stream_>>>(count, body);
    launched();
  }
  template <int L, int N, class Body, class Then>
  void sum_groups(int count, const Body& body, const Then& then) {
    static_assert(N <= kMostSums);
    const int blocks = SerialBackEnd::sum_blocks<L>(count);
    Sums<N>* of_blocks = static_cast<Sums<N>*>(of_blocks_);
    if (blocks > 0) card_detail::run_sum<L, N><<<blocks, kThreads, 0, stream_>>>(count, body, of_blocks);
    card_detail::finish_sum<N><<<1, kFinalThreads, 0, stream_>>>(blocks, of_blocks, then);
    launched();
  }
  template <int N, class Body, class Then>
  void sum(int count, const Body& body, const Then& then) {
    sum_groups<1, N>(count, OneLane<Body>{body}, then);
  }

 private:
  template <int L>
  static unsigned blocks_of(int count) {
    return unsigned((static_cast<long>(count) * L + kThreads - 1) / kThreads);
  }
  void move(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    card_detail::check(cudaMemcpyAsync(to, from, bytes, kind, stream_), "copying");
  }
  void launched() { card_detail::check(cudaGetLastError(), "a kernel cannot be started"); }

  cudaStream_t stream_ = nullptr;
  void* of_blocks_ = nullptr;
  // Numbers that the host asks for go through memory that the card writes to itself, which takes half the time.
  static constexpr std::size_t kFewBytes = 256;
  void* few_ = nullptr;
};

}  // namespace phiflex::device
