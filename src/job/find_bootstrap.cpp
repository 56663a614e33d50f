// SPDX-License-Identifier: Apache-2.0
#include "job/find_bootstrap.hpp"

#include <cstdlib>
#include <cstring>

#include "job/bootstrap/inherited_file.hpp"
#include "job/bootstrap/launcher_bootstrap.hpp"
#include "job/bootstrap/variables.hpp"
#include "job/pmix/pmix_bootstrap.hpp"

namespace ramjet::job {

namespace {

// A program started by another system's launcher would be rank 0 of 1, many times over.
const char* foreign_launcher() {
  struct {
    const char* variable;
    const char* name;
  } const known[] = {{"OMPI_COMM_WORLD_SIZE", "mpirun"},
                     {"PMIX_RANK", "a PMIx launcher"},
                     {"PMI_SIZE", "a PMI launcher"},
                     {"SLURM_STEP_NUM_TASKS", "srun"}};
  for (const auto& k : known) {
    const char* value = std::getenv(k.variable);
    if (value == nullptr) continue;
    if (std::strcmp(k.variable, "PMIX_RANK") == 0 || std::atoi(value) > 1) return k.name;
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<bootstrap> find_bootstrap(std::string& message) {
  if (std::getenv(kEnvDescriptor) != nullptr) return launcher_bootstrap();
  std::unique_ptr<bootstrap> found = pmix_bootstrap(message);
  if (found != nullptr || !message.empty()) return found;
  if (const char* launcher = foreign_launcher()) {
    message = std::string("this process was started by ") + launcher +
              " beside others that it cannot reach; start it with: srun --mpi=pmix -n N PROGRAM "
              "under Slurm, Open MPI's mpirun -n N PROGRAM, or on one machine "
              "ramjet run -n N PROGRAM";
    return nullptr;
  }
  if (has_lost_environment()) {
    message = std::string(
                  "this process has the memory of a job of `ramjet run` open, and none of "
                  "the variables that say which rank it is (") +
              kEnvRank + " and others): pass the environment on (env -i and sudo clear it)";
    return nullptr;
  }
  return lone_bootstrap();
}

}  // namespace ramjet::job
