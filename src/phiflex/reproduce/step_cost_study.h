// What a step costs, in seconds of the processor: what else the machine does is not in them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace phiflex {

// Of all threads of this process, s.
double processor_seconds();

// A step of Newmark's method (beta = 1/4, gamma = 1/2) that makes a given number of Newton iterations, each with a stiffness
// assembled and factorized anew, whatever the residual is:
//
//   q+ = q + h v + h^2/4 (a + a+),  v+ = v + h/2 (a + a+),  (M + h/2 D + h^2/4 K) da = f(q+, v+) - M a+,  a+ <- a+ + da      (1)
//
// The fastest of `steps` steps from the scene's start counts. Throws Undecided when a matrix cannot be factorized.
double newmark_step_seconds(const std::filesystem::path& scene, const std::vector<std::string>& overrides,
                            int iterations, int steps = 7);

// A step of a method of the catalogue, the first one (which makes factorizations that are kept) left out: the fastest of
// `steps`. Throws Undecided when a step fails.
double method_step_seconds(const std::filesystem::path& scene, const std::vector<std::string>& overrides,
                           const std::string& method, int steps = 15);

}  // namespace phiflex
