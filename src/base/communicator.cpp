#include "base/communicator.hpp"

namespace greenline::base {

std::shared_ptr<Communicator> alone() {
  static const auto process = std::make_shared<Communicator>();
  return process;
}

}  // namespace greenline::base
