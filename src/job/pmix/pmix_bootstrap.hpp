// SPDX-License-Identifier: Apache-2.0
// Finding the job through PMIx: under Slurm's srun, Open MPI's mpirun and other launchers of the
// system that offer it. The ranks of a machine make their memory object themselves.
//
// Threads: the one that joins and leaves; abort may be called by any.
#pragma once

#include <memory>
#include <string>

#include "job/bootstrap/bootstrap.hpp"

namespace ramjet::job {

// Null with an empty message if this process was not started under PMIx, null with a message if
// PMIx cannot be used.
std::unique_ptr<bootstrap> pmix_bootstrap(std::string& message);

}  // namespace ramjet::job
