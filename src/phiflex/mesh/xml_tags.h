// The tags of an XML text, one after the other: as much of XML as VTK's files use.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "phiflex/base/scanner.h"

namespace phiflex {

struct XmlTag {
  enum class Kind { open, close, empty };  // <a>, </a>, <a/>
  Kind kind = Kind::open;
  std::string name;
  std::map<std::string, std::string> attributes;
  std::size_t begin = 0, end = 0;  // bytes of the tag itself

  // The attribute, or `otherwise`.
  std::string attribute(const std::string& key, const std::string& otherwise = "") const;
};

// Moves past the next tag; comments and <? ?> are passed over. False at the end of the text.
bool read_xml_tag(Scanner& in, XmlTag& tag);

// Text as it may stand in XML or HTML, in an attribute too: < > & " ' as entities.
std::string with_entities(std::string_view text);

}  // namespace phiflex
