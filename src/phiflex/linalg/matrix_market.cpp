#include "phiflex/linalg/matrix_market.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "phiflex/base/files.h"
#include "phiflex/base/scanner.h"
#include "phiflex/base/text.h"

namespace phiflex {
namespace {

enum class Layout { coordinate, array };
enum class Field { real, integer };
enum class Symmetry { general, symmetric, skew };

using Entry = Eigen::Triplet<double, int>;

// What a file says, mirrored entries included.
struct Entries {
  int rows = 0, columns = 0;
  std::vector<Entry> list;
};

constexpr std::int64_t kLargestWithoutData = 1'000'000;

class MatrixMarketReader {
 public:
  MatrixMarketReader(std::string_view bytes, const std::string& file)
      : in_(bytes, file), largest_(std::max(std::int64_t(bytes.size()), kLargestWithoutData)) {}

  Entries read() {
    read_header();
    in_.set_comment('%');
    entries_.rows = read_dimension("number of rows");
    entries_.columns = read_dimension("number of columns");
    if (symmetry_ != Symmetry::general && entries_.rows != entries_.columns)
      in_.fail(fmt::format("a symmetric or skew-symmetric matrix is square; this one is {} x {}",
                           entries_.rows, entries_.columns));
    if (layout_ == Layout::coordinate) {
      read_coordinates();
    } else {
      read_array();
    }
    if (!in_.at_end())
      in_.fail(fmt::format("{} found after the {} promised", in_quotes(in_.word("nothing")), promised_));
    in_.finish();
    return std::move(entries_);
  }

 private:
  void read_header() {
    if (in_.remaining() == 0) in_.fail("the file is empty; a Matrix Market file is expected");
    const std::string_view banner = in_.peek_word();
    if (in_.position() != 0 || !same_word(banner, "%%MatrixMarket"))
      in_.fail(fmt::format("{} found; a Matrix Market file begins with %%MatrixMarket", in_quotes(banner)));
    in_.word("%%MatrixMarket");
    choose("the object", {"matrix"});
    layout_ = choose("the format", {"coordinate", "array"}) == 0 ? Layout::coordinate : Layout::array;
    field_ = choose("the field", {"real", "integer"}) == 0 ? Field::real : Field::integer;
    const int symmetry = choose("the symmetry", {"general", "symmetric", "skew-symmetric"});
    symmetry_ = symmetry == 0 ? Symmetry::general : symmetry == 1 ? Symmetry::symmetric : Symmetry::skew;
    end_line("the first line");
  }

  // The next word of the line as a number in the list of what is allowed.
  int choose(const char* what, std::initializer_list<std::string_view> allowed) {
    if (in_.at_line_end()) in_.fail(fmt::format("the first line ends where {} is expected", what));
    const std::string_view found = in_.word(what);
    const auto at = std::find_if(allowed.begin(), allowed.end(),
                                 [&](std::string_view word) { return same_word(word, found); });
    if (at == allowed.end()) {
      std::string words;
      for (const std::string_view word : allowed)
        words += fmt::format("{}{}", words.empty() ? "" : ", ", word);
      in_.fail(fmt::format("{} is {}; allowed: {}", what, in_quotes(found), words));
    }
    return static_cast<int>(at - allowed.begin());
  }

  int read_dimension(const char* what) {
    const std::int64_t value = in_.integer(what);
    if (value < 1 || value > std::min<std::int64_t>(largest_, std::numeric_limits<int>::max()))
      in_.fail(fmt::format(
          "{} is {}; allowed: 1 to {} (the size of the file in bytes, or a million if that is more)", what,
          value, std::min<std::int64_t>(largest_, std::numeric_limits<int>::max())));
    return static_cast<int>(value);
  }

  void end_line(const char* what) {
    if (!in_.at_line_end())
      in_.fail(fmt::format("{} found after the end of {}", in_quotes(in_.word(what)), what));
  }

  double value() {
    const double found = field_ == Field::real ? in_.real("a value") : double(in_.integer("a whole number"));
    if (!std::isfinite(found)) in_.report(fmt::format("a value is {}; it must be finite", found));
    return found;
  }

  int index(const char* what, int count) {
    in_.at_end();  // passes blank lines and comments
    return in_.index(what, 1, static_cast<std::size_t>(count));
  }

  void read_coordinates() {
    const std::size_t count = in_.count("number of entries", 6);  // "1 1 1\n"
    promised_ = fmt::format("{} entries", count);
    end_line("the line of sizes");
    entries_.list.reserve(symmetry_ == Symmetry::general ? count : 2 * count);
    for (std::size_t k = 0; k < count; ++k) {
      const int i = index("a row", entries_.rows);
      if (in_.at_line_end()) in_.fail("the line ends where a column is expected");
      const int j = index("a column", entries_.columns);
      if (in_.at_line_end()) in_.fail("the line ends where a value is expected");
      if (symmetry_ == Symmetry::symmetric && j > i)
        in_.report(
            fmt::format("entry ({}, {}) lies above the diagonal; of a symmetric matrix the lower triangle "
                        "is expected",
                        i + 1, j + 1));
      if (symmetry_ == Symmetry::skew && j >= i)
        in_.report(
            fmt::format("entry ({}, {}) is not below the diagonal, as those of a skew-symmetric matrix are",
                        i + 1, j + 1));
      add(i, j, value());
      end_line("an entry");
    }
  }

  void read_array() {
    const std::int64_t rows = entries_.rows, columns = entries_.columns;  // their product fits: both are int
    const std::int64_t count = symmetry_ == Symmetry::general     ? rows * columns
                               : symmetry_ == Symmetry::symmetric ? rows * (rows + 1) / 2
                                                                  : rows * (rows - 1) / 2;
    promised_ = fmt::format("{} values", count);
    end_line("the line of sizes");
    in_.checked_count(count, "number of values", 2);
    entries_.list.reserve(static_cast<std::size_t>(count));
    for (int j = 0; j < entries_.columns; ++j) {
      const int first = symmetry_ == Symmetry::general ? 0 : symmetry_ == Symmetry::symmetric ? j : j + 1;
      for (int i = first; i < entries_.rows; ++i) add(i, j, value());
    }
  }

  void add(int i, int j, double value) {
    entries_.list.emplace_back(i, j, value);
    if (i != j && symmetry_ != Symmetry::general)
      entries_.list.emplace_back(j, i, symmetry_ == Symmetry::skew ? -value : value);
  }

  Scanner in_;
  std::int64_t largest_;
  Layout layout_ = Layout::coordinate;
  Field field_ = Field::real;
  Symmetry symmetry_ = Symmetry::general;
  std::string promised_;
  Entries entries_;
};

[[noreturn]] void refuse_sum(const std::string& file, Index row, Index column) {
  throw InputError(file, "",
                   fmt::format("the sum of the entries at ({}, {}) is not finite", row + 1, column + 1));
}

}  // namespace

GeneralMatrix parse_sparse_matrix_market(std::string_view bytes, const std::string& file) {
  const Entries entries = MatrixMarketReader(bytes, file).read();
  GeneralMatrix A(entries.rows, entries.columns);
  A.setFromTriplets(entries.list.begin(), entries.list.end());
  for (Index row = 0; row < A.rows(); ++row)
    for (GeneralMatrix::InnerIterator entry(A, row); entry; ++entry)
      if (!std::isfinite(entry.value())) refuse_sum(file, row, entry.col());
  return A;
}

Matrix parse_dense_matrix_market(std::string_view bytes, const std::string& file) {
  const Entries entries = MatrixMarketReader(bytes, file).read();
  const std::int64_t size = std::int64_t(entries.rows) * entries.columns;
  const std::int64_t largest = std::max(std::int64_t(bytes.size()), kLargestWithoutData);
  if (size > largest)
    throw InputError(
        file, "",
        fmt::format("{} x {} values asked for by {} entries; allowed: at most {} (the size of the file "
                    "in bytes, or a million if that is more)",
                    entries.rows, entries.columns, entries.list.size(), largest));
  Matrix A = Matrix::Zero(entries.rows, entries.columns);
  for (const Entry& entry : entries.list) A(entry.row(), entry.col()) += entry.value();
  for (Index column = 0; column < A.cols(); ++column)
    for (Index row = 0; row < A.rows(); ++row)
      if (!std::isfinite(A(row, column))) refuse_sum(file, row, column);
  return A;
}

GeneralMatrix read_sparse_matrix_market(const std::filesystem::path& path) {
  return parse_sparse_matrix_market(read_file(path), path.string());
}

Matrix read_dense_matrix_market(const std::filesystem::path& path) {
  return parse_dense_matrix_market(read_file(path), path.string());
}

std::string format_matrix_market(const Matrix& A) {
  std::string out = fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", A.rows(), A.cols());
  for (Index column = 0; column < A.cols(); ++column)
    for (Index row = 0; row < A.rows(); ++row) append(out, "{:.17g}\n", A(row, column));
  return out;
}

std::string format_matrix_market(const GeneralMatrix& A) {
  std::string out = fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", A.rows(),
                                A.cols(), A.nonZeros());
  for (Index row = 0; row < A.rows(); ++row)
    for (GeneralMatrix::InnerIterator entry(A, row); entry; ++entry)
      append(out, "{} {} {:.17g}\n", row + 1, entry.col() + 1, entry.value());
  return out;
}

void write_matrix_market(const std::filesystem::path& path, const Matrix& A) {
  write_file_atomically(path, format_matrix_market(A));
}

void write_matrix_market(const std::filesystem::path& path, const GeneralMatrix& A) {
  write_file_atomically(path, format_matrix_market(A));
}

}  // namespace phiflex
