#include "mpi/world.hpp"

#ifdef GREENLINE_MPI

#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

// The C interface alone: the C++ bindings are long withdrawn and slow to read.
#define OMPI_SKIP_MPICXX 1
#include <fmt/format.h>
#include <mpi.h>

namespace greenline::mpi {
namespace {

enum class Kind : std::uint8_t { data, finished, failed };

// What a rank says in every collective, before its bytes.
struct Header {
  std::int64_t kind = 0, size = 0;
};

// Fields of an error, each with its length before it.
std::string packed(const base::Error& error) {
  std::string bytes(1, static_cast<char>(error.kind()));
  for (const std::string* text : {&error.code(), &error.message(), &error.hint()})
    bytes += std::to_string(text->size()) + ":" + *text;
  return bytes;
}

std::string take_text(std::string_view& bytes) {
  const std::size_t colon = bytes.find(':');
  GL_CHECK_NE(colon, std::string_view::npos);
  const std::size_t size = std::stoul(std::string(bytes.substr(0, colon)));
  GL_CHECK_LE(colon + 1 + size, bytes.size());
  std::string text(bytes.substr(colon + 1, size));
  bytes.remove_prefix(colon + 1 + size);
  return text;
}

[[noreturn]] void throw_packed(int rank, std::string_view bytes) {
  const auto kind = static_cast<base::ErrorKind>(bytes.front());
  bytes.remove_prefix(1);
  std::string code = take_text(bytes);
  std::string message = fmt::format("rank {}: {}", rank, take_text(bytes));
  std::string hint = take_text(bytes);
  throw base::Error(kind, std::move(code), std::move(message), std::move(hint));
}

class OpenMpi final : public World {
 public:
  OpenMpi() {
    int provided = 0;
    // Collectives are called by the thread that called this, whatever other threads there are.
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~OpenMpi() override {
    // A rank that leaves without a word would keep the others waiting.
    if (!over_) MPI_Abort(MPI_COMM_WORLD, base::exit_code(base::ErrorKind::internal));
    MPI_Finalize();
  }
  OpenMpi(const OpenMpi&) = delete;
  OpenMpi& operator=(const OpenMpi&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::vector<std::string> all_gather(std::string_view mine) override {
    return exchange(Kind::data, mine);
  }
  void finish() override {
    exchange(Kind::finished, {});
    over_ = true;
  }
  void fail(const base::Error& error) override {
    if (over_) return;
    try {
      exchange(Kind::failed, packed(error));
    } catch (const base::Error&) {
      // Every rank has an error now; each keeps its own.
    }
    over_ = true;
  }

 private:
  std::vector<std::string> exchange(Kind kind, std::string_view mine) {
    if (over_) throw base::InternalError("a collective after the end of this rank's work");
    const Header header{static_cast<std::int64_t>(kind), static_cast<std::int64_t>(mine.size())};
    std::vector<Header> headers(static_cast<std::size_t>(size_));
    MPI_Allgather(&header, 2, MPI_INT64_T, headers.data(), 2, MPI_INT64_T, MPI_COMM_WORLD);
    std::vector<std::string> bytes = gathered(headers, mine);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (headers[i].kind != static_cast<std::int64_t>(Kind::failed)) continue;
      over_ = true;
      throw_packed(static_cast<int>(i), bytes[i]);
    }
    for (const Header& h : headers) {
      if (h.kind == header.kind) continue;
      over_ = true;
      throw base::InternalError("ranks have come to different collectives");
    }
    return bytes;
  }

  std::vector<std::string> gathered(const std::vector<Header>& headers, std::string_view mine) {
    std::vector<int> sizes, offsets;
    std::int64_t total = 0;
    for (const Header& h : headers) {
      offsets.push_back(static_cast<int>(total));
      sizes.push_back(static_cast<int>(h.size));
      total += h.size;
      GL_CHECK_LE(total, std::int64_t{std::numeric_limits<int>::max()});
    }
    std::string all(static_cast<std::size_t>(total), '\0');
    MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.data(), sizes.data(),
                   offsets.data(), MPI_BYTE, MPI_COMM_WORLD);
    std::vector<std::string> bytes;
    for (std::size_t i = 0; i < headers.size(); ++i)
      bytes.push_back(
          all.substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(sizes[i])));
    return bytes;
  }

  int rank_ = 0, size_ = 1;
  bool over_ = false;
};

}  // namespace

std::unique_ptr<World> join() { return std::make_unique<OpenMpi>(); }

}  // namespace greenline::mpi

#else

namespace greenline::mpi {

std::unique_ptr<World> join() {
  throw base::UnsupportedError(
      "no-mpi", "this build of greenline cannot share work among processes: it has no MPI",
      "install libopenmpi-dev and build again (-DGREENLINE_MPI=ON says what is missing), or run it "
      "without mpirun; --threads uses all cores of one machine");
}

}  // namespace greenline::mpi

#endif
