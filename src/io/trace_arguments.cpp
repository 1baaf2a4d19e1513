#include "io/trace_arguments.hpp"

#include <iterator>

#include <fmt/format.h>

namespace greenline::io {

const std::string& TraceArguments::next() {
  out_.clear();
  if (const auto id = t_.external_id.at(event_)) raw("External id", std::to_string(*id));
  if (const auto id = t_.correlation.at(event_)) raw("correlation", std::to_string(*id));
  add_row(t_.work, work_);
  add_row(t_.operators, operator_);
  add_row(t_.python, python_);
  add_row(t_.collectives, collective_);
  add_row(t_.syncs, sync_);
  if (!out_.empty()) out_ += '}';
  ++event_;
  return out_;
}

template <class Row>
void TraceArguments::add_row(const std::vector<Row>& rows, std::size_t& at) {
  for (; at < rows.size() && rows[at].event == event_; ++at) add(rows[at]);
}

void TraceArguments::raw(std::string_view key, std::string_view value) {
  out_ += out_.empty() ? ",\"args\":{" : ",";
  fmt::format_to(std::back_inserter(out_), "\"{}\":{}", key, value);
}

void TraceArguments::number(std::string_view key, std::int64_t value, std::int64_t none) {
  if (value != none) raw(key, fmt::to_string(value));
}

void TraceArguments::text(std::string_view key, int name) {
  if (name >= 0) raw(key, names_[static_cast<std::size_t>(name)]);
}

// Kept as the JSON it was.
void TraceArguments::array(std::string_view key, int name) {
  if (name >= 0) raw(key, t_.names[static_cast<std::size_t>(name)]);
}

void TraceArguments::add(const TraceWork& w) {
  number("device", w.device);
  number("context", w.context);
  number("stream", w.stream, kNoStream);
  number("bytes", w.bytes);
  if (w.launch < 0) return;
  const TraceLaunch& l = t_.launches[static_cast<std::size_t>(w.launch)];
  const auto triple = [this](std::string_view key, const std::int64_t(&n)[3]) {
    if (n[0] != -1 || n[1] != -1 || n[2] != -1)
      raw(key, fmt::format("[{},{},{}]", n[0], n[1], n[2]));
  };
  triple("grid", l.grid);
  triple("block", l.block);
  number("registers per thread", l.registers_per_thread);
  number("shared memory", l.shared_memory);
}

void TraceArguments::add(const TraceOperator& o) {
  array("Input Dims", o.input_dims);
  array("Input type", o.input_types);
  number("Sequence number", o.sequence);
  number("Fwd thread id", o.forward_thread);
}

void TraceArguments::add(const TracePython& p) {
  number("Python id", p.id);
  number("Python parent id", p.parent);
  number("Python module id", p.module);
}

void TraceArguments::add(const TraceCollective& c) {
  text("Collective name", c.name);
  text("dtype", c.dtype);
  text("Process Group Name", c.group_name);
  text("Process Group Description", c.group_description);
  text("Process Group Ranks", c.group_ranks);
  text("In split size", c.in_split);
  text("Out split size", c.out_split);
  number("In msg nelems", c.in_elements);
  number("Out msg nelems", c.out_elements);
  number("Group size", c.group_size);
  number("Seq", c.sequence);
  number("Src Rank", c.source_rank);
  number("Dst Rank", c.destination_rank);
}

void TraceArguments::add(const TraceSync& s) {
  text("cuda_sync_kind", s.kind);
  number("wait_on_stream", s.wait_on_stream);
  number("wait_on_cuda_event_record_corr_id", s.record_correlation);
  number("wait_on_cuda_event_id", s.cuda_event);
}

}  // namespace greenline::io
