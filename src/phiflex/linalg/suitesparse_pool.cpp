#include "phiflex/linalg/suitesparse_pool.h"

#include <SuiteSparse_config.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#include "phiflex/linalg/huge_pages.h"

namespace phiflex {
namespace {

constexpr std::size_t kCacheLine = 64;
// The smallest size class that holds `size`: eight classes between consecutive powers of two.
std::size_t size_class(std::size_t size) {
  const std::size_t step = std::max(std::bit_floor(size) / 8, kCacheLine);
  return (std::max(size, kCacheLine) + step - 1) / step * step;
}

class Pool {
 public:
  // Null when the system has no more, as malloc says it.
  void* allocate(std::size_t size) {
    if (size > std::numeric_limits<std::size_t>::max() / 4) return nullptr;
    const std::size_t capacity = size_class(size);
    const std::lock_guard lock(mutex_);
    void*& idle = idle_[capacity];
    void* block = idle;
    if (block) {
      std::memcpy(&idle, block, sizeof idle);
      use_.bytes_idle -= capacity;
    } else {
      block = allocate_with_huge_pages(capacity);
      if (!block) return nullptr;
      capacity_.emplace(block, capacity);
    }
    use_.bytes_in_use += capacity;
    return block;
  }

  // False when the block is not ours.
  bool release(void* block) {
    const std::lock_guard lock(mutex_);
    const auto known = capacity_.find(block);
    if (known == capacity_.end()) return false;
    void*& idle = idle_[known->second];
    std::memcpy(block, &idle, sizeof idle);
    idle = block;
    use_.bytes_in_use -= known->second;
    use_.bytes_idle += known->second;
    return true;
  }

  // 0 when the block is not ours.
  std::size_t capacity(void* block) {
    const std::lock_guard lock(mutex_);
    const auto known = capacity_.find(block);
    return known == capacity_.end() ? 0 : known->second;
  }

  void trim() {
    const std::lock_guard lock(mutex_);
    for (auto& [capacity, idle] : idle_)
      while (idle) {
        void* next;
        std::memcpy(&next, idle, sizeof next);
        capacity_.erase(idle);
        std::free(std::exchange(idle, next));
      }
    use_.bytes_idle = 0;
  }

  PoolUse use() {
    const std::lock_guard lock(mutex_);
    return use_;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<void*, std::size_t> capacity_;  // of every block, idle or not
  // The first idle block of each class; an idle block holds the address of the next one in its first bytes.
  std::unordered_map<std::size_t, void*> idle_;
  PoolUse use_;
};

// Exists until the process ends: SuiteSparse may free in the destructor of any static object.
Pool& pool() {
  static Pool& instance = *new Pool;
  return instance;
}

void* pool_malloc(std::size_t size) noexcept {
  try {
    return pool().allocate(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void* pool_calloc(std::size_t count, std::size_t size) noexcept {
  if (size && count > std::numeric_limits<std::size_t>::max() / size) return nullptr;
  void* block = pool_malloc(count * size);
  if (block) std::memset(block, 0, count * size);
  return block;
}

void pool_free(void* block) noexcept {
  if (block && !pool().release(block)) std::free(block);
}

void* pool_realloc(void* block, std::size_t size) noexcept {
  if (!block) return pool_malloc(size);
  const std::size_t capacity = pool().capacity(block);
  if (capacity == 0) return std::realloc(block, size);
  if (size_class(size) == capacity) return block;
  void* moved = pool_malloc(size);
  if (!moved) return nullptr;
  std::memcpy(moved, block, std::min(size, capacity));
  pool_free(block);
  return moved;
}

}  // namespace

void install_suitesparse_pool() {
  static std::once_flag once;
  std::call_once(once, [] {
    SuiteSparse_config.malloc_func = pool_malloc;
    SuiteSparse_config.calloc_func = pool_calloc;
    SuiteSparse_config.realloc_func = pool_realloc;
    SuiteSparse_config.free_func = pool_free;
  });
}

void trim_suitesparse_pool() {
  pool().trim();
}

PoolUse suitesparse_pool_use() {
  return pool().use();
}

}  // namespace phiflex
