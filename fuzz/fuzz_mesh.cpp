// Run with: fuzz_mesh -max_len=4096 CORPUS fuzz/seeds/mesh
#include <cstddef>
#include <cstdint>

#include "fuzz/mesh_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  phiflex::exercise_mesh_parser({reinterpret_cast<const char*>(data), size});
  return 0;
}
