#include "io/file.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/compress.hpp"
#include "io/digest.hpp"
#include "io/json.hpp"
#include "shared_data.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::io {
namespace {

namespace fs = std::filesystem;
using base::DataError;
using base::UserError;
using testing::contains;
using testing::error_of;

class File : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "greenline-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t num_files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

 private:
  fs::path folder_;
};

TEST(Digest, KnownAnswers) {  // FIPS 180-4 examples
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_F(File, RoundTripOfAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 70'000; ++i) bytes += static_cast<char>(i);
  write_file(path("a"), bytes);
  EXPECT_EQ(read_file(path("a")), bytes);
  EXPECT_EQ(num_files(), 1U);  // nothing temporary stays
}

TEST_F(File, GzipIsInflatedWhateverTheName) {
  write_file(path("grid.csv"), gzip("time,WND\n"));
  EXPECT_EQ(read_file(path("grid.csv")), "time,WND\n");
}

TEST_F(File, JournalHoldsTheStoredBytes) {
  const std::string stored = gzip("x");
  write_file(path("a"), stored);
  base::Journal journal;
  read_file(path("a"), &journal);
  ASSERT_EQ(journal.inputs().size(), 1U);
  EXPECT_EQ(journal.inputs()[0].path, path("a"));
  EXPECT_EQ(journal.inputs()[0].sha256, sha256(stored));
}

TEST_F(File, MissingFileNamesTheNearest) {
  write_file(path("grid_2021.csv"), "x");
  const std::string what =
      error_of<UserError>("no-such-file", [&] { read_file(path("grid_2012.csv")); });
  EXPECT_TRUE(
      contains(what, path("grid_2012.csv") + ": no such file; nearest: " + path("grid_2021.csv")));
  EXPECT_TRUE(contains(error_of<UserError>("no-such-file", [&] { read_file(path("no/a.csv")); }),
                       "there is no folder"));
}

TEST_F(File, FoldersAndDevicesAreNoFiles) {
  EXPECT_TRUE(
      contains(error_of<UserError>("not-a-file", [&] { read_file(path("")); }), "a folder"));
  EXPECT_TRUE(
      contains(error_of<UserError>("not-a-file", [] { read_file("/dev/zero"); }), "a device"));
}

TEST_F(File, EmptyFilesAreRefused) {
  write_file(path("a"), "");
  EXPECT_TRUE(
      contains(error_of<DataError>("empty-file", [&] { read_file(path("a")); }), path("a") + ": "));
  write_file(path("b"), gzip(""));
  error_of<DataError>("empty-file", [&] { read_file(path("b")); });
}

TEST_F(File, GzipInGzipIsNamed) {
  write_file(path("a.gz.gz"), gzip(gzip("time,WND\n0,1\n")));
  error_of<DataError>("nested-gzip", [&] { read_file(path("a.gz.gz")); });
}

TEST_F(File, CutGzipIsRefused) {
  const std::string whole = gzip("time,WND\n0,1\n");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    write_file(path("a.gz"), whole.substr(0, size));
    EXPECT_TRUE(contains(error_of<DataError>("truncated-gzip", [&] { read_file(path("a.gz")); }),
                         path("a.gz")));
  }
}

TEST_F(File, WritingReplacesAndKeepsPermissions) {
  write_file(path("a"), "old");
  ASSERT_EQ(::chmod(path("a").c_str(), 0640), 0);
  write_file(path("a"), "new");
  EXPECT_EQ(read_file(path("a")), "new");
  struct stat status {};
  ASSERT_EQ(::stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST_F(File, WritingFollowsLinks) {
  write_file(path("target"), "old");
  fs::create_symlink(path("target"), path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("target")), "new");
}

TEST_F(File, WritingMakesWhatALinkPointsAt) {
  fs::create_symlink("second", path("first"));  // relative to the folder of the link
  fs::create_symlink(path("target"), path("second"));
  write_file(path("first"), "new");
  EXPECT_TRUE(fs::is_symlink(path("first")));
  EXPECT_EQ(read_file(path("target")), "new");
}

TEST_F(File, LinksInACircleAreNotReplaced) {
  fs::create_symlink(path("b"), path("a"));
  fs::create_symlink(path("a"), path("b"));
  error_of<UserError>("cannot-write", [&] { write_file(path("a"), "x"); });
  EXPECT_TRUE(fs::is_symlink(path("a")));
}

TEST_F(File, WritingRefusesWhatMayNotBeWrittenTo) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write to every file";
  write_file(path("a"), "old");
  ASSERT_EQ(::chmod(path("a").c_str(), 0444), 0);
  error_of<UserError>("cannot-write", [&] { write_file(path("a"), "new"); });
  EXPECT_EQ(read_file(path("a")), "old");
}

TEST_F(File, WritingIntoADeviceLeavesItThere) {
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(File, CannotWriteSaysWhy) {
  EXPECT_TRUE(contains(error_of<UserError>("cannot-write", [&] { write_file(path("no/a"), "x"); }),
                       "No such file or directory; there is no folder"));
  EXPECT_TRUE(contains(error_of<UserError>("cannot-write", [&] { write_file(path(""), "x"); }),
                       "directory"));
  write_file(path("f"), "x");
  error_of<UserError>("cannot-write", [&] { write_file(path("f/a"), "x"); });
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(File, IsFile) {
  write_file(path("a"), "x");
  EXPECT_TRUE(is_file(path("a")));
  EXPECT_TRUE(is_file("-"));
  EXPECT_FALSE(is_file(path("b")));
  EXPECT_FALSE(is_file(path("")));
  EXPECT_FALSE(is_file("ERCO"));
}

TEST_F(File, PipesAreRead) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_TRUE(is_file(pipe));
  const pid_t child = ::fork();
  if (child == 0) {
    write_file(pipe, "through");
    ::_exit(0);
  }
  EXPECT_EQ(read_file(pipe), "through");
}

// Traces of real programs, compressed by somebody else's gzip.
TEST_F(File, RealCompressedTraces) {
  GL_SHARED_OR_SKIP(shared);
  int num_read = 0;
  for (const auto& entry : fs::recursive_directory_iterator(shared + "/data/traces/hta")) {
    if (entry.path().extension() != ".gz" || entry.file_size() > 100'000) continue;
    const std::string name = entry.path().string();
    const Value trace = parse_json(read_file(name), name);
    EXPECT_TRUE(trace.is_object() || trace.is_array()) << name;
    ++num_read;
  }
  EXPECT_GT(num_read, 5);
}

}  // namespace
}  // namespace greenline::io
