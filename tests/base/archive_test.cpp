#include "phiflex/base/archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace phiflex {
namespace {

std::string sample() {
  ArchiveWriter writer;
  const std::vector<double> values = {1.5, -0.0, std::numeric_limits<double>::denorm_min()};
  writer.put(0.1);
  writer.put(std::int64_t{-7});
  writer.put(std::string_view("warm\0modes", 10));
  writer.put(std::span<const double>(values));
  writer.put(std::span<const double>());
  return writer.bytes();
}

TEST(Archive, GivesBackWhatWasPutBitForBit) {
  const std::string bytes = sample();
  ArchiveReader reader(bytes);
  EXPECT_EQ(reader.get_double(), 0.1);
  EXPECT_EQ(reader.get_integer(), -7);
  EXPECT_EQ(reader.get_text(), std::string("warm\0modes", 10));
  double values[3];
  reader.get_doubles(values);
  EXPECT_EQ(values[0], 1.5);
  EXPECT_TRUE(std::signbit(values[1]));
  EXPECT_EQ(values[2], std::numeric_limits<double>::denorm_min());
  EXPECT_FALSE(reader.at_end());
  EXPECT_TRUE(reader.get_doubles().empty());
  EXPECT_TRUE(reader.at_end());
}

TEST(Archive, AskingForAnotherKindIsAnError) {
  const std::string bytes = sample();
  EXPECT_THROW(ArchiveReader(bytes).get_integer(), ArchiveError);
  EXPECT_THROW(ArchiveReader(bytes).get_text(), ArchiveError);
  EXPECT_THROW(ArchiveReader(bytes).get_doubles(), ArchiveError);
}

TEST(Archive, AnArrayOfAnotherSizeIsAnError) {
  ArchiveWriter writer;
  const double values[3] = {1, 2, 3};
  writer.put(std::span<const double>(values));
  double two[2];
  EXPECT_THROW(ArchiveReader(writer.bytes()).get_doubles(two), ArchiveError);
}

TEST(Archive, EveryTruncationIsAnError) {
  const std::string bytes = sample();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto read_all = [&] {
      ArchiveReader reader(std::string_view(bytes).substr(0, length));
      reader.get_double();
      reader.get_integer();
      reader.get_text();
      reader.get_doubles();
      reader.get_doubles();
    };
    EXPECT_THROW(read_all(), ArchiveError) << length;
  }
}

TEST(Archive, ALengthThatDoesNotFitTheBytesAllocatesNothing) {
  std::string bytes = "v";
  bytes.append(8, '\x7f');  // an array of 9e18 bytes, it says
  EXPECT_THROW(ArchiveReader(bytes).get_doubles(), ArchiveError);
}

TEST(Archive, ANumberBeyondItsBoundsIsAnError) {
  ArchiveWriter writer;
  writer.put(std::int64_t{8});
  EXPECT_EQ(ArchiveReader(writer.bytes()).get_integer(0, 8), 8);
  EXPECT_THROW(ArchiveReader(writer.bytes()).get_integer(0, 7), ArchiveError);
  EXPECT_THROW(ArchiveReader(writer.bytes()).get_integer(9, 10), ArchiveError);
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    ArchiveWriter other;
    other.put(value);
    EXPECT_THROW(ArchiveReader(other.bytes()).get_finite(), ArchiveError);
  }
}

TEST(Archive, WhatGoesOnAfterItsEndIsAnError) {
  ArchiveWriter writer;
  writer.put(1.0);
  writer.put(2.0);
  ArchiveReader reader(writer.bytes());
  reader.get_double();
  EXPECT_THROW(reader.finish(), ArchiveError);
  reader.get_double();
  EXPECT_NO_THROW(reader.finish());
}

}  // namespace
}  // namespace phiflex
