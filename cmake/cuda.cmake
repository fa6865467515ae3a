# The kernels of src/phiflex/cuda for NVIDIA's cards, where there is a compiler for them: the library phiflex_card, with which
# the command has the device `cuda`, bench_gpu, and check_card, which ctest runs with the label gpu and which skips itself where
# there is no card. Everything else is built and passes without them.
set(phiflex_cuda_default OFF)
if(NOT PHIFLEX_SANITIZE)
  find_program(PHIFLEX_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  if(PHIFLEX_NVCC)
    execute_process(COMMAND ${PHIFLEX_NVCC} --version OUTPUT_VARIABLE nvcc_version ERROR_QUIET)
    if(nvcc_version MATCHES "release ([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 12)
      # An nvcc that does not go with the compiler of the machine is no reason not to build the rest.
      if(NOT DEFINED PHIFLEX_CUDA AND NOT CMAKE_CUDA_COMPILER)
        include(CheckLanguage)
        if(NOT DEFINED ENV{CUDACXX})
          set(ENV{CUDACXX} ${PHIFLEX_NVCC})
        endif()
        check_language(CUDA)
      endif()
      if(DEFINED PHIFLEX_CUDA OR CMAKE_CUDA_COMPILER)
        set(phiflex_cuda_default ON)
      endif()
    endif()
  endif()
endif()
option(PHIFLEX_CUDA "Build the kernels for NVIDIA's cards (needs nvcc 12 or later)" ${phiflex_cuda_default})
if(NOT PHIFLEX_CUDA)
  return()
endif()

if(PHIFLEX_NVCC AND NOT CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_COMPILER ${PHIFLEX_NVCC})
endif()
if(NOT CMAKE_CUDA_ARCHITECTURES)
  # Machine code of 8.0 runs on all cards 8.x, and what is newer than 9.0 compiles the PTX of 8.0. The machine code of
  # 9.0 is made of that PTX too: the kernels ask for nothing that 8.0 lacks, and the compiler's first half runs once.
  set(CMAKE_CUDA_ARCHITECTURES 80)
  set(phiflex_more_architectures --generate-code=arch=compute_80,code=sm_90)
endif()
enable_language(CUDA)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has it
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
endif()

# A kernel that calls a function of the host: a warning, as others an error for developers alone (PHIFLEX_WERROR).
phiflex_device_laws(card CardBackEnd cu)
add_library(phiflex_card STATIC src/phiflex/cuda/card_body.cu ${card_laws} $<TARGET_OBJECTS:phiflex_cuda>)
set_target_properties(phiflex_card PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(phiflex_card PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(phiflex_card PUBLIC $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr
  ${phiflex_more_architectures}
  $<$<BOOL:${PHIFLEX_WERROR}>:-Werror=cross-execution-space-call> -Xcompiler=-march=${PHIFLEX_ARCH}>)

target_link_libraries(phiflex_app PRIVATE phiflex_card)
target_compile_definitions(phiflex_app PRIVATE PHIFLEX_CARD)
if(PHIFLEX_PYTHON)
  # The module's folder was read before CUDA was a language, so that CMake does not add NVIDIA's runtime to its link by itself.
  find_library(PHIFLEX_CUDART cudart_static NO_DEFAULT_PATH
    PATHS ${CMAKE_CUDA_HOST_IMPLICIT_LINK_DIRECTORIES} ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES})
  if(PHIFLEX_CUDART)
    target_link_libraries(_phiflex PRIVATE phiflex_card ${PHIFLEX_CUDART} rt dl)
    target_compile_definitions(_phiflex PRIVATE PHIFLEX_CARD)
  endif()
endif()

if(PHIFLEX_BENCH)
  add_executable(bench_gpu bench/bench_gpu.cu)
  target_link_libraries(bench_gpu PRIVATE phiflex_card)
endif()
if(PHIFLEX_TESTS)
  add_executable(check_card tests/gpu/check_card.cpp)
  target_link_libraries(check_card PRIVATE phiflex_build_flags phiflex_abi phiflex_card)
  add_test(NAME "a graphics card computes what the serial back end computes" COMMAND check_card)
  set_tests_properties("a graphics card computes what the serial back end computes" PROPERTIES LABELS gpu
    SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
