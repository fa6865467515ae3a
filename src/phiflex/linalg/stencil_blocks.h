// A sum of matrices of rank one beside a sparse matrix, each over few vertices:
//
//   B = sum_i k_i g_i g_i',      g_i: three numbers for each of four vertices at most                       (1)
//
// Contacts come and go from iteration to iteration: a sparse pattern that held them would change as often, and its
// factorization with it. B is only multiplied. Conjugate gradients on A + B with a factorization of A as their
// preconditioner take one iteration for each group of equal eigenvalues of A^-1 B, at most one more than B has terms.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "phiflex/linalg/vector.h"

namespace phiflex {

class StencilBlocks {
 public:
  struct Term {
    std::array<int, 4> rows;  // block rows (vertices) of g; below 0: nothing there
    double k;
    std::array<double, 12> g;
  };

  void clear() { terms_.clear(); }
  bool empty() const { return terms_.empty(); }
  std::size_t size() const { return terms_.size(); }
  const std::vector<Term>& terms() const { return terms_; }
  void add(const Term& term) { terms_.push_back(term); }
  // The terms from `first` on, whose rows are vertices, get the rows of these (below 0: nothing there).
  void place(std::size_t first, const std::vector<int>& row_of_vertex) {
    for (std::size_t t = first; t < terms_.size(); ++t)
      for (int& row : terms_[t].rows)
        if (row >= 0) row = row_of_vertex[std::size_t(row)];
  }

  // y += factor B x.
  void add_product(double factor, const Vector& x, Vector& y) const {
    add_product(factor, x.data(), y.data());
  }
  void add_product(double factor, const double* x, double* y) const {
    for (const Term& term : terms_) {
      double along = 0;
      for (std::size_t a = 0; a < 4; ++a)
        if (term.rows[a] >= 0)
          for (std::size_t i = 0; i < 3; ++i)
            along += term.g[3 * a + i] * x[3 * Index(term.rows[a]) + Index(i)];
      along *= factor * term.k;
      for (std::size_t a = 0; a < 4; ++a)
        if (term.rows[a] >= 0)
          for (std::size_t i = 0; i < 3; ++i)
            y[3 * Index(term.rows[a]) + Index(i)] += along * term.g[3 * a + i];
    }
  }
  // y_i += sum over j of |B_ij|, at most; for bounds of eigenvalues.
  void add_row_sums(Vector& y) const {
    for (const Term& term : terms_) {
      double sum = 0;
      for (std::size_t i = 0; i < 12; ++i)
        if (term.rows[i / 3] >= 0) sum += std::abs(term.g[i]);
      for (std::size_t i = 0; i < 12; ++i)
        if (term.rows[i / 3] >= 0)
          y[3 * Index(term.rows[i / 3]) + Index(i % 3)] += std::abs(term.k * term.g[i]) * sum;
    }
  }

 private:
  std::vector<Term> terms_;
};

}  // namespace phiflex
