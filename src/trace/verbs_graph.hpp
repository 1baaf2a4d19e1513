#pragma once

namespace greenline::verb {
class Registry;
}

namespace greenline::trace {
// The verbs on the execution graph: called by register_verbs.
void register_graph_verbs(verb::Registry& registry);
// Those that compare traces or write them again.
void register_compare_verbs(verb::Registry& registry);
}  // namespace greenline::trace
