// The choices of a plan, as people type them.
#include "plan/estimate.hpp"

namespace greenline::plan {

std::span<const base::EnumName> enum_names(PrecisionChoice) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(PrecisionChoice::automatic), "auto",
       "bf16 where the device has it, else fp16"},
      {static_cast<int>(PrecisionChoice::fp8), "fp8",
       "matrix products in 8 bits, attention in bf16"},
      {static_cast<int>(PrecisionChoice::bf16), "bf16", ""},
      {static_cast<int>(PrecisionChoice::fp16), "fp16", ""},
      {static_cast<int>(PrecisionChoice::tf32), "tf32",
       "training in fp32 with matrix products in TF32"},
  };
  return kNames;
}

std::span<const base::EnumName> enum_names(AttentionChoice) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(AttentionChoice::automatic), "auto",
       "materialised for the GPT family, as it was published; else fused"},
      {static_cast<int>(AttentionChoice::fused), "fused",
       "one kernel that keeps no scores and skips the masked half"},
      {static_cast<int>(AttentionChoice::materialised), "materialised",
       "scores are written to memory between kernels"},
  };
  return kNames;
}

std::span<const base::EnumName> enum_names(Fidelity) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Fidelity::analytic), "analytic", "our model, in closed form"},
      {static_cast<int>(Fidelity::madmax), "madmax",
       "the rules of MAD-Max as published, on its own shapes and machines"},
  };
  return kNames;
}

std::span<const base::EnumName> enum_names(FlopConvention) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(FlopConvention::full), "full",
       "the whole attention square, as the PaLM and Megatron papers count"},
      {static_cast<int>(FlopConvention::causal), "causal",
       "the half of it that a causal mask leaves"},
  };
  return kNames;
}

}  // namespace greenline::plan
