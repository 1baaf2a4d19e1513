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
  // Push one value.
  number,
  text,
  name,
  // Take one operand.
  negate,
  // Take two.
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  // Take `num_arguments`.
  sum,
  mean,
  min,
  max,
  count,
  abs,
  sqrt,
  exp,
  ln,
};

struct Instruction {
  OpCode op;
  std::size_t offset = 0;  // of its first byte in the expression
  base::AnyQuantity number;
  bool is_zero = false;  // the literal 0, which fits any dimension
  std::string text;      // name or text
  std::size_t num_arguments = 0;
};

using Program = std::vector<Instruction>;

// UserError "bad-expression". Length is limited to 64 KiB, nesting to 200.
Program parse_expression(std::string_view expression);

// "column 7 of \"energy_kwh > \"", for messages; columns count characters from 1.
std::string place_in(std::string_view expression, std::size_t offset);

// Throws UserError "bad-expression" with the message and its place.
[[noreturn]] void bad_expression(std::string_view expression, std::size_t offset,
                                 const std::string& message, const std::string& hint = "");

}  // namespace greenline::verb::detail
