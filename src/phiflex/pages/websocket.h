// The WebSocket protocol (Fette, Melnikov: The WebSocket Protocol, RFC 6455, 2011), the server's side: the answer to a
// handshake, and messages as frames of bytes. No extension is offered, so that no frame is compressed.
//
//   byte 0   FIN | 0 0 0 | opcode: 0 continuation, 1 text, 2 binary, 8 close, 9 ping, 10 pong
//   byte 1   MASK | length: 0 to 125, or 126 and two bytes more, or 127 and eight
//   a client's frames have a mask of four bytes, by which the payload is combined by exclusive or; a server's have none
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace phiflex {

// The value of Sec-WebSocket-Accept to a client's Sec-WebSocket-Key; nothing when that is none.
std::optional<std::string> websocket_accept(std::string_view key);

std::array<std::uint8_t, 20> sha1(std::string_view bytes);

enum class MessageKind { text, binary, close, ping, pong };

// A whole message of a server.
std::string websocket_message(MessageKind kind, std::string_view payload);
// A close message with a status and a reason of at most 120 bytes.
std::string websocket_close(std::uint16_t status, std::string_view reason);

// Takes a client's bytes as they come and gives whole messages.
class WebSocketReader {
 public:
  explicit WebSocketReader(std::size_t largest) : largest_(largest) {}

  struct Message {
    MessageKind kind;
    std::string payload;
  };
  // Bytes that came.
  void add(std::string_view bytes) { bytes_ += bytes; }
  // The next message that is complete. When the client broke the protocol there is none any more: see fault().
  std::optional<Message> next();
  // 0: none; else the status with which the connection is to be closed: 1002 for a breach of the protocol, 1009 for a
  // message that is longer than allowed.
  std::uint16_t fault() const { return fault_; }

 private:
  std::optional<Message> fail(std::uint16_t status);
  std::size_t largest_;
  std::string bytes_;
  std::string whole_;  // of a message in several frames, so far
  std::optional<MessageKind> kind_;
  std::uint16_t fault_ = 0;
};

}  // namespace phiflex
