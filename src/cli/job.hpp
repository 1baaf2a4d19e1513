// This process among those that a launcher started for one command: alone, unless mpirun or Slurm
// says otherwise.
#pragma once

#include <memory>

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "mpi/world.hpp"

namespace greenline::cli {

// What the launcher says in the environment. mpirun sets OMPI_COMM_WORLD_*; under srun each process
// has a PMIX_RANK, which a plain program in a batch script has not.
struct Launch {
  int rank = 0, size = 1;
};
Launch launch_of(const Environment& environment);

// One rank speaks, all take part in verbs whose work the ranks share, and none waits for one that
// failed.
class Job {
 public:
  // Joins the others when there are any. UnsupportedError "no-mpi" in a build without MPI,
  // "other-mpi" when the launcher belongs to another MPI than this build's.
  explicit Job(const Launch& launch);

  bool speaks() const { return launch_.rank == 0; }
  std::shared_ptr<base::Communicator> communicator() const;
  // After the work and before its result is shown; throws the error of a rank that failed.
  void finish();
  void fail(const base::Error& error);

 private:
  Launch launch_;
  std::shared_ptr<mpi::World> world_;  // none when alone
};

}  // namespace greenline::cli
