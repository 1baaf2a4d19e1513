// A value of a document with the path by which it was reached, so that a complaint can name it.
// Every accessor throws DataError "not-a-result":
// `report.layout.3.path: expected text, got integer`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/value.hpp"

namespace greenline::render {

// Refers to the document, which must outlive it; copies are cheap.
class Node {
 public:
  explicit Node(const io::Value& root) : value_(&root) {}

  const io::Value& value() const { return *value_; }
  std::string path() const;  // "report.layout.3.path"
  [[noreturn]] void wrong(std::string_view expected) const;

  // A member that must be there.
  Node member(std::string_view key) const;
  // A member that may be missing or null.
  std::optional<Node> optional(std::string_view key) const;
  // Members by dotted path; the empty path is this node.
  Node walk(std::string_view path) const;
  // Elements of this array, or of a member that may be missing or null.
  std::vector<Node> elements() const;
  std::vector<Node> elements(std::string_view key) const;

  std::string text() const;             // printable
  const std::string& raw_text() const;  // as it is in the file
  std::int64_t integer() const;
  double number() const;  // finite
  bool truth() const;
  std::string text_or(std::string_view key) const;  // "" when the member is missing or null
  bool truth_or(std::string_view key) const;        // false when the member is missing or null

 private:
  // A step from the root. Held by the node and by what is below it.
  struct Step {
    std::shared_ptr<const Step> parent;
    std::string key;  // or the decimal index of an array element
  };
  Node(const io::Value& value, const Node& parent, std::string key)
      : value_(&value), step_(std::make_shared<const Step>(Step{parent.step_, std::move(key)})) {}

  const io::Value* value_;
  std::shared_ptr<const Step> step_;  // null at the root
};

}  // namespace greenline::render
