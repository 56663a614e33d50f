// SPDX-License-Identifier: Apache-2.0
#include "am/start.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "base/process_label.hpp"
#include "base/settings.hpp"
#include "channel/net/networks.hpp"
#include "mesh/mesh.hpp"
#include "report/watch.hpp"

// Of the program's OpenMP library; null where it has none.
extern "C" [[gnu::weak]] int omp_get_max_threads(void);

namespace ramjet::detail {

namespace {

// Where no launcher of ours watches over this node.
std::unique_ptr<trace::node_trace> traced;  // the job is traced
std::unique_ptr<report::node_watch> watch;

status start_watch(std::string& message) {
  const job::membership& m = job::self();
  const int object = job::take_object();
  traced = trace::node_trace::open(m, object < 0 ? -1 : ::fcntl(object, F_DUPFD_CLOEXEC, 0));
  if (m.launched || (m.ranks == 1 && traced == nullptr)) {
    close(object);
    return status::ok;
  }
  report::node_watch::duty duty;
  if (traced != nullptr) {
    duty = [](std::uint64_t now_ns) { return traced->take(now_ns); };
    job::call_at_death([](unsigned rank) { traced->note_death(rank); });
  }
  watch = std::make_unique<report::node_watch>(m, object, std::move(duty));
  const auto on_death = [](const report::seen_death& death) {
    job::follow_death(unsigned(death.rank), death.first);
  };
  return watch->start(on_death, message) ? status::ok : status::environment;
}

// When no thread is left that may see a death.
void forget_trace() {
  job::call_at_death(nullptr);
  traced.reset();
}

// A rank's card: where its mesh listens, a newline, and what its networks say of themselves.
status connect_nodes(std::uint64_t build_hash, std::string& message) {
  std::string card, networks;
  if (status s = mesh::open_mesh(card, message); s != status::ok) return s;
  if (status s = channel::open_networks(networks, message); s != status::ok) return s;
  std::vector<std::string> cards;
  if (status s = job::exchange(card + '\n' + networks, cards, message); s != status::ok) return s;
  job::job_key key;
  if (status s = job::key(key, message); s != status::ok) return s;
  std::vector<std::string> network_cards;
  for (std::string& c : cards) {
    const std::size_t end = std::min(c.find('\n'), c.size());
    network_cards.push_back(c.substr(std::min(end + 1, c.size())));
    c.resize(end);
  }
  if (status s = mesh::connect_mesh(cards, key, build_hash, job::dead_rank, message);
      s != status::ok)
    return s;
  std::vector<std::string> arrivals;
  if (status s = job::exchange({}, arrivals, message); s != status::ok) return s;
  return channel::choose_networks(network_cards, message);
}

// Each rank of a machine with more ranks than cores may use all cores, and so does its OpenMP.
void hint_at_threads() {
  const job::membership& m = job::self();
  if (m.rank != 0 || !m.oversubscribed || omp_get_max_threads == nullptr ||
      std::getenv("OMP_NUM_THREADS") != nullptr)
    return;
  const int threads = omp_get_max_threads();
  if (threads < 2) return;
  std::fprintf(stderr,
               "%s: %u ranks share %u core%s of this machine, and OpenMP gives each of them %d "
               "threads: set OMP_NUM_THREADS, or start fewer ranks\n",
               base::process_label(), m.shared->members, m.shared->processors,
               m.shared->processors == 1 ? "" : "s", threads);
}

// Once for the job: all ranks have such an environment, or nearly.
void warn_of_misspelt_settings() {
  if (job::self().rank != 0) return;
  for (const std::string& sentence : base::misspelt_settings(environ))
    std::fprintf(stderr, "%s: %s\n", base::process_label(), sentence.c_str());
}

}  // namespace

status start(const job::join_request& request, std::string& message) {
  status s = job::join(request, message);
  if (s != status::ok) return s;
  s = start_watch(message);
  if (s == status::ok && job::self().nodes > 1) s = connect_nodes(request.build_hash, message);
  if (s == status::ok) {
    warn_of_misspelt_settings();
    hint_at_threads();
    return s;
  }
  mesh::abandon_mesh();
  watch.reset();
  forget_trace();
  job::abandon();
  return s;
}

void leave_in_child() noexcept {
  [[maybe_unused]] const report::node_watch* not_here = watch.release();
  [[maybe_unused]] const trace::node_trace* not_here_either = traced.release();
}

trace::node_trace* own_node_trace() noexcept { return traced.get(); }

void stop() {
  if (traced != nullptr) traced->finish();
  job::say_left();
  watch.reset();
  if (job::self().nodes > 1) mesh::close_mesh();
  forget_trace();
  job::leave();
}

}  // namespace ramjet::detail
