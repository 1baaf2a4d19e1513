#include "trace/event_kind.hpp"

#include <string>

namespace greenline::trace {
namespace {

struct Category {
  std::string_view name;
  EventKind kind;
};

// Kineto since 2020; capitals are from its first versions.
constexpr Category kCategories[] = {
    {"kernel", EventKind::kernel},
    {"mtia_ccp_events", EventKind::kernel},
    {"gpu_memcpy", EventKind::memory_copy},
    {"memcpy", EventKind::memory_copy},
    {"gpu_memset", EventKind::memory_set},
    {"memset", EventKind::memory_set},
    {"gpu_user_annotation", EventKind::device_annotation},
    {"cuda_sync", EventKind::synchronisation},
    {"runtime", EventKind::runtime},
    {"cpu_op", EventKind::framework_operator},
    {"operator", EventKind::framework_operator},
    {"user_annotation", EventKind::annotation},
    {"python_function", EventKind::python},
};

}  // namespace

const char* kind_name(EventKind kind) {
  switch (kind) {
    case EventKind::kernel:
      return "kernel";
    case EventKind::memory_copy:
      return "memory copy";
    case EventKind::memory_set:
      return "memory set";
    case EventKind::device_annotation:
      return "annotation of a device";
    case EventKind::synchronisation:
      return "synchronisation";
    case EventKind::runtime:
      return "call of a runtime";
    case EventKind::framework_operator:
      return "operator";
    case EventKind::annotation:
      return "annotation";
    case EventKind::python:
      return "Python";
    case EventKind::other:
      break;
  }
  return "other";
}

EventKind kind_of(std::string_view category) {
  std::string lower(category);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const Category& known : kCategories)
    if (known.name == lower) return known.kind;
  // cuda_runtime, hip_runtime, mtia_runtime, privateuse1_driver, …
  if (lower.ends_with("_runtime") || lower.ends_with("_driver")) return EventKind::runtime;
  return EventKind::other;
}

std::vector<EventKind> kinds_of(const io::TraceColumns& trace) {
  std::vector<EventKind> kinds;
  for (const std::string& category : trace.categories) kinds.push_back(kind_of(category));
  return kinds;
}

}  // namespace greenline::trace
