# One object library per room, each linking only to the rooms that architecture.md lets it include.
# A new source file in a room is found by itself; a new room is one line here and one in tools/check_includes.py.

# Flags for our own code only; not exported. Warnings are errors for developers and CI (presets `developer`, `debug`,
# `thread`), never for users: a compiler that we have not tried may warn of something new.
option(PHIFLEX_WERROR "Treat warnings as errors" OFF)
add_library(phiflex_build_flags INTERFACE)
# Clang's -Wshadow warns of names in other files of a batch.
target_compile_options(phiflex_build_flags INTERFACE -Wall -Wextra -Wpedantic $<$<CXX_COMPILER_ID:GNU>:-Wshadow>)
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
  target_compile_definitions(phiflex_abi INTERFACE PHIFLEX_SANITIZED)
  target_compile_options(phiflex_abi INTERFACE -fsanitize=${PHIFLEX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(PHIFLEX_SANITIZE MATCHES "undefined")
    # Checks that would double the time of the whole build. null, object-size, vptr: of what they find, the address sanitizer
    # stops the accesses outside of live objects, not those inside. alignment: x86-64 takes any, but for loads of aligned SIMD
    # vectors, which trap, and where Eigen asserts; the fuzz targets, whose parsers read binary files, have this check.
    # pointer-overflow: an address that wraps around is found once it is accessed, its arithmetic alone is not; the fuzz
    # targets have it too.
    target_compile_options(phiflex_abi INTERFACE -fno-sanitize=null,alignment,object-size,pointer-overflow,vptr)
  endif()
  if(PHIFLEX_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # The check is compiled in by default, but off when a program runs (detect_stack_use_after_return): less code, nothing lost.
    target_compile_options(phiflex_abi INTERFACE -fsanitize-address-use-after-return=never)
  endif()
  target_link_options(phiflex_abi INTERFACE -fsanitize=${PHIFLEX_SANITIZE})
endif()

# Precompiled headers, one for each level of optimization (GCC compiles with the optimization that the header was made
# with, whatever the file's own flags say):
# what most files parse of the standard library, Eigen, JSON and fmt, parsed once. Each belongs to a target of its own,
# phiflex_<name>_headers, from which the rooms take it over.
set(standard_headers <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <filesystem> <functional> <limits> <map>
  <memory> <optional> <set> <span> <sstream> <string> <string_view> <utility> <vector>)
set(hot_headers ${standard_headers} <Eigen/Core> <Eigen/SparseCore> ${PROJECT_SOURCE_DIR}/src/phiflex/linalg/eigen_products.h)
set(cold_headers ${hot_headers} <fmt/format.h> <nlohmann/json.hpp>)
# GCC spends a third of its time on the element kernels, long functions with everything inlined, walking stores that may
# alias, and finds nothing after the first few: the same code at the same speed without that
# (bench/results/2026-11-16-build.txt).
set(hot_options $<$<CXX_COMPILER_ID:GNU>:--param=sccvn-max-alias-queries-per-access=50>)
# What is not hot: reading, checking, writing, pages, the command, the tests. Half the compiler's time of -O3; and a third
# of Clang's -O1 under the sanitizers.
set(cold_options $<$<CONFIG:Release>:-O1> $<$<CONFIG:Debug>:-O0>)
if(PHIFLEX_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Checks of addresses as calls: shorter code, in a tenth less of the compiler's time.
  list(APPEND cold_options "SHELL:-mllvm -asan-instrumentation-with-call-threshold=0")
endif()
# phiflex_headers(NAME HEADERS header... LIBRARIES library...): precompiled with the options ${NAME_options}
function(phiflex_headers name)
  cmake_parse_arguments(pch "" "" "HEADERS;LIBRARIES" ${ARGN})
  set(target phiflex_${name}_headers)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${target}.cpp CONTENT "// The headers of ${target} are precompiled beside this file.\n")
  add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/${target}.cpp)
  target_compile_options(${target} PRIVATE -fPIC ${${name}_options})
  target_link_libraries(${target} PRIVATE phiflex_abi phiflex_build_flags Threads::Threads ${pch_LIBRARIES})
  target_precompile_headers(${target} PRIVATE ${pch_HEADERS})
endfunction()
# phiflex_reaches(FILE HEADER OUT): whether FILE includes HEADER, itself or by our headers that it includes.
function(phiflex_reaches file header out)
  get_property(reaches GLOBAL PROPERTY "${header} reaches ${file}")
  if("${reaches}" STREQUAL "")
    set(reaches no)
    file(STRINGS ${file} includes REGEX "^#include \"[a-z]+/")
    foreach(include ${includes})
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" name "${include}")
      if(name STREQUAL header)
        set(reaches yes)
      endif()
      foreach(path ${PROJECT_SOURCE_DIR}/src/${name} ${PROJECT_SOURCE_DIR}/${name})
        if(NOT reaches AND EXISTS ${path})
          phiflex_reaches(${path} ${header} reaches)
        endif()
      endforeach()
    endforeach()
    set_property(GLOBAL PROPERTY "${header} reaches ${file}" ${reaches})
  endif()
  set(${out} ${reaches} PARENT_SCOPE)
endfunction()
# phiflex_compile(TARGET NAME batches): how TARGET's own sources are compiled: with headers and options of NAME, in so many
# batches of about as many files each (0: each file alone); or, where `batches` is a header, in two, of the files that it
# reaches and of the others: a change of it compiles the former alone. Names in unnamed namespaces are unique in a room that
# is compiled in batches.
function(phiflex_compile target name batches)
  # For programs the property POSITION_INDEPENDENT_CODE would be -fPIE, with which the headers were not made.
  target_compile_options(${target} PRIVATE -fPIC)
  target_precompile_headers(${target} REUSE_FROM phiflex_${name}_headers)
  target_compile_options(${target} PRIVATE ${${name}_options})
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  if(batches MATCHES "\\.h$")
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    foreach(source ${sources})
      phiflex_reaches(${source} ${batches} reaches)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${reaches})
    endforeach()
  elseif(batches GREATER 0)
    list(LENGTH sources count)
    math(EXPR files "(${count} + ${batches} - 1) / ${batches}")
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
  endif()
endfunction()
phiflex_headers(hot HEADERS ${hot_headers} LIBRARIES Eigen3::Eigen)
phiflex_headers(cold HEADERS ${cold_headers} LIBRARIES Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json)

# phiflex_room(NAME hot|cold batches needs...): a room's library; hot or cold and `batches` as in phiflex_compile.
function(phiflex_room name headers batches)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/phiflex/${name}/*.cpp)
  file(GLOB header_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/phiflex/${name}/*.h)
  set(target phiflex_${name})
  if(sources)
    add_library(${target} OBJECT ${sources} ${header_files})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE phiflex_build_flags)
    phiflex_compile(${target} ${headers} ${batches})
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
endfunction()

phiflex_room(base hot 1 fmt::fmt)
target_include_directories(phiflex_base PUBLIC ${FAST_FLOAT_INCLUDE_DIR} ${XXHASH_INCLUDE_DIR})
phiflex_room(linalg hot 2 base Eigen3::Eigen SuiteSparse::CHOLMOD OpenBLAS::OpenBLAS)
# Long to compile, or (cholesky.cpp) with classes that hold members of an unnamed namespace, or (lu.cpp) with the macros of UMFPACK.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/phiflex/linalg/dense_solvers.cpp
  ${PROJECT_SOURCE_DIR}/src/phiflex/linalg/cholesky.cpp ${PROJECT_SOURCE_DIR}/src/phiflex/linalg/lu.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
phiflex_room(matfun hot 3 linalg)
phiflex_room(system hot 0 linalg)
phiflex_room(integrate hot 4 system matfun)
# Cold, but its generators compute for minutes under a sanitizer without optimization.
if(PHIFLEX_SANITIZE)
  phiflex_room(mesh hot 2 base ZLIB::ZLIB)
else()
  phiflex_room(mesh cold 2 base ZLIB::ZLIB)
endif()
# The laws of material/laws.h: as types in one header, for the catalogue and the tests; and the kernels of each in a file
# of its own, so that a change of a law compiles its kernels and the catalogue.
set(catalogue ${PROJECT_SOURCE_DIR}/src/phiflex/material/laws.h)
set(generated ${PROJECT_BINARY_DIR}/generated)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${catalogue})
file(READ ${catalogue} text)
string(REGEX MATCHALL "LAW\\([a-z0-9_]+, [A-Za-z0-9]+\\)" laws "${text}")
set(law_includes "")
set(law_headers "")
set(law_types "")
set(law_kernels "")
foreach(law ${laws})
  string(REGEX REPLACE "LAW\\((.+), (.+)\\)" "\\1;\\2" law ${law})
  list(GET law 0 header)
  list(GET law 1 type)
  string(APPEND law_includes "#include \"phiflex/material/${header}.h\"\n")
  list(APPEND law_headers ${header})
  list(APPEND law_types ${type})
  list(APPEND law_kernels ${generated}/kernels_of_${header}.cpp)
  file(CONFIGURE OUTPUT ${generated}/kernels_of_${header}.cpp CONTENT "#include \"phiflex/energy/law_kernels_of.h\"
#include \"phiflex/material/${header}.h\"

namespace phiflex {

const LawKernels& kernels_of_${header}() {
  static const LawKernelsOf<${type}> kernels;
  return kernels;
}

}  // namespace phiflex
")
endforeach()
list(JOIN law_types ", " all_types)
file(CONFIGURE OUTPUT ${generated}/phiflex/material/all_laws.h CONTENT "// Written by cmake/rooms.cmake.
#pragma once

#include <tuple>

${law_includes}
namespace phiflex {

using Laws = std::tuple<${all_types}>;

}  // namespace phiflex
")
phiflex_room(material hot 0 base)
target_include_directories(phiflex_material PUBLIC ${generated})
phiflex_room(fem hot 1 mesh linalg)
phiflex_room(contact hot 1 mesh system)
phiflex_room(energy hot 2 fem material contact system)
# The element kernels each take as long as the rest of the room together.
target_sources(phiflex_energy PRIVATE ${law_kernels})
set_source_files_properties(${law_kernels} ${PROJECT_SOURCE_DIR}/src/phiflex/energy/triangle_term.cpp
  ${PROJECT_SOURCE_DIR}/src/phiflex/energy/prony_term.cpp PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON)
phiflex_room(model hot 2 energy system)
# Kernels of a graphics card, here run by the CPU for tests; their bodies as the card runs them: cmake/cuda.cmake.
# phiflex_device_laws(NAME CLASS SUFFIX): in build/generated/NAME the launches of each law on the back end CLASS in a file
# of its own, and the table that finds them (cuda/law_table.h); NAME_laws lists the files.
function(phiflex_device_laws name class suffix)
  set(arguments "\n    std::string_view, ${class}&, int, const std::vector<double>&")
  set(files ${generated}/${name}/law_table.cpp)
  file(CONFIGURE OUTPUT ${files} CONTENT "#include \"phiflex/cuda/law_table.h\"

namespace phiflex::device {

class ${class};
template std::unique_ptr<LawLaunches<${class}>> make_law_launches(${arguments});

}  // namespace phiflex::device
")
  foreach(header type IN ZIP_LISTS law_headers law_types)
    list(APPEND files ${generated}/${name}/${header}.${suffix})
    file(CONFIGURE OUTPUT ${generated}/${name}/${header}.${suffix} CONTENT "#include \"phiflex/cuda/${name}_back_end.h\"
#include \"phiflex/cuda/law_launches_of.h\"
#include \"phiflex/material/${header}.h\"

namespace phiflex::device {

template std::unique_ptr<LawLaunches<${class}>> launches_of<${class}, ${type}>(${arguments});

}  // namespace phiflex::device
")
  endforeach()
  set(${name}_laws ${files} PARENT_SCOPE)
endfunction()
phiflex_room(cuda hot 0 material)
phiflex_device_laws(serial SerialBackEnd cpp)
target_sources(phiflex_cuda PRIVATE ${serial_laws})
phiflex_room(build cold 1 model)
set(scene_struct phiflex/scene/scene.h)
phiflex_room(scene cold ${scene_struct} mesh material integrate nlohmann_json::nlohmann_json)
phiflex_room(record cold 1 system mesh nlohmann_json::nlohmann_json)
phiflex_room(run cold ${scene_struct} build integrate scene record)
if(PHIFLEX_COMMAND)
  phiflex_room(pages cold 1 record Microhttpd::Microhttpd)
  include(${CMAKE_CURRENT_LIST_DIR}/web.cmake)
  phiflex_room(study cold ${scene_struct} run pages)
  phiflex_room(live cold ${scene_struct} study)
  phiflex_room(picture cold 1 record model ZLIB::ZLIB embree)
  phiflex_room(exchange cold 1 record scene picture)
endif()
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/phiflex/run/version.cpp PROPERTIES
  COMPILE_DEFINITIONS "PHIFLEX_VERSION=\"${PROJECT_VERSION}\";PHIFLEX_ARCH=\"${PHIFLEX_ARCH}\"")

# -- The libraries. Users link one of phiflex::matfun, phiflex::engine and phiflex::scene; each holds all of the one before
# it. What the command alone has (pages, pictures, exports, studies, experiments) is no part of them, so that programs
# which use the engine need neither Embree nor an HTTP server.
# Each is one archive of all its rooms, hot rooms first: of an inline function that several rooms have, the linker takes
# the copy it meets first, and with cold rooms in an archive before, programs would be slower and differ from the command
# in the last digits.
# phiflex_library(NAME ROOMS room... PUBLIC package... PRIVATE package...): `phiflex_lib_NAME`, installed as
# phiflex::NAME. PUBLIC packages are those whose headers the library's own headers include.
function(phiflex_library name)
  cmake_parse_arguments(lib "" "" "ROOMS;PUBLIC;PRIVATE" ${ARGN})
  set(target phiflex_lib_${name})
  add_library(${target} STATIC)
  add_library(phiflex::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME ${name} OUTPUT_NAME phiflex_${name})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PUBLIC -march=${PHIFLEX_ARCH})
  if(PHIFLEX_SANITIZE)
    target_link_options(${target} PUBLIC -fsanitize=${PHIFLEX_SANITIZE})
  endif()
  target_link_libraries(${target} PUBLIC ${lib_PUBLIC} PRIVATE ${lib_PRIVATE})
  foreach(room ${lib_ROOMS})
    get_target_property(kind phiflex_${room} TYPE)
    if(kind STREQUAL "OBJECT_LIBRARY")
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:phiflex_${room}>)
    endif()
  endforeach()
endfunction()

set(matfun_rooms base linalg matfun)
set(engine_rooms ${matfun_rooms} system integrate mesh material fem contact energy model build)
set(scene_rooms ${engine_rooms} scene record run)
set(numeric_packages fmt::fmt SuiteSparse::CHOLMOD OpenBLAS::OpenBLAS)
phiflex_library(matfun ROOMS ${matfun_rooms} PUBLIC Eigen3::Eigen Threads::Threads PRIVATE ${numeric_packages})
phiflex_library(engine ROOMS ${engine_rooms} PUBLIC Eigen3::Eigen Threads::Threads
  PRIVATE ${numeric_packages} ZLIB::ZLIB)
phiflex_library(scene ROOMS ${scene_rooms} PUBLIC Eigen3::Eigen Threads::Threads nlohmann_json::nlohmann_json
  PRIVATE ${numeric_packages} ZLIB::ZLIB)
# For the command, the tests and the benchmarks; not installed.
if(PHIFLEX_COMMAND)
  phiflex_library(command ROOMS ${scene_rooms} pages picture exchange study live
    PUBLIC Eigen3::Eigen Threads::Threads nlohmann_json::nlohmann_json
    PRIVATE ${numeric_packages} ZLIB::ZLIB embree Microhttpd::Microhttpd)
endif()
