// Errors: what a caller did wrong, what a file holds that it must not, what is not supported here,
// and what is our own bug. An outcome (infeasible, does not fit, not converged) is a result, never
// an error.
//
// A message says what, where, expected, got, nearest, next step. The library throws; the shells
// print and choose the exit code. It never prints and never exits.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace greenline::base {

// A place in an input. Lines and columns count from 1; 0 means unknown.
struct Location {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string text() const;  // "file:line:column", shorter where unknown, "" when nothing is known
};

enum class ErrorKind { user, data, unsupported, internal };

// Exit code of the command for each kind: 2, 3, 4, 70.
int exit_code(ErrorKind kind);

class Error : public std::runtime_error {
 public:
  // code: stable slug of docs/errors.md ("unknown-name"). hint: the next step, may be empty.
  Error(ErrorKind kind, std::string code, std::string message, std::string hint = "",
        Location where = {});

  ErrorKind kind() const { return kind_; }
  const std::string& code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }
  const Location& where() const { return where_; }

 private:
  ErrorKind kind_;
  std::string code_, message_, hint_;
  Location where_;
};

// The input given by the user is wrong: a flag, a key, a name, a value.
struct UserError : Error {
  explicit UserError(std::string code, std::string message, std::string hint = "",
                     Location where = {});
};
// A file's content is malformed or contradicts itself.
struct DataError : Error {
  explicit DataError(std::string code, std::string message, std::string hint = "",
                     Location where = {});
};
// Right, but not available in this build or on this machine; the hint says how to get it.
struct UnsupportedError : Error {
  explicit UnsupportedError(std::string code, std::string message, std::string hint = "",
                            Location where = {});
};
// A broken promise inside the library.
struct InternalError : Error {
  explicit InternalError(std::string message);
};

// `text` in double quotes for a message: control bytes and bytes that are not UTF-8 as \xNN,
// shortened in the middle past 80 bytes.
std::string quoted(std::string_view text);

// Names nearest to `given` by edit distance, best first, at most `most`; none when all are far
// away.
std::vector<std::string> nearest(std::string_view given, std::span<const std::string> known,
                                 std::size_t most = 3);

// UserError "unknown-<what>": `unknown model "lama3-70b"; nearest: llama3-70b, ...`.
UserError unknown_name(std::string_view what, std::string_view given,
                       std::span<const std::string> known, std::string hint = "",
                       Location where = {});

namespace detail {
[[noreturn]] void check_failed(const char* file, int line, const char* expression, std::string left,
                               std::string right);
std::string printed(double x);
std::string printed(std::string_view x);
template <class T>
std::string printed(const T& x) {
  if constexpr (requires { x.base_value(); }) {
    return printed(x.base_value());
  } else if constexpr (std::is_convertible_v<T, std::string_view>) {
    return printed(std::string_view(x));
  } else if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<std::underlying_type_t<T>>(x));
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(x);
  } else {
    return printed(static_cast<double>(x));
  }
}
}  // namespace detail

}  // namespace greenline::base

// The caller gave something wrong. `message` is any std::string expression, built only on failure.
#define GL_USER_CHECK(condition, code, message)                              \
  do {                                                                       \
    if (!(condition)) throw ::greenline::base::UserError((code), (message)); \
  } while (false)

// We broke a promise. Both values are printed; on in release builds.
#define GL_CHECK_OP_(a, op, b)                                                            \
  do {                                                                                    \
    const auto& gl_a_ = (a);                                                              \
    const auto& gl_b_ = (b);                                                              \
    if (!(gl_a_ op gl_b_))                                                                \
      ::greenline::base::detail::check_failed(__FILE__, __LINE__, #a " " #op " " #b,      \
                                              ::greenline::base::detail::printed(gl_a_),  \
                                              ::greenline::base::detail::printed(gl_b_)); \
  } while (false)
#define GL_CHECK_EQ(a, b) GL_CHECK_OP_(a, ==, b)
#define GL_CHECK_NE(a, b) GL_CHECK_OP_(a, !=, b)
#define GL_CHECK_LT(a, b) GL_CHECK_OP_(a, <, b)
#define GL_CHECK_LE(a, b) GL_CHECK_OP_(a, <=, b)
#define GL_CHECK_GT(a, b) GL_CHECK_OP_(a, >, b)
#define GL_CHECK_GE(a, b) GL_CHECK_OP_(a, >=, b)
