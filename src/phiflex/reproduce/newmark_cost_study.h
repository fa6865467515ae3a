// Cost of a step of Newmark's method (beta = 1/4, gamma = 1/2) that makes a given number of Newton iterations, each with a
// stiffness assembled and factorized anew, whatever the residual is:
//
//   q+ = q + h v + h^2/4 (a + a+),  v+ = v + h/2 (a + a+),   (M + h/2 D + h^2/4 K(q+)) da = f(q+, v+) - M a+,  a+ <- a+ + da   (1)
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace phiflex {

// Seconds of the fastest of `steps` steps from the scene's start, with the scene's step: what else the machine does only
// adds to them. Throws Undecided when a matrix cannot be factorized.
double newmark_step_seconds(const std::filesystem::path& scene, const std::vector<std::string>& overrides, int iterations,
                            int steps = 9);

}  // namespace phiflex
