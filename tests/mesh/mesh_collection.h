// The optional collection of public meshes: in $PHIFLEX_MESHES or beside the source folder.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace phiflex {

inline std::filesystem::path mesh_collection() {
  const char* folder = std::getenv("PHIFLEX_MESHES");
  return folder != nullptr ? folder : PHIFLEX_SOURCE_DIR "/../shared/meshes";
}

}  // namespace phiflex

#define REQUIRE_MESH_COLLECTION()                                                         \
  if (!std::filesystem::exists(phiflex::mesh_collection()))                               \
  GTEST_SKIP() << "the mesh collection is not at " << phiflex::mesh_collection().string() \
               << "; set PHIFLEX_MESHES to its folder"
