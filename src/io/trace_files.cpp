#include "io/trace_files.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "io/compress.hpp"
#include "io/file.hpp"
#include "io/tar.hpp"

namespace greenline::io {
namespace {

namespace fs = std::filesystem;

bool looks_like_trace(const std::string& name) {
  for (const char* end : {".json", ".json.gz", ".json.zst", ".tar", ".tar.gz", ".tgz", ".tar.zst"})
    if (name.ends_with(end)) return true;
  return false;
}

CutFile read(const std::string& path, base::Journal& journal) {
  try {
    return read_file_to_cut(path, &journal);
  } catch (const base::Error& error) {
    if (error.code() != "file-too-large" && error.code() != "too-large") throw;
    throw base::UnsupportedError(
        "trace-too-large", fmt::format("a trace of more than {} GiB", kMaxFileBytes >> 30),
        "record fewer steps, leave out with_stack, or store a file per rank", {path, 0, 0});
  }
}

std::string cut_code(const std::string& cut) {
  return cut == "tar" ? "bad-tar" : "truncated-" + cut;
}

class Documents {
 public:
  Documents(bool by_name, const base::Settings& settings,
            const std::function<void(const TraceDocument&)>& use)
      : by_name_(by_name), settings_(settings), use_(use) {}

  void read_one(std::size_t file, const std::string& path) {
    const CutFile whole = read(path, *settings_.journal);
    if (!is_tar(whole.bytes)) {
      if (is_mine(file, 0)) use({file, 0, path, whole.bytes, whole.cut}, by_name_);
      return;
    }
    const std::vector<TarMember> members = read_tar(whole.bytes, path, CutArchive::kept);
    std::string cut = whole.cut;
    if (cut.empty() && !members.empty() && members.back().is_cut) cut = "tar";
    if (!cut.empty())
      settings_.journal->notice(
          fmt::format("truncated archive: {}: the {} data ends too early, what may have stood "
                      "behind its first {} members is lost",
                      path, cut, members.size()));
    base::parallel_for(members.size(), [&](std::size_t i) {
      if (is_mine(file, i)) read_member(file, i, path, members[i], cut);
    });
  }

 private:
  bool is_mine(std::size_t file, std::size_t member) const {
    const auto size = static_cast<std::size_t>(settings_.communicator->size());
    return (file + member) % size == static_cast<std::size_t>(settings_.communicator->rank());
  }

  void read_member(std::size_t file, std::size_t i, const std::string& path,
                   const TarMember& member, const std::string& archive_cut) {
    if (!looks_like_trace(member.name)) return;
    TraceDocument document{file, i, path + "/" + member.name, member.bytes};
    if (member.is_cut) document.cut = archive_cut;
    try {
      read_member(document);
    } catch (const base::DataError& error) {
      const bool is_of_cut =
          error.code() == cut_code(document.cut) || error.code().starts_with("truncated-");
      if (!member.is_cut || !is_of_cut) throw;
      settings_.journal->notice(
          fmt::format("truncated trace: {}: the {} data ends before its events, left out",
                      document.name, document.cut));
    }
  }

  void read_member(TraceDocument document) {
    Inflated inflated;
    const auto inflate = [&](auto how, const char* format) {
      inflated = how(document.text, document.name, kMaxFileBytes);
      document.text = inflated.bytes;
      if (inflated.is_cut && document.cut.empty()) document.cut = format;
    };
    if (is_gzip(document.text))
      inflate(gunzip_to_cut, "gzip");
    else if (is_zstd(document.text))
      inflate(unzstd_to_cut, "zstd");
    use(document, false);
  }

  void use(const TraceDocument& document, bool is_required) {
    try {
      use_(document);
    } catch (const base::DataError& error) {
      const bool has_no_events = error.code() == "not-a-trace" || error.code() == "bad-json";
      if (!document.cut.empty() && has_no_events)
        throw base::DataError(
            cut_code(document.cut),
            fmt::format("the {} data ends too early, before any event", document.cut),
            "fetch or copy the file again", {document.name, 0, 0});
      if (is_required || error.code() != "not-a-trace") throw;
      settings_.journal->notice(fmt::format("{} is no trace: left out", document.name));
    }
  }

  bool by_name_;
  const base::Settings& settings_;
  const std::function<void(const TraceDocument&)>& use_;
};

}  // namespace

std::vector<std::string> trace_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    std::error_code failure;
    if (!fs::is_directory(path, failure)) {
      if (seen.insert(path).second) files.push_back(path);
      continue;
    }
    std::vector<std::string> inside;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, failure))
      if (looks_like_trace(entry.path().filename().string()) && entry.is_regular_file(failure))
        inside.push_back(entry.path().string());
    std::sort(inside.begin(), inside.end());
    if (inside.empty())
      throw base::UserError("no-traces", "the folder has no traces",
                            "expected files that end in .json, .json.gz, .json.zst or .tar.gz",
                            {path, 0, 0});
    for (std::string& file : inside)
      if (seen.insert(file).second) files.push_back(std::move(file));
  }
  return files;
}

void for_each_trace(const std::vector<std::string>& files, bool by_name,
                    const base::Settings& settings,
                    const std::function<void(const TraceDocument&)>& use,
                    base::Progress& progress) {
  Documents documents(by_name, settings, use);
  progress.stage("reading traces", files.size());
  base::parallel_for(files.size(), [&](std::size_t i) {
    documents.read_one(i, files[i]);
    progress.advance();
  });
}

}  // namespace greenline::io
