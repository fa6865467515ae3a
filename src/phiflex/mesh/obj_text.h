// An OBJ file as text with other positions: texture coordinates, faces, groups, materials and comments stay as they
// are.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

class ObjText {
 public:
  // text: of a file that a reader of OBJ has accepted.
  explicit ObjText(std::string text) : text_(std::move(text)) {
    for (std::size_t begin = 0; begin < text_.size();) {
      std::size_t end = text_.find('\n', begin);
      end = end == std::string::npos ? text_.size() : end + 1;
      add_line(begin, end);
      begin = end;
    }
  }

  std::size_t vertices() const { return vertices_.size(); }
  // points: one for each vertex. What follows a vertex's three numbers (a colour) stays.
  std::string with(const std::vector<Point3>& points) const {
    std::string out;
    std::size_t copied = 0;
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
      out.append(text_, copied, vertices_[v].begin - copied);
      const auto& [x, y, z] = points[v];
      out += fmt::format("{} {} {}", x, y, z);
      copied = vertices_[v].end;
    }
    return out.append(text_, copied, std::string::npos);
  }

 private:
  struct Numbers {
    std::size_t begin, end;  // of the three numbers in the text
  };
  static constexpr std::string_view kSpaces = " \t\r\n";

  void add_line(std::size_t begin, std::size_t end) {
    const std::string_view line(text_.data() + begin, end - begin);
    const std::size_t word = line.find_first_not_of(kSpaces);
    if (word == std::string_view::npos || line[word] != 'v' || word + 1 >= line.size() ||
        (line[word + 1] != ' ' && line[word + 1] != '\t'))
      return;
    Numbers numbers{0, word + 1};
    for (int i = 0; i < 3; ++i) {
      const std::size_t start = line.find_first_not_of(kSpaces, numbers.end);
      if (start == std::string_view::npos) return;
      if (i == 0) numbers.begin = start;
      numbers.end = std::min(line.find_first_of(kSpaces, start), line.size());
    }
    vertices_.push_back({begin + numbers.begin, begin + numbers.end});
  }

  std::string text_;
  std::vector<Numbers> vertices_;
};

}  // namespace phiflex
