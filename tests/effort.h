// How much a test does under a sanitizer, which takes some thirty times as long and looks at paths, not at figures.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

// For a fact about figures of a long computation, whose paths other facts take too.
#ifdef PHIFLEX_SANITIZED
#define PHIFLEX_SKIP_FIGURES_UNDER_SANITIZERS() GTEST_SKIP() << "a long computation, for its figures alone"
#else
#define PHIFLEX_SKIP_FIGURES_UNDER_SANITIZERS() static_cast<void>(0)
#endif

namespace phiflex {

// How many of `count` random samples are taken: all, or a fiftieth under a sanitizer.
constexpr int samples(int count) {
#ifdef PHIFLEX_SANITIZED
  return std::max(1, count / 50);
#else
  return count;
#endif
}

}  // namespace phiflex
