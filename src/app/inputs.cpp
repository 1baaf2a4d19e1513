#include "app/inputs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/estimate.hpp"
#include "catalog/catalog.hpp"
#include "io/file.hpp"
#include "io/json.hpp"
#include "io/toml.hpp"

namespace greenline::app {
namespace {

using verb::Field;
using verb::Fields;
using verb::Origin;

// Without its flag alone: `--model config.json` names a model.
bool names_config_file(const Flag& flag) {
  return flag.is_positional && (flag.text.ends_with(".toml") || flag.text.ends_with(".json"));
}

io::Value read_config(const std::string& path, base::Journal& journal) {
  const std::string text = io::read_file(path, &journal);
  return path.ends_with(".json") ? io::parse_json(text, path) : io::parse_toml(text, path);
}

// The file of inputs: --config, or the positional of a verb that may take one.
std::string config_of(const Fields& fields, const verb::Info& info, const Invocation& invocation) {
  std::string config = invocation.config_file;
  if (!info.positional_is_config) return config;
  for (const Flag& flag : invocation.flags) {
    const Field* field = fields.find(flag.field);
    if (field == nullptr || !names_config_file(flag)) continue;
    GL_USER_CHECK(config.empty(), "given-twice",
                  fmt::format("two files of inputs: {} and {}", base::quoted(config),
                              base::quoted(flag.text)));
    config = flag.text;
  }
  return config;
}

void set_from_environment(const Fields& fields, const Invocation& invocation) {
  if (!invocation.environment) return;
  for (const auto& field : fields.all()) {
    if (field->environment_name().empty()) continue;
    if (const auto text = invocation.environment(field->environment_name()))
      field->set_text(*text, {Origin::Kind::environment, {}, field->environment_name()});
  }
}

// "goodput", "study.goodput" and "load-shape" name fields of the verb.
Field* field_of_key(const Fields& fields, const verb::Info& info, std::string key) {
  if (Field* field = fields.find(key)) return field;
  std::replace(key.begin(), key.end(), '-', '_');
  if (Field* field = fields.find(key)) return field;
  const std::string prefix = (info.noun.empty() ? info.name : info.noun) + ".";
  return key.starts_with(prefix) ? fields.find(key.substr(prefix.size())) : nullptr;
}

[[noreturn]] void unknown_set_key(const std::string& key, const Fields& fields,
                                  const base::Settings& settings) {
  std::vector<std::string> known = fields.names();
  for (const catalog::Fact& fact : catalog::Catalog(settings).facts()) known.push_back(fact.id);
  throw base::unknown_name("key", key, known,
                           "--set takes an input of the verb (see its --help) or a catalogue fact "
                           "(greenline catalog list)");
}

void require_once(bool is_first, const std::string& key) {
  GL_USER_CHECK(is_first, "given-twice", fmt::format("--set gives {} twice", base::quoted(key)));
}

void apply_sets(const Fields& fields, const verb::Info& info, const Invocation& invocation,
                base::Settings& settings) {
  for (const std::string& set : invocation.sets) {
    const std::size_t equals = set.find('=');
    GL_USER_CHECK(equals != set.npos && equals != 0, "bad-set",
                  fmt::format("--set is {}; expected KEY=VALUE", base::quoted(set)));
    const std::string key = set.substr(0, equals), text = set.substr(equals + 1);
    if (Field* field = field_of_key(fields, info, key)) {
      require_once(field->origin().kind != Origin::Kind::set || field->is_repeated(), key);
      field->set_text(text, {Origin::Kind::set, {}, "--set"});
    } else if (catalog::is_known_fact(settings, key)) {
      const std::string begin = key + "=";
      require_once(std::none_of(settings.overrides.begin(), settings.overrides.end(),
                                [&](const std::string& s) { return s.starts_with(begin); }),
                   key);
      settings.overrides.push_back(set);
    } else {
      unknown_set_key(key, fields, settings);
    }
  }
}

void apply_flags(const Fields& fields, const verb::Info& info, const Invocation& invocation) {
  for (const Flag& flag : invocation.flags) {
    Field* field = fields.find(flag.field);
    if (field == nullptr) throw base::unknown_name("input", flag.field, fields.names());
    if (info.positional_is_config && field->is_positional() && names_config_file(flag)) continue;
    const Origin::Kind before = field->origin().kind;
    GL_USER_CHECK(before != Origin::Kind::set, "given-twice",
                  fmt::format("{} is given as a flag and by --set", field->flag()));
    GL_USER_CHECK(before != Origin::Kind::flag || field->is_repeated(), "given-twice",
                  fmt::format("{} is given twice: {} and {}", field->flag(),
                              base::quoted(field->text()), base::quoted(flag.text)));
    field->set_text(flag.text, {Origin::Kind::flag, {}, flag.typed});
  }
}

}  // namespace

void fill_inputs(verb::Call& call, const verb::Info& info, const Invocation& invocation) {
  base::Settings& settings = call.settings();
  if (invocation.seed) settings.seed = *invocation.seed;
  settings.overlay_directories = invocation.catalog_directories;
  settings.communicator = invocation.communicator;
  settings.instruction_set = invocation.instruction_set;
  Fields& fields = call.fields();
  set_from_environment(fields, invocation);
  if (const std::string config = config_of(fields, info, invocation); !config.empty())
    fields.set_from(read_config(config, *settings.journal));
  apply_sets(fields, info, invocation, settings);
  apply_flags(fields, info, invocation);
  fields.check_required();
}

std::vector<render::Assumed> assumptions(verb::Call& call) {
  std::vector<render::Assumed> assumed;
  for (const auto& field : call.fields().all()) {
    const bool silent = field->is_hidden() || field->is_chosen() || !field->is_set() ||
                        (field->is_switch() && field->text() == "false");
    if (silent || field->origin().kind != Origin::Kind::assumed) continue;
    const std::string key = field->is_file_only() ? field->name() : field->flag();
    assumed.push_back(
        {key, field->text(), field->source_text().empty() ? "default" : field->source_text()});
  }
  for (const base::AssumedRecord& record : call.settings().journal->assumptions())
    assumed.push_back({record.key, record.value, record.why});
  // Facts that nobody measured or modelled, and those that are the user's own.
  for (const base::FactRecord& fact : call.settings().journal->facts()) {
    const bool built_in = fact.origin == "built-in";
    if (built_in && fact.evidence != base::evidence_name(base::Evidence::assumed)) continue;
    const std::string unit = fact.unit == "1" || fact.unit == "text" ? "" : " " + fact.unit;
    assumed.push_back({fact.id, fact.value + unit, built_in ? fact.source : fact.origin});
  }
  return assumed;
}

}  // namespace greenline::app
