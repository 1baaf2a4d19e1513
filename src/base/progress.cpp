#include "base/progress.hpp"

namespace greenline::base {

Progress& no_progress() {
  static Progress silent;
  return silent;
}

}  // namespace greenline::base
