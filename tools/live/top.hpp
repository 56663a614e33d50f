// SPDX-License-Identifier: Apache-2.0
// What `ramjet top` and `ramjet run --top` share: a job that is looked at, again and again, and the
// screen on which it is shown.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "launch/monitor/jobs.hpp"
#include "launch/monitor/sample.hpp"
#include "top_table.hpp"

namespace tools::top {

struct top_options {
  double interval_s = 1;
  order sorting;
  std::string filter;
};

class live_job {
 public:
  explicit live_job(std::unique_ptr<monitor::attached_job> job) : job_(std::move(job)) {}

  const monitor::attached_job& attached() const { return *job_; }
  // Takes a sample. False and why, in a sentence, if there is none any more.
  bool sample(std::string& why);
  bool has_ended() const { return ended_; }  // and that is why
  look current() const { return {before_, now_}; }  // of the last two samples

 private:
  std::unique_ptr<monitor::attached_job> job_;
  monitor::sampler sampler_;
  monitor::job_sample before_, now_;
  bool ended_ = false;
};

// Shows the job on the terminal until the user leaves or the job ends; the exit status. Standard
// output says why it has left by itself. The caller has taken one sample. `idle` runs several times
// a second.
int show_on_screen(live_job& job, const top_options& options,
                   const std::function<void()>& idle = nullptr);

}  // namespace tools::top
