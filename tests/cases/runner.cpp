// Runs one .case file: commands and what must come of them, in-process. The format is in README.md.
//
//   case_runner FILE      0 all expectations hold, 1 one does not, 2 the file is no case, 77
//   skipped

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/register.hpp"
#include "base/error.hpp"
#include "cli/run.hpp"
#include "io/file.hpp"
#include "io/json.hpp"
#include "verb/expression.hpp"

namespace {

namespace fs = std::filesystem;
using greenline::io::Value;

constexpr int kSkipped = 77;  // SKIP_RETURN_CODE of the test

struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Skipped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Ran {
  int exit_code = 0;
  std::string out, err;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text = trimmed(text.substr(prefix.size()));
  return true;
}

double number(std::string_view text) {
  std::size_t end = 0;
  const std::string copy(text);
  double value = 0;
  try {
    value = std::stod(copy, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  if (end == 0 || end != copy.size()) throw Malformed(fmt::format("\"{}\" is no number", text));
  return value;
}

// Words as a POSIX shell splits them: '…' literal, "…" and \ quote.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0 && c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c, open = true;
    else if (c == '\\' && quote != '\'' && i + 1 < line.size())
      word += line[++i], open = true;
    else if (quote == 0 && c == ' ') {
      if (open) words.push_back(std::move(word));
      word.clear();
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (quote != 0) throw Malformed("a quote is not closed");
  if (open) words.push_back(std::move(word));
  return words;
}

// A folder of its own for each case, current while it runs.
class Workplace {
 public:
  Workplace() : before_(fs::current_path()) {
    std::string pattern = (fs::temp_directory_path() / "greenline-case-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw std::runtime_error("no folder for the case: " + pattern);
    path_ = pattern;
    fs::current_path(path_);
  }
  ~Workplace() {
    std::error_code ignored;  // a destructor must not throw, and the folder lies in /tmp
    fs::current_path(before_, ignored);
    fs::remove_all(path_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

 private:
  fs::path before_, path_;
};

class CaseRun {
 public:
  CaseRun(const greenline::verb::Registry& registry, fs::path root) : registry_(registry) {
    variables_["ROOT"] = root.string();
    if (const char* shared = std::getenv("GREENLINE_SHARED")) {
      const fs::path path(shared);
      variables_["SHARED"] = (path.is_absolute() ? path : root / path).lexically_normal().string();
    }
  }

  void line(std::string_view text) {
    if (!here_name_.empty()) return here_line(text);
    text = trimmed(text);
    if (text.empty() || text.front() == '#') return;
    if (take(text, "> file "))
      here_name_ = text;
    else if (take(text, "$ "))
      command(text);
    else if (text == "needs shared")
      need_shared();
    else if (take(text, "env "))
      set_environment(text);
    else
      expectation(text);
  }

  void finish() {
    if (!here_name_.empty()) throw Malformed("\"> file " + here_name_ + "\" without \"> end\"");
    finish_command();
    if (num_commands_ == 0) throw Malformed("the case runs nothing");
  }

  const std::optional<Ran>& last() const { return now_; }

 private:
  void here_line(std::string_view text) {
    if (text == "> end") {
      if (const fs::path folder = fs::path(here_name_).parent_path(); !folder.empty())
        fs::create_directories(folder);
      std::ofstream(here_name_, std::ios::binary) << expanded(here_text_);
      here_name_.clear();
      here_text_.clear();
    } else {
      here_text_.append(text).append("\n");
    }
  }

  void need_shared() const {
    if (variables_.count("SHARED") == 0) throw Skipped("GREENLINE_SHARED is not set");
  }

  void set_environment(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos) throw Malformed("env expects NAME=VALUE");
    environment_[std::string(text.substr(0, equals))] =
        expanded(std::string(text.substr(equals + 1)));
  }

  std::string expanded(std::string text) const {
    for (const auto& [name, value] : variables_) {
      const std::string token = "$" + name;
      for (std::size_t at = 0; (at = text.find(token, at)) != text.npos; at += value.size())
        text.replace(at, token.size(), value);
    }
    if (text.find("$SHARED") != text.npos)
      throw Malformed("$SHARED is used without \"needs shared\"");
    return text;
  }

  void command(std::string_view text) {
    finish_command();
    std::vector<std::string> words = shell_words(expanded(std::string(text)));
    if (words.empty() || words.front() != "greenline")
      throw Malformed("a command begins with greenline");
    words.erase(words.begin());
    std::ostringstream out, err;
    const greenline::cli::Streams streams{
        .out = out, .err = err, .environment = [this](const std::string& name) {
          const auto found = environment_.find(name);
          return found == environment_.end() ? std::nullopt
                                             : std::optional<std::string>(found->second);
        }};
    before_ = std::move(now_);
    now_.emplace();
    now_->exit_code = greenline::cli::run(registry_, words, streams);
    now_->out = out.str();
    now_->err = err.str();
    ++num_commands_;
    num_expectations_ = 0;
    exit_stated_ = false;
  }

  void finish_command() const {
    if (!now_) return;
    if (num_expectations_ == 0) throw Malformed("the command before this line has no expectation");
    if (!exit_stated_ && now_->exit_code != 0)
      throw Failed(fmt::format("exit {}; expected 0, which need not be written", now_->exit_code));
  }

  void expectation(std::string_view text) {
    if (!now_) throw Malformed(fmt::format("unknown directive \"{}\"", text));
    ++num_expectations_;
    if (take(text, "exit "))
      expect_exit(text);
    else if (take(text, "stdout "))
      expect_text("stdout", now_->out, text);
    else if (take(text, "stderr "))
      expect_text("stderr", now_->err, text);
    else if (take(text, "file "))
      expect_file(text);
    else if (take(text, "json "))
      expect_json(text);
    else if (take(text, "holds: "))
      expect_holds(text);
    else if (take(text, "same as previous stdout"))
      expect_same(text);
    else
      throw Malformed(fmt::format("unknown directive \"{}\"", text));
  }

  void expect_exit(std::string_view text) {
    exit_stated_ = true;
    const int expected = static_cast<int>(number(text));
    if (now_->exit_code != expected)
      throw Failed(fmt::format("exit {}; expected {}", now_->exit_code, expected));
  }

  void expect_text(std::string_view name, const std::string& got, std::string_view text) const {
    if (text == "empty") {
      if (!got.empty()) throw Failed(fmt::format("{} is not empty", name));
      return;
    }
    const bool wanted = text.starts_with("contains:");
    if (!wanted && !text.starts_with("lacks:"))
      throw Malformed(fmt::format("{} takes contains:, lacks: or empty", name));
    const std::string part = expanded(std::string(trimmed(text.substr(text.find(':') + 1))));
    if (part.empty()) throw Malformed("nothing to look for");
    if ((got.find(part) != got.npos) != wanted)
      throw Failed(fmt::format("{} {} \"{}\"", name, wanted ? "lacks" : "contains", part));
  }

  void expect_file(std::string_view text) const {
    const std::size_t space = text.find(' ');
    if (space == text.npos) throw Malformed("file expects NAME contains: TEXT");
    const std::string name(text.substr(0, space));
    if (!fs::exists(name)) throw Failed("there is no file " + name);
    expect_text(name, greenline::io::read_file(name), trimmed(text.substr(space)));
  }

  Value document(const Ran& ran) const {
    try {
      return greenline::io::parse_json(ran.out, "stdout");
    } catch (const greenline::base::Error& e) {
      throw Failed(fmt::format("stdout is no JSON: {}", e.what()));
    }
  }

  // ".result.options.0.name"
  static const Value* at(const Value& document, std::string_view path) {
    if (path.empty() || path.front() != '.')
      throw Malformed(fmt::format("\"{}\" is no path; paths begin with a dot", path));
    return document.find_path(path.substr(1));
  }

  // A copy, since the document is parsed anew for each expectation.
  static Value need(const Value& document, std::string_view path) {
    const Value* found = at(document, path);
    if (found == nullptr) throw Failed(fmt::format("there is no {}", path));
    return *found;
  }

  void expect_json(std::string_view text) const {
    const std::size_t space = text.find(' ');
    const std::string_view path = text.substr(0, space);
    std::string_view rest = space == text.npos ? "" : trimmed(text.substr(space));
    const Value all = document(*now_);
    if (rest == "exists") return static_cast<void>(need(all, path));
    if (rest == "absent") {
      if (at(all, path) != nullptr) throw Failed(fmt::format("{} is there", path));
    } else if (take(rest, "==")) {
      expect_equal(need(all, path), path, rest);
    } else if (take(rest, "=")) {
      expect_close(need(all, path), path, rest);
    } else {
      throw Malformed(
          "json expects PATH and one of exists, absent, == LITERAL, = NUMBER [± TOLERANCE [rel]]");
    }
  }

  void expect_equal(const Value& got, std::string_view path, std::string_view literal) const {
    const Value wanted = greenline::io::parse_json(expanded(std::string(literal)), "literal");
    if (!(got == wanted))
      throw Failed(
          fmt::format("{} is {}; expected {}", path, greenline::io::write_json(got, 0), literal));
  }

  static void expect_close(const Value& got, std::string_view path, std::string_view text) {
    const std::size_t sign = text.find("±");
    const double wanted = number(trimmed(text.substr(0, sign)));
    double tolerance = 0;
    if (sign != text.npos) {
      std::string_view spelled = trimmed(text.substr(sign + std::string_view("±").size()));
      const bool relative = spelled.ends_with(" rel");
      if (relative) spelled = trimmed(spelled.substr(0, spelled.size() - 4));
      tolerance = number(spelled) * (relative ? std::fabs(wanted) : 1);
    }
    if (!got.is_number())
      throw Failed(fmt::format("{} is {}; expected a number", path, got.type_name()));
    // Written so that NaN fails.
    if (!(std::fabs(got.as_double() - wanted) <= tolerance))
      throw Failed(
          fmt::format("{} is {}; expected {} ± {}", path, got.as_double(), wanted, tolerance));
  }

  void expect_holds(std::string_view condition) const {
    const Value result = need(document(*now_), ".result");
    if (!greenline::verb::evaluate_truth(condition, greenline::verb::lookup_in(result)))
      throw Failed(fmt::format("does not hold: {}", condition));
  }

  void expect_same(std::string_view path) const {
    if (!before_) throw Malformed("there is no previous command");
    if (path.empty()) {
      if (before_->out != now_->out) throw Failed("stdout differs from the previous one");
      return;
    }
    const std::string a = greenline::io::write_json(need(document(*before_), path));
    const std::string b = greenline::io::write_json(need(document(*now_), path));
    if (a != b) throw Failed(fmt::format("{} differs from the previous one", path));
  }

  const greenline::verb::Registry& registry_;
  std::map<std::string, std::string> variables_, environment_;
  std::string here_name_, here_text_;
  std::optional<Ran> now_, before_;
  int num_commands_ = 0, num_expectations_ = 0;
  bool exit_stated_ = false;
};

// The repository: the folder that holds tests/cases/….
fs::path root_of(const fs::path& file) {
  for (fs::path folder = fs::absolute(file).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (folder.filename() == "cases" && folder.parent_path().filename() == "tests")
      return folder.parent_path().parent_path();
  }
  throw Malformed("the case does not lie in tests/cases");
}

int run_case(const fs::path& file) {
  std::ifstream stream(file);
  if (!stream) throw Malformed("cannot be read");
  greenline::verb::Registry registry;
  greenline::app::register_all(registry);
  CaseRun run(registry, root_of(file));
  const Workplace workplace;
  std::size_t line_number = 0;
  const auto say = [&](std::string_view what) {
    std::cerr << file.string() << ':' << line_number << ": " << what << '\n';
  };
  try {
    for (std::string line; std::getline(stream, line);) {
      ++line_number;
      run.line(line);
    }
    run.finish();
    return 0;
  } catch (const Skipped& e) {
    say(fmt::format("skipped: {}", e.what()));
    return kSkipped;
  } catch (const Malformed& e) {
    say(e.what());
    return 2;
  } catch (const std::exception& e) {
    say(e.what());
  }
  if (run.last())
    std::cerr << "--- stdout\n" << run.last()->out << "--- stderr\n" << run.last()->err;
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: case_runner FILE\n";
    return 2;
  }
  try {
    return run_case(argv[1]);
  } catch (const std::exception& e) {
    std::cerr << argv[1] << ": " << e.what() << '\n';
    return 2;
  }
}
