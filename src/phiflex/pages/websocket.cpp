#include "phiflex/pages/websocket.h"

#include <algorithm>
#include <bit>

#include "phiflex/mesh/vtu_data.h"

namespace phiflex {
namespace {

constexpr std::uint8_t kFinal = 0x80, kReserved = 0x70, kOpcode = 0x0f, kMasked = 0x80, kLength = 0x7f;
constexpr std::uint16_t kProtocolError = 1002, kTooLarge = 1009;

std::uint8_t opcode_of(MessageKind kind) {
  switch (kind) {
    case MessageKind::text:
      return 1;
    case MessageKind::binary:
      return 2;
    case MessageKind::close:
      return 8;
    case MessageKind::ping:
      return 9;
    case MessageKind::pong:
      return 10;
  }
  return 8;
}

std::optional<MessageKind> kind_of(std::uint8_t opcode) {
  for (const MessageKind kind :
       {MessageKind::text, MessageKind::binary, MessageKind::close, MessageKind::ping, MessageKind::pong})
    if (opcode_of(kind) == opcode) return kind;
  return std::nullopt;
}

}  // namespace

// National Institute of Standards and Technology: Secure Hash Standard, FIPS 180-4, 2015, section 6.1.
std::array<std::uint8_t, 20> sha1(std::string_view bytes) {
  std::array<std::uint32_t, 5> h{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::string padded(bytes);
  padded += char(0x80);
  while (padded.size() % 64 != 56) padded += '\0';
  for (int shift = 56; shift >= 0; shift -= 8)
    padded += char((std::uint64_t{bytes.size()} * 8) >> shift & 0xff);
  for (std::size_t block = 0; block < padded.size(); block += 64) {
    std::array<std::uint32_t, 80> w{};
    for (std::size_t t = 0; t < 80; ++t) {
      if (t < 16)
        for (std::size_t i = 0; i < 4; ++i) w[t] = w[t] << 8 | std::uint8_t(padded[block + 4 * t + i]);
      else
        w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    }
    auto [a, b, c, d, e] = h;
    for (std::size_t t = 0; t < 80; ++t) {
      const std::uint32_t f = t < 20   ? ((b & c) ^ (~b & d)) + 0x5a827999
                              : t < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                              : t < 60 ? ((b & c) ^ (b & d) ^ (c & d)) + 0x8f1bbcdc
                                       : (b ^ c ^ d) + 0xca62c1d6;
      const std::uint32_t next = std::rotl(a, 5) + f + e + w[t];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    h = {h[0] + a, h[1] + b, h[2] + c, h[3] + d, h[4] + e};
  }
  std::array<std::uint8_t, 20> digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = std::uint8_t(h[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

std::optional<std::string> websocket_accept(std::string_view key) {
  // 16 bytes in base64.
  if (key.size() != 24 || !key.ends_with("==")) return std::nullopt;
  const std::array<std::uint8_t, 20> digest = sha1(std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
  return encode_base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string websocket_message(MessageKind kind, std::string_view payload) {
  std::string frame(1, char(kFinal | opcode_of(kind)));
  const std::size_t size = payload.size();
  int more = 0;  // bytes of the length
  if (size <= 125) {
    frame += char(size);
  } else {
    more = size <= 0xffff ? 2 : 8;
    frame += char(more == 2 ? 126 : 127);
  }
  for (int shift = 8 * (more - 1); shift >= 0; shift -= 8) frame += char(std::uint64_t{size} >> shift & 0xff);
  return frame.append(payload);
}

std::string websocket_close(std::uint16_t status, std::string_view reason) {
  std::string payload{char(status >> 8), char(status & 0xff)};
  return websocket_message(MessageKind::close, payload.append(reason.substr(0, 120)));
}

std::optional<WebSocketReader::Message> WebSocketReader::fail(std::uint16_t status) {
  fault_ = status;
  bytes_.clear();
  whole_.clear();
  return std::nullopt;
}

std::optional<WebSocketReader::Message> WebSocketReader::next() {
  while (fault_ == 0) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes_[i]); };
    if (bytes_.size() < 2) return std::nullopt;
    const std::uint8_t opcode = byte(0) & kOpcode;
    const bool is_final = byte(0) & kFinal, is_control = opcode >= 8;
    std::uint64_t length = byte(1) & kLength;
    if ((byte(0) & kReserved) || !(byte(1) & kMasked)) return fail(kProtocolError);
    if (is_control && (!is_final || length > 125)) return fail(kProtocolError);
    if (opcode != 0 && !kind_of(opcode)) return fail(kProtocolError);
    // A message goes on if and only if one has begun.
    if (!is_control && (opcode == 0) != kind_.has_value()) return fail(kProtocolError);
    std::size_t head = 2;
    const std::size_t more = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (bytes_.size() < head + more) return std::nullopt;
    if (more > 0) length = 0;
    for (std::size_t i = 0; i < more; ++i) length = length << 8 | byte(head + i);
    head += more;
    if (length > largest_ || whole_.size() + length > largest_) return fail(kTooLarge);
    if (bytes_.size() < head + 4 + length) return std::nullopt;
    std::string payload = bytes_.substr(head + 4, length);
    for (std::size_t i = 0; i < payload.size(); ++i)
      payload[i] = char(byte(head + i % 4) ^ std::uint8_t(payload[i]));
    bytes_.erase(0, head + 4 + length);
    if (is_control) return Message{*kind_of(opcode), std::move(payload)};
    if (opcode != 0) kind_ = kind_of(opcode);
    whole_ += payload;
    if (!is_final) continue;
    Message message{*kind_, std::move(whole_)};
    kind_.reset();
    whole_.clear();
    return message;
  }
  return std::nullopt;
}

}  // namespace phiflex
