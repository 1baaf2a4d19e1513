#include "base/journal.hpp"

#include <utility>

namespace greenline::base {
namespace {

template <class Record>
void insert(std::mutex& mutex, std::set<Record>& records, Record record) {
  const std::lock_guard lock(mutex);
  records.insert(std::move(record));
}

template <class Record>
std::vector<Record> list_of(std::mutex& mutex, const std::set<Record>& records) {
  const std::lock_guard lock(mutex);
  return {records.begin(), records.end()};
}

}  // namespace

void Journal::input(InputRecord record) { insert(mutex_, inputs_, std::move(record)); }
void Journal::fact(FactRecord record) { insert(mutex_, facts_, std::move(record)); }
void Journal::assumed(AssumedRecord record) { insert(mutex_, assumed_, std::move(record)); }
void Journal::notice(std::string text) { insert(mutex_, notices_, std::move(text)); }

std::vector<InputRecord> Journal::inputs() const { return list_of(mutex_, inputs_); }
std::vector<FactRecord> Journal::facts() const { return list_of(mutex_, facts_); }
std::vector<AssumedRecord> Journal::assumptions() const { return list_of(mutex_, assumed_); }
std::vector<std::string> Journal::notices() const { return list_of(mutex_, notices_); }

}  // namespace greenline::base
