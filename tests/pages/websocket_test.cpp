// Messages over a WebSocket, by the examples of RFC 6455 and by what breaks it.
#include "phiflex/pages/websocket.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace phiflex {
namespace {

std::string hexadecimal(const std::array<std::uint8_t, 20>& digest) {
  std::string text;
  for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

// A client's frame.
std::string masked(int first_byte, std::string_view payload, std::uint64_t claimed = ~std::uint64_t{0}) {
  const std::string mask = "\x37\xfa\x21\x3d";
  const std::uint64_t size = claimed == ~std::uint64_t{0} ? payload.size() : claimed;
  std::string frame(1, char(first_byte));
  if (size <= 125) {
    frame += char(0x80 | size);
  } else {
    frame += char(0x80 | 127);
    for (int shift = 56; shift >= 0; shift -= 8) frame += char(size >> shift & 0xff);
  }
  frame += mask;
  for (std::size_t i = 0; i < payload.size(); ++i) frame += char(payload[i] ^ mask[i % 4]);
  return frame;
}

TEST(WebSocket, HashesAsTheStandardDoes) {
  EXPECT_EQ(hexadecimal(sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hexadecimal(sha1("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hexadecimal(sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
}

TEST(WebSocket, AcceptsTheHandshakeOfTheStandard) {
  EXPECT_EQ(websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_FALSE(websocket_accept(""));
  EXPECT_FALSE(websocket_accept("dGhlIHNhbXBsZSBub25jZQ"));
}

TEST(WebSocket, WritesLengthsInOneThreeOrNineBytes) {
  EXPECT_EQ(websocket_message(MessageKind::text, "Hello"), std::string("\x81\x05Hello"));
  EXPECT_EQ(websocket_message(MessageKind::binary, std::string(126, 'a')).substr(0, 4),
            std::string("\x82\x7e\x00\x7e", 4));
  EXPECT_EQ(websocket_message(MessageKind::binary, std::string(65536, 'a')).substr(0, 10),
            std::string("\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10));
}

TEST(WebSocket, ReadsMessagesThatComeByteByByteAndInPieces) {
  WebSocketReader reader(100);
  const std::string bytes =
      masked(0x81, "Hello") + masked(0x01, "one ") + masked(0x89, "ping") + masked(0x80, "two");
  std::vector<std::pair<MessageKind, std::string>> got;
  for (const char byte : bytes) {
    reader.add({&byte, 1});
    while (auto message = reader.next()) got.emplace_back(message->kind, message->payload);
  }
  const std::vector<std::pair<MessageKind, std::string>> expected{
      {MessageKind::text, "Hello"}, {MessageKind::ping, "ping"}, {MessageKind::text, "one two"}};
  EXPECT_EQ(got, expected);
  EXPECT_EQ(reader.fault(), 0);
}

TEST(WebSocket, RefusesWhatBreaksTheProtocol) {
  const std::string unmasked = "\x81\x05Hello";
  for (const std::string& bytes : {unmasked, masked(0xc1, "reserved bit"), masked(0x83, "unknown opcode"),
                                   masked(0x80, "goes on with nothing"), masked(0x09, "a ping in pieces"),
                                   masked(0x01, "one") + masked(0x81, "another one begins")}) {
    WebSocketReader reader(1000);
    reader.add(bytes);
    EXPECT_FALSE(reader.next());
    EXPECT_EQ(reader.fault(), 1002) << bytes;
    reader.add(masked(0x81, "Hello"));
    EXPECT_FALSE(reader.next()) << "nothing is read after a breach";
  }
}

TEST(WebSocket, RefusesLongMessagesBeforeTheyHaveCome) {
  for (const std::uint64_t claimed : {std::uint64_t{1001}, std::uint64_t{1} << 62}) {
    WebSocketReader reader(1000);
    reader.add(masked(0x81, "", claimed));
    EXPECT_FALSE(reader.next());
    EXPECT_EQ(reader.fault(), 1009);
  }
  WebSocketReader in_pieces(1000);
  in_pieces.add(masked(0x01, std::string(100, 'a')));
  for (int i = 0; i < 20 && in_pieces.fault() == 0; ++i) {
    in_pieces.add(masked(0x00, std::string(100, 'a')));
    EXPECT_FALSE(in_pieces.next());
  }
  EXPECT_EQ(in_pieces.fault(), 1009);
}

}  // namespace
}  // namespace phiflex
