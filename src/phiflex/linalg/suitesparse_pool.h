// Where SuiteSparse takes its memory from.
//
// CHOLMOD allocates and frees its dense workspaces at every numeric factorization. This pool stands behind
// SuiteSparse's allocation functions and keeps what was freed, by size class, for the next request of that
// class: in a steady time loop nothing reaches the heap. The classes are an eighth of a power of two apart,
// so a block is at most 12.5 % larger than asked for.
//
// Pointers that did not come from the pool (of a program that used SuiteSparse before us) go on to the C
// library, so that the switch is safe at any moment.
#pragma once

#include <cstddef>

namespace phiflex {

struct PoolUse {
  std::size_t bytes_in_use = 0;
  std::size_t bytes_idle = 0;  // freed by SuiteSparse, kept for the next request
};

// From now on SuiteSparse allocates from the pool. Calling it again does nothing.
void install_suitesparse_pool();

// Gives all idle memory back to the system.
void trim_suitesparse_pool();

PoolUse suitesparse_pool_use();

}  // namespace phiflex
