#pragma once

namespace greenline::verb {
class Registry;
}

namespace greenline::trace {
// Adds the verbs of this room.
void register_verbs(verb::Registry& registry);
}  // namespace greenline::trace
