// A Pratt parser: each operator has a binding power, and an operand takes all that binds tighter
// than the operator before it.

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "base/utf8.hpp"
#include "verb/expression_program.hpp"

namespace greenline::verb::detail {
namespace {

constexpr std::size_t kMaxLength = 64 * 1024;
constexpr int kMaxDepth = 200;
constexpr int kUnaryPower = 6;
constexpr int kComparisonPower = 3;

struct Operator {
  std::string_view text;
  OpCode op;
  int power;  // larger binds tighter
};
// Longer spellings before their prefixes.
constexpr std::array kOperators{
    Operator{"<=", OpCode::less_equal, kComparisonPower},
    Operator{"≤", OpCode::less_equal, kComparisonPower},
    Operator{">=", OpCode::greater_equal, kComparisonPower},
    Operator{"≥", OpCode::greater_equal, kComparisonPower},
    Operator{"==", OpCode::equal, kComparisonPower},
    Operator{"!=", OpCode::not_equal, kComparisonPower},
    Operator{"≠", OpCode::not_equal, kComparisonPower},
    Operator{"<", OpCode::less, kComparisonPower},
    Operator{">", OpCode::greater, kComparisonPower},
    Operator{"+", OpCode::add, 4},
    Operator{"-", OpCode::subtract, 4},
    Operator{"−", OpCode::subtract, 4},
    Operator{"×", OpCode::multiply, 5},
    Operator{"·", OpCode::multiply, 5},
    Operator{"*", OpCode::multiply, 5},
    Operator{"÷", OpCode::divide, 5},
    Operator{"/", OpCode::divide, 5},
    Operator{"^", OpCode::power, 7},
};

struct Function {
  std::string_view name;
  OpCode op;
  std::size_t most;  // arguments
};
constexpr std::array kFunctions{
    Function{"sum", OpCode::sum, 1},     Function{"mean", OpCode::mean, 1},
    Function{"min", OpCode::min, 16},    Function{"max", OpCode::max, 16},
    Function{"count", OpCode::count, 1}, Function{"abs", OpCode::abs, 1},
    Function{"sqrt", OpCode::sqrt, 1},   Function{"exp", OpCode::exp, 1},
    Function{"ln", OpCode::ln, 1},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Program parse() {
    if (text_.size() > kMaxLength)
      throw base::UserError(
          "bad-expression",
          fmt::format("an expression of {} bytes; at most {} are read", text_.size(), kMaxLength));
    operand(0);
    skip_space();
    if (at_ < text_.size()) fail("expected an operator or the end");
    return std::move(program_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }

  [[noreturn]] void fail(const std::string& message, const std::string& hint = "") const {
    const std::string got = at_ < text_.size() ? "" : " but the expression ends";
    bad_expression(text_, at_, message + got, hint);
  }

  bool take(std::string_view token) {
    if (!rest().starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  std::string_view word_at(std::size_t offset) const {
    std::size_t end = offset;
    while (end < text_.size() && is_name_character(text_[end])) ++end;
    return text_.substr(offset, end - offset);
  }

  void emit(OpCode op, std::size_t offset, std::size_t num_arguments = 0) {
    Instruction i;
    i.op = op;
    i.offset = offset;
    i.num_arguments = num_arguments;
    program_.push_back(std::move(i));
  }

  // The operator that comes next, not taken.
  std::optional<Operator> next_operator() const {
    const std::string_view word = word_at(at_);
    if (word == "or") return Operator{"or", OpCode::logical_or, 1};
    if (word == "and") return Operator{"and", OpCode::logical_and, 2};
    for (const Operator& o : kOperators) {
      if (rest().starts_with(o.text)) return o;
    }
    return std::nullopt;
  }

  // Everything that binds tighter than `power`.
  void operand(int power) {
    if (++depth_ > kMaxDepth) fail(fmt::format("nested more than {} deep", kMaxDepth));
    prefix();
    bool compared = false;
    for (;;) {
      skip_space();
      const auto o = next_operator();
      if (!o || o->power <= power) break;
      const bool compares = o->power == kComparisonPower;
      if (compares && compared) fail("comparisons do not chain", "write: a < b and b < c");
      compared = compares;
      const std::size_t offset = at_;
      at_ += o->text.size();
      // 2^3^2 is 2^(3^2), and 2^-1 is legal.
      operand(o->op == OpCode::power ? o->power - 1 : o->power);
      emit(o->op, offset);
    }
    --depth_;
  }

  void prefix() {
    skip_space();
    const std::size_t offset = at_;
    if (take("-") || take("−")) {
      operand(kUnaryPower);
      emit(OpCode::negate, offset);
    } else if (take("(")) {
      operand(0);
      close();
    } else if (peek() == '"' || peek() == '\'') {
      quoted();
    } else if (is_digit(peek()) ||
               (peek() == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
      number();
    } else if (is_letter(peek()) || peek() == '_') {
      name();
    } else {
      fail("expected a number, a name or (");
    }
  }

  void close() {
    skip_space();
    if (!take(")")) fail("expected )");
  }

  void quoted() {
    const std::size_t offset = at_;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == text_.npos) fail("expected a closing quote");
    emit(OpCode::text, offset);
    program_.back().text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
  }

  void name() {
    const std::size_t offset = at_;
    const std::string_view word = word_at(at_);
    if (word == "and" || word == "or") fail("expected a number, a name or (");
    at_ += word.size();
    skip_space();
    if (peek() == '(') return call(word, offset);
    if (word.back() == '.' || word.find("..") != word.npos) {
      at_ = offset;
      fail(fmt::format("\"{}\" is no path", word));
    }
    emit(OpCode::name, offset);
    program_.back().text = word;
  }

  void call(std::string_view word, std::size_t offset) {
    const Function* function = nullptr;
    std::vector<std::string> known;
    for (const Function& f : kFunctions) {
      known.emplace_back(f.name);
      if (f.name == word) function = &f;
    }
    if (function == nullptr) {
      at_ = offset;
      fail(fmt::format("unknown function {}", base::quoted(word)),
           fmt::format("functions: {}", fmt::join(known, ", ")));
    }
    take("(");
    std::size_t num_arguments = 0;
    do {
      operand(0);
      ++num_arguments;
      skip_space();
    } while (take(","));
    close();
    if (num_arguments > function->most) {
      at_ = offset;
      fail(fmt::format("{} takes {} at most, got {} arguments", word, function->most,
                       num_arguments));
    }
    emit(function->op, offset, num_arguments);
  }

  std::size_t end_of_digits(std::size_t at) const {
    while (at < text_.size() && is_digit(text_[at])) ++at;
    return at;
  }

  std::size_t end_of_number(std::size_t at) const {
    at = end_of_digits(at);
    if (at < text_.size() && text_[at] == '.') at = end_of_digits(at + 1);
    if (at < text_.size() && (text_[at] == 'e' || text_[at] == 'E')) {
      std::size_t digits = at + 1;
      if (digits < text_.size() && (text_[digits] == '+' || text_[digits] == '-')) ++digits;
      const std::size_t end = end_of_digits(digits);
      if (end > digits) at = end;
    }
    return at;
  }

  // End of the unit word at `at`: letters with digits behind them (m2, gCO2e, h30m), %, $, or a
  // letter that is not ASCII (µ) but no operator.
  std::size_t end_of_unit_word(std::size_t at) const {
    const std::size_t begin = at;
    while (at < text_.size()) {
      const char c = text_[at];
      if (is_letter(c) || c == '%' || c == '$' || (at > begin && is_digit(c))) {
        ++at;
      } else if (text_.substr(at).starts_with("µ") || text_.substr(at).starts_with("μ") ||
                 text_.substr(at).starts_with("²") || text_.substr(at).starts_with("₂")) {
        at += text_.substr(at).starts_with("₂") ? 3 : 2;
      } else {
        break;
      }
    }
    return at;
  }

  // Extends a unit over "/kWh" as long as the whole still is one: 361 gCO2e/kWh, but 5
  // kWh/duration_s.
  std::size_t end_of_unit(std::size_t begin) const {
    std::size_t end = end_of_unit_word(begin);
    for (;;) {
      std::size_t next = end;
      if (text_.substr(end).starts_with("·"))
        next += 2;
      else if (text_.substr(end).starts_with("/") || text_.substr(end).starts_with("*"))
        next += 1;
      if (next == end || word_at(next).find_first_of("_.") != word_at(next).npos) return end;
      const std::size_t longer = end_of_unit_word(next);
      if (longer == next || !is_unit(text_.substr(begin, longer - begin))) return end;
      end = longer;
    }
  }

  static bool is_unit(std::string_view text) {
    try {
      base::parse_unit(text);
      return true;
    } catch (const base::UserError&) {
      return false;
    }
  }

  void number() {
    const std::size_t offset = at_;
    at_ = end_of_number(at_);
    const std::size_t digits = at_;
    std::string spelled(text_.substr(offset, digits - offset));
    skip_space();
    const std::string_view word = word_at(at_);
    const std::size_t unit_end = word == "and" || word == "or" ? at_ : end_of_unit(at_);
    if (unit_end > at_) {
      // "1h30m" is one number, "1 h30m" is not a number at all.
      if (at_ > digits) spelled += ' ';
      spelled += text_.substr(at_, unit_end - at_);
      at_ = unit_end;
    } else {
      at_ = digits;
    }
    emit(OpCode::number, offset);
    try {
      program_.back().number = base::parse_quantity(spelled);
    } catch (const base::UserError& e) {
      at_ = offset;
      fail(e.message(), e.hint());
    }
    program_.back().is_zero = program_.back().number.value == 0 && unit_end == digits;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Program program_;
};

}  // namespace

std::string place_in(std::string_view expression, std::size_t offset) {
  const std::string_view before = expression.substr(0, offset);
  const auto num_inside = std::count_if(before.begin(), before.end(), base::is_utf8_continuation);
  return fmt::format("column {} of {}", before.size() - static_cast<std::size_t>(num_inside) + 1,
                     base::quoted(expression));
}

void bad_expression(std::string_view expression, std::size_t offset, const std::string& message,
                    const std::string& hint) {
  throw base::UserError("bad-expression",
                        fmt::format("{} at {}", message, place_in(expression, offset)), hint);
}

Program parse_expression(std::string_view expression) { return Parser(expression).parse(); }

}  // namespace greenline::verb::detail
