#include "phiflex/record/json_file.h"

#include <gtest/gtest.h>

#include "phiflex/base/errors.h"
#include "phiflex/record/run_json.h"
#include "tests/scratch_folder.h"

namespace phiflex {
namespace {

std::string nested_json(std::size_t depth) {
  return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
}

// What reading the text as run.json says; empty when nothing is wrong with it.
std::string fault_of(const std::string& text) {
  const testing::ScratchFolder scratch;
  try {
    read_run_json(scratch.write("run.json", text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(JsonFile, ThatIsNestedTooDeeplyIsRefusedAtTheBracket) {
  EXPECT_EQ(fault_of(nested_json(64)), "");
  for (const std::size_t depth : {65, 1000, 100'000, 10'000'000})
    EXPECT_NE(
        fault_of(nested_json(depth)).find("run.json: line 1, column 69: nested more than 64 levels deep"),
        std::string::npos)
        << fault_of(nested_json(depth));
  EXPECT_EQ(fault_of("{\"a\": \"" + std::string(1000, '[') + "\"}"), "");  // no brackets but a text
}

TEST(JsonFile, FaultsAreNamedByFileLineAndColumn) {
  EXPECT_NE(
      fault_of("{ \"steps\": 1e999 }").find("run.json: malformed JSON: number overflow parsing '1e999'"),
      std::string::npos)
      << fault_of("{ \"steps\": 1e999 }");
  EXPECT_NE(fault_of("{\n  \"steps\": }").find("run.json: line 2, column 12: malformed JSON"),
            std::string::npos)
      << fault_of("{\n  \"steps\": }");
  EXPECT_NE(fault_of("").find("run.json: line 1, column 1: malformed JSON"), std::string::npos)
      << fault_of("");
  EXPECT_NE(fault_of("[]").find("run.json: is not a JSON object"), std::string::npos);
}

}  // namespace
}  // namespace phiflex
