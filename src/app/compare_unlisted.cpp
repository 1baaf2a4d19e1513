#include "app/compare_unlisted.hpp"

#include <map>
#include <set>

#include "base/quantity_text.hpp"
#include "render/text.hpp"

namespace greenline::app {
namespace {

using render::Item;

// The keys of an object that are shown, and what stands beside them.
bool is_shown(const std::set<std::string>& shown, const std::string& key) {
  if (shown.contains(key)) return true;
  for (const std::string_view suffix : {"_why", "_range"})
    if (key.ends_with(suffix) && shown.contains(key.substr(0, key.size() - suffix.size())))
      return true;
  return false;
}

class Walker {
 public:
  explicit Walker(render::Outline& outline) {
    for (const render::Section& section : outline.sections)
      for (const Item& item : section.items) add(item);
  }

  void members(const io::Value& object, const std::string& path) {
    std::set<std::string> shown;
    for (const auto& [key, value] : object.as_object())
      if (const std::string at = joined(path, key); columns_.contains(at)) shown.insert(key);
    for (const auto& [key, value] : object.as_object()) {
      const std::string at = joined(path, key);
      if (!is_shown(shown, key))
        walk(value, at);
      else if (const auto found = columns_.find(at); found != columns_.end())
        rows(value, at, found->second);
    }
  }

  std::vector<Item> take() { return std::move(found_); }

 private:
  static std::string joined(const std::string& path, const std::string& key) {
    return (path.empty() ? "" : path + ".") + render::printable(key);
  }

  void add(const Item& item) {
    const std::string& path =
        std::visit([](const auto& x) -> const std::string& { return x.path; }, item);
    std::set<std::string>& columns = columns_[path];
    if (const auto* table = std::get_if<render::ShownTable>(&item))
      for (const render::ShownColumn& column : table->columns) columns.insert(column.key);
  }

  // Columns that the table does not show.
  void rows(const io::Value& table, const std::string& path, const std::set<std::string>& columns) {
    if (columns.empty() || !table.is_array()) return;
    for (std::size_t i = 0; i < table.as_array().size(); ++i)
      for (const auto& [key, value] : table.as_array()[i].as_object())
        if (!is_shown(columns, render::printable(key)))
          walk(value, joined(path + "." + std::to_string(i), key));
  }

  void walk(const io::Value& value, const std::string& path) {
    if (value.is_object()) return members(value, path);
    if (value.is_array()) {
      for (std::size_t i = 0; i < value.as_array().size(); ++i)
        walk(value.as_array()[i], path + "." + std::to_string(i));
      return;
    }
    const std::string key = path.substr(path.rfind('.') + 1);
    const base::AnyQuantity one = base::unit_of_key(key);
    found_.push_back(render::ShownValue{
        path, key, "", false, {one.value, one.dimension, false}, {&value, "", std::nullopt}});
  }

  std::map<std::string, std::set<std::string>> columns_;  // by path of what is shown; of tables
  std::vector<Item> found_;
};

}  // namespace

void add_unlisted(const io::Value& document, render::Outline& outline) {
  Walker walker(outline);
  walker.members(*document.find("result"), "");
  std::vector<Item> found = walker.take();
  if (!found.empty()) outline.sections.push_back({"", "", std::move(found)});
}

}  // namespace greenline::app
