#include "model/workload.hpp"

#include <cmath>
#include <span>

#include "model/operator_formats.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;
using base::Data;
using base::Work;
using catalog::ModelShape;

constexpr double kValueBytes = 2;  // activations and weights
constexpr double kFullBytes = 4;   // fp32: accumulated gradients, logits in the loss, routing

// Sizes that every operator list speaks of, per device.
struct Sizes {
  double tokens, tokens_split;  // tokens_split: outside the tensor-parallel regions
  double batch, queries, keys;  // queries, keys: tokens of one sequence
  double cached;                // tokens of one sequence in the KV cache, all ranks together
  double cached_here;           // of them on this rank
  double hidden, head_size, heads, kv, ffn,
      vocabulary;           // heads, kv, ffn and vocabulary: this device's part
  double ffn_inputs;        // matrices that feed the activation function: 1, SwiGLU 2
  bool dropout;             // the mask costs a byte a value
  bool eager_norms, eager;  // one kernel for each primitive operation
};

Sizes sizes_of(const ModelShape& shape, const Slice& slice) {
  const auto t = static_cast<double>(slice.tensor_parallel);
  const auto c = static_cast<double>(slice.context_parallel);
  Sizes z{};
  z.tokens = slice.tokens();
  z.tokens_split = slice.sequence_parallel ? z.tokens / t : z.tokens;
  z.batch = static_cast<double>(slice.micro_batch);
  z.queries = static_cast<double>(slice.sequence_length) / c;
  z.keys = static_cast<double>(slice.sequence_length);
  z.cached = static_cast<double>(slice.cached_tokens);
  z.cached_here = z.cached / c;
  z.hidden = static_cast<double>(shape.hidden);
  z.head_size = static_cast<double>(shape.attention_head());
  z.heads = static_cast<double>(shape.heads) / t;
  z.kv = static_cast<double>(shape.key_width()) / t;
  z.ffn = static_cast<double>(shape.ffn_hidden) / t;
  z.vocabulary = static_cast<double>(shape.vocabulary) / t;
  z.ffn_inputs = static_cast<double>(shape.ffn_inputs());
  z.dropout = shape.dropout;
  z.eager = slice.kernels == Kernels::eager;
  // Frameworks have a kernel for layer norm, and had none for RMS norm when its models were new.
  z.eager_norms = z.eager && shape.norm == catalog::Norm::rmsnorm;
  return z;
}

// `batch` products of (m x k) by (k x n), each with a weight of its own.
Operator product(const char* name, double m, double n, double k, double selective = 0,
                 double batch = 1) {
  return {name,
          OperatorKind::matmul,
          batch,
          m,
          n,
          k,
          batch * 2 * m * n * k * units::FLOP,
          batch * kValueBytes * (m * k + k * n + m * n) * units::B,
          selective};
}

Operator pass(const char* name, double bytes, double selective = 0) {
  return {name, OperatorKind::elementwise, 1, 0, 0, 0, Work{}, bytes * units::B, selective};
}

// Bytes a value that the primitive operations of a block move, one kernel each, in and out: to
// fp32, square, mean, scale, to 16 bits, weight; to fp32, multiply complex numbers, to 16 bits;
// activation function, product with the gate.
constexpr double kEagerNorm[] = {6, 8, 4, 8, 6, 4};
constexpr double kEagerRotation[] = {6, 8, 6};
constexpr double kEagerGate[] = {4, 6};

void append_passes(const char* name, std::span<const double> bytes, double values, double selective,
                   std::vector<Operator>& out) {
  for (const double b : bytes) out.push_back(pass(name, b * values, selective));
}

void append_norm(const Sizes& z, const char* name, double values, double selective,
                 std::vector<Operator>& out) {
  if (z.eager_norms)
    append_passes(name, kEagerNorm, values, selective, out);
  else
    out.push_back(pass(name, 2 * kValueBytes * values, selective));
}

// Gradient of the weight: (k x m)(m x n), added to fp32.
Operator weight_gradient(const Operator& f) {
  Operator weight = product("weight gradient", f.k, f.n, f.m, 0, f.batch);
  weight.weight_gradient = true;
  weight.bytes =
      f.batch * (kValueBytes * (f.m * f.k + f.m * f.n) + 2 * kFullBytes * f.k * f.n) * units::B;
  return weight;
}

// Gradient of the input: (m x n)(n x k), and of the weight.
void append_backward_of_product(const Operator& f, std::vector<Operator>& out) {
  out.push_back(product("input gradient", f.m, f.k, f.n, 0, f.batch));
  out.push_back(weight_gradient(f));
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
  const double keys = z.keys + z.cached;
  const double scores = z.batch * z.heads * z.queries * keys;
  const double width = z.head_size * z.heads;
  auto batched = [&](const char* name, double n, double k) {
    return Operator{name,
                    OperatorKind::attention,
                    z.batch * z.heads,
                    z.queries,
                    n,
                    k,
                    2 * scores * z.head_size * units::FLOP,
                    kValueBytes *
                        (z.tokens * width + z.batch * (z.keys + z.cached_here) * width + scores) *
                        units::B,
                    1};
  };
  ops.push_back(batched("attention scores", keys, z.head_size));
  ops.push_back(pass("softmax", 2 * kValueBytes * scores, 1));
  if (z.dropout) ops.push_back(pass("attention dropout", (2 * kValueBytes + 1) * scores, 1));
  ops.push_back(batched("attention over values", z.head_size, keys));
}

// Of its own sequence a causal query meets half of the keys on average: blocks above the diagonal
// are skipped. Everything in the cache stands before it.
void append_fused_attention(const ModelShape& shape, const Sizes& z, std::vector<Operator>& ops) {
  const double share = shape.kind == catalog::ModelKind::vision ? 1 : 0.5;
  const double scores = z.batch * z.heads * z.queries * (share * z.keys + z.cached);
  ops.push_back(
      {"fused attention", OperatorKind::attention, 1, 0, 0, 0,
       4 * scores * z.head_size * units::FLOP,
       kValueBytes *
           (2 * z.tokens * z.heads * z.head_size + 2 * z.batch * (z.keys + z.cached_here) * z.kv) *
           units::B,
       0});
}

// Up, activation function, down; on `m` tokens each in `batch` separate networks.
struct FeedForward {
  const char *in, *activation, *out;
  double batch, m, ffn;
};

// `again`: 1 when selective recomputation covers norms and activation functions.
void append_feed_forward(const Sizes& z, const FeedForward& x, double again,
                         std::vector<Operator>& f) {
  f.push_back(product(x.in, x.m, z.ffn_inputs * x.ffn, z.hidden,
                      again * (z.ffn_inputs - 1) / z.ffn_inputs, x.batch));
  const double inner = x.batch * x.m * x.ffn;
  if (z.eager && z.ffn_inputs > 1)
    append_passes(x.activation, kEagerGate, inner, again, f);
  else
    f.push_back(pass(x.activation, (z.ffn_inputs + 1) * kValueBytes * inner, again));
  f.push_back(product(x.out, x.m, z.hidden, x.ffn, 0, x.batch));
}

// The assignments that this device's experts work on are as many as its own tokens make. With few
// tokens (decoding) not every expert gets one: `busy` is the expected number of its experts that
// do, with experts drawn evenly, and their weights alone are read.
void append_experts(const ModelShape& shape, const Slice& slice, const Sizes& z, double again,
                    std::vector<Operator>& f) {
  const catalog::Experts& e = *shape.experts;
  const auto experts = static_cast<double>(e.experts), active = static_cast<double>(e.active);
  const auto ranks = static_cast<double>(slice.expert_parallel);
  const double assignments = z.tokens * active;
  const double untouched = std::pow(1 - active / experts, z.tokens * ranks);
  const double busy = experts / ranks * (1 - untouched);
  const double ffn = static_cast<double>(e.ffn_hidden) / static_cast<double>(slice.tensor_parallel);

  f.push_back(product("router", z.tokens_split, experts, z.hidden));
  f.push_back(pass("routing", 2 * kFullBytes * z.tokens_split * experts));
  f.push_back(pass("order by expert", 2 * kValueBytes * assignments * z.hidden));
  append_feed_forward(
      z, {"experts in", "expert activation", "experts out", busy, assignments / busy, ffn}, again,
      f);
  f.push_back(pass("weighted sum of experts", kValueBytes * (assignments + z.tokens) * z.hidden));
  if (e.shared > 0)
    append_feed_forward(z,
                        {"shared experts in", "shared activation", "shared experts out", 1,
                         z.tokens, static_cast<double>(e.shared) * ffn},
                        again, f);
}

void append_attention(const ModelShape& shape, const Slice& slice, const Sizes& z, double again,
                      std::vector<Operator>& f) {
  const double queries = z.heads * z.head_size;
  f.push_back(product("query, key and value", z.tokens, queries + 2 * z.kv, z.hidden,
                      again * z.kv / (queries + 2 * z.kv)));
  const double turned = z.tokens * (queries + z.kv);
  if (shape.query_norms) append_norm(z, "query and key norms", turned, 0, f);
  if (shape.positions == catalog::Positions::rotary) {
    if (z.eager)
      append_passes("rotary positions", kEagerRotation, turned, 0, f);
    else
      f.push_back(pass("rotary positions", 2 * kValueBytes * turned));
  }
  if (slice.attention == Attention::fused)
    append_fused_attention(shape, z, f);
  else
    append_materialised_attention(z, f);
  f.push_back(product("attention output", z.tokens, z.hidden, queries, again));
}

// A patch takes part in a projection of its pixels; class tokens come from a parameter. Pixels need
// no gradient.
Operators patch_operators(const ModelShape& shape, const Sizes& z) {
  const double patches = z.tokens * static_cast<double>(shape.patches->patches()) /
                         static_cast<double>(shape.patches->tokens());
  Operators ops;
  ops.forward = {
      product("patch embedding", patches, z.hidden, static_cast<double>(shape.patches->pixels())),
      pass("position embedding", 3 * kValueBytes * z.tokens * z.hidden)};
  ops.backward = backward_of({ops.forward[1]});
  ops.backward.push_back(weight_gradient(ops.forward[0]));
  return ops;
}

}  // namespace

std::span<const base::EnumName> enum_names(Kernels) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Kernels::fused), "fused", "one kernel each: compiled or hand-written"},
      {static_cast<int>(Kernels::eager), "eager",
       "one kernel for every primitive operation in them: PyTorch without a compiler"},
  };
  return kNames;
}

const char* attention_name(Attention attention) {
  return attention == Attention::fused ? "fused" : "materialised";
}

LayerKind layer_kind(const ModelShape& shape, std::int64_t layer) {
  return shape.experts && layer >= shape.experts->dense_layers ? LayerKind::experts
                                                               : LayerKind::dense;
}

Operators layer_operators(const ModelShape& shape, const Slice& slice, LayerKind kind) {
  const Sizes z = sizes_of(shape, slice);
  // Materialised attention recomputes its core and nothing else.
  const double again = slice.attention == Attention::fused ? 1 : 0;
  const double split = z.tokens_split * z.hidden;
  const double residual = (3 * kValueBytes + (z.dropout ? 1 : 0)) * split;

  Operators ops;
  auto& f = ops.forward;
  append_norm(z, "attention norm", split, again, f);
  append_attention(shape, slice, z, again, f);
  if (shape.layer_norms > 2) append_norm(z, "norm after attention", split, again, f);
  f.push_back(pass("attention residual", residual));
  if (shape.layer_norms > 1) append_norm(z, "feed-forward norm", split, again, f);
  if (kind == LayerKind::experts)
    append_experts(shape, slice, z, again, f);
  else
    append_feed_forward(
        z, {"feed-forward in", "activation function", "feed-forward out", 1, z.tokens, z.ffn},
        again, f);
  if (shape.layer_norms > 3) append_norm(z, "norm after feed-forward", split, again, f);
  f.push_back(pass("feed-forward residual", residual));
  ops.backward = backward_of(f);
  if (slice.narrow_products) ops = with_narrow_products(ops);
  scale_values(ops, slice.value_bytes);
  return ops;
}

Operators embedding_operators(const ModelShape& shape, const Slice& slice) {
  const Sizes z = sizes_of(shape, slice);
  if (shape.patches) {
    Operators ops = patch_operators(shape, z);
    scale_values(ops, slice.value_bytes);
    return ops;
  }
  const double positions = shape.positions == catalog::Positions::learned ? 1 : 0;
  const double bytes = kValueBytes * z.tokens * z.hidden * (2 + positions);
  Operators ops;
  ops.forward.push_back(
      {"token embedding", OperatorKind::lookup, 1, 0, 0, 0, Work{}, bytes * units::B, 0});
  ops.backward = backward_of(ops.forward);
  scale_values(ops, slice.value_bytes);
  return ops;
}

Operators head_operators(const ModelShape& shape, const Slice& slice) {
  const Sizes z = sizes_of(shape, slice);
  // An image is one classification.
  const double rows = shape.patches ? z.batch : z.tokens;
  const double columns = shape.patches ? static_cast<double>(shape.patches->classes) /
                                             static_cast<double>(slice.tensor_parallel)
                                       : z.vocabulary;
  Operators ops;
  auto& f = ops.forward;
  append_norm(z, "final norm", z.tokens_split * z.hidden, 0, f);
  if (columns > 0) {
    f.push_back(product("output head", rows, columns, z.hidden));
    // Reads the logits, writes them as fp32, reads them for the maximum and for the sum.
    f.push_back({"cross-entropy", OperatorKind::cross_entropy, 1, 0, 0, 0, Work{},
                 (kValueBytes + 3 * kFullBytes) * rows * columns * units::B, 0});
  }
  ops.backward = backward_of(f);
  scale_values(ops, slice.value_bytes);
  return ops;
}

Data expert_dispatch(const ModelShape& shape, const Slice& slice) {
  if (!shape.experts) return Data{};
  return slice.value_bytes * slice.tokens() * static_cast<double>(shape.experts->active) *
         static_cast<double>(shape.hidden) * units::B;
}

double selective_product_flops(const ModelShape& shape, LayerKind kind) {
  Work sum;
  for (const Operator& o :
       layer_operators(shape, {.sequence_length = 1, .attention = Attention::fused}, kind).forward)
    if (o.kind == OperatorKind::matmul) sum += o.selective * o.flops;
  return sum.in(units::FLOP);
}

Work total_flops(const std::vector<Operator>& operators) {
  Work sum;
  for (const Operator& o : operators) sum += o.flops;
  return sum;
}

}  // namespace greenline::model
