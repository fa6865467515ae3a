// What is worth saying of an input, a model or a run, in the order in which it came up.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace phiflex {

struct Message {
  enum class Kind { warning, note };  // to be looked at; what was chosen or changed on the way
  Kind kind;
  std::string text;
  bool operator==(const Message&) const = default;
};

class Messages {
 public:
  // An empty text says nothing and is left out.
  void warn(std::string text) { add({Message::Kind::warning, std::move(text)}); }
  void warn(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) warn(text);
  }
  void note(std::string text) { add({Message::Kind::note, std::move(text)}); }
  void add(Message message) {
    if (!message.text.empty()) all_.push_back(std::move(message));
  }
  void add(const Messages& more) { all_.insert(all_.end(), more.all_.begin(), more.all_.end()); }
  // Adds those that are not here yet, and returns them.
  Messages add_new(const Messages& more) {
    Messages fresh;
    for (const Message& message : more.all_)
      if (std::find(all_.begin(), all_.end(), message) == all_.end()) fresh.add(message);
    add(fresh);
    return fresh;
  }

  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  Messages since(std::size_t first) const {
    Messages later;
    later.all_.assign(all_.begin() + std::ptrdiff_t(first), all_.end());
    return later;
  }
  std::vector<std::string> warnings() const { return texts(Message::Kind::warning); }
  std::vector<std::string> notes() const { return texts(Message::Kind::note); }

 private:
  std::vector<std::string> texts(Message::Kind kind) const {
    std::vector<std::string> texts;
    for (const Message& message : all_)
      if (message.kind == kind) texts.push_back(message.text);
    return texts;
  }

  std::vector<Message> all_;
};

}  // namespace phiflex
