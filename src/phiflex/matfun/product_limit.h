// A bound on the work of one evaluation. Products grow like h w_max, and a motion that has exploded has any w_max: a
// step that asks for more than this has failed, and says so early.
#pragma once

namespace phiflex {

inline constexpr long kMostProducts = 200000;  // h w_max of some 500,000
// Substeps may still become longer: given up early when they predict so many times as many.
inline constexpr double kPredictedTooMany = 4;
// The first substeps are guesses from norms, which of operators far from normal are thousands of times too short.
inline constexpr int kTrialSubsteps = 20;
inline constexpr double kPredictedAtFirst = 1e5;

}  // namespace phiflex
