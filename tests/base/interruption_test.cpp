#include "phiflex/base/interruption.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace phiflex {
namespace {

struct Left : std::runtime_error {
  Left() : std::runtime_error("left") {}
};

void leave() {
  throw Left();
}

TEST(Interruption, AComputationIsLeftOnlyWhereItMayBe) {
  EXPECT_NO_THROW(poll_for_interruption());
  const PollForInterruption poll(&leave);
  EXPECT_NO_THROW(poll_for_interruption());
  {
    const Interruptible scope;
    EXPECT_THROW(poll_for_interruption(), Left);
  }
  EXPECT_NO_THROW(poll_for_interruption());
}

TEST(Interruption, AFunctionBelongsToItsThreadAndItsScope) {
  const Interruptible scope;
  {
    const PollForInterruption poll(&leave);
    std::thread([] {
      const Interruptible inner;
      EXPECT_NO_THROW(poll_for_interruption());
    }).join();
    {
      const PollForInterruption none(nullptr);
      EXPECT_NO_THROW(poll_for_interruption());
    }
    EXPECT_THROW(poll_for_interruption(), Left);
  }
  EXPECT_NO_THROW(poll_for_interruption());
}

}  // namespace
}  // namespace phiflex
