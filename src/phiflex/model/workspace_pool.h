// Working memory for const functions that may be called from several threads: each call leases a workspace
// and gives it back. The pool grows to the largest number of leases at a time.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "phiflex/linalg/stencil_blocks.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {

struct Workspace {
  Workspace(Index all, Index free_rows) : x(all), v(all), f(all), y(all), z(all), free(free_rows) {}
  Vector x, v, f, y, z;  // over all vertices
  Vector free;           // over the free ones
  StencilBlocks blocks;
  Vector T;  // nine numbers for every vertex, when somebody asks for rotations
};

class WorkspacePool {
 public:
  WorkspacePool(Index all, Index free) : all_(all), free_(free) {
    idle_.push_back(std::make_unique<Workspace>(all, free));
  }

  class Lease {
   public:
    explicit Lease(WorkspacePool& pool) : pool_(pool), workspace_(pool.take()) {}
    ~Lease() { pool_.give_back(std::move(workspace_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Workspace* operator->() { return workspace_.get(); }
    Workspace& operator*() { return *workspace_; }

   private:
    WorkspacePool& pool_;
    std::unique_ptr<Workspace> workspace_;
  };

 private:
  std::unique_ptr<Workspace> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Workspace>(all_, free_);
    std::unique_ptr<Workspace> workspace = std::move(idle_.back());
    idle_.pop_back();
    return workspace;
  }
  void give_back(std::unique_ptr<Workspace> workspace) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(workspace));
  }

  Index all_, free_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace phiflex
