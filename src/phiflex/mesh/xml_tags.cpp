#include "phiflex/mesh/xml_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace phiflex {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

constexpr std::pair<std::string_view, char> kEntities[] = {
    {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};

std::string without_entities(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t used = 1;
    char c = text.front();
    for (const auto& [entity, character] : kEntities) {
      if (text.starts_with(entity)) {
        used = entity.size();
        c = character;
      }
    }
    out += c;
    text.remove_prefix(used);
  }
  return out;
}

void skip_past(Scanner& in, std::string_view end, const char* what) {
  const std::size_t at = in.rest().find(end);
  if (at == std::string_view::npos) in.fail(fmt::format("{} has no end", what));
  in.move_to(in.position() + at + end.size());
}

// Where the tag that begins here ends; quotes may hold a >.
std::size_t tag_length(Scanner& in) {
  const std::string_view text = in.rest();
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote != 0) {
      if (text[i] == quote) quote = 0;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text[i] == '>') {
      return i + 1;
    }
  }
  in.fail("a tag has no >: the file is cut off");
}

void read_attributes(Scanner& in, std::string_view text, XmlTag& tag) {
  while (!(text = trimmed(text)).empty()) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
      in.fail(fmt::format("{} found where an attribute is expected", in_quotes(text)));
    const std::string_view key = trimmed(text.substr(0, equals));
    text = trimmed(text.substr(equals + 1));
    if (text.empty() || (text[0] != '"' && text[0] != '\''))
      in.fail(fmt::format("the value of attribute {} is not in quotes", in_quotes(key)));
    const std::size_t close = text.find(text[0], 1);
    if (close == std::string_view::npos)
      in.fail(fmt::format("the value of attribute {} has no closing quote", in_quotes(key)));
    tag.attributes[std::string(key)] = without_entities(text.substr(1, close - 1));
    text.remove_prefix(close + 1);
  }
}

}  // namespace

std::string with_entities(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto entity = std::find_if(std::begin(kEntities), std::end(kEntities),
                                     [&](const auto& candidate) { return candidate.second == c; });
    if (entity == std::end(kEntities)) {
      out += c;
    } else {
      out += entity->first;
    }
  }
  return out;
}

std::string XmlTag::attribute(const std::string& key, const std::string& otherwise) const {
  const auto at = attributes.find(key);
  return at == attributes.end() ? otherwise : at->second;
}

bool read_xml_tag(Scanner& in, XmlTag& tag) {
  while (true) {
    const std::size_t at = in.rest().find('<');
    if (at == std::string_view::npos) return false;
    in.mark(in.position() + at);
    in.move_to(in.position() + at);
    if (in.rest().starts_with("<!--")) {
      skip_past(in, "-->", "a comment");
    } else if (in.rest().starts_with("<?")) {
      skip_past(in, "?>", "a processing instruction");
    } else if (in.rest().starts_with("<!")) {
      in.fail("a <! declaration is not supported");
    } else {
      break;
    }
  }
  tag = XmlTag();
  tag.begin = in.position();
  const std::size_t length = tag_length(in);
  std::string_view inside = in.rest().substr(1, length - 2);
  tag.end = tag.begin + length;
  if (!inside.empty() && inside.front() == '/') {
    tag.kind = XmlTag::Kind::close;
    inside.remove_prefix(1);
  } else if (!inside.empty() && inside.back() == '/') {
    tag.kind = XmlTag::Kind::empty;
    inside.remove_suffix(1);
  }
  inside = trimmed(inside);
  std::size_t name_end = 0;
  while (name_end < inside.size() && !is_blank(inside[name_end])) ++name_end;
  tag.name = std::string(inside.substr(0, name_end));
  if (tag.name.empty()) in.fail("a tag has no name");
  read_attributes(in, inside.substr(name_end), tag);
  in.move_to(tag.end);
  return true;
}

}  // namespace phiflex
