// SPDX-License-Identifier: Apache-2.0
// The subcommands of `ramjet`. Each gets its own name as argv[0] and returns the exit status.
#pragma once

#include "launch/problem.hpp"

using ramjet::launcher::kUsageStatus;

int run_command(int argc, char** argv);
int top_command(int argc, char** argv);
int info_command(int argc, char** argv);
int bench_command(int argc, char** argv);
int characterize_command(int argc, char** argv);
int trace_command(int argc, char** argv);
int model_command(int argc, char** argv);
int tam_command(int argc, char** argv);
int report_command(int argc, char** argv);
int papers_command(int argc, char** argv);
