// The ranks of a job that mpirun or Slurm started, over Open MPI.
#pragma once

#include <memory>

#include "base/communicator.hpp"
#include "base/error.hpp"

namespace greenline::mpi {

// One per process, held until its end. Every rank calls finish() or fail() once, after its last
// collective: only then does rank 0 know that no other rank has failed.
class World : public base::Communicator {
 public:
  // This rank's work is done. Throws the error of a rank that failed.
  virtual void finish() = 0;
  // This rank has failed: the others get its error from the collective that they are in, or from
  // finish(). Does nothing when that error came from another rank.
  virtual void fail(const base::Error& error) = 0;
};

// UnsupportedError "no-mpi" in a build without it.
std::unique_ptr<World> join();

}  // namespace greenline::mpi
