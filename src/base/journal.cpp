#include "base/journal.hpp"

#include <algorithm>
#include <utility>

namespace greenline::base {
namespace {

// A record that says the same as an earlier one adds nothing, however often a loop meets it.
template <class Record>
void append_new(std::mutex& mutex, std::vector<Record>& list, Record record) {
  const std::lock_guard lock(mutex);
  if (std::find(list.begin(), list.end(), record) == list.end()) list.push_back(std::move(record));
}

template <class Record>
std::vector<Record> copy_of(std::mutex& mutex, const std::vector<Record>& list) {
  const std::lock_guard lock(mutex);
  return list;
}

}  // namespace

void Journal::input(InputRecord record) { append_new(mutex_, inputs_, std::move(record)); }
void Journal::fact(FactRecord record) { append_new(mutex_, facts_, std::move(record)); }
void Journal::assumed(AssumedRecord record) { append_new(mutex_, assumed_, std::move(record)); }
void Journal::notice(std::string text) { append_new(mutex_, notices_, std::move(text)); }

std::vector<InputRecord> Journal::inputs() const { return copy_of(mutex_, inputs_); }
std::vector<FactRecord> Journal::facts() const { return copy_of(mutex_, facts_); }
std::vector<AssumedRecord> Journal::assumptions() const { return copy_of(mutex_, assumed_); }
std::vector<std::string> Journal::notices() const { return copy_of(mutex_, notices_); }

}  // namespace greenline::base
