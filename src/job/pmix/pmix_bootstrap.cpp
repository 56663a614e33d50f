// SPDX-License-Identifier: Apache-2.0
#include "job/pmix/pmix_bootstrap.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "base/clock.hpp"
#include "base/futex.hpp"
#include "base/hexadecimal.hpp"
#include "base/settings.hpp"
#include "base/system.hpp"
#include "job/pmix/descriptor_passing.hpp"
#include "job/pmix/machines.hpp"
#include "job/pmix/pmix_client.hpp"

namespace ramjet::job {

namespace {

constexpr const char* kCardKind = "ramjet-place-1";  // another number for another set of lines
constexpr unsigned kHandOverMs = 60'000;
constexpr std::uint64_t kLeaveNsMax = 5'000'000'000;
constexpr std::uint64_t kLookAgainNs = 10'000'000;  // a rank may die meanwhile

// What every rank publishes first. Its lines: the kind, machine, socket, token, policy.
struct card {
  std::string machine;
  std::string socket;  // a descriptor_sender's, as hexadecimal digits
  job_key token{};
  bool carry_on = false;
};

std::string to_text(const card& c) {
  return std::string(kCardKind) + "\n" + c.machine + "\n" +
         base::hexadecimal(c.socket.data(), c.socket.size()) + "\n" +
         base::hexadecimal(c.token.data(), c.token.size()) + "\n" +
         (c.carry_on ? "continue" : "abort") + "\n";
}

bool from_text(const std::string& text, card& c) {
  std::istringstream lines(text);
  std::string kind, socket, token, policy, bytes;
  if (!std::getline(lines, kind) || kind != kCardKind || !std::getline(lines, c.machine) ||
      !std::getline(lines, socket) || !std::getline(lines, token) || !std::getline(lines, policy))
    return false;
  if (!base::from_hexadecimal(token, bytes) || bytes.size() != c.token.size()) return false;
  std::copy(bytes.begin(), bytes.end(), c.token.begin());
  c.carry_on = policy == "continue";
  return base::from_hexadecimal(socket, c.socket);
}

class pmix final : public bootstrap {
 public:
  explicit pmix(std::unique_ptr<pmix_client> client) : client_(std::move(client)) {}
  ~pmix() override { client_->let_others_look(); }

  const char* name() const noexcept override { return "PMIx"; }
  status find_identity(identity& into, std::string& message) override;
  status open_object(int& descriptor, std::string& message) override;
  int dead_rank() override { return client_->dead_rank(); }
  status exchange(const std::string& mine, std::vector<std::string>& all,
                  std::string& message) override;
  status key(job_key& into, std::string&) override {
    into = cards_[0].token;
    return status::ok;
  }
  void leave(board& shared) override;
  void abort(int exit_status, const char* why) override { client_->abort(exit_status, why); }

 private:
  status make_card(card& mine, std::string& message);
  status create_object(int& descriptor, std::string& message) const;
  status share_object(int& descriptor, std::string& message);
  unsigned count_failed_here(board& shared) const;

  std::unique_ptr<pmix_client> client_;
  std::unique_ptr<descriptor_sender> sender_;  // from find_identity to open_object
  std::vector<card> cards_;  // by rank
  std::vector<std::uint16_t> node_of_;
  unsigned exchanges_ = 0;
};

status pmix::make_card(card& mine, std::string& message) {
  const base::settings* const settings = base::process_settings(message);
  if (settings == nullptr) return status::environment;
  mine.carry_on = settings->carry_on;
  if (!identify_machine(mine.machine, message)) return status::environment;
  sender_ = std::make_unique<descriptor_sender>();
  if (!sender_->open(mine.socket, message)) return status::environment;
  if (getrandom(mine.token.data(), mine.token.size(), 0) != ssize_t(mine.token.size())) {
    message = base::os_error("cannot draw the job's key (getrandom)");
    return status::environment;
  }
  return status::ok;
}

status pmix::find_identity(identity& into, std::string& message) {
  if (status s = client_->start(message); s != status::ok) return s;
  const unsigned ranks = client_->ranks();
  if (ranks == 0 || ranks > kRanksMax || client_->rank() >= ranks) {
    message = "the launcher made this rank " + std::to_string(client_->rank()) + " of " +
              std::to_string(ranks) + "; a job can have 1 to " + std::to_string(kRanksMax);
    return status::environment;
  }
  card mine;
  if (status s = make_card(mine, message); s != status::ok) return s;
  std::vector<std::string> texts;
  if (status s = exchange(to_text(mine), texts, message); s != status::ok) return s;
  cards_.resize(ranks);
  std::vector<std::string> machines;
  for (unsigned r = 0; r < ranks; ++r) {
    if (!from_text(texts[r], cards_[r])) {
      message = "rank " + std::to_string(r) +
                " was built with another version of Ramjet; rebuild the program for all ranks";
      return status::mismatch;
    }
    machines.push_back(cards_[r].machine);
  }
  node_of_ = number_machines(machines);
  into = {int(client_->rank()), ranks, node_of_, false};
  return status::ok;
}

status pmix::create_object(int& descriptor, std::string& message) const {
  const unsigned ranks = client_->ranks();
  descriptor = base::open_memory_file();
  if (descriptor < 0 || ftruncate(descriptor, off_t(board_bytes(ranks))) != 0) {
    message = base::os_error("cannot create the job's shared memory (memfd_create)");
    return status::environment;
  }
  fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK);  // a mapping of ours can never fault
  void* memory =
      mmap(nullptr, board_bytes(ranks), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) {
    message = base::os_error("cannot map the job's shared memory");
    return status::environment;
  }
  // No secret: nobody finds this object by a number in the environment.
  format_board(memory, ranks, cards_[0].carry_on ? failure_policy::carry_on : failure_policy::abort,
               0, node_of_, node_of_[client_->rank()]);
  munmap(memory, board_bytes(ranks));
  return status::ok;
}

status pmix::share_object(int& descriptor, std::string& message) {
  const unsigned me = client_->rank();
  std::vector<unsigned> near;
  for (unsigned r = 0; r < node_of_.size(); ++r)
    if (node_of_[r] == node_of_[me]) near.push_back(r);
  const unsigned first = near.front();
  const std::unique_ptr<descriptor_sender> sender = std::move(sender_);
  const card& of_first = cards_[first];
  const passing_limits limits{kHandOverMs, [this] { return client_->dead_rank() >= 0; }};
  if (me != first)
    return request_descriptor({of_first.socket, of_first.token, first}, me, limits, descriptor,
                              message);
  if (status s = create_object(descriptor, message); s != status::ok) return s;
  near.erase(near.begin());
  return sender->send(descriptor, near, of_first.token, limits, message);
}

// Where it fails, a rank has died, perhaps another one than the one that does not answer.
status pmix::open_object(int& descriptor, std::string& message) {
  const status s = share_object(descriptor, message);
  if (s == status::ok) return s;
  const int dead = client_->dead_rank_by_now();
  if (dead < 0) return s;
  message = death_in_start(dead);
  return status::peer_failed;
}

status pmix::exchange(const std::string& mine, std::vector<std::string>& all,
                      std::string& message) {
  const std::string key = "ramjet." + std::to_string(exchanges_++);
  if (status s = client_->publish(key, mine, message); s != status::ok) return s;
  if (status s = client_->meet(key, message); s != status::ok) return s;
  all.resize(client_->ranks());
  for (unsigned r = 0; r < all.size(); ++r) {
    if (r == client_->rank())
      all[r] = mine;
    else if (status s = client_->read(r, key, all[r], message); s != status::ok)
      return s;
  }
  return status::ok;
}

unsigned pmix::count_failed_here(board& shared) const {
  unsigned failed = 0;
  for (unsigned r = 0; r < node_of_.size(); ++r) {
    const auto state = rank_lines(&shared)[r].state.load(std::memory_order_relaxed);
    if (node_of_[r] == shared.node && rank_state(state) == rank_state::failed) ++failed;
  }
  return failed;
}

// A launcher may run one program after the other, with the same ranks. To its server, the end of
// the first program's connection is that rank's death, also in a fence of the second: so no rank
// of a node goes on before all of them have ended theirs.
void pmix::leave(board& shared) {
  client_->finish();
  std::atomic<std::uint32_t>& left = shared.left_launcher;
  left.fetch_add(1, std::memory_order_relaxed);
  base::futex_wake(left);
  const std::uint64_t end = base::now_ns() + kLeaveNsMax;
  for (;;) {
    const std::uint32_t seen = left.load(std::memory_order_relaxed);
    if (seen + count_failed_here(shared) >= shared.members || base::now_ns() >= end) return;
    base::futex_wait(left, seen, kLookAgainNs);
  }
}

}  // namespace

std::unique_ptr<bootstrap> pmix_bootstrap(std::string& message) {
  message.clear();
  if (!pmix_client::is_offered()) return nullptr;
  auto client = std::make_unique<pmix_client>();
  if (!client->load(message)) return nullptr;
  return std::make_unique<pmix>(std::move(client));
}

}  // namespace ramjet::job
