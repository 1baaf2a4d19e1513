// From a request, with its names and defaults, to the problem that is computed.
#pragma once

#include <optional>
#include <string>

#include "base/estimate.hpp"
#include "base/quantity.hpp"
#include "catalog/catalog.hpp"
#include "catalog/entries.hpp"
#include "plan/configuration.hpp"
#include "plan/estimate.hpp"

namespace greenline::plan {

// Records a choice that the request left open.
void assume(const EstimateRequest& request, std::string key, std::string value, std::string why);

// UserError "out-of-range" for numbers that no plan can have.
void check(const EstimateRequest& request);

catalog::ModelShape model_of(const catalog::Catalog& facts, const EstimateRequest& request);

// The machine of --on or --system; `devices` 0 when neither says how many.
catalog::System resolve_system(const catalog::Catalog& facts, const EstimateRequest& request,
                               std::int64_t& devices);

// The number format of the request, else bf16 where the device has it.
catalog::Precision resolve_precision(const EstimateRequest& request,
                                     const catalog::Accelerator& device);

// UserError for an unknown part, or frozen parts of a task that has none.
Frozen frozen_of(const EstimateRequest& request);

// Model, machine, batch and software of the request; `precision` is the number format chosen.
// UserError for unknown names and for what contradicts itself.
Problem make_problem(const catalog::Catalog& facts, const EstimateRequest& request,
                     catalog::Precision& precision);

// Of one device: given, or that of the node with its source. Unset where nobody says one.
std::optional<base::Estimate<base::MoneyRate>> price_of(const catalog::Catalog& facts,
                                                        const EstimateRequest& request,
                                                        const catalog::System& system);

// Given, or the mean of the grid's hours.
base::Estimate<base::CarbonIntensity> intensity_of(const catalog::Catalog& facts,
                                                   const EstimateRequest& request);

// Given, or that of facilities today.
base::Estimate<double> pue_of(const catalog::Catalog& facts, const EstimateRequest& request);

}  // namespace greenline::plan
