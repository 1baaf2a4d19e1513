#include "render/ledger.hpp"

#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "io/file.hpp"
#include "io/json.hpp"
#include "render/figures.hpp"
#include "render/outline.hpp"

namespace greenline::render {
namespace {

// Marks the file as ours in the header of SQLite ("GLED"), and the version of its table.
constexpr int kApplicationId = 0x474C4544;
constexpr int kLedgerVersion = 1;
constexpr int kBusyMilliseconds = 10000;  // how long to wait for another run that is writing

[[noreturn]] void fail(int code, const std::string& path, const std::string& what) {
  const int primary = code & 0xFF;
  if (primary == SQLITE_NOTADB)
    throw base::UserError("not-a-ledger", path + " is not a ledger: it is not an SQLite file");
  if (primary == SQLITE_CORRUPT)
    throw base::DataError("damaged-ledger", path + ": " + what, "restore it from a copy", {path});
  throw base::UserError("cannot-open-ledger", path + ": " + what,
                        "check the folder, its rights and its free space");
}

class Statement {
 public:
  Statement(sqlite3* database, const std::string& path, const char* sql)
      : database_(database), path_(path) {
    check(sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr));
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Parameters and columns count as SQLite counts them: from 1 and from 0.
  Statement& bind(int index, const std::string& text) {
    check(sqlite3_bind_text64(statement_, index, text.data(), text.size(), SQLITE_TRANSIENT,
                              SQLITE_UTF8));
    return *this;
  }
  Statement& bind(int index, std::int64_t value) {
    check(sqlite3_bind_int64(statement_, index, value));
    return *this;
  }
  bool next() {  // false at the end
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) check(code);
    return code == SQLITE_ROW;
  }
  std::int64_t integer(int column) { return sqlite3_column_int64(statement_, column); }
  std::string text(int column) {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    return bytes == nullptr
               ? ""
               : std::string(bytes,
                             static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
  }

 private:
  void check(int code) {
    if (code != SQLITE_OK) fail(code, path_, sqlite3_errmsg(database_));
  }
  sqlite3* database_;
  const std::string& path_;
  sqlite3_stmt* statement_ = nullptr;
};

class Ledger {
 public:
  enum class Mode { read, write };

  Ledger(const std::string& path, Mode mode) : path_(path) {
    const int flags = SQLITE_OPEN_READWRITE | (mode == Mode::write ? SQLITE_OPEN_CREATE : 0);
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(file_name(path).c_str(), &opened, flags, nullptr);
    database_.reset(opened);
    if (code != SQLITE_OK)
      fail(code, path, opened == nullptr ? "out of memory" : sqlite3_errmsg(opened));
    sqlite3_busy_timeout(opened, kBusyMilliseconds);
    if (pragma("PRAGMA application_id") != kApplicationId) {
      if (mode == Mode::read) refuse();
      create();
    }
    check_version();
  }

  Statement prepare(const char* sql) { return {database_.get(), path_, sql}; }
  std::int64_t last_id() { return sqlite3_last_insert_rowid(database_.get()); }

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };

  // SQLite reads "", ":memory:" and "file:..." as databases that vanish with the connection; a name
  // with a folder is always a file.
  static std::string file_name(const std::string& path) {
    if (path.empty())
      throw base::UserError("cannot-open-ledger", "the name of the ledger is empty",
                            "write --ledger FILE");
    return path.front() == '/' ? path : "./" + path;
  }

  std::int64_t pragma(const char* sql) {
    Statement statement = prepare(sql);
    return statement.next() ? statement.integer(0) : 0;
  }

  void run(const char* sql) { prepare(sql).next(); }

  [[noreturn]] void refuse() const {
    throw base::UserError("not-a-ledger", path_ + " is an SQLite file, but not a ledger",
                          "name another file");
  }

  void check_version() {
    const std::int64_t version = pragma("PRAGMA user_version");
    if (version == kLedgerVersion) return;
    throw base::UnsupportedError(
        "ledger-version",
        fmt::format("{}: ledger version {}, expected {}", path_, version, kLedgerVersion),
        "use the greenline that wrote it, or start a new ledger");
  }

  // Looks again once it holds the lock, because another run may have created the ledger meanwhile.
  // A refusal rolls back when the file is closed.
  void create() {
    run("BEGIN IMMEDIATE");
    if (pragma("PRAGMA application_id") == kApplicationId) return run("COMMIT");
    if (pragma("SELECT count(*) FROM sqlite_master") != 0) refuse();
    run("CREATE TABLE results (id INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT NOT NULL, verb "
        "TEXT NOT NULL, "
        "title TEXT NOT NULL, headline TEXT NOT NULL, document TEXT NOT NULL) STRICT");
    run(fmt::format("PRAGMA application_id = {}", kApplicationId).c_str());
    run(fmt::format("PRAGMA user_version = {}", kLedgerVersion).c_str());
    run("COMMIT");
    run("PRAGMA journal_mode = WAL");
  }

  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

std::string headline_json(const Outline& outline) {
  io::Value::Array list;
  for (const ShownValue* value : outline.headlines())
    list.emplace_back(io::Value::Object{
        {"path", value->path}, {"label", value->label}, {"text", show(*value).with_unit()}});
  return io::write_json(list, 0);
}

std::vector<LedgerHeadline> parse_headline(const std::string& text, const std::string& path) {
  std::vector<LedgerHeadline> list;
  const io::Value parsed = io::parse_json(text, path);
  const auto member = [](const io::Value& entry, std::string_view key) {
    const io::Value* found = entry.find(key);
    return found == nullptr ? std::string() : found->as_text();
  };
  for (const io::Value& entry : parsed.as_array())
    list.push_back({member(entry, "path"), member(entry, "label"), member(entry, "text")});
  return list;
}

void require_file(const std::string& path) {
  if (path == "-" || !io::is_file(path))
    throw base::UserError("no-such-file", "there is no ledger " + path,
                          "--ledger FILE creates one");
}

}  // namespace

std::int64_t append_to_ledger(const std::string& path, const io::Value& document) {
  const Outline outline = read_outline(document);
  Ledger ledger(path, Ledger::Mode::write);
  ledger
      .prepare(
          "INSERT INTO results (started, verb, title, headline, document) VALUES (?1, ?2, ?3, ?4, "
          "?5)")
      .bind(1, outline.started)
      .bind(2, outline.verb)
      .bind(3, outline.title)
      .bind(4, headline_json(outline))
      .bind(5, io::write_json(document, 0))
      .next();
  return ledger.last_id();
}

std::vector<LedgerRow> list_ledger(const std::string& path) {
  require_file(path);
  Ledger ledger(path, Ledger::Mode::read);
  Statement query =
      ledger.prepare("SELECT id, started, verb, title, headline FROM results ORDER BY id");
  std::vector<LedgerRow> rows;
  while (query.next())
    rows.push_back({query.integer(0), query.text(1), query.text(2), query.text(3),
                    parse_headline(query.text(4), path)});
  return rows;
}

io::Value get_from_ledger(const std::string& path, std::int64_t id) {
  require_file(path);
  Ledger ledger(path, Ledger::Mode::read);
  Statement query = ledger.prepare("SELECT document FROM results WHERE id = ?1");
  query.bind(1, id);
  if (query.next()) return io::parse_json(query.text(0), fmt::format("{}, result {}", path, id));
  Statement ids = ledger.prepare("SELECT min(id), max(id), count(*) FROM results");
  ids.next();
  const std::string known = ids.integer(2) == 0
                                ? "it is empty"
                                : fmt::format("it holds {} to {}", ids.integer(0), ids.integer(1));
  throw base::UserError("unknown-result", fmt::format("{} has no result {}; {}", path, id, known));
}

}  // namespace greenline::render
