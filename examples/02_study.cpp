// The main question from C++: how long, how many joules, how many grams.
#include <cstdio>

#include "base/quantity_text.hpp"
#include "study/study.hpp"

using namespace greenline;

int main() {
  study::StudyRequest request;
  request.plan.model = "llama3-8b";
  request.plan.on = "16xdgx-h100";
  request.tokens = 1e12;
  request.grid.grid = "CISO";

  const study::StudyResult result = study::run(request);
  const study::Scenario& s = result.base;
  std::printf("duration  %s\n", base::format_quantity(s.duration.nominal()).c_str());
  std::printf("energy    %s\n", base::format_quantity(s.energy.nominal()).c_str());
  std::printf("carbon    %s (%s to %s)\n", base::format_quantity(s.total.nominal()).c_str(),
              base::format_quantity(s.total.low()).c_str(),
              base::format_quantity(s.total.high()).c_str());
  for (const study::OptionRow& option : result.options)
    std::printf("  %-28s %s\n", option.name.c_str(),
                base::format_quantity(option.delta.nominal()).c_str());
}
