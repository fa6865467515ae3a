#include "phiflex/reproduce/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "phiflex/record/csv_table.h"
#include "phiflex/reproduce/comparisons.h"

namespace phiflex {

Value::Value(ValueList list) : held_(std::make_shared<const ValueList>(std::move(list))) {}
Value::Value(const std::vector<double>& numbers)
    : held_(std::make_shared<const ValueList>(numbers.begin(), numbers.end())) {}
Value Value::unknown(std::string why) {
  Value value;
  value.held_ = Unknown{std::move(why)};
  return value;
}
void Value::expect_known() const {
  if (const Unknown* unknown = std::get_if<Unknown>(&held_)) throw Undecided(unknown->why);
}

namespace {

constexpr int deepest_nesting = 200;

std::string kind_of(const Value& value) {
  return value.is_number()  ? "a number"
         : value.is_truth() ? "a truth"
         : value.is_text()  ? "a text"
                            : "a list";
}

[[noreturn]] void wrong_kind(const Value& value, const char* expected) {
  throw ExpressionError(
      fmt::format("{} stands where {} is expected: {}", kind_of(value), expected, value.written()));
}

}  // namespace

double Value::number() const {
  if (const double* number = std::get_if<double>(&held_)) return *number;
  expect_known();
  wrong_kind(*this, "a number");
}
bool Value::truth() const {
  if (const bool* truth = std::get_if<bool>(&held_)) return *truth;
  expect_known();
  wrong_kind(*this, "a truth");
}
const std::string& Value::text() const {
  if (const std::string* text = std::get_if<std::string>(&held_)) return *text;
  expect_known();
  wrong_kind(*this, "a text");
}
const ValueList& Value::list() const {
  if (const Shared* list = std::get_if<Shared>(&held_)) return **list;
  expect_known();
  wrong_kind(*this, "a list");
}

std::vector<double> Value::numbers() const {
  if (is_number()) return {number()};
  std::vector<double> numbers;
  for (const Value& one : list()) numbers.push_back(one.number());
  return numbers;
}

std::string Value::written() const {
  if (is_truth()) return truth() ? "true" : "false";
  if (is_text()) return text();
  std::string words;
  if (is_number()) {
    append_number(words, number());
    return words;
  }
  for (const Value& one : list()) words += (words.empty() ? "" : ", ") + one.written();
  return "[" + words + "]";
}

nlohmann::json Value::json() const {
  if (is_truth()) return truth();
  if (is_text()) return text();
  if (is_number()) {
    const double x = number();
    // Whole numbers stay whole: a count in a scene must be one.
    if (std::abs(x) < 1e15 && x == std::floor(x)) return static_cast<std::int64_t>(x);
    return x;
  }
  nlohmann::json all = nlohmann::json::array();
  for (const Value& one : list()) all.push_back(one.json());
  return all;
}

Value value_of(const nlohmann::json& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_array())
    throw ExpressionError("expected a number, a truth, a text or a list, not " + json.dump());
  ValueList list;
  for (const auto& one : json) list.push_back(value_of(one));
  return list;
}

namespace {

struct Token {
  enum class Kind { end, number, text, name, sign } kind = Kind::end;
  std::string text;
  double number = 0;
  std::size_t at = 0;
};

std::vector<Token> tokens_of(const std::string& source) {
  std::vector<Token> tokens;
  std::size_t i = 0;
  while (i < source.size()) {
    const auto letter = static_cast<unsigned char>(source[i]);
    if (std::isspace(letter)) {
      ++i;
    } else if (std::isdigit(letter) || (letter == '.' && i + 1 < source.size() &&
                                        std::isdigit(static_cast<unsigned char>(source[i + 1])))) {
      Token token{Token::Kind::number, {}, 0, i};
      const auto [end, error] =
          std::from_chars(source.data() + i, source.data() + source.size(), token.number);
      if (error != std::errc())
        throw ExpressionError(fmt::format("a number that cannot be read at {}: {}", i + 1, source));
      i = static_cast<std::size_t>(end - source.data());
      tokens.push_back(token);
    } else if (letter == '\'') {
      const std::size_t end = source.find('\'', i + 1);
      if (end == std::string::npos)
        throw ExpressionError(fmt::format("a text without its end at {}: {}", i + 1, source));
      tokens.push_back({Token::Kind::text, source.substr(i + 1, end - i - 1), 0, i});
      i = end + 1;
    } else if (std::isalpha(letter) || letter == '_') {
      std::size_t end = i;
      while (end < source.size() &&
             (std::isalnum(static_cast<unsigned char>(source[end])) || source[end] == '_'))
        ++end;
      tokens.push_back({Token::Kind::name, source.substr(i, end - i), 0, i});
      i = end;
    } else {
      const std::string two = source.substr(i, 2);
      const bool pair = two == "<=" || two == ">=" || two == "==" || two == "!=";
      if (!pair && std::string_view("+-*/^<>()[],").find(source[i]) == std::string_view::npos)
        throw ExpressionError(fmt::format("'{}' is not understood at {}: {}", source[i], i + 1, source));
      tokens.push_back({Token::Kind::sign, pair ? two : source.substr(i, 1), 0, i});
      i += pair ? 2 : 1;
    }
  }
  tokens.push_back({Token::Kind::end, {}, 0, source.size()});
  return tokens;
}

// A number with a number, or with each entry of a list; two lists entry by entry.
template <class Operation>
Value elementwise(const Value& a, const Value& b, const Operation& operation) {
  if (!a.is_list() && !b.is_list()) return operation(a.number(), b.number());
  if (a.is_list() && b.is_list() && a.list().size() != b.list().size())
    throw ExpressionError(
        fmt::format("lists of {} and {} entries do not go together", a.list().size(), b.list().size()));
  ValueList result;
  const std::size_t count = a.is_list() ? a.list().size() : b.list().size();
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(elementwise(a.is_list() ? a.list()[i] : a, b.is_list() ? b.list()[i] : b, operation));
  return result;
}

bool compares(const std::string& sign, const Value& a, const Value& b) {
  if (sign == "==" || sign == "!=") {
    const bool same = a.is_text() || b.is_text()     ? a.text() == b.text()
                      : a.is_truth() || b.is_truth() ? a.truth() == b.truth()
                                                     : a.number() == b.number();
    return same == (sign == "==");
  }
  const double x = a.number(), y = b.number();
  return sign == "<" ? x < y : sign == "<=" ? x <= y : sign == ">" ? x > y : x >= y;
}

// Parses and evaluates in one go. While `skip_` is not 0 it only parses: the branch that is not taken, the syntax
// check, the first reading of a comprehension.
class Evaluation {
 public:
  Evaluation(const std::string& source, const Names& names, const Functions& functions, bool syntax_only,
             std::vector<NumberComparison>* observed = nullptr)
      : source_(source),
        tokens_(tokens_of(source)),
        names_(names),
        functions_(functions),
        skip_(syntax_only ? 1 : 0),
        observed_(observed) {}

  Value whole() {
    Value value = choice();
    if (now().kind != Token::Kind::end) unexpected();
    return value;
  }

 private:
  const Token& now() const { return tokens_[next_]; }
  bool is(std::string_view sign) const {
    return (now().kind == Token::Kind::sign || now().kind == Token::Kind::name) && now().text == sign;
  }
  bool take(std::string_view sign) {
    if (!is(sign)) return false;
    ++next_;
    return true;
  }
  void expect(std::string_view sign) {
    if (!take(sign))
      throw ExpressionError(fmt::format("expected '{}' at {}: {}", sign, now().at + 1, source_));
  }
  [[noreturn]] void unexpected() const {
    if (now().kind == Token::Kind::end) throw ExpressionError("ends too early: " + source_);
    throw ExpressionError(fmt::format("not understood from {}: {}", now().at + 1, source_));
  }

  struct Skipping {
    Skipping(int& skip, bool on) : skip_(skip), on_(on) { skip_ += on_; }
    ~Skipping() { skip_ -= on_; }
    int& skip_;
    bool on_;
  };
  struct Deeper {
    explicit Deeper(int& depth) : depth_(depth) {
      if (++depth_ > deepest_nesting) throw ExpressionError("nested too deeply");
    }
    ~Deeper() { --depth_; }
    int& depth_;
  };

  Value choice() {
    const Deeper deeper(depth_);
    if (!take("if")) return either();
    const Value condition = choice();
    const bool holds = skip_ == 0 && condition.truth();
    expect("then");
    Value yes, no;
    {
      const Skipping skipping(skip_, !holds);
      yes = choice();
    }
    expect("else");
    {
      const Skipping skipping(skip_, holds);
      no = choice();
    }
    return holds ? yes : no;
  }

  Value either() {
    Value value = both();
    while (take("or")) {
      const bool known = skip_ == 0 && value.truth();
      const Skipping skipping(skip_, known);
      const Value other = both();
      if (skip_ == 0) value = other.truth();
    }
    return value;
  }

  Value both() {
    Value value = denial();
    while (take("and")) {
      const bool known = skip_ == 0 && !value.truth();
      const Skipping skipping(skip_, known);
      const Value other = denial();
      if (skip_ == 0) value = other.truth();
    }
    return value;
  }

  Value denial() {
    const Deeper deeper(depth_);
    if (!take("not")) return comparison();
    const Value value = denial();
    return skip_ ? Value() : Value(!value.truth());
  }

  Value comparison() {
    Value left = sum();
    bool compared = false, holds = true, numbers = left.is_number();
    std::string words = observed_ && !skip_ && numbers ? fmt::format("{:.4g}", left.number()) : "";
    for (;;) {
      std::string sign;
      for (const char* one : {"<=", ">=", "==", "!=", "<", ">"})
        if (now().kind == Token::Kind::sign && now().text == one) sign = one;
      if (sign.empty()) break;
      ++next_;
      const Value right = sum();
      compared = true;
      if (!skip_) holds = holds && compares(sign, left, right);
      numbers = numbers && right.is_number();
      if (observed_ && !skip_ && numbers) words += fmt::format(" {} {:.4g}", sign, right.number());
      left = right;
    }
    if (observed_ && compared && !skip_ && numbers) observed_->push_back({std::move(words), holds, depth_});
    return compared ? Value(holds) : left;
  }

  Value sum() {
    Value value = product();
    for (;;) {
      if (take("+")) {
        const Value other = product();
        if (!skip_) value = elementwise(value, other, [](double a, double b) { return a + b; });
      } else if (take("-")) {
        const Value other = product();
        if (!skip_) value = elementwise(value, other, [](double a, double b) { return a - b; });
      } else {
        return value;
      }
    }
  }

  Value product() {
    Value value = signed_power();
    for (;;) {
      if (take("*")) {
        const Value other = signed_power();
        if (!skip_) value = elementwise(value, other, [](double a, double b) { return a * b; });
      } else if (take("/")) {
        const Value other = signed_power();
        if (!skip_) value = elementwise(value, other, [](double a, double b) { return a / b; });
      } else {
        return value;
      }
    }
  }

  Value signed_power() {
    const Deeper deeper(depth_);
    if (take("-")) {
      const Value value = signed_power();
      return skip_ ? Value() : elementwise(Value(0.0), value, [](double a, double b) { return a - b; });
    }
    Value value = element();
    if (take("^")) {
      const Value exponent = signed_power();
      if (!skip_) value = elementwise(value, exponent, [](double a, double b) { return std::pow(a, b); });
    }
    return value;
  }

  Value element() {
    Value value = primary();
    while (take("[")) {
      const Value index = choice();
      expect("]");
      if (skip_) continue;
      const double i = index.number();
      if (!(i >= 0) || i != std::floor(i) || i >= static_cast<double>(value.list().size()))
        throw ExpressionError(
            fmt::format("entry {} of a list of {}: {}", index.written(), value.list().size(), source_));
      value = Value(value.list()[static_cast<std::size_t>(i)]);
    }
    return value;
  }

  Value primary() {
    const Token token = now();
    switch (token.kind) {
      case Token::Kind::number:
        ++next_;
        return token.number;
      case Token::Kind::text:
        ++next_;
        return skip_ ? Value() : Value(filled(token.text, names_, functions_));
      case Token::Kind::name:
        return named(token);
      case Token::Kind::sign:
        if (take("(")) {
          Value value = choice();
          expect(")");
          return value;
        }
        if (take("[")) return bracketed();
        break;
      case Token::Kind::end:
        break;
    }
    unexpected();
  }

  Value named(const Token& token) {
    for (const char* word : {"if", "then", "else", "and", "or", "not", "for", "in"})
      if (token.text == word) unexpected();
    ++next_;
    if (token.text == "true") return true;
    if (token.text == "false") return false;
    if (take("(")) {
      ValueList arguments;
      if (!take(")")) {
        do arguments.push_back(choice());
        while (take(","));
        expect(")");
      }
      if (skip_) return {};
      const auto own = functions_.find(token.text);
      const auto known = list_functions().find(token.text);
      if (own == functions_.end() && known == list_functions().end())
        throw ExpressionError(fmt::format("no function '{}': {}", token.text, source_));
      Value value = own != functions_.end() ? own->second(arguments) : known->second(arguments);
      if (observed_) observe_call(token.text, arguments, value);
      return value;
    }
    if (skip_) return {};
    const auto found = names_.find(token.text);
    if (found != names_.end()) return found->second;
    if (token.text == "pi") return M_PI;
    throw ExpressionError(fmt::format("no value '{}': {}", token.text, source_));
  }

  // The comparisons that are functions.
  void observe_call(const std::string& name, const ValueList& arguments, const Value& value) {
    if (name != "within" && name != "between") return;
    const double a = arguments[0].number(), b = arguments[1].number(), c = arguments[2].number();
    observed_->push_back({name == "within" ? fmt::format("{:.4g} within {:.4g} % of {:.4g}", a, 100 * c, b)
                                           : fmt::format("{:.4g} <= {:.4g} <= {:.4g}", b, a, c),
                          value.truth(), depth_});
  }

  Value bracketed() {
    ValueList list;
    if (take("]")) return list;
    const std::size_t start = next_;
    {
      const Skipping skipping(skip_, true);
      choice();
    }
    if (take("for")) return comprehension(start);
    next_ = start;
    do list.push_back(choice());
    while (take(","));
    expect("]");
    return skip_ ? Value() : Value(std::move(list));
  }

  Value comprehension(std::size_t start) {
    if (now().kind != Token::Kind::name) unexpected();
    const std::string name = now().text;
    ++next_;
    expect("in");
    const Value over = choice();
    expect("]");
    if (skip_) return {};
    const std::size_t end = next_;
    const auto shadowed = names_.find(name);
    const std::optional<Value> before =
        shadowed == names_.end() ? std::nullopt : std::optional(shadowed->second);
    ValueList list;
    const ValueList entries = over.list();
    for (const Value& one : entries) {
      names_[name] = one;
      next_ = start;
      list.push_back(choice());
    }
    if (before)
      names_[name] = *before;
    else
      names_.erase(name);
    next_ = end;
    return list;
  }

  const std::string& source_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  Names names_;
  const Functions& functions_;
  int skip_ = 0, depth_ = 0;
  std::vector<NumberComparison>* observed_ = nullptr;
};

}  // namespace

Value evaluate(const std::string& expression, const Names& names, const Functions& functions) {
  return Evaluation(expression, names, functions, false).whole();
}

Value evaluate(const std::string& expression, const Names& names, const Functions& functions,
               std::vector<NumberComparison>& made) {
  return Evaluation(expression, names, functions, false, &made).whole();
}

std::string comparison_words(const std::vector<NumberComparison>& made, std::size_t most) {
  if (made.empty()) return "";
  const int outermost =
      std::min_element(made.begin(), made.end(), [](const NumberComparison& a, const NumberComparison& b) {
        return a.depth < b.depth;
      })->depth;
  std::string words;
  std::size_t told = 0;
  for (const NumberComparison& one : made) {
    if (one.depth != outermost || ++told > most) continue;
    words += fmt::format("{}{}: {}", words.empty() ? "" : ", ", one.words, one.holds ? "yes" : "no");
  }
  if (told > most) words += fmt::format(", and {} more", told - most);
  return words;
}

void check_expression(const std::string& expression) {
  Evaluation(expression, {}, {}, true).whole();
}

std::string filled(const std::string& text, const Names& names, const Functions& functions) {
  std::string result;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = text.find('{', at);
    if (open == std::string::npos) return result + text.substr(at);
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) throw ExpressionError("a '{' without its '}': " + text);
    result += text.substr(at, open - at);
    result += evaluate(text.substr(open + 1, close - open - 1), names, functions).written();
    at = close + 1;
  }
}

}  // namespace phiflex
