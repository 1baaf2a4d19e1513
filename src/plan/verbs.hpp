#pragma once

namespace greenline::verb {
class Registry;
}

namespace greenline::plan {
// Adds the verbs of this room.
void register_verbs(verb::Registry& registry);
void register_search(verb::Registry& registry);  // of them
}  // namespace greenline::plan
