#include "io/trace_files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"
#include "io/compress.hpp"
#include "io/file.hpp"
#include "io/trace_reader.hpp"
#include "unit/io/expect_error.hpp"
#include "unit/io/pack.hpp"

namespace greenline::io {
namespace {

namespace fs = std::filesystem;
using base::DataError;
using testing::contains;
using testing::error_of;
using testing::kTarEnd;
using testing::tar_member;

std::string trace_of(int num_events) {
  std::string text = "{\"distributedInfo\":{\"rank\":0},\"traceEvents\":[";
  for (int i = 0; i < num_events; ++i)
    text += fmt::format(
        R"({}{{"ph":"X","cat":"kernel","name":"k{}","pid":0,"tid":7,"ts":{}.{:03},"dur":2,"args":{{"correlation":{}}}}})",
        i > 0 ? ",\n" : "", i % 5, 10 * i, i * 7919 % 1000, i * i % 1009);
  return text + "]}";
}

struct Found {
  std::string cut;
  TraceRead read;
};

class TraceFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "greenline-traces-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  // The documents of one file, by name within the folder.
  std::map<std::string, Found> read(const std::string& name, const std::string& bytes) {
    write_file(path(name), bytes);
    settings_ = {};
    std::map<std::string, Found> found;
    std::mutex mutex;
    for_each_trace({path(name)}, true, settings_, [&](const TraceDocument& document) {
      TraceRead its_read = read_trace(document.text, document.name);
      const std::lock_guard lock(mutex);
      found[document.name.substr(folder_.string().size() + 1)] = {document.cut,
                                                                  std::move(its_read)};
    });
    return found;
  }
  bool is_noticed(const std::string& text) const {
    const auto notices = settings_.journal->notices();
    return std::any_of(notices.begin(), notices.end(),
                       [&](const std::string& notice) { return contains(notice, text); });
  }

 private:
  fs::path folder_;
  base::Settings settings_;
};

TEST_F(TraceFiles, TheColumnsDoNotTellHowTheFileWasPacked) {
  const std::string text = trace_of(500);
  const TraceColumns columns = read_trace(text, "t").trace;
  ASSERT_EQ(columns.size(), 500U);
  const std::string archive = tar_member("rank0.json", text) + kTarEnd;
  for (const auto& [name, bytes, document] : {
           std::tuple{"a.json", text, "a.json"},
           {"a.json.gz", gzip(text), "a.json.gz"},
           {"a.json.zst", testing::zstd(text), "a.json.zst"},
           {"a.tar", archive, "a.tar/rank0.json"},
           {"a.tar.gz", gzip(archive), "a.tar.gz/rank0.json"},
           {"a.tar.zst", testing::zstd(archive), "a.tar.zst/rank0.json"},
           {"b.tar.gz", gzip(tar_member("rank0.json.gz", gzip(text)) + kTarEnd),
            "b.tar.gz/rank0.json.gz"},
       }) {
    const auto found = read(name, bytes);
    ASSERT_EQ(found.size(), 1U) << name;
    ASSERT_TRUE(found.contains(document)) << name;
    EXPECT_EQ(found.at(document).cut, "") << name;
    EXPECT_EQ(found.at(document).read.trace, columns) << name;
    EXPECT_EQ(found.at(document).read.dirt, TraceDirt{}) << name;
  }
}

// The same events as of the plain file that is cut where the inflated text ends.
TEST_F(TraceFiles, WhatPrecedesACutIsRead) {
  const std::string text = trace_of(500);
  const std::string deflated = gzip(text), squeezed = testing::zstd(text, 2000);
  for (const double share : {0.5, 0.9}) {
    const auto part = [&](const std::string& bytes) {
      return bytes.substr(0, static_cast<std::size_t>(share * static_cast<double>(bytes.size())));
    };
    const Found gz = read("a.json.gz", part(deflated)).at("a.json.gz");
    EXPECT_EQ(gz.cut, "gzip");
    EXPECT_TRUE(gz.read.dirt.truncated);
    EXPECT_GT(gz.read.trace.size(), 100U);
    const std::size_t gz_end = gunzip_to_cut(part(deflated), "t", 1U << 24).bytes.size();
    EXPECT_EQ(gz.read.trace, read_trace(text.substr(0, gz_end), "t").trace);

    const Found zst = read("a.json.zst", part(squeezed)).at("a.json.zst");
    EXPECT_EQ(zst.cut, "zstd");
    EXPECT_TRUE(zst.read.dirt.truncated);
    EXPECT_GT(zst.read.trace.size(), 100U);
    const std::size_t zst_end = unzstd_to_cut(part(squeezed), "t", 1U << 24).bytes.size();
    EXPECT_EQ(zst.read.trace, read_trace(text.substr(0, zst_end), "t").trace);
  }
}

TEST_F(TraceFiles, AMissingChecksumIsACutThoughAllEventsAreThere) {
  const std::string text = trace_of(50), deflated = gzip(text);
  const Found found = read("a.json.gz", deflated.substr(0, deflated.size() - 3)).at("a.json.gz");
  EXPECT_EQ(found.cut, "gzip");
  EXPECT_EQ(found.read.trace.size(), 50U);
}

TEST_F(TraceFiles, ACutArchiveKeepsWholeMembersAndTheBeginningOfTheLast) {
  const std::string text = trace_of(500);
  const std::string whole =
      tar_member("rank0.json", text) + tar_member("rank1.json", text) + kTarEnd;
  const std::string packed = gzip(whole);
  const auto found = read("a.tar.gz", packed.substr(0, packed.size() - packed.size() / 8));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("a.tar.gz/rank0.json").cut, "");
  EXPECT_EQ(found.at("a.tar.gz/rank0.json").read.trace.size(), 500U);
  EXPECT_EQ(found.at("a.tar.gz/rank1.json").cut, "gzip");
  EXPECT_LT(found.at("a.tar.gz/rank1.json").read.trace.size(), 500U);
  EXPECT_TRUE(is_noticed("truncated archive: "));
  EXPECT_TRUE(is_noticed("the gzip data ends too early"));

  const auto plain = read("a.tar", whole.substr(0, whole.size() * 3 / 4));
  ASSERT_EQ(plain.size(), 2U);
  EXPECT_EQ(plain.at("a.tar/rank1.json").cut, "tar");
  // A last member without any event is left out, and that is said.
  const auto one = read("a.tar", whole.substr(0, whole.size() / 2 + 10));
  EXPECT_EQ(one.size(), 1U);
}

TEST_F(TraceFiles, ALastMemberThatIsCutBeforeItsEventsIsLeftOut) {
  const std::string text = trace_of(5), first = tar_member("rank0.json", text);
  const std::string whole = first + tar_member("rank1.json", text) + kTarEnd;
  EXPECT_EQ(read("a.tar", whole.substr(0, first.size() + 512 + 20)).size(), 1U);
  EXPECT_TRUE(is_noticed("a.tar/rank1.json: the tar data ends before its events, left out"));
  const std::string packed = first + tar_member("rank1.json.gz", gzip(text));
  EXPECT_EQ(read("b.tar", packed.substr(0, first.size() + 512 + 5)).size(), 1U);
  EXPECT_TRUE(is_noticed("b.tar/rank1.json.gz: the tar data ends before its events, left out"));
}

TEST_F(TraceFiles, DamageIsRefused) {
  const std::string text = trace_of(500);
  std::string bytes = gzip(text);
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);
  error_of<DataError>("bad-gzip", [&] { read("a.json.gz", bytes); });
  bytes = testing::zstd(text);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  error_of<DataError>("bad-zstd", [&] { read("a.json.zst", bytes); });
  // A cut before the first event.
  EXPECT_TRUE(contains(
      error_of<DataError>("truncated-gzip", [&] { read("a.json.gz", gzip(text).substr(0, 11)); }),
      "the gzip data ends too early"));
  const std::string foreign = gzip("time,carbon_intensity\n2024-01-01T00:00Z,100\n");
  error_of<DataError>("truncated-gzip",
                      [&] { read("grid.csv.gz", foreign.substr(0, foreign.size() - 8)); });
}

// Other readers want the whole file.
TEST_F(TraceFiles, ReadFileStillRefusesACut) {
  const std::string text = trace_of(50), deflated = gzip(text), squeezed = testing::zstd(text, 500);
  write_file(path("a.gz"), deflated.substr(0, deflated.size() - 1));
  write_file(path("a.zst"), squeezed.substr(0, squeezed.size() - 1));
  error_of<DataError>("truncated-gzip", [&] { read_file(path("a.gz")); });
  error_of<DataError>("truncated-zstd", [&] { read_file(path("a.zst")); });
  EXPECT_EQ(read_file_to_cut(path("a.gz")).cut, "gzip");
  EXPECT_EQ(read_file_to_cut(path("a.zst")).cut, "zstd");
}

}  // namespace
}  // namespace greenline::io
