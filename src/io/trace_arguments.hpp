// The arguments of a trace's events as JSON, event by event: the writer's walk along the side
// tables. The keys are those that the reader (io/trace_piece.cpp) knows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/trace_columns.hpp"

namespace greenline::io {

class TraceArguments {
 public:
  // names: TraceColumns::names as JSON texts.
  TraceArguments(const TraceColumns& trace, const std::vector<std::string>& names)
      : t_(trace), names_(names) {}
  // `,"args":{...}` of the next event, "" when it has none. Valid until the next call.
  const std::string& next();

 private:
  void number(std::string_view key, std::int64_t value, std::int64_t none = -1);
  void text(std::string_view key, int name);
  void array(std::string_view key, int name);
  void raw(std::string_view key, std::string_view value);
  void add(const TraceWork& w);
  void add(const TraceOperator& o);
  void add(const TracePython& p);
  void add(const TraceCollective& c);
  void add(const TraceSync& s);
  template <class Row>
  void add_row(const std::vector<Row>& rows, std::size_t& at);

  const TraceColumns& t_;
  const std::vector<std::string>& names_;
  std::size_t event_ = 0, work_ = 0, operator_ = 0, python_ = 0, collective_ = 0, sync_ = 0;
  std::string out_;
};

}  // namespace greenline::io
