#include "phiflex/model/rayleigh_damping.h"

#include <numeric>

namespace phiflex {

RayleighDamping::RayleighDamping(const ModelDescription& description, const FreeVertices& free) {
  const int n = description.dimension;
  const int rows = static_cast<int>(free.vertex_of_row.size());
  Vector alpha = Vector::Zero(n * Index(rows));
  std::vector<std::pair<TermPointer, double>> rest_terms;
  for (const ModelBody& body : description.bodies) {
    for (int vertex = body.first_vertex; vertex < body.first_vertex + body.vertex_count; ++vertex)
      if (const int row = free.row_of_vertex[vertex]; row >= 0 && row < rows)
        alpha.segment(n * Index(row), n).setConstant(body.damping.alpha);
    if (body.damping.beta == 0) continue;
    for (const TermPointer& term : body.terms) {
      if (body.damping.stiffness == DampedStiffness::current)
        current_.push_back({term.get(), body.damping.beta});
      else
        rest_terms.emplace_back(term, body.damping.beta);
    }
  }
  has_alpha_ = (alpha.array() != 0).any();
  if (description.share)  // the same on all ranks
    for (const ModelBody& body : description.bodies) has_alpha_ = has_alpha_ || body.damping.alpha != 0;
  if (has_alpha_) alpha_ = std::move(alpha);
  if (rest_terms.empty()) return;

  // beta K(rest) over all vertices, held ones too.
  const int vertices = static_cast<int>(free.row_of_vertex.size());
  FreeVertices all;
  all.row_of_vertex.resize(vertices);
  std::iota(all.row_of_vertex.begin(), all.row_of_vertex.end(), 0);
  all.vertex_of_row = all.row_of_vertex;
  std::vector<Coupling> couplings;
  for (const auto& [term, beta] : rest_terms) term->add_couplings(couplings);
  const auto pattern = std::make_shared<SparsityPattern>(n, vertices, std::move(couplings));
  rest_.emplace(pattern);
  SparseMatrix stiffness(pattern);
  for (const auto& [term, beta] : rest_terms) {
    stiffness.set_zero();
    term->make_assembler(all, *pattern)->add_stiffness(description.rest, Definiteness::exact, stiffness);
    rest_->add(beta, stiffness);
  }
}

double RayleighDamping::beta_of_current(const PotentialTerm& term) const {
  for (const CurrentTerm& damped : current_)
    if (damped.term == &term) return damped.beta;
  return 0;
}

std::optional<Rayleigh> RayleighDamping::as_one(std::span<const TermPointer> terms) const {
  if (rest_) return std::nullopt;
  Rayleigh one;
  if (has_alpha() && alpha_.size() > 0) {
    one.alpha = alpha_[0];
    if ((alpha_.array() != one.alpha).any()) return std::nullopt;
  }
  if (!current_.empty()) {
    one.beta = current_.front().beta;
    for (const TermPointer& term : terms)
      if (term->account() != PotentialTerm::Account::gravity && beta_of_current(*term) != one.beta)
        return std::nullopt;
  }
  return one;
}

void RayleighDamping::add_stiffness_part(double factor, const Vector& x, const Vector& v, Vector& y,
                                         Vector& z) const {
  if (rest_) {
    const int n = rest_->pattern().block();
    if (n == 3) {
      rest_->apply(v, z);
      y += factor * z;
    } else {
      const SparsityPattern& all = rest_->pattern();
      for (int row = 0; row < all.block_rows(); ++row)
        for (int k = all.row_start()[row]; k < all.row_start()[row + 1]; ++k)
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
              y[3 * Index(row) + i] +=
                  factor * rest_->block(k)[n * i + j] * v[3 * Index(all.column()[k]) + j];
    }
  }
  for (const CurrentTerm& damped : current_) {
    z.setZero();
    damped.term->add_stiffness_product(x, v, z);
    y += factor * damped.beta * z;
  }
}

void RayleighDamping::add_mass_part(double factor, const MassMatrix& mass, const Vector& v, Vector& y,
                                    Vector& z) const {
  if (!has_alpha()) return;
  mass.apply(v, z);
  y.array() += factor * alpha_.array() * z.array();
}

void RayleighDamping::add_mass_matrix(const MassMatrix& mass, SparseMatrix& D) const {
  if (!has_alpha()) return;
  // Bodies share no vertices and so no entries of M: scaling the rows by alpha leaves it symmetric.
  SparseMatrix scaled(D.shared_pattern());
  mass.add_to(1, scaled);
  const int n = D.pattern().block();
  for (int row = 0; row < D.pattern().block_rows(); ++row)
    for (int k = D.pattern().row_start()[row]; k < D.pattern().row_start()[row + 1]; ++k)
      for (int i = 0; i < n * n; ++i) scaled.block(k)[i] *= alpha_[n * Index(row)];
  D.add(1, scaled);
}

void RayleighDamping::add_constant_part(const MassMatrix& mass, const FreeVertices& free,
                                        SparseMatrix& D) const {
  add_mass_matrix(mass, D);
  if (!rest_) return;
  const SparsityPattern& all = rest_->pattern();
  for (int vertex = 0; vertex < all.block_rows(); ++vertex) {
    const int row = free.row_of_vertex[vertex];
    if (row < 0 || !D.pattern().owns(row)) continue;
    for (int k = all.row_start()[vertex]; k < all.row_start()[vertex + 1]; ++k) {
      const int col = free.row_of_vertex[all.column()[k]];
      if (col < 0) continue;
      double* to = D.block(D.pattern().find(row, col));
      for (int i = 0; i < all.block() * all.block(); ++i) to[i] += rest_->block(k)[i];
    }
  }
}

}  // namespace phiflex
