#pragma once

namespace greenline::verb {
class Registry;
}

namespace greenline::footprint {
// Adds the self-test of this room.
void register_verbs(verb::Registry& registry);
}  // namespace greenline::footprint
