#include "app/stored_report.hpp"

#include "app/result_file.hpp"

namespace greenline::app {
namespace {

struct ReportRequest {
  base::Settings settings;
  std::string file;
};

void describe(verb::Fields& f, ReportRequest& r) {
  f(r.file, "file", "a result written by --json or -o FILE.json")
      .positional()
      .required()
      .placeholder("RESULT.json");
}

// Shows a document that exists, so it fills no report.
class ReportCall final : public verb::Call {
 public:
  ReportCall() { describe(fields_, request_); }
  verb::Fields& fields() override { return fields_; }
  base::Settings& settings() override { return request_.settings; }
  void run(base::Progress&, verb::Report&) override {
    document_ = read_result(request_.file, *request_.settings.journal);
  }
  const io::Value* stored_document() const override { return &document_; }

 private:
  ReportRequest request_;
  verb::Fields fields_;
  io::Value document_;
};

}  // namespace

void register_report(verb::Registry& registry) {
  verb::Info info;
  info.name = "report";
  info.summary = "show a stored result again, in any format";
  info.description =
      "Reads the JSON of an earlier run and shows it as that run did: nothing is computed again, "
      "so it works without the inputs and on another machine.";
  info.examples = {
      {"greenline report result.json", "the human view in the terminal"},
      {"greenline report result.json -o report.html", "one offline HTML page with charts"}};
  registry.add(std::move(info), [] { return std::make_unique<ReportCall>(); });
}

}  // namespace greenline::app
