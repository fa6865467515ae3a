// Matrix Market files (Boisvert, Pozo, Remington: The Matrix Market exchange formats, 1996): real matrices,
// by coordinates (duplicates are summed) or as an array.
//
//   %%MatrixMarket matrix coordinate|array real|integer general|symmetric|skew-symmetric
//   % comments
//   rows columns [entries]
//   row column value            coordinate, an entry a line, counted from 1
//   value                       array, column by column
//
// Of a symmetric matrix the lower triangle is stored, of a skew-symmetric one what lies below its diagonal.
//
// Nothing is allocated by a number of the file before the data it promises were seen; since a sparse matrix
// needs none, its rows and columns may not exceed the file's size in bytes, or a million.
#pragma once

#include <Eigen/SparseCore>
#include <filesystem>
#include <string>
#include <string_view>

#include "phiflex/linalg/vector.h"

namespace phiflex {

using GeneralMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// InputError with file, line, value and what is allowed; FileError when the file cannot be read.
GeneralMatrix read_sparse_matrix_market(const std::filesystem::path& path);
Matrix read_dense_matrix_market(const std::filesystem::path& path);

// The same from the bytes of a file; `file` names it in messages.
GeneralMatrix parse_sparse_matrix_market(std::string_view bytes, const std::string& file);
Matrix parse_dense_matrix_market(std::string_view bytes, const std::string& file);

// General matrices with 17 digits, as an array or by coordinates; FileError on failure.
std::string format_matrix_market(const Matrix& A);
std::string format_matrix_market(const GeneralMatrix& A);
void write_matrix_market(const std::filesystem::path& path, const Matrix& A);
void write_matrix_market(const std::filesystem::path& path, const GeneralMatrix& A);

}  // namespace phiflex
