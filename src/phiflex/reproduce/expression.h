// The small language in which an experiment states its claims: values, operators on numbers and lists, and functions
// that the engine offers. Grammar, loosest first:
//
//   choice      if choice then choice else choice | either
//   either      both { or both }
//   both        denial { and denial }
//   denial      not denial | comparison
//   comparison  sum { (< | <= | > | >= | == | !=) sum }       chained: a <= b <= c
//   sum         product { (+ | -) product }
//   product     sign { (* | /) sign }
//   sign        - sign | power
//   power       element [ ^ sign ]
//   element     primary { [ choice ] }
//   primary     number | 'text with {choice}' | true | false | name | name(choice, ...) | (choice)
//             | [choice, ...] | [choice for name in choice]
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace phiflex {

class Value;
using ValueList = std::vector<Value>;

// A number, a truth, a text or a list of values; or not known, and then every use of it throws Undecided.
class Value {
 public:
  Value() : held_(0.0) {}
  Value(double number) : held_(number) {}
  Value(int number) : held_(static_cast<double>(number)) {}
  Value(bool truth) : held_(truth) {}
  Value(std::string text) : held_(std::move(text)) {}
  Value(const char* text) : held_(std::string(text)) {}
  Value(ValueList list);
  Value(const std::vector<double>& numbers);
  static Value unknown(std::string why);

  bool is_number() const { return std::holds_alternative<double>(held_); }
  bool is_truth() const { return std::holds_alternative<bool>(held_); }
  bool is_text() const { return std::holds_alternative<std::string>(held_); }
  bool is_list() const { return std::holds_alternative<Shared>(held_); }

  // Each throws ExpressionError when the value is of another kind.
  double number() const;
  bool truth() const;
  const std::string& text() const;
  const ValueList& list() const;
  std::vector<double> numbers() const;  // of a list, or one number

  std::string written() const;  // as it stands in a text: 0.01, 1e6, true
  nlohmann::json json() const;

 private:
  using Shared = std::shared_ptr<const ValueList>;
  struct Unknown {
    std::string why;
  };
  void expect_known() const;
  std::variant<double, bool, std::string, Shared, Unknown> held_;
};

// JSON without objects and nulls; a text that starts with "=" stays a text here.
Value value_of(const nlohmann::json& json);

// Something is wrong with the expression: its syntax, a name, the kind of an argument.
class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The expression is right, and its value cannot be known: a mesh is missing, a truth did not converge.
class Undecided : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Names = std::map<std::string, Value>;
using Arguments = std::span<const Value>;
using Function = std::function<Value(Arguments)>;
using Functions = std::map<std::string, Function>;

// Throw an ExpressionError that names the function, or shows how it is called.
void expect_count(Arguments arguments, std::size_t count, const std::string& name);
void expect_count(Arguments arguments, std::size_t least, std::size_t most, const std::string& name);
void expect_usage(Arguments arguments, std::size_t least, std::size_t most, const char* usage);

// Functions of numbers, texts and lists: what every expression has.
const Functions& list_functions();

// Throws ExpressionError, or whatever a function throws.
Value evaluate(const std::string& expression, const Names& names, const Functions& functions);
// Syntax only.
void check_expression(const std::string& expression);
// "ere-{K}" -> "ere-100"
std::string filled(const std::string& text, const Names& names, const Functions& functions);

}  // namespace phiflex
