#include "app/say.h"

#include <cerrno>
#include <string>
#include <system_error>

#include "phiflex/base/printable.h"

namespace {

void write_bytes(std::FILE* stream, std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream) < bytes.size() && stream != stderr)
    throw std::system_error(errno, std::generic_category());
}

}  // namespace

void say_text(std::FILE* stream, std::string_view text) {
  write_bytes(stream, phiflex::printable(text, phiflex::LineBreaks::kept));
}

void say_json(const nlohmann::ordered_json& json, int indent) {
  write_bytes(stdout, json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void clear_line(std::FILE* stream) {
  write_bytes(stream, "\r\033[K");
}
