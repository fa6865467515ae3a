#include "phiflex/base/errors.h"

#include <gtest/gtest.h>

namespace phiflex {
namespace {

TEST(Errors, AProblemNamesFilePlaceAndMessage) {
  EXPECT_EQ((Problem{"bar.json", "/time/step", "0 is not positive"}).text(),
            "bar.json: /time/step: 0 is not positive");
  EXPECT_EQ((Problem{"", "/time/step", "0 is not positive"}).text(), "/time/step: 0 is not positive");
  EXPECT_EQ((Problem{"bar.json", "", "is empty"}).text(), "bar.json: is empty");
  EXPECT_EQ((Problem{"", "", "is empty"}).text(), "is empty");
}

TEST(Errors, AnInputErrorListsEveryProblemOnItsLine) {
  const InputError error({{"a", "line 1", "x"}, {"b", "line 2", "y"}});
  EXPECT_STREQ(error.what(), "a: line 1: x\nb: line 2: y");
  ASSERT_EQ(error.problems().size(), 2u);
  EXPECT_EQ(error.problems()[1].place, "line 2");
}

TEST(Errors, OneProblemNeedsNoList) {
  const InputError error("a", "byte 96", "x");
  ASSERT_EQ(error.problems().size(), 1u);
  EXPECT_STREQ(error.what(), "a: byte 96: x");
}

TEST(Errors, AFileErrorNamesTheFile) {
  EXPECT_STREQ(FileError("bar.msh", "cannot open").what(), "bar.msh: cannot open");
}

}  // namespace
}  // namespace phiflex
