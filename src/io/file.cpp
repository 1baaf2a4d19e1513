#include "io/file.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"
#include "io/compress.hpp"
#include "io/digest.hpp"

namespace greenline::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStandardInput = "-";

std::string reason(int error) { return std::generic_category().message(error); }

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  // Closing may report a write that failed late (full disk over a network).
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

base::Location at(const std::string& path) {
  return {path == kStandardInput ? "standard input" : path, 0, 0};
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// Says that the folder of a file is missing; empty when it is there.
std::string hint_for_folder(const fs::path& file) {
  const fs::path folder = folder_of(file);
  std::error_code failure;
  if (fs::is_directory(folder, failure)) return "";
  return fmt::format("there is no folder {}", base::quoted(folder.string()));
}

// "nearest: ..." from the names beside the missing one; a folder that is missing itself is named
// instead.
std::string hint_for_missing(const std::string& path) {
  constexpr std::size_t kMostNames = 10000;  // a huge folder shall not make an error slow
  const fs::path wanted(path), folder = folder_of(wanted);
  if (std::string missing = hint_for_folder(wanted); !missing.empty()) return missing;
  std::error_code failure;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, failure), end;
       entry != end && names.size() < kMostNames; entry.increment(failure)) {
    if (failure) break;
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());  // the order of a folder is the file system's whim
  std::string hint;
  for (const std::string& name : base::nearest(wanted.filename().string(), names))
    hint += (hint.empty() ? "nearest: " : ", ") +
            (wanted.has_parent_path() ? (folder / name).string() : name);
  return hint;
}

[[noreturn]] void cannot_read(const std::string& path, int error) {
  throw base::UserError("cannot-read", "cannot read: " + reason(error), "", at(path));
}

[[noreturn]] void too_large(const std::string& path) {
  throw base::UserError("file-too-large",
                        fmt::format("the file is larger than {} GiB", kMaxFileBytes >> 30), "",
                        at(path));
}

std::string read_descriptor(int fd, std::size_t expected, const std::string& path) {
  constexpr std::size_t kLeastRoom = std::size_t{64} << 10;
  std::string bytes;
  std::size_t used = 0;
  bytes.resize(expected + 1);  // one more, so that the end is met without growing
  while (true) {
    if (used == bytes.size()) bytes.resize(std::max(2 * used, kLeastRoom));
    const ssize_t got = ::read(fd, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(path, errno);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > kMaxFileBytes) too_large(path);
  }
  bytes.resize(used);
  return bytes;
}

std::string read_stored(const std::string& path) {
  if (path == kStandardInput) return read_descriptor(STDIN_FILENO, 0, path);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR)
      throw base::UserError("no-such-file", "no such file", hint_for_missing(path), at(path));
    cannot_read(path, error);
  }
  struct stat status {};
  const bool known = ::fstat(file.get(), &status) == 0;
  if (!known) cannot_read(path, errno);
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
    throw base::UserError("not-a-file",
                          fmt::format("expected a file, this is {}",
                                      S_ISDIR(status.st_mode) ? "a folder" : "a device or socket"),
                          "", at(path));
  const auto size = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
  if (size > kMaxFileBytes) too_large(path);
  return read_descriptor(file.get(), size, path);
}

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw base::UserError("cannot-write", "cannot write: " + reason(error),
                        error == ENOENT ? hint_for_folder(path) : "", at(path));
}

void write_all(Descriptor& file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) cannot_write(path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

// What a chain of links points at in the end, whether it exists or not.
fs::path behind_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  fs::path target(path);
  std::error_code failure;
  for (int i = 0; i < kMostLinks; ++i) {
    if (!fs::is_symlink(target, failure)) return target;
    const fs::path next = fs::read_symlink(target, failure);
    if (failure) cannot_write(path, failure.value());
    target = target.parent_path() / next;  // an absolute link replaces the folder
  }
  cannot_write(path, ELOOP);
}

// Replacing a file needs no right to write to it, but its owner has said no.
void require_writable(const fs::path& target, const std::string& path) {
  if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0 && errno != ENOENT)
    cannot_write(path, errno);
}

// A file that disappears unless it was renamed into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target) {
    static std::atomic<unsigned> serial{0};
    path_ = target;
    path_ += fmt::format(".{}-{}.tmp", ::getpid(), serial++);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!kept_) ::unlink(path_.c_str());
  }
  const char* name() const { return path_.c_str(); }
  bool rename_to(const fs::path& target) {
    kept_ = ::rename(path_.c_str(), target.c_str()) == 0;
    return kept_;
  }

 private:
  fs::path path_;
  bool kept_ = false;
};

// Without this a power cut may forget the rename. Some file systems cannot sync a folder: no harm
// done then.
void sync_folder(const fs::path& folder) {
  const Descriptor handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.get() >= 0) static_cast<void>(::fsync(handle.get()));
}

using Inflate = Inflated (*)(std::string_view bytes, const std::string& name,
                             std::size_t max_bytes);

CutFile read_inflated(const std::string& path, base::Journal* journal, Inflate of_gzip,
                      Inflate of_zstd) {
  CutFile file{read_stored(path), ""};
  if (journal != nullptr) journal->input({path, sha256(file.bytes)});
  const auto inflate = [&](Inflate how, const char* format) {
    Inflated found = how(file.bytes, path, kMaxFileBytes);
    file.bytes = std::move(found.bytes);
    if (found.is_cut && file.cut.empty()) file.cut = format;
  };
  if (is_gzip(file.bytes)) {
    inflate(of_gzip, "gzip");
    if (is_gzip(file.bytes))
      throw base::DataError("nested-gzip", "the file was compressed twice: gzip data in gzip data",
                            "inflate it once with gunzip", at(path));
  }
  if (is_zstd(file.bytes)) inflate(of_zstd, "zstd");
  if (file.bytes.empty())
    throw base::DataError("empty-file", "the file is empty (0 bytes)",
                          "was its download or export interrupted?", at(path));
  return file;
}

Inflated whole_gzip(std::string_view bytes, const std::string& name, std::size_t max_bytes) {
  return {gunzip(bytes, name, max_bytes), false};
}
Inflated whole_zstd(std::string_view bytes, const std::string& name, std::size_t max_bytes) {
  return {unzstd(bytes, name, max_bytes), false};
}

}  // namespace

std::string read_file(const std::string& path, base::Journal* journal) {
  return read_inflated(path, journal, whole_gzip, whole_zstd).bytes;
}

CutFile read_file_to_cut(const std::string& path, base::Journal* journal) {
  return read_inflated(path, journal, gunzip_to_cut, unzstd_to_cut);
}

void write_file(const std::string& path, std::string_view bytes) {
  std::error_code failure;
  const fs::path target = behind_links(path);
  if (fs::is_directory(target, failure)) cannot_write(path, EISDIR);
  if (fs::exists(target, failure) && !fs::is_regular_file(target, failure)) {
    // A pipe or a device (/dev/stdout) is written to; replacing it is never what is meant.
    Descriptor sink(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
    if (sink.get() < 0) cannot_write(path, errno);
    write_all(sink, bytes, path);
    if (!sink.close()) cannot_write(path, errno);
    return;
  }
  require_writable(target, path);

  constexpr mode_t kReadWriteForAll = 0666;  // less the umask, as for any new file
  TemporaryFile temporary(target);
  Descriptor file(
      ::open(temporary.name(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadWriteForAll));
  if (file.get() < 0) cannot_write(path, errno);
  struct stat old {};
  if (::stat(target.c_str(), &old) == 0 && ::fchmod(file.get(), old.st_mode & 07777) != 0)
    cannot_write(path, errno);
  write_all(file, bytes, path);
  if (::fsync(file.get()) != 0) cannot_write(path, errno);
  if (!file.close()) cannot_write(path, errno);
  if (!temporary.rename_to(target)) cannot_write(path, errno);
  sync_folder(folder_of(target));
}

bool is_file(const std::string& path) {
  if (path == kStandardInput) return true;
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  return fs::is_regular_file(status) || fs::is_fifo(status);
}

}  // namespace greenline::io
