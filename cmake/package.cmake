# `make package`: phiflex_VERSION_amd64.deb and, where the Python package is built, python3-phiflex_VERSION_amd64.deb, made by
# CPack from what cmake/install.cmake and python/CMakeLists.txt install, into the build folder. A package for each component.
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL command)
set(CPACK_PACKAGE_NAME phiflex)
set(CPACK_PACKAGE_CONTACT "The Phiflex developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "elastodynamics engine that accounts for its energy: command and C++ library")
set(CPACK_PACKAGE_DESCRIPTION "Simulates soft and stiff bodies of tetrahedra, ropes and cloths, with many time integrators, and keeps a ledger
of every run: what energy came in, what damping took, what the integrator lost. Start with 'phiflex demo'.
Built for processors of the level ${PHIFLEX_ARCH} (x86-64-v3 has AVX2 and FMA).")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME phiflex)
set(CPACK_DEBIAN_PACKAGE_SECTION science)

# The command's shared libraries: dpkg-shlibdeps reads them from the binary.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What find_package(phiflex) looks for (cmake/phiflexConfig.cmake.in): recommended, so that `apt install` brings it and the
# library works at once, and whoever wants only the command says --no-install-recommends. TetGen is a program that
# `phiflex mesh tetrahedralize` starts.
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "libeigen3-dev, nlohmann-json3-dev, libfmt-dev, zlib1g-dev, libsuitesparse-dev, \
libopenblas-dev, tetgen")
# The compiler of those who use the library; films (`phiflex render --video`); the browser for reports; the papers'
# experiments (`phiflex reproduce`), which run on the Python package.
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "g++, cmake, ffmpeg, www-browser, python3-phiflex")

if(PHIFLEX_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-phiflex)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  # A module is of one version of Python.
  string(REGEX MATCH "^[0-9]+" python_major ${PHIFLEX_PYTHON_VERSION})
  string(REGEX MATCH "[0-9]+$" python_minor ${PHIFLEX_PYTHON_VERSION})
  math(EXPR python_next "${python_minor} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= ${PHIFLEX_PYTHON_VERSION}), python3 (<< ${python_major}.${python_next}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-scipy, python3-matplotlib")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "phiflex")
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION "elastodynamics engine that accounts for its energy: Python package
Simulations with their positions as numpy arrays, models from arrays, integrators of one's own, matrix functions for
scipy's matrices, comparisons and sweeps. Start with 'import phiflex'.
Built for processors of the level ${PHIFLEX_ARCH} (x86-64-v3 has AVX2 and FMA).")
endif()

include(CPack)
