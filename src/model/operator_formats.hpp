// Operators in other number formats than 16 bits. The lists of model/workload are written for 2
// bytes a value; this rewrites them.
#pragma once

#include "model/workload.hpp"

namespace greenline::model {

// Products of fp8 operands, scaled by the largest value of each tensor (micikevicius2022): every
// operand is read for its maximum, read again and written in one byte. The gradient of the output
// feeds two products, the input is cast once more for the gradient of the weight; these two also
// need a transposed copy. Results stay in 16 bits.
Operators with_narrow_products(const Operators& operators);

// Weights and activations of `value_bytes` instead of 2; what is in fp32 already stays.
void scale_values(Operators& operators, double value_bytes);

}  // namespace greenline::model
