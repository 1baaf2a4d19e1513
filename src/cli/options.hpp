// Splits arguments into options and positionals; knows nothing about verbs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace greenline::cli {

struct Option {
  std::string name;         // without dashes, "load-shape"
  char letter = 0;          // "-o", 0 when there is none
  bool takes_value = true;  // otherwise a switch, whose value is "true" unless written --name=false
};

struct Given {
  std::size_t option = 0;  // index into the options
  std::string value;
};

struct Split {
  std::vector<Given> given;              // in the order of the arguments
  std::vector<std::string> positionals;  // all that follows "--", too
};

// UserError "unknown-flag" with the nearest, "missing-value". A value may begin with '-', as in
// "--load -5W".
Split split_arguments(std::span<const Option> options, std::span<const std::string> arguments);

}  // namespace greenline::cli
