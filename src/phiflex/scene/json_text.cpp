#include "phiflex/scene/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "phiflex/base/json_limits.h"

namespace phiflex {

using nlohmann::json;

namespace {

// A hint for the faults that people make most often.
std::string hint_for(const std::string& text, std::size_t byte, const std::string& fault) {
  const std::size_t last = std::min(byte, text.size());
  std::size_t start = last;
  while (start > 0 && std::isalpha(static_cast<unsigned char>(text[start - 1]))) --start;
  const std::string word = text.substr(start, 3);
  if (word == "NaN" || word == "nan" || word == "Inf" || word == "inf") {
    return " (JSON has no NaN or infinity)";
  }
  const std::size_t before = last == 0 ? std::string::npos : text.find_last_not_of(" \t\r\n", last - 1);
  if (last < text.size() && (text[last] == '}' || text[last] == ']') && before != std::string::npos &&
      text[before] == ',') {
    return " (a comma may not stand before a closing bracket)";
  }
  if (last < text.size() && text[last] == '/') return " (JSON has no comments)";
  if (last < text.size() && text[last] == '\'') return " (texts stand in double quotes)";
  const bool wanted_end = fault.ends_with("expected '}'") || fault.ends_with("expected ']'");
  if (wanted_end && fault.find("end of input") == std::string::npos)
    return " (is a comma missing before it?)";
  return "";
}

class Builder : public nlohmann::json_sax<json> {
 public:
  explicit Builder(Findings& findings) : findings_(findings) {}

  json root;
  std::size_t fault_byte = 0;
  std::string fault;

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    keys_.back() = value;
    if (open_.back()->contains(value)) {
      findings_.add(pointer(), "this key is given twice in the same object; keep one");
    }
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const json::exception& exception) override {
    fault_byte = position > 0 ? position - 1 : 0;
    fault = exception.what();
    return false;
  }

 private:
  bool put(json value) {
    add(std::move(value));
    return true;
  }
  bool open(json container) {
    open_.push_back(add(std::move(container)));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }
  // Pointers to open containers stay valid: only the innermost one grows.
  json* add(json value) {
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[keys_.back()] = std::move(value));
  }
  std::string pointer() const {
    std::string text;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      text = open_[i]->is_array() ? fmt::format("{}/{}", text, open_[i]->size() - 1)
                                  : pointer_to(text, keys_[i]);
    }
    return text;
  }

  Findings& findings_;
  std::vector<json*> open_;
  std::vector<std::string> keys_;  // the current key of each open object
};

}  // namespace

json parse_json(const std::string& text, const std::string& file, Findings& findings) {
  require_shallow_json(text, file, "; a scene needs fewer than 10");
  Builder builder(findings);
  if (!json::sax_parse(text, &builder)) {
    throw InputError(file, place_in_text(text, builder.fault_byte),
                     fmt::format("malformed JSON: {}{}", json_fault_words(builder.fault),
                                 hint_for(text, builder.fault_byte, builder.fault)));
  }
  return std::move(builder.root);
}

}  // namespace phiflex
