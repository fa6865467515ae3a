# One library per room, each linking only to the rooms that architecture.md lets it include.
# A new source file in a room is found by itself; a new room is one line here and one in tools/check_includes.py.

# Flags for our own code only; not exported. Warnings are errors for developers and CI (presets `developer`, `debug`,
# `thread`), never for users: a compiler that we have not tried may warn of something new.
option(PHIFLEX_WERROR "Treat warnings as errors" OFF)
add_library(phiflex_build_flags INTERFACE)
target_compile_options(phiflex_build_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
if(PHIFLEX_WERROR)
  target_compile_options(phiflex_build_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of an overlap in "text" + std::string that cannot happen (GCC bug 105651).
  target_compile_options(phiflex_build_flags INTERFACE -Wno-restrict)
  # With -O3 it also warns of copies of impossible size where a short text is assigned to a std::string.
  target_compile_options(phiflex_build_flags INTERFACE $<$<CONFIG:Release>:-Wno-stringop-overflow>)
  if(PHIFLEX_SANITIZE)
    # Instrumented code of the standard library (std::regex) looks uninitialized to it.
    target_compile_options(phiflex_build_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

# GCC collects its garbage at 128 MB and often from there on, a tenth of its time; our files take 500 to 1500 MB anyway.
target_compile_options(phiflex_build_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=500000>)

# Flags that every user of the library needs too: the same architecture, or Eigen's alignment would differ.
add_library(phiflex_abi INTERFACE)
target_compile_features(phiflex_abi INTERFACE cxx_std_20)
target_compile_options(phiflex_abi INTERFACE -march=${PHIFLEX_ARCH})
if(PHIFLEX_SANITIZE)
  target_compile_options(phiflex_abi INTERFACE -fsanitize=${PHIFLEX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(PHIFLEX_SANITIZE MATCHES "undefined")
    # What the address sanitizer and Eigen's assertions catch as well, at a third of the whole build's time.
    target_compile_options(phiflex_abi INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
  endif()
  target_link_options(phiflex_abi INTERFACE -fsanitize=${PHIFLEX_SANITIZE})
endif()

# Precompiled headers, one for each level of optimization (GCC compiles with the optimization that the header was made
# with, whatever the file's own flags say):
# what most files parse of the standard library, Eigen, JSON and fmt, parsed once. Each belongs to a target of its own,
# phiflex_<name>_headers, from which the rooms take it over.
set(standard_headers <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <filesystem> <functional> <limits> <map>
  <memory> <optional> <set> <span> <sstream> <string> <string_view> <utility> <vector>)
set(hot_headers ${standard_headers} <Eigen/Core> <Eigen/SparseCore>)
set(cold_headers ${hot_headers} <fmt/format.h> <nlohmann/json.hpp>)
# GCC spends a third of its time on the element kernels, long functions with everything inlined, walking stores that may
# alias, and finds nothing after the first few: the same code at the same speed without that
# (bench/results/2026-11-16-build.txt).
set(hot_options $<$<CXX_COMPILER_ID:GNU>:--param=sccvn-max-alias-queries-per-access=50>)
# What is not hot: reading, checking, writing, pages, the command. Half the compiler's time of -O3.
set(cold_options $<$<CONFIG:Release>:-O1>)
# phiflex_headers(NAME OPTIONS option... HEADERS header... LIBRARIES library...)
function(phiflex_headers name)
  cmake_parse_arguments(pch "" "" "OPTIONS;HEADERS;LIBRARIES" ${ARGN})
  set(target phiflex_${name}_headers)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${target}.cpp CONTENT "// The headers of ${target} are precompiled beside this file.\n")
  add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/${target}.cpp)
  target_compile_options(${target} PRIVATE -fPIC ${pch_OPTIONS})
  target_link_libraries(${target} PRIVATE phiflex_abi phiflex_build_flags Threads::Threads ${pch_LIBRARIES})
  target_precompile_headers(${target} PRIVATE ${pch_HEADERS})
endfunction()
# phiflex_compile(TARGET NAME files): how TARGET's own sources are compiled: with the headers of NAME, `files` of them
# at a time (1: each alone). Names in unnamed namespaces are unique in a room that is compiled several files at a time.
function(phiflex_compile target name files)
  # For programs the property POSITION_INDEPENDENT_CODE would be -fPIE, with which the headers were not made.
  target_compile_options(${target} PRIVATE -fPIC)
  target_precompile_headers(${target} REUSE_FROM phiflex_${name}_headers)
  if(name STREQUAL "hot")
    target_compile_options(${target} PRIVATE ${hot_options})
  else()
    target_compile_options(${target} PRIVATE ${cold_options})
  endif()
  if(files GREATER 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
  endif()
endfunction()
phiflex_headers(hot OPTIONS ${hot_options} HEADERS ${hot_headers} LIBRARIES Eigen3::Eigen)
phiflex_headers(cold OPTIONS ${cold_options} HEADERS ${cold_headers} LIBRARIES Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json)

set(PHIFLEX_ROOMS "")
# phiflex_room(NAME hot|cold files needs...): a room's library; hot or cold and `files` as in phiflex_compile.
function(phiflex_room name headers files)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/phiflex/${name}/*.cpp)
  file(GLOB header_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/phiflex/${name}/*.h)
  set(target phiflex_${name})
  if(sources)
    add_library(${target} OBJECT ${sources} ${header_files})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE phiflex_build_flags)
    phiflex_compile(${target} ${headers} ${files})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} ${scope} phiflex_abi Threads::Threads)
  foreach(need ${ARGN})
    if(TARGET phiflex_${need})
      target_link_libraries(${target} ${scope} phiflex_${need})
    else()
      target_link_libraries(${target} ${scope} ${need})
    endif()
  endforeach()
  set(PHIFLEX_ROOMS ${PHIFLEX_ROOMS} ${target} PARENT_SCOPE)
endfunction()

phiflex_room(base hot 10 fmt::fmt)
target_include_directories(phiflex_base PUBLIC ${FAST_FLOAT_INCLUDE_DIR} ${XXHASH_INCLUDE_DIR})
phiflex_room(linalg hot 9 base Eigen3::Eigen SuiteSparse::CHOLMOD OpenBLAS::OpenBLAS)
# Long to compile, and classes of cholesky.cpp hold members of its unnamed namespace.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/phiflex/linalg/dense_solvers.cpp
  ${PROJECT_SOURCE_DIR}/src/phiflex/linalg/cholesky.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
phiflex_room(matfun hot 12 linalg)
phiflex_room(system hot 1 linalg)
phiflex_room(integrate hot 14 system matfun)
phiflex_room(mesh cold 16 base ZLIB::ZLIB)
phiflex_room(material hot 1 base)
phiflex_room(fem hot 10 mesh linalg)
phiflex_room(energy hot 16 fem material system)
# The element kernels each take as long as the rest of the room together.
file(GLOB element_kernels ${PROJECT_SOURCE_DIR}/src/phiflex/energy/elastic_*.cpp)
set_source_files_properties(${element_kernels} ${PROJECT_SOURCE_DIR}/src/phiflex/energy/triangle_term.cpp PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON)
phiflex_room(model hot 12 energy system)
phiflex_room(scene cold 12 base nlohmann_json::nlohmann_json)
phiflex_room(record cold 16 system mesh nlohmann_json::nlohmann_json Microhttpd::Microhttpd)
include(${CMAKE_CURRENT_LIST_DIR}/web.cmake)
phiflex_room(picture cold 7 record model ZLIB::ZLIB embree)
phiflex_room(exchange cold 8 record scene)
phiflex_room(run cold 12 model integrate scene record)
phiflex_room(reproduce cold 12 run picture)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/phiflex/run/version.cpp PROPERTIES
  COMPILE_DEFINITIONS "PHIFLEX_VERSION=\"${PROJECT_VERSION}\";PHIFLEX_ARCH=\"${PHIFLEX_ARCH}\"")

# The whole engine as one library.
add_library(phiflex STATIC)
set_target_properties(phiflex PROPERTIES LINKER_LANGUAGE CXX)
target_include_directories(phiflex PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
target_compile_features(phiflex PUBLIC cxx_std_20)
target_compile_options(phiflex PUBLIC -march=${PHIFLEX_ARCH})
target_link_libraries(phiflex PUBLIC Eigen3::Eigen Threads::Threads nlohmann_json::nlohmann_json
  PRIVATE fmt::fmt ZLIB::ZLIB SuiteSparse::CHOLMOD OpenBLAS::OpenBLAS embree Microhttpd::Microhttpd)
if(PHIFLEX_SANITIZE)
  target_link_options(phiflex PUBLIC -fsanitize=${PHIFLEX_SANITIZE})
endif()
foreach(room ${PHIFLEX_ROOMS})
  get_target_property(kind ${room} TYPE)
  if(kind STREQUAL "OBJECT_LIBRARY")
    target_sources(phiflex PRIVATE $<TARGET_OBJECTS:${room}>)
  endif()
endforeach()
