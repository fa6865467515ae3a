# Tests of the viewer: its types, its decoder of frames, its motions, and its page in a browser (skipped, with the
# reason, where there is no chromium).
set(web_test_environment "PHIFLEX_WEB_DIR=${PHIFLEX_WEB_DIR}" "PHIFLEX_BINARY=${CMAKE_BINARY_DIR}/phiflex"
  "PHIFLEX_SCENES=${PROJECT_SOURCE_DIR}/scenes")
add_test(NAME "the viewer's source passes the type checker"
  COMMAND ${PHIFLEX_NODE} ${PROJECT_SOURCE_DIR}/web/node_modules/typescript/bin/tsc --noEmit -p ${PROJECT_SOURCE_DIR}/web)
add_test(NAME "the viewer decodes frames" COMMAND ${PHIFLEX_NODE} --test ${PROJECT_SOURCE_DIR}/web/test/chunk_test.mjs)
add_test(NAME "the viewer says who took the energy"
  COMMAND ${PHIFLEX_NODE} --test ${PROJECT_SOURCE_DIR}/web/test/ledger_sentences_test.mjs)
add_test(NAME "the viewer moves obstacles as the engine does"
  COMMAND ${PHIFLEX_NODE} --test ${PROJECT_SOURCE_DIR}/web/test/rigid_motion_test.mjs)
# phiflex_browser_test(NAME COST files...): they wait more than they work, so the longest begin early.
function(phiflex_browser_test name cost)
  add_test(NAME ${name} COMMAND ${PHIFLEX_NODE} ${PROJECT_SOURCE_DIR}/web/test/in_browser.mjs ${ARGN})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${web_test_environment}" SKIP_RETURN_CODE 77 COST ${cost} TIMEOUT 900)
endfunction()
if(NOT PHIFLEX_SANITIZE)
  phiflex_browser_test("the viewer's page in a browser" 350 page_test.mjs)
  phiflex_browser_test("a live scene in a browser" 200 live_test.mjs)
  phiflex_browser_test("the viewer's page as the program writes and serves it" 150 served_test.mjs real_run_test.mjs)
endif()
