// The grips of a hand in a file, which the force "grips" of a scene names:
//
//   { "phiflex_grips": 1, "start": s, "step": s,
//     "grips": [ { "body": name, "vertices": [...], "weights": [...], "offsets": [[x, y, z], ...],
//                  "first": the end of a step, counted from the start, to which the first point belongs,
//                  "points": [[x, y, z], ...], "strength": [N/m, ...] }, ... ] }
//
// model/grip_load.h says what they mean. Numbers are written so that reading gives the same bits.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "phiflex/build/body.h"
#include "phiflex/model/grip_load.h"

namespace phiflex {

// bodies: of the model, whose vertices a table counts. InputError when the file holds no grips of these bodies;
// FileError.
std::shared_ptr<const GripTable> read_grips(const std::filesystem::path& path,
                                            const std::vector<Body>& bodies);

// FileError when it cannot be written.
void write_grips(const std::filesystem::path& path, const GripTable& table, const std::vector<Body>& bodies);

}  // namespace phiflex
