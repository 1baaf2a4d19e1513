#include "render/ledger.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/json.hpp"
#include "unit/render/sample.hpp"

namespace greenline::render {
namespace {

class LedgerTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("greenline-ledger-" + std::to_string(getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const char* name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

std::string code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const base::Error& e) {
    return e.code();
  }
  return "no error";
}

TEST_F(LedgerTest, KeepsResultsInOrder) {
  const std::string path = file("results.ledger");
  EXPECT_EQ(append_to_ledger(path, sample_document()), 1);
  EXPECT_EQ(append_to_ledger(path, sample_document()), 2);
  const std::vector<LedgerRow> rows = list_ledger(path);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].id, 2);
  EXPECT_EQ(rows[0].verb, "study run");
  EXPECT_EQ(rows[0].started, "2026-11-30T12:00:00Z");
  ASSERT_EQ(rows[0].headline.size(), 3u);
  EXPECT_EQ(rows[0].headline[0].path, "duration_s");
  EXPECT_EQ(rows[0].headline[0].text, "54.2 days");
  EXPECT_EQ(json(get_from_ledger(path, 2)), json(sample_document()));
}

TEST_F(LedgerTest, QuotesInTextsAreOnlyText) {
  verb::Report r;
  r.title("'); DROP TABLE results; --");
  const std::string path = file("results.ledger");
  append_to_ledger(path, make_document(r.take(), sample_provenance(), {}));
  ASSERT_EQ(list_ledger(path).size(), 1u);
  EXPECT_EQ(list_ledger(path)[0].title, "'); DROP TABLE results; --");
}

TEST_F(LedgerTest, RefusesWhatIsNoLedger) {
  std::ofstream(file("notes.txt")) << std::string(5000, 'x');
  EXPECT_EQ(code_of([&] { append_to_ledger(file("notes.txt"), sample_document()); }),
            "not-a-ledger");
  EXPECT_EQ(code_of([&] { list_ledger(file("notes.txt")); }), "not-a-ledger");
  EXPECT_EQ(code_of([&] { list_ledger(file("missing")); }), "no-such-file");
  EXPECT_EQ(code_of([&] { append_to_ledger(file("no/such/folder"), sample_document()); }),
            "cannot-open-ledger");
  EXPECT_EQ(std::filesystem::file_size(file("notes.txt")), 5000u);
}

// SQLite takes these names for databases that vanish with the connection.
TEST_F(LedgerTest, EveryNameIsAFile) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  for (const std::string name : {":memory:", "file:kept?mode=memory"}) {
    append_to_ledger(name, sample_document());
    EXPECT_TRUE(std::filesystem::exists(name));
    EXPECT_EQ(list_ledger(name).size(), 1u);
  }
  std::filesystem::current_path(before);
  EXPECT_EQ(code_of([] { append_to_ledger("", sample_document()); }), "cannot-open-ledger");
}

TEST_F(LedgerTest, RefusesADocumentThatIsNoResult) {
  EXPECT_EQ(code_of([&] { append_to_ledger(file("l"), io::parse_json("{}", "x")); }),
            "not-a-result");
  EXPECT_FALSE(std::filesystem::exists(file("l")));
}

TEST_F(LedgerTest, NamesTheResultsThereAre) {
  append_to_ledger(file("l"), sample_document());
  try {
    get_from_ledger(file("l"), 7);
    FAIL();
  } catch (const base::UserError& e) {
    EXPECT_EQ(e.code(), "unknown-result");
    EXPECT_NE(e.message().find("it holds 1 to 1"), std::string::npos) << e.message();
  }
}

// A child appends without end and is killed; what is there afterwards must be whole results.
TEST_F(LedgerTest, AKilledRunLeavesWholeResults) {
  const std::string path = file("l");
  append_to_ledger(path, sample_document());
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0)
    for (;;) append_to_ledger(path, sample_document());
  while (list_ledger(path).size() < 3) usleep(1000);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const std::vector<LedgerRow> rows = list_ledger(path);
  ASSERT_GE(rows.size(), 3u);
  for (const LedgerRow& row : rows)
    EXPECT_EQ(json(get_from_ledger(path, row.id)), json(sample_document()));
  EXPECT_EQ(append_to_ledger(path, sample_document()), rows.back().id + 1);
}

}  // namespace
}  // namespace greenline::render
