#include "render/node.hpp"

#include <algorithm>
#include <cmath>

#include "render/text.hpp"

namespace greenline::render {

std::string Node::path() const {
  std::vector<std::string> keys;
  for (const Step* step = step_.get(); step != nullptr; step = step->parent.get())
    keys.push_back(printable(step->key));
  std::reverse(keys.begin(), keys.end());
  return keys.empty() ? "the document" : join(keys, ".");
}

void Node::wrong(std::string_view expected) const {
  throw base::DataError(
      "not-a-result",
      path() + ": expected " + std::string(expected) + ", got " + value_->type_name(),
      "a result is what --json or -o FILE.json writes", value_->where());
}

Node Node::member(std::string_view key) const {
  if (!value_->is_object()) wrong("an object");
  const io::Value* found = value_->find(key);
  if (found != nullptr) return {*found, *this, std::string(key)};
  throw base::DataError("not-a-result",
                        path() + ": expected a member \"" + printable(key) + "\", it is missing",
                        "a result is what --json or -o FILE.json writes", value_->where());
}

std::optional<Node> Node::optional(std::string_view key) const {
  if (!value_->is_object()) wrong("an object");
  const io::Value* found = value_->find(key);
  if (found == nullptr || found->is_null()) return std::nullopt;
  return Node(*found, *this, std::string(key));
}

Node Node::walk(std::string_view path) const {
  Node node = *this;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    node = node.member(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return node;
}

std::vector<Node> Node::elements() const {
  if (!value_->is_array()) wrong("an array");
  std::vector<Node> nodes;
  nodes.reserve(value_->as_array().size());
  for (const io::Value& element : value_->as_array())
    nodes.push_back(Node(element, *this, std::to_string(nodes.size())));
  return nodes;
}

std::vector<Node> Node::elements(std::string_view key) const {
  const std::optional<Node> node = optional(key);
  return node ? node->elements() : std::vector<Node>{};
}

const std::string& Node::raw_text() const {
  if (!value_->is_text()) wrong("text");
  return value_->as_text();
}

std::string Node::text() const { return printable(raw_text()); }

std::int64_t Node::integer() const {
  if (!value_->is_int()) wrong("an integer");
  return value_->as_int();
}

double Node::number() const {
  if (!value_->is_number() || !std::isfinite(value_->as_double())) wrong("a finite number");
  return value_->as_double();
}

bool Node::truth() const {
  if (!value_->is_bool()) wrong("true or false");
  return value_->as_bool();
}

std::string Node::text_or(std::string_view key) const {
  const std::optional<Node> node = optional(key);
  return node ? node->text() : "";
}

bool Node::truth_or(std::string_view key) const {
  const std::optional<Node> node = optional(key);
  return node && node->truth();
}

}  // namespace greenline::render
