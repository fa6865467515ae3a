# OpenBLAS itself (not just any BLAS): the engine sets its number of threads.
find_library(OPENBLAS_LIBRARY openblas)
find_path(OPENBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES x86_64-linux-gnu openblas openblas-pthread)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS DEFAULT_MSG OPENBLAS_LIBRARY)
if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS INTERFACE IMPORTED)
  target_link_libraries(OpenBLAS::OpenBLAS INTERFACE ${OPENBLAS_LIBRARY})
endif()
