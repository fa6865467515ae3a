// Which second derivative of the potential energy a tangent holds. In a header of its own: the element kernels need
// nothing else of the waist, and are not compiled again when the rest of it changes.
#pragma once

namespace phiflex {

// exact: K as it is, possibly indefinite; projected: each element's part made positive semidefinite.
enum class Definiteness { exact, projected };

}  // namespace phiflex
