// The parsed form of an expression: instructions for a stack, in the order of evaluation. Inside
// the room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"

namespace greenline::verb::detail {

enum class OpCode {
  number,
  text,
  name,    // push
  negate,  // one operand
  add,
  subtract,
  multiply,
  divide,
  power,  // two
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  sum,
  mean,
  min,
  max,
  count,
  abs,
  sqrt,
  exp,
  ln,  // `num_arguments`
};

struct Instruction {
  OpCode op;
  std::size_t column = 1;  // of the text, counted in characters from 1
  base::AnyQuantity number;
  bool is_zero = false;  // the literal 0, which fits any dimension
  std::string text;      // name or text
  std::size_t num_arguments = 0;
};

using Program = std::vector<Instruction>;

// UserError "bad-expression". Length is limited to 64 KiB, nesting to 200.
Program parse_expression(std::string_view expression);

// "bad-expression" that quotes the expression and says where.
[[noreturn]] void bad_expression(std::string_view expression, std::size_t column,
                                 const std::string& message, const std::string& hint = "");

}  // namespace greenline::verb::detail
