// SPDX-License-Identifier: Apache-2.0
// Lenient evaluation of the kernel language. A binding whose operands are missing waits in the cell
// of the first missing one; all others of its function go on. Calls go depth first on a stack of
// the machine's own, so that deep programs need memory only.
#ifndef IDC_INTERPRET_MACHINE_HPP
#define IDC_INTERPRET_MACHINE_HPP

#include <memory>
#include <string>
#include <vector>

#include "languages/id/infer/types.hpp"
#include "languages/id/interpret/heap.hpp"

namespace idc::interpret {

// What a program did wrong, in one sentence.
struct run_error {
  position where;
  std::string text;
};

// What waits, and for what.
struct blocked {
  position where;
  std::string text;
};

class machine {
 public:
  explicit machine(const core::program& of);
  ~machine();

  // Runs main until nothing goes on any more. Throws run_error.
  const cell& run(std::span<const value> arguments);
  // What waits for ever, `most` at most.
  std::vector<blocked> deadlock(std::size_t most) const;

 private:
  struct task {
    frame* in;
    const core::binding* at;
    const core::binding* end;
  };
  struct copy {
    cell* to;
    value what;
    frame* owner;
  };

  // machine.cpp
  void run_tasks();
  bool execute(frame& f, const core::binding& b);  // false: something of another frame comes first
  frame* make_frame(const core::function& code);
  void done(frame* f);
  void fill(cell& c, value v);
  void wake(cell& c, value v);
  void link(const cell& from, cell& to, frame* owner);
  void link_result(cell& from, frame& f, const core::binding& b);
  void wait(cell& c, const waiter& w);
  cell* make_cells(std::size_t count);
  std::byte* allocate(std::size_t bytes);
  const core::binding* missing(frame& f, const core::binding& b);

  // operations.cpp
  value compute(const frame& f, const core::binding& b) const;
  value integer_result(const core::binding& b, std::int64_t x, std::int64_t y) const;
  void construct(frame& f, const core::binding& b);
  void allocate(frame& f, const core::binding& b);
  void access(frame& f, const core::binding& b);
  void put(cell& c, frame& f, const core::binding& b, value v);
  cell& element(const frame& f, const core::binding& b);
  void close(frame& f, const core::binding& b);
  bool begin_call(frame& f, const core::binding& b);
  bool begin_apply(frame& f, const core::binding& b);
  bool begin_choice(frame& f, const core::binding& b);
  bool read_global(frame& f, const core::binding& b);
  bool enter(frame& callee);
  value at(const frame& f, const core::binding& b, std::size_t operand) const {
    return f.slots[b.operands[operand]].holds;
  }

  const core::program& program_;
  std::vector<task> tasks_;
  std::vector<copy> copies_;
  std::vector<std::vector<frame*>> free_;  // by the number of slots
  std::vector<cell*> globals_;  // by the number of the function
  std::vector<array*> arrays_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* free_at_ = nullptr;
  std::byte* free_end_ = nullptr;
  waiter* free_waiters_ = nullptr;
  frame* live_ = nullptr;
  cell result_;
};

// In the notation of the language. False: a part of it is not there.
bool print(const cell& c, type* t, type_store& types, std::string& to);

}  // namespace idc::interpret

#endif
