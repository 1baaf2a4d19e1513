#include "verb/fields.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::verb {
namespace detail {

std::string table_text(const Fields& fields) {
  std::vector<std::string> parts;
  for (const auto& field : fields.all()) {
    if (field->is_set()) parts.push_back(field->name() + " = " + field->text());
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

io::Value table_value(const Fields& fields) {
  io::Value table = io::Value::Object{};
  for (const auto& field : fields.all()) {
    io::Value* at = &table;
    std::string_view rest = field->name();
    for (std::size_t dot; (dot = rest.find('.')) != rest.npos; rest.remove_prefix(dot + 1))
      at = &(*at)[rest.substr(0, dot)];
    (*at)[rest] = field->value();
  }
  return table;
}

void set_table(Fields& fields, const io::Value& table) {
  fields.set_from(table);
  try {
    fields.check_required();
  } catch (const base::UserError& e) {
    throw base::UserError(e.code(), e.message(), e.hint(), table.where());
  }
}

void refuse_table_text(const std::string& what) {
  throw base::UserError("file-only", what + " is a list of tables, which only a file can hold",
                        "write it in a TOML file and give that with --config");
}

}  // namespace detail

Field& Fields::add(std::string_view name, std::string_view help, std::string type,
                   Field::Access access) {
  std::string path = prefix_ + std::string(name);
  if (find(path) != nullptr)
    throw base::InternalError("describe() names the field " + base::quoted(path) + " twice");
  auto field = std::make_unique<Field>();
  field->name_ = std::move(path);
  field->help_ = help;
  field->type_ = std::move(type);
  field->access_ = std::move(access);
  field->default_text_ = field->text();
  fields_.push_back(std::move(field));
  return *fields_.back();
}

Field* Fields::find(std::string_view name) const {
  for (const auto& field : fields_) {
    if (field->name() == name) return field.get();
  }
  return nullptr;
}

std::vector<std::string> Fields::names() const {
  std::vector<std::string> names;
  for (const auto& field : fields_) names.push_back(field->name());
  return names;
}

std::vector<std::string> Fields::keys_below(const std::string& prefix) const {
  std::vector<std::string> keys;
  for (const auto& field : fields_) {
    if (!field->name().starts_with(prefix)) continue;
    std::string key = field->name().substr(prefix.size());
    key.resize(std::min(key.find('.'), key.size()));
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
  }
  return keys;
}

void Fields::set_from(const io::Value& table) {
  if (!table.is_object()) detail::wrong_type(table, "the file", "a table of inputs");
  set_table(table, "");
}

void Fields::set_table(const io::Value& table, const std::string& prefix) {
  const std::vector<std::string> keys = keys_below(prefix);
  for (const auto& [key, value] : table.as_object()) {
    const std::string path = prefix + key;
    if (Field* field = find(path)) {
      field->set_value(value, {Origin::Kind::file, value.where(), ""});
    } else if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      const auto near = base::nearest(key, keys, 1);
      throw base::UserError("unknown-key",
                            fmt::format("unknown key {}{}", base::quoted(path),
                                        near.empty() ? "" : "; nearest: " + prefix + near.front()),
                            fmt::format("keys here: {}", fmt::join(keys, ", ")), value.where());
    } else if (!value.is_object()) {
      detail::wrong_type(value, path, "a table");
    } else {
      set_table(value, path + ".");
    }
  }
}

void Fields::check_required() const {
  for (const auto& field : fields_) {
    if (!field->is_required() || field->origin().kind != Origin::Kind::assumed) continue;
    throw base::UserError(
        "missing-input",
        field->is_file_only() ? "missing: " + field->name() : "missing: " + field->flag(),
        fmt::format("{}: {}", field->name(), field->help()));
  }
}

}  // namespace greenline::verb
