// Memory of large arrays: whole cache lines, and huge pages from 2 MB on (Linux gives them to those who ask),
// which spare a streaming kernel most of its address translations.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

namespace phiflex {

// Null when there is no more memory; given back by std::free.
inline void* allocate_with_huge_pages(std::size_t bytes) {
  constexpr std::size_t cache_line = 64, huge_page = std::size_t(2) << 20;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) return nullptr;
  const std::size_t alignment = bytes < huge_page ? cache_line : huge_page;
  const std::size_t size = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, size);
  if (memory && alignment == huge_page) madvise(memory, size, MADV_HUGEPAGE);  // a wish: refusal is no error
  return memory;
}

template <class T>
struct HugePageAllocator {
  using value_type = T;
  HugePageAllocator() = default;
  template <class U>
  HugePageAllocator(const HugePageAllocator<U>&) {}
  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
    void* memory = allocate_with_huge_pages(count * sizeof(T));
    if (!memory) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  bool operator==(const HugePageAllocator&) const = default;
};

template <class T>
using LargeArray = std::vector<T, HugePageAllocator<T>>;

}  // namespace phiflex
