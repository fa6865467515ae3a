#include "phiflex/record/csv_table.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"

namespace phiflex {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // which spreadsheets write first

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

// Without blanks at its ends.
std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

// With `labels` the first field of every line goes there.
CsvTable read_table(const std::filesystem::path& path, UnendedLine last, std::vector<std::string>* labels) {
  std::string bytes = read_file(path);
  const bool is_users = last == UnendedLine::read;
  if (is_users && bytes.starts_with(kByteOrderMark)) bytes.erase(0, kByteOrderMark.size());
  if (is_users) bytes.erase(bytes.find_last_not_of(" \t\r\n") + 1);  // no rows: blank lines at the end
  if (is_users && !bytes.empty()) bytes.push_back('\n');
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
      while (!line.empty()) table.names.emplace_back(trimmed(take_field(line)));
      table.columns.resize(table.names.size());
      continue;
    }
    if (labels) labels->push_back(std::move(label));
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      double value = 0;
      const std::size_t comma = std::min(line.find(','), line.size());
      const std::string_view field = trimmed(line.substr(0, comma));
      const char* const stop = field.data() + field.size();
      const auto result = fast_float::from_chars(field.data(), stop, value);
      const bool is_last = comma == line.size();
      if (result.ec != std::errc{} || result.ptr != stop || is_last != (i + 1 == table.names.size()))
        fail("\"" + std::string(line.substr(0, 40)) + "\" where a number for " + table.names[i] +
             " is expected");
      table.columns[i].push_back(value);
      line.remove_prefix(is_last ? comma : comma + 1);
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
