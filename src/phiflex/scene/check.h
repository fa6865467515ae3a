// Holds a JSON value against a Shape and collects everything that is wrong with it.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "phiflex/base/errors.h"
#include "phiflex/scene/shape.h"

namespace phiflex {

// The problems found so far, by JSON pointer.
class Findings {
 public:
  void add(const std::string& pointer, std::string message);
  // Marks a place as unusable without a problem of its own: its cause is reported elsewhere.
  void mark(const std::string& pointer) { bad_.push_back(pointer); }
  // True when neither this place, nor one above or below it, has a problem: what was read there can be relied
  // on.
  bool sound(const std::string& pointer) const;
  const std::vector<Problem>& problems() const { return problems_; }
  // A full list takes no further problems, and checking may stop.
  static constexpr std::size_t limit = 100;
  bool full() const { return problems_.size() >= limit; }

 private:
  std::vector<Problem> problems_;
  std::vector<std::string> bad_;
};

void check_shape(const nlohmann::json& value, const Shape& shape, Findings& findings);

// True when `inner` is `outer` or lies below it.
bool is_within(const std::string& inner, const std::string& outer);

// One step down a JSON pointer, with ~ and / of the key escaped.
std::string pointer_to(const std::string& pointer, const std::string& key);

// A value as a message shows it: compact, cut when long.
std::string shown(const nlohmann::json& value);

}  // namespace phiflex
