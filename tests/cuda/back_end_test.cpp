// What launches promise (cuda/serial_back_end.h), on the serial back end.
#include <gtest/gtest.h>

#include <numeric>

#include "phiflex/cuda/device_array.h"

namespace phiflex::device {
namespace {

// 1, 1/2, 1/3, ...: sums of other orders round differently.
struct Harmonic {
  Sums<2> operator()(int i) const { return {{1.0 / (i + 1), 1.0}}; }
};
struct Keep {
  double* to;
  void operator()(const Sums<2>& sums) const { std::copy(sums.e, sums.e + 2, to); }
};
struct Parts {
  double* to;
  Vec3<double> part(int i, int lane) const { return {double(lane), double(i), 1.0}; }
  void finish(int i, const Vec3<double>& sum) const { to[i] = sum[0] + 1000 * sum[1] + 1e6 * sum[2]; }
};

TEST(SerialBackEnd, ForEachVisitsEveryItemOnce) {
  std::vector<int> visits(1000, 0);
  SerialBackEnd().for_each(1000, [&](int i) { ++visits[std::size_t(i)]; });
  EXPECT_EQ(visits, std::vector<int>(1000, 1));
}

TEST(SerialBackEnd, TheLanesOfAGroupAreSummed) {
  std::vector<double> sums(7);
  SerialBackEnd().for_each_group<8>(7, Parts{sums.data()});
  for (int i = 0; i < 7; ++i) EXPECT_EQ(sums[std::size_t(i)], 28 + 1000 * 8 * i + 8e6);
}

// Each thread leaves a number, and after the phase reads its neighbour's.
struct Neighbours {
  int* to;
  struct Shared {
    int own[kPatchTets];
  };
  static constexpr int kPhases = 2;
  template <int Phase>
  void run(int i, int thread, Shared& shared) const {
    if constexpr (Phase == 0)
      shared.own[thread] = 1000 * i + thread;
    else
      to[kPatchTets * i + thread] = shared.own[(thread + 1) % kPatchTets];
  }
};

TEST(SerialBackEnd, ThePhasesOfAPatchFollowEachOtherForAllItsThreads) {
  std::vector<int> found(3 * kPatchTets, -1);
  SerialBackEnd().for_each_patch(3, Neighbours{found.data()});
  for (int i = 0; i < 3; ++i)
    for (int thread = 0; thread < kPatchTets; ++thread)
      EXPECT_EQ(found[std::size_t(kPatchTets * i + thread)], 1000 * i + (thread + 1) % kPatchTets);
}

TEST(SerialBackEnd, SumsCountEveryItemOnceWhateverTheirNumber) {
  for (int count : {0, 1, 31, 256, 257, 100000, 256 * kSumBlocks + 3}) {
    double sums[2] = {-1, -1};
    SerialBackEnd().sum<2>(count, Harmonic{}, Keep{sums});
    EXPECT_EQ(sums[1], count);
    double expected = 0;
    for (int i = count; i > 0; --i) expected += 1.0 / i;
    EXPECT_NEAR(sums[0], expected, 1e-14 * expected) << count;
  }
}

// The order that serial_back_end.h states, for 300 items: threads 0 to 255 of two blocks have one item each.
TEST(SerialBackEnd, SumsAreMadeInTheStatedOrder) {
  const auto tree = [](std::vector<double> values) {
    for (std::size_t o = values.size() / 2; o > 0; o /= 2)
      for (std::size_t i = 0; i < o; ++i) values[i] += values[i + o];
    return values[0];
  };
  std::vector<double> blocks;
  for (int block = 0; block < 2; ++block) {
    std::vector<double> warps;
    for (int warp = 0; warp < 8; ++warp) {
      std::vector<double> threads(32, 0.0);
      for (int lane = 0; lane < 32; ++lane)
        if (const int i = 256 * block + 32 * warp + lane; i < 300) threads[std::size_t(lane)] = 1.0 / (i + 1);
      warps.push_back(tree(threads));
    }
    blocks.push_back(tree(warps));
  }
  double sums[2];
  SerialBackEnd().sum<2>(300, Harmonic{}, Keep{sums});
  EXPECT_EQ(sums[0], blocks[0] + blocks[1]);
}

TEST(DeviceArray, StartsAtZeroAndKeepsWhatIsWritten) {
  SerialBackEnd on;
  DeviceArray<SerialBackEnd, double> a(on, 5), b(on, 5);
  std::vector<double> values(5, 7.0);
  a.read(values);
  EXPECT_EQ(values, std::vector<double>(5, 0.0));
  std::iota(values.begin(), values.end(), 1.0);
  b.write(values);
  a.assign(b);
  EXPECT_EQ(a.first(), 1.0);
  std::vector<double> back(5);
  a.read(back);
  EXPECT_EQ(back, values);
}

}  // namespace
}  // namespace phiflex::device
