# `cmake --install build --prefix P` makes a package that find_package(phiflex) finds; tests/package uses it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET phiflex_app)
  install(TARGETS phiflex_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS phiflex EXPORT phiflex_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/phiflex DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY scenes experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/phiflex)
# The documentation, where its links to each other hold; third_party_licenses.txt (cmake/web.cmake) lies beside it.
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(READ LICENSE PHIFLEX_LICENSE)
configure_file(cmake/copyright.in ${CMAKE_BINARY_DIR}/copyright @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/phiflex)
install(EXPORT phiflex_targets NAMESPACE phiflex:: DESTINATION ${package_dir})
configure_package_config_file(cmake/phiflexConfig.cmake.in ${CMAKE_BINARY_DIR}/phiflexConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/phiflexConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/phiflexConfig.cmake ${CMAKE_BINARY_DIR}/phiflexConfigVersion.cmake
  cmake/FindCHOLMOD.cmake cmake/FindOpenBLAS.cmake cmake/FindMicrohttpd.cmake DESTINATION ${package_dir})

include(${CMAKE_CURRENT_LIST_DIR}/package.cmake)
