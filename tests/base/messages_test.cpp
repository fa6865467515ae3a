#include "phiflex/base/messages.h"

#include <gtest/gtest.h>

namespace phiflex::testing {
namespace {

using Texts = std::vector<std::string>;

TEST(Messages, AreListedByKindInTheOrderInWhichTheyCameUp) {
  Messages messages;
  messages.warn("first");
  messages.note("chosen");
  messages.note("");  // says nothing
  messages.warn(Texts{"second", "third"});
  EXPECT_EQ(messages.warnings(), (Texts{"first", "second", "third"}));
  EXPECT_EQ(messages.notes(), Texts{"chosen"});
  EXPECT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages.since(2).warnings(), (Texts{"second", "third"}));
  EXPECT_TRUE(messages.since(4).empty());
}

TEST(Messages, ThatWereSaidAreNotAddedAgain) {
  Messages said, more;
  said.warn("known");
  more.warn("known");
  more.note("known");
  more.warn("new");
  const Messages fresh = said.add_new(more);
  EXPECT_EQ(fresh.warnings(), Texts{"new"});
  EXPECT_EQ(fresh.notes(), Texts{"known"});
  EXPECT_EQ(said.warnings(), (Texts{"known", "new"}));
  EXPECT_TRUE(said.add_new(more).empty());
}

}  // namespace
}  // namespace phiflex::testing
