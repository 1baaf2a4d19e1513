// A verb is a function of one request with one result, and how to name its inputs and outputs. The
// registry holds them all; the shells know nothing else about the library.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"
#include "base/selftest.hpp"
#include "verb/fields.hpp"
#include "verb/report.hpp"

namespace greenline::verb {

// The headings of `greenline --help`.
enum class Heading { plan, measure, account, engines, other };

struct Example {
  std::string command;  // "greenline grid intensity --grid ERCO"
  std::string what;
};

// A file that a verb hands out besides its result, `-o FILE` with this ending. present() fills it
// (Report::attachment); it is no part of the result document.
struct Attachment {
  std::string suffix = {};  // ".toml", ".trace.json"; wins over the shorter ".json"
  std::string what = {};    // "the fitted machine, for --system"
  std::string when = {};    // which runs have it, "with --timeline"; empty: every run
};

struct Info {
  std::string noun = {}, name = {};  // "grid", "simulate"; noun empty for `doctor`, `explain`, …
  Heading heading = Heading::other;
  std::string summary = {};            // one line, no full stop
  std::string description = {};        // what it answers, in a few sentences; Markdown
  std::vector<Example> examples = {};  // at least two
  std::vector<Attachment> attachments = {};
  // The positional may be a TOML or JSON file of inputs (`study run`).
  bool positional_is_config = false;
  // Under mpirun the ranks share the work (settings.communicator); other verbs run on the first
  // rank alone.
  bool is_shared = false;
  std::string full_name() const { return noun.empty() ? name : noun + " " + name; }
};

// One invocation: inputs first (fields), then the work.
class Call {
 public:
  virtual ~Call() = default;
  virtual Fields& fields() = 0;
  virtual base::Settings& settings() = 0;
  // Runs the function, then present().
  virtual void run(base::Progress& progress, Report& report) = 0;
  // A verb that shows the document of an earlier run (`report`) has it here after run(); others
  // have none.
  virtual const io::Value* stored_document() const { return nullptr; }
};

struct Verb {
  Info info;
  std::function<std::unique_ptr<Call>()> make;
};

class Registry {
 public:
  Registry() = default;
  Registry(const Registry&) = delete;  // verbs that list the registry refer to it
  Registry& operator=(const Registry&) = delete;

  // Request must have a member `base::Settings settings`; describe(Fields&, Request&) and
  // present(Report&, const Result&) are found by argument-dependent lookup.
  template <class Request, class Result>
  void add(Info info, Result (*function)(const Request&, base::Progress&));
  // For a function that needs more than its request, such as the registry itself.
  template <class Request, class Result>
  void add_bound(Info info, std::function<Result(const Request&, base::Progress&)> function);
  void add(Info info, std::function<std::unique_ptr<Call>()> make);

  const std::vector<Verb>& all() const { return verbs_; }
  const Verb* find(std::string_view noun, std::string_view name) const;
  // UserError "unknown-verb" with the nearest of all nouns and verbs.
  const Verb& get(std::string_view noun, std::string_view name) const;
  std::vector<std::string> nouns() const;
  std::vector<const Verb*> of(std::string_view noun) const;

  // `greenline selftest ROOM`.
  void add_selftest(std::string room, base::Selftest selftest);
  const std::vector<std::pair<std::string, base::Selftest>>& selftests() const {
    return selftests_;
  }

 private:
  std::vector<Verb> verbs_;
  std::vector<std::pair<std::string, base::Selftest>> selftests_;
};

namespace detail {
template <class Request, class Result>
class TypedCall final : public Call {
 public:
  using Function = std::function<Result(const Request&, base::Progress&)>;
  explicit TypedCall(Function function) : function_(std::move(function)) {
    describe(fields_, request_);
  }
  Fields& fields() override { return fields_; }
  base::Settings& settings() override { return request_.settings; }
  void run(base::Progress& progress, Report& report) override {
    present(report, function_(request_, progress));
  }

 private:
  Function function_;
  Request request_;
  Fields fields_;
};
}  // namespace detail

template <class Request, class Result>
void Registry::add_bound(Info info,
                         std::function<Result(const Request&, base::Progress&)> function) {
  add(std::move(info), [function = std::move(function)]() -> std::unique_ptr<Call> {
    return std::make_unique<detail::TypedCall<Request, Result>>(function);
  });
}

template <class Request, class Result>
void Registry::add(Info info, Result (*function)(const Request&, base::Progress&)) {
  add_bound<Request, Result>(std::move(info), function);
}

}  // namespace greenline::verb
