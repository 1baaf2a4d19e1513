#pragma once

namespace greenline::verb {
class Registry;
}

namespace greenline::mlperf {
void register_verbs(verb::Registry& registry);
}  // namespace greenline::mlperf
