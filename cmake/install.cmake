# `cmake --install build --prefix P` makes a package that find_package(phiflex) finds; tests/package builds examples/cpp with it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET phiflex_app)
  install(TARGETS phiflex_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS phiflex_lib_matfun phiflex_lib_engine phiflex_lib_scene EXPORT phiflex_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
include(${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake)
phiflex_public_headers(public_headers phiflex/matfun.h phiflex/engine.h phiflex/own_material.h phiflex/scene.h)
foreach(header ${public_headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
install(DIRECTORY scenes experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/phiflex PATTERN __pycache__ EXCLUDE)
# The documentation, where its links to each other hold; third_party_licenses.txt (cmake/web.cmake) lies beside it.
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(READ LICENSE PHIFLEX_LICENSE)
configure_file(cmake/copyright.in ${CMAKE_BINARY_DIR}/copyright @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(PHIFLEX_PYTHON)
  install(FILES ${CMAKE_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-phiflex COMPONENT python)
endif()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/phiflex)
install(EXPORT phiflex_targets NAMESPACE phiflex:: DESTINATION ${package_dir})
configure_package_config_file(cmake/phiflexConfig.cmake.in ${CMAKE_BINARY_DIR}/phiflexConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/phiflexConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/phiflexConfig.cmake ${CMAKE_BINARY_DIR}/phiflexConfigVersion.cmake
  cmake/FindCHOLMOD.cmake cmake/FindOpenBLAS.cmake DESTINATION ${package_dir})

include(${CMAKE_CURRENT_LIST_DIR}/package.cmake)
