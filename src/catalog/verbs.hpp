#pragma once

namespace greenline::verb {
class Registry;
}

namespace greenline::catalog {
// Adds `catalog list`, `catalog show`, `catalog cite`.
void register_verbs(verb::Registry& registry);
}  // namespace greenline::catalog
