// Choices of the model builder that scene files name by words (scene/words.h).
#pragma once

namespace phiflex {

// How the mass of tetrahedra is spread over their nodes (fem/mass.h).
enum class MassKind { lumped, consistent };

// How an obstacle acts: by a barrier, an energy that grows without bound before its surface; by a penalty, an energy
// behind it; or vertices are put back to it at the ends of steps.
enum class ContactMode { barrier, penalty, project };
// What becomes of vertices that start inside an obstacle: the model is refused, or they are put to its surface (of a
// barrier: to the edge of its reach).
enum class AtStart { error, push };

}  // namespace phiflex
