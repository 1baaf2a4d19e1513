// The expression language against a slow, obvious evaluator: a random tree is computed directly,
// written as text with as few or as many parentheses as one likes, and the text must evaluate to
// the same bits.
#include "verb/expression.hpp"

#include <cmath>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "io/value.hpp"

namespace greenline::verb {
namespace {

struct Tree {
  int power = 9;  // how tightly its outermost operator binds; 9 for a leaf
  std::string text;
  double value = 0;
};

std::string in_parentheses(const Tree& t, bool needed) {
  return needed ? "(" + t.text + ")" : t.text;
}

Tree leaf() {
  const int n = *rc::gen::inRange(1, 100);
  if (*rc::gen::inRange(0, 3) == 0) return {9, "x", 2.5};
  return {9, std::to_string(n), static_cast<double>(n)};
}

Tree tree(int depth) {
  if (depth == 0) return leaf();
  const int shape = *rc::gen::inRange(0, 6);
  if (shape == 0) return leaf();
  if (shape == 1) {
    const Tree a = tree(depth - 1);
    return {6, "-" + in_parentheses(a, a.power < 6 || *rc::gen::inRange(0, 2) == 0), -a.value};
  }
  const Tree a = tree(depth - 1), b = tree(depth - 1);
  const int power = shape <= 3 ? 4 : 5;
  // Left to right: the right side of an operator as tight as itself needs parentheses.
  const bool spare = *rc::gen::inRange(0, 4) == 0;
  const std::string left = in_parentheses(a, a.power < power || spare);
  const std::string right = in_parentheses(b, b.power <= power || spare);
  switch (shape) {
    case 2:
      return {power, left + *rc::gen::element<std::string>("+", " + ") + right, a.value + b.value};
    case 3:
      return {power, left + *rc::gen::element<std::string>("-", " − ") + right, a.value - b.value};
    case 4:
      return {power, left + *rc::gen::element<std::string>("*", " × ", "·") + right,
              a.value * b.value};
    default:
      return {power, left + *rc::gen::element<std::string>(" / ", " ÷ ") + right,
              a.value / b.value};
  }
}

RC_GTEST_PROP(Expression, TextEvaluatesAsTheTreeDoes, ()) {
  const io::Value result = io::Value::Object{{"x", 2.5}};
  const Tree t = tree(*rc::gen::inRange(0, 6));
  RC_LOG() << t.text;
  try {
    RC_ASSERT(evaluate(t.text, lookup_in(result)).values.at(0) == t.value);
  } catch (const base::UserError& e) {
    // Division by zero somewhere: the tree then holds an infinity or NaN, or hides one (1 / (1 / 0)
    // is 0).
    RC_ASSERT(e.code() == "bad-expression");
    RC_ASSERT(t.text.find('/') != std::string::npos || t.text.find("÷") != std::string::npos);
    RC_ASSERT(e.message().find("no finite value") != std::string::npos);
  }
}

// Comparisons and their negations are never both true or both false.
RC_GTEST_PROP(Expression, ComparisonsAreConsistent, (int a, int b)) {
  const io::Value result = io::Value::Object{{"a", a}, {"b", b}};
  const auto truth = [&](const char* text) { return evaluate_truth(text, lookup_in(result)); };
  RC_ASSERT(truth("a < b") != truth("a >= b"));
  RC_ASSERT(truth("a > b") != truth("a ≤ b"));
  RC_ASSERT(truth("a == b") != truth("a ≠ b"));
  RC_ASSERT(truth("a < b or a == b") == truth("a <= b"));
  RC_ASSERT(truth("a <= b and a >= b") == truth("a == b"));
}

// Rows combine with rows of the same number: the sum of a column times a number is the number times
// the sum.
RC_GTEST_PROP(Expression, ColumnsCombineRowByRow, (const std::vector<int>& rows)) {
  io::Value::Array table;
  double sum = 0;
  for (const int r : rows) {
    table.push_back(io::Value::Object{{"energy_kwh", r}});
    sum += static_cast<double>(r) * 3.6e6 * 2;
  }
  const io::Value result = io::Value::Object{{"hours", std::move(table)}};
  RC_ASSERT(evaluate("sum(hours.energy_kwh × 2)", lookup_in(result)).values.at(0) == sum);
  RC_ASSERT(evaluate("count(hours.energy_kwh)", lookup_in(result)).values.at(0) ==
            static_cast<double>(rows.size()));
}

}  // namespace
}  // namespace greenline::verb
