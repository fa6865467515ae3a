// What a call refuses with.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "phiflex/base/errors.h"

namespace phiflex {

// The InputError's text, or nothing when the call succeeds.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace phiflex

#define EXPECT_REFUSAL(call, words)                                                                       \
  do {                                                                                                    \
    const std::string text_ = phiflex::refusal([&] { call; });                                            \
    EXPECT_NE(text_.find(words), std::string::npos) << "expected '" << words << "' in '" << text_ << "'"; \
  } while (false)
