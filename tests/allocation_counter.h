// Counts every heap allocation of a test program, those of the libraries included, by standing in for the C
// library's functions. To be included by one file of a program. Sanitizers bring their own malloc: there
// nothing is counted and the tests are skipped.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#ifdef PHIFLEX_SANITIZED
#define PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS() GTEST_SKIP() << "a sanitizer owns malloc"
#else
#define PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS() static_cast<void>(0)
#endif

namespace phiflex::testing {

inline std::atomic<long> allocations{0};

// How many allocations a piece of code makes.
template <class Body>
long allocations_of(const Body& body) {
  const long before = allocations;
  body();
  return allocations - before;
}

}  // namespace phiflex::testing

#ifndef PHIFLEX_SANITIZED
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): glibc's own
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(std::size_t size) noexcept {
  ++phiflex::testing::allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++phiflex::testing::allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  ++phiflex::testing::allocations;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++phiflex::testing::allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  ++phiflex::testing::allocations;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
}
#endif
