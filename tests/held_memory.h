// How much memory a piece of code leaves allocated. Sanitizers bring their own malloc, of which nothing is known here.
#pragma once

#include <gtest/gtest.h>
#include <malloc.h>

#ifdef PHIFLEX_SANITIZED
#define PHIFLEX_SKIP_WITHOUT_HELD_BYTES() GTEST_SKIP() << "a sanitizer owns malloc"
#else
#define PHIFLEX_SKIP_WITHOUT_HELD_BYTES() static_cast<void>(0)
#endif

namespace phiflex::testing {

inline long held_bytes() {
  const struct mallinfo2 held = mallinfo2();
  return long(held.uordblks + held.hblkhd);  // small pieces, and large ones, which are mapped
}

// Of what make() returns, as long as that lives. Pieces of less than a kilobyte, which the allocator may have kept from
// before, need not be counted.
template <class Make>
long held_bytes_of(const Make& make) {
  const long before = held_bytes();
  const auto made = make();
  return held_bytes() - before;
}

}  // namespace phiflex::testing
