#include "phiflex/record/csv_table.h"

#include <fast_float/fast_float.h>

#include <charconv>
#include <stdexcept>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"

namespace phiflex {
namespace {

// The bytes up to and including the row of `last_step`.
std::uint64_t bytes_until(const std::filesystem::path& path, std::string_view header,
                          std::int64_t last_step) {
  const std::string bytes = read_file(path);
  const std::string_view text = bytes;
  if (text.substr(0, header.size()) != header || text.substr(header.size(), 1) != "\n")
    throw InputError(path.string(), "line 1", "the header is not \"" + std::string(header) + "\"");
  const std::string wanted = "\n" + std::to_string(last_step) + ",";
  const std::size_t row = text.find(wanted);
  const std::size_t end = row == text.npos ? text.npos : text.find('\n', row + 1);
  if (end == text.npos)
    throw InputError(path.string(), "", "no complete row of step " + std::to_string(last_step));
  return end + 1;
}

// The next field of a line, quotes taken off (RFC 4180); the line is shortened by it.
std::string take_field(std::string_view& line) {
  std::string field;
  std::size_t i = 0;
  bool quoted = false;
  for (; i < line.size() && (quoted || line[i] != ','); ++i) {
    if (line[i] != '"') {
      field.push_back(line[i]);
    } else if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
      field.push_back(line[i++]);
    } else {
      quoted = !quoted;
    }
  }
  line.remove_prefix(i < line.size() ? i + 1 : i);
  return field;
}

// With `labels` the first field of every line goes there.
CsvTable read_table(const std::filesystem::path& path, UnendedLine last, std::vector<std::string>* labels) {
  std::string bytes = read_file(path);
  if (last == UnendedLine::read && !bytes.empty() && bytes.back() != '\n') bytes.push_back('\n');
  std::string_view text = bytes;
  CsvTable table;
  std::size_t number_of_line = 0;
  const auto fail = [&](const std::string& message) {
    throw InputError(path.string(), "line " + std::to_string(number_of_line), message);
  };
  for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_of_line;
    std::string label = labels ? take_field(line) : "";
    if (table.names.empty()) {
      while (!line.empty()) table.names.push_back(take_field(line));
      table.columns.resize(table.names.size());
      continue;
    }
    if (labels) labels->push_back(std::move(label));
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      double value = 0;
      const char* const stop = line.data() + line.size();
      const auto result = fast_float::from_chars(line.data(), stop, value);
      const bool ended = result.ptr == stop || *result.ptr == ',';
      if (result.ec != std::errc{} || !ended || (result.ptr == stop) != (i + 1 == table.names.size()))
        fail("\"" + std::string(line.substr(0, 40)) + "\" where a number for " + table.names[i] +
             " is expected");
      table.columns[i].push_back(value);
      line.remove_prefix(static_cast<std::size_t>(result.ptr - line.data()) + (result.ptr == stop ? 0 : 1));
    }
  }
  return table;
}

}  // namespace

CsvWriter::CsvWriter(const std::filesystem::path& path, std::string_view header) : file_(path) {
  file_.append(header);
  file_.append("\n");
  file_.flush();
}

CsvWriter::CsvWriter(const std::filesystem::path& path, std::string_view header, std::int64_t last_step)
    : file_(path, bytes_until(path, header, last_step)) {}

void CsvWriter::write_row(std::int64_t step, std::span<const double> numbers) {
  row_ = std::to_string(step);
  for (const double number : numbers) {
    row_.push_back(',');
    append_number(row_, number);
  }
  row_.push_back('\n');
  file_.append(row_);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted.push_back('"');
    quoted.push_back(letter);
  }
  return quoted + '"';
}

void append_number(std::string& text, double number) {
  char digits[32];
  const std::to_chars_result result = std::to_chars(digits, digits + sizeof digits, number);
  text.append(digits, result.ptr);
}

const std::vector<double>* CsvTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return &columns[i];
  return nullptr;
}

CsvTable read_csv(const std::filesystem::path& path, UnendedLine last) {
  return read_table(path, last, nullptr);
}

LabeledCsvTable read_labeled_csv(const std::filesystem::path& path) {
  LabeledCsvTable table;
  table.numbers = read_table(path, UnendedLine::left_out, &table.labels);
  return table;
}

}  // namespace phiflex
