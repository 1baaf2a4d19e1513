#include "model/workload.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;
using base::Data;
using base::Work;
using catalog::ModelShape;

constexpr double kValueBytes = 2;  // activations and weights
constexpr double kFullBytes = 4;   // fp32: accumulated gradients, logits in the loss

// Sizes that every operator list speaks of, per device.
struct Sizes {
  double tokens, tokens_split;  // tokens_split: outside the tensor-parallel regions
  double batch, sequence;
  double hidden, head_size, heads, kv, ffn,
      vocabulary;     // heads, kv, ffn and vocabulary: this device's part
  double ffn_inputs;  // matrices that feed the activation function: 1, SwiGLU 2
  bool dropout;
};

// The GPT recipes train with dropout, later families without; the mask costs a byte a value.
bool has_dropout(const ModelShape& shape) { return shape.family == "gpt"; }

Sizes sizes_of(const ModelShape& shape, const Slice& slice) {
  const auto t = static_cast<double>(slice.tensor_parallel);
  Sizes z{};
  z.tokens = slice.tokens();
  z.tokens_split = slice.sequence_parallel ? z.tokens / t : z.tokens;
  z.batch = static_cast<double>(slice.micro_batch);
  z.sequence = static_cast<double>(slice.sequence_length);
  z.hidden = static_cast<double>(shape.hidden);
  z.head_size = z.hidden / static_cast<double>(shape.heads);
  z.heads = static_cast<double>(shape.heads) / t;
  z.kv = z.head_size * static_cast<double>(shape.kv_heads) / t;
  z.ffn = static_cast<double>(shape.ffn_hidden) / t;
  z.vocabulary = static_cast<double>(shape.vocabulary) / t;
  z.ffn_inputs = shape.mlp == catalog::Mlp::swiglu ? 2 : 1;
  z.dropout = has_dropout(shape);
  return z;
}

Operator product(const char* name, double m, double n, double k, double selective = 0) {
  return {name,
          OperatorKind::matmul,
          1,
          m,
          n,
          k,
          2 * m * n * k * units::FLOP,
          kValueBytes * (m * k + k * n + m * n) * units::B,
          selective};
}

Operator pass(const char* name, double bytes, double selective = 0) {
  return {name, OperatorKind::elementwise, 1, 0, 0, 0, Work{}, bytes * units::B, selective};
}

// Gradient of the input: (m x n)(n x k). Gradient of the weight: (k x m)(m x n), added to fp32.
void append_backward_of_product(const Operator& f, std::vector<Operator>& out) {
  out.push_back(product("input gradient", f.m, f.k, f.n));
  Operator weight = product("weight gradient", f.k, f.n, f.m);
  weight.bytes = (kValueBytes * (f.m * f.k + f.m * f.n) + 2 * kFullBytes * f.k * f.n) * units::B;
  out.push_back(weight);
}

// Reads the gradient and what the forward pass kept, writes the gradient: half again as much
// traffic.
constexpr double kBackwardTraffic = 1.5;

// The fused backward kernel does five products where the forward does two (dao2022): the scores
// once more, then the gradients of values, probabilities, queries and keys.
constexpr double kFusedBackwardFlops = 2.5;

std::vector<Operator> backward_of(const std::vector<Operator>& forward) {
  std::vector<Operator> out;
  out.reserve(2 * forward.size());
  for (auto f = forward.rbegin(); f != forward.rend(); ++f) {
    if (f->kind == OperatorKind::matmul) {
      append_backward_of_product(*f, out);
      continue;
    }
    Operator b = *f;
    const bool fused = f->kind == OperatorKind::attention && f->m == 0;
    b.flops *= fused ? kFusedBackwardFlops : 2;
    b.bytes *= f->kind == OperatorKind::attention ? 2 : kBackwardTraffic;
    out.push_back(b);
  }
  return out;
}

void append_materialised_attention(const Sizes& z, std::vector<Operator>& ops) {
  const double scores = z.batch * z.heads * z.sequence * z.sequence;
  const double values = z.tokens * z.head_size * z.heads;
  auto batched = [&](const char* name, double n, double k) {
    return Operator{name,
                    OperatorKind::attention,
                    z.batch * z.heads,
                    z.sequence,
                    n,
                    k,
                    2 * scores * z.head_size * units::FLOP,
                    kValueBytes * (2 * values + scores) * units::B,
                    1};
  };
  ops.push_back(batched("attention scores", z.sequence, z.head_size));
  ops.push_back(pass("softmax", 2 * kValueBytes * scores, 1));
  if (z.dropout) ops.push_back(pass("attention dropout", (2 * kValueBytes + 1) * scores, 1));
  ops.push_back(batched("attention over values", z.head_size, z.sequence));
}

void append_fused_attention(const Sizes& z, std::vector<Operator>& ops) {
  const double scores = z.batch * z.heads * z.sequence * z.sequence;
  constexpr double kCausalShare = 0.5;  // blocks above the diagonal are skipped
  ops.push_back({"fused attention", OperatorKind::attention, 1, 0, 0, 0,
                 4 * kCausalShare * scores * z.head_size * units::FLOP,
                 kValueBytes * z.tokens * (2 * z.heads * z.head_size + 2 * z.kv) * units::B, 0});
}

}  // namespace

const char* attention_name(Attention attention) {
  return attention == Attention::fused ? "fused" : "materialised";
}

Operators layer_operators(const ModelShape& shape, const Slice& slice) {
  const Sizes z = sizes_of(shape, slice);
  const bool fused = slice.attention == Attention::fused;
  // Materialised attention recomputes its core and nothing else.
  const double again = fused ? 1 : 0;
  const double queries = z.heads * z.head_size;
  const double split = z.tokens_split * z.hidden;
  const double residual = (3 * kValueBytes + (z.dropout ? 1 : 0)) * split;

  Operators ops;
  auto& f = ops.forward;
  f.push_back(pass("attention norm", 2 * kValueBytes * split, again));
  f.push_back(product("query, key and value", z.tokens, queries + 2 * z.kv, z.hidden,
                      again * z.kv / (queries + 2 * z.kv)));
  if (shape.positions == catalog::Positions::rotary)
    f.push_back(pass("rotary positions", 2 * kValueBytes * z.tokens * (queries + z.kv)));
  fused ? append_fused_attention(z, f) : append_materialised_attention(z, f);
  f.push_back(product("attention output", z.tokens, z.hidden, queries, again));
  f.push_back(pass("attention residual", residual));
  f.push_back(pass("feed-forward norm", 2 * kValueBytes * split, again));
  f.push_back(product("feed-forward in", z.tokens, z.ffn_inputs * z.ffn, z.hidden,
                      again * (z.ffn_inputs - 1) / z.ffn_inputs));
  f.push_back(
      pass("activation function", (z.ffn_inputs + 1) * kValueBytes * z.tokens * z.ffn, again));
  f.push_back(product("feed-forward out", z.tokens, z.hidden, z.ffn));
  f.push_back(pass("feed-forward residual", residual));
  ops.backward = backward_of(f);
  return ops;
}

Operators embedding_operators(const ModelShape& shape, const Slice& slice) {
  const Sizes z = sizes_of(shape, slice);
  const double positions = shape.positions == catalog::Positions::learned ? 1 : 0;
  const double bytes = kValueBytes * z.tokens * z.hidden * (2 + positions);
  Operators ops;
  ops.forward.push_back(
      {"token embedding", OperatorKind::lookup, 1, 0, 0, 0, Work{}, bytes * units::B, 0});
  ops.backward = backward_of(ops.forward);
  return ops;
}

Operators head_operators(const ModelShape& shape, const Slice& slice) {
  const Sizes z = sizes_of(shape, slice);
  const double logits = z.tokens * z.vocabulary;
  Operators ops;
  auto& f = ops.forward;
  f.push_back(pass("final norm", 2 * kValueBytes * z.tokens_split * z.hidden));
  f.push_back(product("output head", z.tokens, z.vocabulary, z.hidden));
  // Reads the logits, writes them as fp32, reads them for the maximum and for the sum.
  f.push_back({"cross-entropy", OperatorKind::cross_entropy, 1, 0, 0, 0, Work{},
               (kValueBytes + 3 * kFullBytes) * logits * units::B, 0});
  ops.backward = backward_of(f);
  return ops;
}

double selective_product_flops(const ModelShape& shape) {
  Work sum;
  for (const Operator& o :
       layer_operators(shape, {.sequence_length = 1, .attention = Attention::fused}).forward)
    if (o.kind == OperatorKind::matmul) sum += o.selective * o.flops;
  return sum.in(units::FLOP);
}

Work total_flops(const std::vector<Operator>& operators) {
  Work sum;
  for (const Operator& o : operators) sum += o.flops;
  return sum;
}

}  // namespace greenline::model
