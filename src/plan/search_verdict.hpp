// Why a search has no answer, what was left out, and what to change.
#pragma once

#include <string>

#include "plan/search_job.hpp"

namespace greenline::plan {

// Nothing is legal: throws UserError "no-strategy" with the reasons, the most frequent first, and a
// hint that belongs to that one.
[[noreturn]] void no_strategy(const SearchTask& task, const Findings& found);

// What each constraint has ruled out.
std::vector<RuledOut> ruled_out(const SearchJob& job, const Findings& found);

// Of a search that has found nothing: what is nearest, and how far off. `short_of_memory`: what an
// estimate of the nearest says when it does not fit.
std::string why_nothing(const SearchJob& job, const Findings& found, const SearchRow& nearest,
                        const Score& score, const std::string& short_of_memory);

}  // namespace greenline::plan
