// Tables of numbers as text: one header line, one row per step, numbers with as many digits as they need to
// be read back exactly (std::to_chars, shortest round trip).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phiflex/record/appending_file.h"

namespace phiflex {

// Writes rows "step,number,...". The first column is the step.
class CsvWriter {
 public:
  CsvWriter(const std::filesystem::path& path, std::string_view header);
  // Goes on with the table of an earlier run after the row of `last_step`: later rows are removed, so that
  // the file becomes the one an uninterrupted run writes. InputError when the header differs or the row is
  // not there.
  CsvWriter(const std::filesystem::path& path, std::string_view header, std::int64_t last_step);

  void write_row(std::int64_t step, std::span<const double> numbers);
  void flush() { file_.flush(); }
  void sync() { file_.sync(); }

 private:
  AppendingFile file_;
  std::string row_;  // kept for its memory
};

// A text as a field of a table: in quotes where it has a comma, a quote or a line end (RFC 4180).
std::string csv_field(const std::string& text);

// Appends the shortest text that reads back as the same number: "0.1", "1e-300", "nan", "-inf".
void append_number(std::string& text, double number);

// A table read whole, by columns.
struct CsvTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
  std::size_t rows() const { return columns.empty() ? 0 : columns[0].size(); }
  // The column of that name; null when there is none.
  const std::vector<double>* column(std::string_view name) const;
};
// A last line without its end: what a kill left of a run's table, or, in what a user wrote, a line like any other;
// there a byte order mark and blank lines at the end do not count either. Blanks around commas never do.
enum class UnendedLine { left_out, read };
// InputError names the line and the value.
CsvTable read_csv(const std::filesystem::path& path, UnendedLine last = UnendedLine::left_out);

// A table whose first column is text: `labels`, a row each.
struct LabeledCsvTable {
  std::vector<std::string> labels;
  CsvTable numbers;
};
LabeledCsvTable read_labeled_csv(const std::filesystem::path& path);

}  // namespace phiflex
