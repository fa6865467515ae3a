# Tests of what comes before the build, without network, apt and compiler.
add_test(NAME "machines that cannot build are told why in one sentence"
  COMMAND ${PROJECT_SOURCE_DIR}/tests/setup/check.sh ${PROJECT_SOURCE_DIR})
