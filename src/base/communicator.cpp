#include "base/communicator.hpp"

#include <cstring>

#include "base/error.hpp"

namespace greenline::base {

std::shared_ptr<Communicator> alone() {
  static const auto process = std::make_shared<Communicator>();
  return process;
}

std::string broadcast(Communicator& communicator, std::string_view mine, int root) {
  GL_CHECK_GE(root, 0);
  GL_CHECK_LT(root, communicator.size());
  const bool is_root = communicator.rank() == root;
  return communicator.all_gather(is_root ? mine
                                         : std::string_view())[static_cast<std::size_t>(root)];
}

std::vector<double> sum(Communicator& communicator, const std::vector<double>& mine) {
  const std::size_t num_bytes = mine.size() * sizeof(double);
  std::string bytes(num_bytes, '\0');
  if (num_bytes > 0) std::memcpy(bytes.data(), mine.data(), num_bytes);
  std::vector<double> total(mine.size()), part(mine.size());
  for (const std::string& theirs : communicator.all_gather(bytes)) {
    GL_CHECK_EQ(theirs.size(), num_bytes);
    if (num_bytes > 0) std::memcpy(part.data(), theirs.data(), num_bytes);
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += part[i];
  }
  return total;
}

}  // namespace greenline::base
