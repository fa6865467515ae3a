#include "phiflex/base/printable.h"

#include <gtest/gtest.h>

namespace phiflex {
namespace {

TEST(Printable, TextInAnyScriptStaysAsItIs) {
  for (const char* text :
       {"", "bar-drop/scene.json", "B\xc3\xa4lle", "\xe7\x90\x83", "\xf0\x9f\x8e\x88 100 %"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, WhatSteersATerminalIsShown) {
  EXPECT_EQ(printable("\x1b]0;title\x07\x1b[31mred\x7f\r"), "\\x1b]0;title\\x07\\x1b[31mred\\x7f\\x0d");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u009b2J");  // a control sequence in one character
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a\\u202eb");  // turns the direction of writing
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, BytesThatAreNoUtf8AreShown) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");           // an escape character, longer than need be
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
  EXPECT_EQ(printable("cut \xe7\x90"), "cut \\xe7\\x90");
}

TEST(Printable, LineBreaksAreKeptOnlyWhereTheyAreOurs) {
  EXPECT_EQ(printable("a\n\tb"), "a\\n\\tb");
  EXPECT_EQ(printable("a\n\tb", LineBreaks::kept), "a\n\tb");
  EXPECT_EQ(printable("a\rb", LineBreaks::kept), "a\\x0db");
}

}  // namespace
}  // namespace phiflex
