#include "trace/anonymise.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/enum_name.hpp"
#include "base/error.hpp"
#include "model/operator_class.hpp"
#include "trace/collectives.hpp"
#include "trace/event_kind.hpp"
#include "trace/header.hpp"
#include "trace/job.hpp"

namespace greenline::trace {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool is_public(std::string_view name) {
  for (const char* start : {"aten::", "ProfilerStep#", "Memcpy ", "Memset ", "cuda", "hip", "cu"}) {
    const std::string_view s = start;
    if (!name.starts_with(s)) continue;
    // Names of a runtime are one word: cudaLaunchKernel, cuLaunchKernelEx.
    if (s == "cuda" || s == "hip" || s == "cu")
      return std::all_of(name.begin(), name.end(),
                         [](char c) {
                           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                  (c >= '0' && c <= '9') || c == '_';
                         }) &&
             name.size() > s.size() && name[s.size()] >= 'A' && name[s.size()] <= 'Z';
    return true;
  }
  return false;
}

// Names that stand for their class, whichever of them the tables of classes know.
constexpr const char* kWords[] = {"batch_norm",
                                  "layer_norm",
                                  "rms_norm",
                                  "multi_tensor_adam",
                                  "adam",
                                  "reduce_kernel",
                                  "sum",
                                  "CatArrayBatchedCopy",
                                  "transpose",
                                  "index_kernel",
                                  "copy",
                                  "rotary",
                                  "embedding",
                                  "flash_attention",
                                  "triton_fused",
                                  "add",
                                  "cross_device_reduce"};

template <class Classify>
std::string class_name(const std::string& name, std::size_t number, const Classify& classify,
                       const char* otherwise) {
  const model::OperatorClass its_class = classify(name);
  std::vector<std::string> words = {std::string(base::enum_name(its_class))};
  words.insert(words.end(), std::begin(kWords), std::end(kWords));
  for (const std::string& word : words)
    if (std::string text = fmt::format("{} {}", word, number); classify(text) == its_class)
      return text;
  return fmt::format("{} {}", otherwise, number);
}

// A new name that is of the same class as a kernel, and of the same kind as a collective.
std::string kernel_name(const std::string& name, std::size_t number) {
  if (model::kernel_class(name) == model::OperatorClass::communication)
    return fmt::format("ncclKernel_{} {}", collective_kind(name), number);
  return class_name(name, number, model::kernel_class, "kernel");
}

class Anonymiser {
 public:
  Anonymiser(const io::TraceColumns& trace, bool keep_shapes)
      : t_(trace),
        keep_shapes_(keep_shapes),
        of_event_(trace.names.size(), EventKind::other),
        uses_(trace.names.size(), Use::none) {}

  AnonymiseResult run() {
    find_uses();
    rename();
    if (!keep_shapes_) remove_shapes();
    clear_lanes();
    clear_members();
    x_.num_events = static_cast<std::int64_t>(t_.size());
    x_.trace = std::make_shared<const io::TraceColumns>(std::move(t_));
    return std::move(x_);
  }

 private:
  // What a text stands for; the first one of these decides.
  enum class Use { none, argument, event, group };

  void find_uses() {
    const std::vector<EventKind> kinds = kinds_of(t_);
    for (std::size_t i = 0; i < t_.size(); ++i) {
      uses_[at(t_.name[i])] = Use::event;
      if (of_event_[at(t_.name[i])] != EventKind::kernel)
        of_event_[at(t_.name[i])] = kinds[at(t_.category[i])];
    }
    for (const io::TraceFlow& flow : t_.flows) mark(flow.name, Use::argument);
    for (const io::TraceOperator& o : t_.operators) {
      mark(o.input_dims, Use::argument);
      mark(o.input_types, Use::argument);
    }
    for (const io::TraceSync& s : t_.syncs) mark(s.kind, Use::argument);
    for (const io::TraceCollective& c : t_.collectives) {
      for (const int name : {c.name, c.dtype, c.group_ranks, c.in_split, c.out_split})
        mark(name, Use::argument);
      mark(c.group_name, Use::group);
      mark(c.group_description, Use::group);
    }
  }
  void mark(int name, Use use) {
    if (name != io::kNoText && uses_[at(name)] == Use::none) uses_[at(name)] = use;
  }

  void rename() {
    for (std::size_t i = 0; i < t_.names.size(); ++i) {
      const std::string old = t_.names[i];
      if (uses_[i] == Use::none || uses_[i] == Use::argument || is_public(old) ||
          of_event_[i] == EventKind::synchronisation || old.empty()) {
        ++x_.names_kept;
        continue;
      }
      ++x_.names_replaced;
      if (uses_[i] == Use::group)
        t_.names[i] = fmt::format("group {}", i);
      else if (of_event_[i] == EventKind::kernel)
        t_.names[i] = kernel_name(old, i);
      else if (of_event_[i] == EventKind::framework_operator)
        t_.names[i] = class_name(old, i, model::operator_class, "operator");
      else
        t_.names[i] = fmt::format("{} {}", kind_name(of_event_[i]), i);
    }
  }

  void remove_shapes() {
    for (io::TraceOperator& o : t_.operators) {
      if (o.input_dims != io::kNoText || o.input_types != io::kNoText) ++x_.shapes_removed;
      o.input_dims = o.input_types = io::kNoText;
    }
  }

  // Ids stay, so that lanes are told apart; what people called them goes.
  void clear_lanes() {
    for (io::TraceLane& lane : t_.lanes) lane.process = lane.thread = lane.labels = "";
  }

  void clear_members() {
    const TraceHeader header = header_of(t_);
    std::string devices;
    for (const TraceDevice& d : header.devices)
      devices += fmt::format(R"({}{{"id":{},"numSms":{}}})", devices.empty() ? "" : ",", d.id,
                             d.num_multiprocessors);
    t_.members.clear();
    if (header.rank || header.world_size)
      t_.members.emplace_back("distributedInfo",
                              fmt::format(R"({{"rank":{},"world_size":{}}})",
                                          header.rank.value_or(0), header.world_size.value_or(1)));
    if (!devices.empty()) t_.members.emplace_back("deviceProperties", "[" + devices + "]");
    if (header.base_time_ns != 0)
      t_.members.emplace_back("baseTimeNanoseconds", fmt::format("{}", header.base_time_ns));
  }

  io::TraceColumns t_;
  bool keep_shapes_;
  std::vector<EventKind> of_event_;  // (num_names)
  std::vector<Use> uses_;            // (num_names)
  AnonymiseResult x_;
};

struct Loaded {
  RankIdentity identity;
  AnonymiseResult result;
};

}  // namespace

AnonymiseResult anonymised(const io::TraceColumns& trace, bool keep_shapes) {
  return Anonymiser(trace, keep_shapes).run();
}

AnonymiseResult anonymise(const AnonymiseRequest& request, base::Progress& progress) {
  auto found = load_job<Loaded>(
      request.files, request.settings,
      [&](const RankIdentity& identity, const TraceHeader&, const io::TraceRead& read) {
        return Loaded{identity, anonymised(read.trace, request.keep_shapes)};
      },
      progress);
  if (found.size() > 1)
    throw base::DataError("several-traces", fmt::format("{} traces: expected one", found.size()),
                          "anonymise each file by itself");
  return std::move(found.front().result);
}

}  // namespace greenline::trace
