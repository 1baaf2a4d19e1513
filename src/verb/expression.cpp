#include "verb/expression.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "verb/expression_program.hpp"

namespace greenline::verb {
namespace {

using detail::Instruction;
using detail::OpCode;

struct Operand {
  ExpressionValue value;
  bool is_zero = false;   // the literal 0
  bool is_truth = false;  // came from a comparison
};

class Machine {
 public:
  Machine(std::string_view expression, const Lookup& lookup)
      : expression_(expression), lookup_(lookup) {}

  Operand run() {
    for (const Instruction& i : detail::parse_expression(expression_)) step(i);
    GL_CHECK_EQ(stack_.size(), 1U);
    return pop();
  }

 private:
  Operand pop() {
    Operand top = std::move(stack_.back());
    stack_.pop_back();
    return top;
  }
  void push(ExpressionValue value, bool is_truth = false) {
    stack_.push_back({std::move(value), false, is_truth});
  }

  [[noreturn]] void fail(const Instruction& i, const std::string& message,
                         const std::string& hint = "") const {
    detail::bad_expression(expression_, i.offset, message, hint);
  }
  [[noreturn]] void mismatch(const Instruction& i, base::Dimension a, base::Dimension b) const {
    throw base::UserError(
        "unit-mismatch",
        fmt::format("{} and {} do not go together at {}", base::dimension_name(a),
                    base::dimension_name(b), detail::place_in(expression_, i.offset)),
        "a number carries its unit: 1000 kgCO2e, 60 days, 1.2 MWh");
  }
  void need_number(const Instruction& i, const Operand& x) const {
    if (x.value.text)
      fail(i, fmt::format("the text {} is no number", base::quoted(*x.value.text)),
           "text has == and != only");
    if (!x.value.why_only_counted.empty())
      throw base::UserError("not-a-number", x.value.why_only_counted, "count(…) counts its rows");
  }
  void need_plain(const Instruction& i, const Operand& x, const char* what) const {
    need_number(i, x);
    if (x.value.dimension != base::kDimensionless)
      fail(i, fmt::format("{} takes a number without unit, got {}", what,
                          base::dimension_name(x.value.dimension)));
  }

  void step(const Instruction& i) {
    switch (i.op) {
      case OpCode::number:
        stack_.push_back(
            {ExpressionValue::number(i.number.value, i.number.dimension), i.is_zero, false});
        return;
      case OpCode::text:
        return push({{}, {}, false, i.text, ""});
      case OpCode::name:
        return push(lookup_(i.text));
      case OpCode::negate:
        return each(i, [](double x) { return -x; });
      case OpCode::sum:
      case OpCode::mean:
      case OpCode::count:
        return fold(i);
      case OpCode::min:
      case OpCode::max:
        return i.num_arguments == 1 ? fold(i) : extreme(i);
      case OpCode::abs:
        return each(i, [](double x) { return std::fabs(x); });
      case OpCode::sqrt:
        return root(i);
      case OpCode::exp:
      case OpCode::ln:
        return transcendental(i);
      default:
        return binary(i);
    }
  }

  // One operand, value by value; the dimension stays.
  template <class F>
  void each(const Instruction& i, F&& f) {
    Operand x = pop();
    need_number(i, x);
    for (double& v : x.value.values) v = f(v);
    push(std::move(x.value));
  }

  void root(const Instruction& i) {
    Operand x = pop();
    need_number(i, x);
    const base::Dimension d = x.value.dimension;
    const auto half = [&](std::int8_t exponent) {
      if (exponent % 2 != 0) fail(i, "no square root of " + base::dimension_name(d));
      return static_cast<std::int8_t>(exponent / 2);
    };
    x.value.dimension = {half(d.time), half(d.energy), half(d.carbon), half(d.data),
                         half(d.work), half(d.money),  half(d.area)};
    for (double& v : x.value.values) v = std::sqrt(v);
    check_finite(i, x.value);
    push(std::move(x.value));
  }

  void transcendental(const Instruction& i) {
    Operand x = pop();
    need_plain(i, x, i.op == OpCode::exp ? "exp" : "ln");
    for (double& v : x.value.values) v = i.op == OpCode::exp ? std::exp(v) : std::log(v);
    check_finite(i, x.value);
    push(std::move(x.value));
  }

  void check_finite(const Instruction& i, const ExpressionValue& x) const {
    for (std::size_t row = 0; row < x.values.size(); ++row) {
      if (std::isfinite(x.values[row])) continue;
      fail(
          i,
          x.is_column ? fmt::format("row {} has no finite value", row) : "there is no finite value",
          "a division by zero, the root or logarithm of a negative number, or an overflow");
    }
  }

  void fold(const Instruction& i) {
    Operand x = pop();
    const std::vector<double>& v = x.value.values;
    if (!x.value.is_column) fail(i, "sum, mean, min, max and count take a column");
    if (i.op == OpCode::count)
      return push(ExpressionValue::number(static_cast<double>(v.size()), {}));
    need_number(i, x);
    if (v.empty() && i.op != OpCode::sum) fail(i, "the column has no rows");
    double result = 0;
    if (i.op == OpCode::min)
      result = *std::min_element(v.begin(), v.end());
    else if (i.op == OpCode::max)
      result = *std::max_element(v.begin(), v.end());
    else
      for (const double k : v) result += k;
    if (i.op == OpCode::mean) result /= static_cast<double>(v.size());
    push(ExpressionValue::number(result, x.value.dimension));
  }

  void extreme(const Instruction& i) {
    Operand best = pop();
    need_number(i, best);
    for (std::size_t k = 1; k < i.num_arguments; ++k) {
      Operand next = pop();
      need_number(i, next);
      const base::Dimension d = common_dimension(i, best, next);
      const bool smaller = i.op == OpCode::min;
      best.value = combined(i, best.value, next.value, d, [smaller](double a, double b) {
        return smaller ? std::min(a, b) : std::max(a, b);
      });
    }
    push(std::move(best.value));
  }

  base::Dimension common_dimension(const Instruction& i, const Operand& a, const Operand& b) const {
    if (a.value.dimension == b.value.dimension || b.is_zero) return a.value.dimension;
    if (a.is_zero) return b.value.dimension;
    mismatch(i, a.value.dimension, b.value.dimension);
  }

  template <class F>
  ExpressionValue combined(const Instruction& i, const ExpressionValue& a, const ExpressionValue& b,
                           base::Dimension d, F&& f) const {
    if (a.is_column && b.is_column && a.values.size() != b.values.size())
      fail(i, fmt::format("columns of {} and {} rows do not combine", a.values.size(),
                          b.values.size()));
    ExpressionValue out;
    out.dimension = d;
    out.is_column = a.is_column || b.is_column;
    const std::size_t n = a.is_column ? a.values.size() : b.is_column ? b.values.size() : 1;
    out.values.resize(n);
    for (std::size_t row = 0; row < n; ++row)
      out.values[row] = f(a.values[a.is_column ? row : 0], b.values[b.is_column ? row : 0]);
    check_finite(i, out);
    return out;
  }

  void binary(const Instruction& i) {
    const Operand b = pop(), a = pop();
    if (i.op == OpCode::equal || i.op == OpCode::not_equal) {
      if (a.value.text || b.value.text) return compare_text(i, a, b);
    }
    need_number(i, a);
    need_number(i, b);
    switch (i.op) {
      case OpCode::power:
        return power(i, a, b);
      case OpCode::logical_and:
      case OpCode::logical_or:
        return connect(i, a, b);
      case OpCode::add:
      case OpCode::subtract:
      case OpCode::multiply:
      case OpCode::divide:
        return arithmetic(i, a, b);
      default:
        return compare(i, a, b);
    }
  }

  void arithmetic(const Instruction& i, const Operand& a, const Operand& b) {
    const base::Dimension x = a.value.dimension, y = b.value.dimension;
    const auto put = [&](base::Dimension d, auto f) { push(combined(i, a.value, b.value, d, f)); };
    switch (i.op) {
      case OpCode::add:
        return put(common_dimension(i, a, b), [](double p, double q) { return p + q; });
      case OpCode::subtract:
        return put(common_dimension(i, a, b), [](double p, double q) { return p - q; });
      case OpCode::multiply:
        return put(exponents(i, x, y, 1), [](double p, double q) { return p * q; });
      case OpCode::divide:
        return put(exponents(i, x, y, -1), [](double p, double q) { return p / q; });
      default:
        throw base::InternalError("an expression has an unknown operator");
    }
  }

  void compare(const Instruction& i, const Operand& a, const Operand& b) {
    common_dimension(i, a, b);
    const auto put = [&](auto f) {
      const auto truth = [f](double p, double q) { return f(p, q) ? 1.0 : 0.0; };
      push(combined(i, a.value, b.value, {}, truth), true);
    };
    switch (i.op) {
      case OpCode::less:
        return put(std::less<>());
      case OpCode::less_equal:
        return put(std::less_equal<>());
      case OpCode::greater:
        return put(std::greater<>());
      case OpCode::greater_equal:
        return put(std::greater_equal<>());
      case OpCode::equal:
        return put(std::equal_to<>());
      case OpCode::not_equal:
        return put(std::not_equal_to<>());
      default:
        throw base::InternalError("an expression has an unknown operator");
    }
  }

  void connect(const Instruction& i, const Operand& a, const Operand& b) {
    if (!a.is_truth || !b.is_truth)
      fail(i, "and, or connect comparisons", "write: a > 1 and b > 2");
    const bool both = i.op == OpCode::logical_and;
    const auto truth = [both](double p, double q) {
      return (both ? p != 0 && q != 0 : p != 0 || q != 0) ? 1.0 : 0.0;
    };
    push(combined(i, a.value, b.value, {}, truth), true);
  }

  void compare_text(const Instruction& i, const Operand& a, const Operand& b) {
    if (!a.value.text || !b.value.text) fail(i, "a text and a number do not compare");
    const bool same = *a.value.text == *b.value.text;
    push(ExpressionValue::number(same == (i.op == OpCode::equal) ? 1 : 0, {}), true);
  }

  // Exponents of a × b^times. They are bytes, and a typed expression may ask for more.
  base::Dimension exponents(const Instruction& i, base::Dimension a, base::Dimension b,
                            int times) const {
    const auto one = [&](int x, int y) {
      const int e = x + y * times;
      if (e < -100 || e > 100) fail(i, "the unit's exponents exceed 100");
      return static_cast<std::int8_t>(e);
    };
    return {one(a.time, b.time), one(a.energy, b.energy), one(a.carbon, b.carbon),
            one(a.data, b.data), one(a.work, b.work),     one(a.money, b.money),
            one(a.area, b.area)};
  }

  void power(const Instruction& i, const Operand& a, const Operand& b) {
    need_plain(i, b, "^");
    const double exponent = b.value.is_column ? std::nan("") : b.value.values.front();
    if (exponent != std::floor(exponent) || std::fabs(exponent) > 100)
      fail(i, "the exponent of ^ is a whole number up to 100");
    const base::Dimension d = exponents(i, {}, a.value.dimension, static_cast<int>(exponent));
    push(combined(i, a.value, b.value, d, [](double p, double q) { return std::pow(p, q); }));
  }

  std::string_view expression_;
  const Lookup& lookup_;
  std::vector<Operand> stack_;
};

}  // namespace

ExpressionValue evaluate(std::string_view expression, const Lookup& lookup) {
  return Machine(expression, lookup).run().value;
}

bool evaluate_truth(std::string_view expression, const Lookup& lookup) {
  const Operand x = Machine(expression, lookup).run();
  if (!x.is_truth)
    throw base::UserError("bad-expression",
                          fmt::format("{} is no condition", base::quoted(expression)),
                          "compare with something: energy_kwh > 1 MWh");
  if (x.value.is_column)
    throw base::UserError(
        "bad-expression",
        fmt::format("{} is a column of {} truths", base::quoted(expression), x.value.values.size()),
        "take one number of the column: max(…), sum(…), mean(…)");
  return x.value.values.front() != 0;
}

std::vector<std::string> names_in(std::string_view expression) {
  std::vector<std::string> names;
  for (const Instruction& i : detail::parse_expression(expression)) {
    if (i.op == OpCode::name && std::find(names.begin(), names.end(), i.text) == names.end())
      names.push_back(i.text);
  }
  return names;
}

}  // namespace greenline::verb
