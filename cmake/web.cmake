# The viewer's page: web/ bundled into web/viewer.js and web/viewer.css of the build, and those into the library
# (pages/viewer_page.cpp).
file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*.ts ${PROJECT_SOURCE_DIR}/web/src/*.css)
set(PHIFLEX_WEB_DIR ${PROJECT_BINARY_DIR}/web)
add_custom_command(
  OUTPUT ${PHIFLEX_WEB_DIR}/viewer.js ${PHIFLEX_WEB_DIR}/viewer.css ${PHIFLEX_WEB_DIR}/third_party_licenses.txt
  COMMAND ${PROJECT_SOURCE_DIR}/tools/build_web.sh ${PHIFLEX_WEB_DIR}
  DEPENDS ${web_sources} ${PROJECT_SOURCE_DIR}/web/build.mjs ${PROJECT_SOURCE_DIR}/web/tsconfig.json
    ${PROJECT_SOURCE_DIR}/web/package-lock.json ${PROJECT_SOURCE_DIR}/tools/build_web.sh
  COMMENT "Bundling the viewer's page" VERBATIM)
add_custom_target(phiflex_web DEPENDS ${PHIFLEX_WEB_DIR}/viewer.js)
add_dependencies(phiflex_pages phiflex_web)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/phiflex/pages/viewer_page.cpp PROPERTIES
  COMPILE_DEFINITIONS "PHIFLEX_WEB_DIR=\"${PHIFLEX_WEB_DIR}\""
  OBJECT_DEPENDS "${PHIFLEX_WEB_DIR}/viewer.js;${PHIFLEX_WEB_DIR}/viewer.css")
install(FILES ${PHIFLEX_WEB_DIR}/third_party_licenses.txt DESTINATION share/doc/phiflex)
