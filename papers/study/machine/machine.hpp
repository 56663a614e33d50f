// SPDX-License-Identifier: Apache-2.0
// The counted machine: executes a TL0 program as code of the abstract target, on one processor, by
// one of the disciplines, and says what it fetches, reads and writes. Results are those of
// `tl0 --run`.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "languages/tam/tl0/program/program.hpp"
#include "languages/tam/tl0/run/machine.hpp"
#include "papers/study/machine/code.hpp"
#include "papers/study/machine/costs.hpp"
#include "papers/study/machine/message_queue.hpp"
#include "papers/study/machine/trace.hpp"

namespace study {

using tl0::word;

// As von Eicken et al. 1992, Table 3, tells them apart; the first five by their data words.
enum class message_kind : std::uint8_t {
  words_0,
  words_1,
  words_2,
  words_3,
  words_4,
  store_request,
  fetch_request,
  fetch_reply,
  other
};
inline constexpr unsigned kMessageKinds = 9;
std::string_view name_of(message_kind k);

struct machine_counts {
  // By access (fetches are instructions) and region.
  std::array<std::array<std::uint64_t, kRegions>, 3> accesses = {};
  std::array<std::uint64_t, kMessageKinds> messages = {};
  std::uint64_t tl0_instructions = 0;
  std::uint64_t threads = 0;
  std::uint64_t quanta = 0;  // threads of one activation, before one of another
  std::uint64_t activations = 0;
  std::uint64_t deferred_fetches = 0;
  std::uint32_t queue_bytes_max = 0;  // of either queue
  std::uint32_t memory_bytes = 0;  // allocated
  std::uint32_t code_bytes = 0;  // the program's

  std::uint64_t of(access a) const;
  std::uint64_t of(access a, bool is_system) const;
  std::uint64_t instructions() const { return of(access::fetch); }
  std::uint64_t messages_sent() const;
};

struct machine_options {
  std::uint32_t queue_bytes = kQueueBytes;  // of each queue
  bool first_ready_first = false;  // AM: the frame that waits longest is next, else the last one
  trace_sink* sink = nullptr;  // gets the trace; not owned
};

class counted_machine {
 public:
  counted_machine(const tl0::program& p, const target_code& code, const machine_options& options,
                  void (*output)(void* to, std::string_view line), void* to);
  ~counted_machine();
  counted_machine(const counted_machine&) = delete;
  counted_machine& operator=(const counted_machine&) = delete;

  // The words go to main's inlet `args`, by a message. Throws tl0::execution_error, queue_overflow.
  void run(const std::vector<word>& arguments);
  const machine_counts& counted() const { return counts_; }

 private:
  struct activation;
  struct element;
  struct reader;
  struct structure;
  class context;

  // ---- machine.cpp: what is charged ----
  void charge(index piece);
  void charge(cost routine);
  void record(const piece& p, const std::vector<event>& events);
  void record(const traced& t);
  void flush();
  void count_pieces();
  void count(const piece& p, const std::vector<event>& events, std::uint64_t times);
  std::uint32_t& base(place p) { return bases_[static_cast<unsigned>(p)]; }
  [[noreturn]] void wrong(index instruction, const std::string& text) const;

  // ---- schedule.cpp ----
  void run_am();
  void run_md();
  void run_quantum(activation& f);
  void run_local(index thread);
  void serve();  // the messages at high priority
  index deliver(const message& m);
  void enable_remote(activation& f, const arm& a);
  index enable(const arm& a);
  void end_thread(index piece);
  void enter(index thread);
  bool counts_down(activation& f, const arm& a);

  // ---- execute.cpp ----
  index execute(index thread);
  bool execute_control(const tl0::instruction& it, const instruction_code& code, index thread,
                       index& next);
  void execute_effect(const tl0::instruction& it, index at);
  word value_of(const tl0::instruction& it, index at);
  void assign(const tl0::instruction& it, index at);
  word get(tl0::operand o) const { return values_[unsigned(o.where())][o.at()]; }
  void set(tl0::operand o, word value) { values_[unsigned(o.where())][o.at()] = value; }
  void print_items(const tl0::instruction& it);
  std::string text_of_items(const tl0::instruction& it) const;

  // ---- activations.cpp ----
  activation& make_activation(index block, index at);
  word activate(const tl0::instruction& it, index at, activation** made);
  void free_activation();
  activation& activation_of(word name, index at);
  word name_of_inlet(const activation& f, index inlet) const;
  void send_to(word name, const word* words, index count, index at, message_kind kind);
  void send_inlet(activation& to, index inlet, const word* words, index count, index at,
                  message_kind kind);
  void send(const tl0::instruction& it, index at);
  void post_message(message m, message_kind kind);
  std::uint32_t vector_at(const activation& f, std::size_t entry) const;
  [[noreturn]] void deadlock();

  // ---- structures.cpp ----
  word make_structure(const tl0::instruction& it, index at);
  void request(const tl0::instruction& it, index at);
  void serve_request(const message& m);
  void serve_fetch(const message& m, structure& s, element& e, bool takes);
  void serve_store(const message& m, structure& s, element& e);
  void answer(word to, word value, index at);
  structure& structure_of(const message& m);
  element& element_of(const message& m, structure& s);

  const tl0::program& p_;
  const target_code& code_;
  const routines routines_;
  machine_options options_;
  void (*output_)(void*, std::string_view);
  void* output_to_;
  machine_counts counts_;
  std::vector<traced> trace_;
  std::array<std::uint32_t, kPlaces> bases_ = {};

  message_queue low_, high_;
  std::vector<std::unique_ptr<activation>> activations_;
  std::vector<std::vector<index>> free_;  // by block
  std::deque<activation*> ready_;  // AM; the next is in front
  std::vector<index> local_vector_;  // MD
  std::vector<structure> structures_;
  std::vector<element> elements_;  // of all structures
  std::vector<reader> readers_;
  index free_reader_ = kNone;
  std::vector<std::uint64_t> piece_times_, routine_times_;  // how often each was executed
  std::uint32_t break_;
  std::uint64_t serial_ = 0, last_serial_ = 0;
  std::size_t lives_ = 0;

  activation* now_ = nullptr;  // whose inlet or thread is executed
  bool is_freed_ = false;
  bool pops_ = false;  // MD: what is executed ends by taking a thread from the vector
  index thread_ = kNone;
  std::array<word*, 3> values_ = {};  // slots, temporaries, constants
  std::string line_;  // what is written of it
  std::vector<word> temporaries_, inlet_temporaries_, constants_, words_;
};

}  // namespace study
