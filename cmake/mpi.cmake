# phiflex-mpi: the same scene on many ranks, on MPI and PETSc (docs/cluster.md). Nothing else of the build needs them.
option(PHIFLEX_MPI "Build phiflex-mpi (needs petsc-dev, libopenmpi-dev)" OFF)
if(NOT PHIFLEX_MPI)
  return()
endif()
enable_language(C)  # FindMPI asks for it
find_package(MPI REQUIRED COMPONENTS CXX)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PETSC REQUIRED IMPORTED_TARGET PETSc>=3.18)
# Debian's flags for its own packages are not ours, and would make the precompiled headers useless.
set_target_properties(PkgConfig::PETSC PROPERTIES INTERFACE_COMPILE_OPTIONS "")

phiflex_room(mpi cold 1 run MPI::MPI_CXX PkgConfig::PETSC)
# Not the C++ interface of MPI that was, whose headers warn.
target_compile_definitions(phiflex_mpi PUBLIC OMPI_SKIP_MPICXX)
file(GLOB mpi_app_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/mpi/*.cpp)
add_executable(phiflex_mpi_app ${mpi_app_sources} ${PROJECT_SOURCE_DIR}/app/run_control.cpp
  ${PROJECT_SOURCE_DIR}/app/progress.cpp ${PROJECT_SOURCE_DIR}/app/say.cpp $<TARGET_OBJECTS:phiflex_mpi>
  $<TARGET_OBJECTS:phiflex_pages>)
set_target_properties(phiflex_mpi_app PROPERTIES OUTPUT_NAME phiflex-mpi)
target_include_directories(phiflex_mpi_app PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(phiflex_mpi_app PRIVATE phiflex_build_flags phiflex_abi phiflex_lib_scene fmt::fmt CLI11::CLI11
  nlohmann_json::nlohmann_json Microhttpd::Microhttpd ZLIB::ZLIB MPI::MPI_CXX PkgConfig::PETSC)
target_compile_definitions(phiflex_mpi_app PRIVATE OMPI_SKIP_MPICXX)
phiflex_compile(phiflex_mpi_app cold 1)
# More ranks than cores: sched_yield() sleeps (tools/nap.c), so that ranks that wait do not take the cores of those that work.
add_library(phiflex_nap SHARED ${PROJECT_SOURCE_DIR}/tools/nap.c)

# What tests/mpi/check_ranks.py runs on several ranks beside phiflex-mpi. SLEPc is the oracle of a test of matrix functions.
if(PHIFLEX_TESTS)
  find_package(GTest REQUIRED)
  pkg_check_modules(SLEPC QUIET IMPORTED_TARGET slepc)
  set(mpi_tests ${PROJECT_SOURCE_DIR}/tests/mpi/parts_test.cpp)
  if(SLEPC_FOUND)
    set_target_properties(PkgConfig::SLEPC PROPERTIES INTERFACE_COMPILE_OPTIONS "")
    list(APPEND mpi_tests ${PROJECT_SOURCE_DIR}/tests/mpi/slepc_test.cpp)
  else()
    message(STATUS "SLEPc is absent: build/test_mpi does not compare matrix functions with it")
  endif()
  add_executable(test_mpi ${mpi_tests} $<TARGET_OBJECTS:phiflex_mpi>)
  target_link_libraries(test_mpi PRIVATE phiflex_build_flags phiflex_abi phiflex_lib_scene GTest::gtest fmt::fmt
    nlohmann_json::nlohmann_json MPI::MPI_CXX PkgConfig::PETSC $<TARGET_NAME_IF_EXISTS:PkgConfig::SLEPC>)
  target_include_directories(test_mpi PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(test_mpi PRIVATE OMPI_SKIP_MPICXX)
  phiflex_compile(test_mpi cold 1)
endif()
