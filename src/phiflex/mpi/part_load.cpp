#include "phiflex/mpi/part_load.h"

namespace phiflex {
namespace {

// Vectors over all vertices of the whole, of which this rank's are kept up to date.
class WideMotion {
 public:
  WideMotion(std::vector<int> vertices, const Vector& start)
      : vertices_(std::move(vertices)), x_(start), v_(Vector::Zero(start.size())), f_(v_) {}

  const std::vector<int>& vertices() const { return vertices_; }
  Motion widened(const Motion& at) {
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      const Index to = 3 * Index(vertices_[i]), from = 3 * Index(i);
      x_.segment<3>(to) = at.x.segment<3>(from);
      v_.segment<3>(to) = at.v.segment<3>(from);
    }
    return {at.t, x_, v_};
  }
  Vector& forces() { return f_; }
  // f += the forces on this rank's vertices, which become zero again.
  void take_forces(Vector& f) {
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      auto of_vertex = f_.segment<3>(3 * Index(vertices_[i]));
      f.segment<3>(3 * Index(i)) += of_vertex;
      of_vertex.setZero();
    }
  }

 private:
  std::vector<int> vertices_;
  Vector x_, v_, f_;
};

class PartDrag final : public DragAssembler {
 public:
  PartDrag(std::unique_ptr<DragAssembler> whole, std::shared_ptr<WideMotion> wide)
      : whole_(std::move(whole)), wide_(std::move(wide)) {}
  void add_drag(const Motion& at, SparseMatrix& D) const override { whole_->add_drag(wide_->widened(at), D); }

 private:
  std::unique_ptr<DragAssembler> whole_;
  std::shared_ptr<WideMotion> wide_;
};

class PartLoad final : public Load {
 public:
  PartLoad(std::shared_ptr<const Load> whole, std::vector<int> vertices, const Vector& start)
      : whole_(std::move(whole)), wide_(std::make_shared<WideMotion>(std::move(vertices), start)) {
    local_.assign(std::size_t(start.size() / 3), -1);
    for (std::size_t i = 0; i < wide_->vertices().size(); ++i)
      local_[std::size_t(wide_->vertices()[i])] = int(i);
  }
  void add_force(const Motion& at, Vector& f) const override {
    whole_->add_force(wide_->widened(at), wide_->forces());
    wide_->take_forces(f);
  }
  void add_force_rate(const Motion& at, Vector& g) const override {
    whole_->add_force_rate(wide_->widened(at), wide_->forces());
    wide_->take_forces(g);
  }
  void add_couplings(std::vector<Coupling>& couplings) const override {
    std::vector<Coupling> all;
    whole_->add_couplings(all);
    for (const auto& [a, b] : all)
      if (local_[std::size_t(a)] >= 0 && local_[std::size_t(b)] >= 0)
        couplings.push_back({local_[std::size_t(a)], local_[std::size_t(b)]});
  }
  std::unique_ptr<DragAssembler> make_drag_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override {
    FreeVertices wide;
    wide.row_of_vertex.assign(local_.size(), -1);
    for (std::size_t i = 0; i < wide_->vertices().size(); ++i)
      wide.row_of_vertex[std::size_t(wide_->vertices()[i])] = free.row_of_vertex[i];
    for (const int v : free.vertex_of_row) wide.vertex_of_row.push_back(wide_->vertices()[std::size_t(v)]);
    auto drag = whole_->make_drag_assembler(wide, pattern);
    return drag ? std::make_unique<PartDrag>(std::move(drag), wide_) : nullptr;
  }

 private:
  std::shared_ptr<const Load> whole_;
  std::shared_ptr<WideMotion> wide_;  // working memory: a rank has one thread
  std::vector<int> local_;
};

}  // namespace

std::shared_ptr<const Load> make_part_load(std::shared_ptr<const Load> whole, std::vector<int> vertices,
                                           const Vector& start) {
  return std::make_shared<PartLoad>(std::move(whole), std::move(vertices), start);
}

}  // namespace phiflex
