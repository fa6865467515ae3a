// How a linear system with a low-rank part of modes is solved: the modes taken out of the right side and one solve, or
// the low-rank update of the original paper (siere.cpp).
#pragma once

#include "phiflex/base/described.h"

namespace phiflex {

enum class LinearForm { one_solve, woodbury };
template <>
struct Words<LinearForm> {
  static constexpr std::pair<LinearForm, const char*> all[] = {{LinearForm::one_solve, "one-solve"},
                                                               {LinearForm::woodbury, "woodbury"}};
};

}  // namespace phiflex
