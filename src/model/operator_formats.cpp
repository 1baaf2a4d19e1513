#include "model/operator_formats.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;

constexpr double kMaximumAndCast = 5;  // read 2 bytes, read 2, write 1
constexpr double kTransposed = 2;      // read 1, write 1
constexpr double kTransposedCast = 4;  // read 2, write 1 in both orders
constexpr double kResultBytes = 2;
constexpr double kSumBytes = 4;  // of an accumulated gradient, read and written

Operator cast(const char* name, double bytes, const Operator& product) {
  Operator op;
  op.name = name;
  op.bytes = product.batch * bytes * units::B;
  op.selective = product.selective;
  op.weight_gradient = product.weight_gradient;
  return op;
}

Operator narrow(Operator product) {
  const double result = product.weight_gradient ? 2 * kSumBytes : kResultBytes;
  product.narrow = true;
  product.bytes = product.batch *
                  (product.m * product.k + product.k * product.n + result * product.m * product.n) *
                  units::B;
  return product;
}

}  // namespace

Operators with_narrow_products(const Operators& operators) {
  Operators out;
  for (const Operator& op : operators.forward) {
    if (op.kind == OperatorKind::matmul) {
      out.forward.push_back(cast("input to fp8", kMaximumAndCast * op.m * op.k, op));
      out.forward.push_back(cast("weight to fp8", kMaximumAndCast * op.k * op.n, op));
      out.forward.push_back(narrow(op));
    } else {
      out.forward.push_back(op);
    }
  }
  for (const Operator& op : operators.backward) {
    if (op.kind != OperatorKind::matmul) {
      out.backward.push_back(op);
      continue;
    }
    // (gradient of the output) x weight, or input x (gradient of the output).
    out.backward.push_back(
        op.weight_gradient
            ? cast("input to fp8, transposed", kTransposedCast * op.m * op.k, op)
            : cast("gradient to fp8", (kMaximumAndCast + kTransposed) * op.m * op.k, op));
    out.backward.push_back(narrow(op));
  }
  return out;
}

void scale_values(Operators& operators, double value_bytes) {
  const double factor = value_bytes / 2;
  if (factor == 1) return;
  for (auto* list : {&operators.forward, &operators.backward}) {
    for (Operator& op : *list) {
      const base::Data sum =
          op.weight_gradient ? 2 * kSumBytes * op.batch * op.m * op.n * units::B : base::Data{};
      op.bytes = sum + factor * (op.bytes - sum);
    }
  }
}

}  // namespace greenline::model
