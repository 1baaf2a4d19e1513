#include "cli/job.hpp"

#include <charconv>

#include <fmt/format.h>

#include "cli/interrupt.hpp"

namespace greenline::cli {
namespace {

// A number that a launcher sets; nothing when it is absent or not a number.
std::optional<int> number(const Environment& environment, const char* name) {
  const auto text = environment ? environment(name) : std::nullopt;
  if (!text) return std::nullopt;
  int value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

}  // namespace

Launch launch_of(const Environment& environment) {
  const auto size = number(environment, "OMPI_COMM_WORLD_SIZE");
  if (size) return {number(environment, "OMPI_COMM_WORLD_RANK").value_or(0), *size};
  const auto rank = number(environment, "PMIX_RANK");
  if (rank) return {*rank, number(environment, "SLURM_NTASKS").value_or(1)};
  return {};
}

Job::Job(const Launch& launch) : launch_(launch) {
  if (launch.size <= 1) return;
  world_ = mpi::join();
  interrupt_on_terminate();
  if (world_->size() == launch.size) return;
  const base::UnsupportedError error(
      "other-mpi",
      fmt::format("the launcher started {} processes, and the MPI of this build sees {}",
                  launch.size, world_->size()),
      "start it with the mpirun of the Open MPI that it was built with (`greenline doctor`)");
  fail(error);
  throw error;
}

std::shared_ptr<base::Communicator> Job::communicator() const {
  return world_ ? std::shared_ptr<base::Communicator>(world_) : base::alone();
}

void Job::finish() {
  if (world_) world_->finish();
}

void Job::fail(const base::Error& error) {
  if (world_) world_->fail(error);
}

}  // namespace greenline::cli
