// SPDX-License-Identifier: Apache-2.0
// The disciplines (Spertus and Dally 1995, Figure 1).
#include "papers/study/machine/state.hpp"

namespace study {

// A frame's quantum after the other; what has come meanwhile is looked at where a thread begins,
// and where no frame is ready.
void counted_machine::run_am() {
  for (;;) {
    if (ready_.empty()) serve();
    if (ready_.empty()) return;
    activation& next = *ready_.front();
    ready_.pop_front();
    run_quantum(next);
  }
}

void counted_machine::run_quantum(activation& f) {
  const tl0::code_block& block = p_.blocks[f.block];
  base(place::made) = f.address;
  base(place::vector) = vector_at(f, f.enabled.size());
  charge(cost::swap_in);
  now_ = &f;
  is_freed_ = false;
  base(place::frame) = f.address;
  if (block.entry != kNone) execute(block.entry);
  while (!f.enabled.empty()) {
    index thread = f.enabled.back();
    f.enabled.pop_back();
    while (thread != kNone) {
      enter(thread);
      thread = execute(thread);
    }
    if (is_freed_) return;
  }
  if (block.exit != kNone) execute(block.exit);
  charge(cost::swap_out);
  f.is_queued = false;
}

// A message after the other, each with the threads that it enables.
void counted_machine::run_md() {
  while (!low_.is_empty()) {
    const message m = low_.pop();
    activation& f = *activations_[m.activation];
    const tl0::code_block& block = p_.blocks[f.block];
    now_ = &f;
    is_freed_ = false;
    base(place::message) = m.address;
    base(place::frame) = f.address;
    index thread = deliver(m);
    if (block.entry != kNone) execute(block.entry);
    for (;;) {
      if (thread != kNone) run_local(thread);
      if (local_vector_.empty()) break;
      thread = local_vector_.back();
      local_vector_.pop_back();
    }
    if (block.exit != kNone && !is_freed_) execute(block.exit);
    low_.release(m);
  }
}

// The thread, and those that it ends with.
void counted_machine::run_local(index thread) {
  while (thread != kNone) {
    enter(thread);
    thread = execute(thread);
  }
}

// A quantum lasts until a thread of another activation begins.
void counted_machine::enter(index thread) {
  ++counts_.threads;
  if (now_->serial != last_serial_) ++counts_.quanta;
  last_serial_ = now_->serial;
  charge(code_.threads[thread].begins);
  if (code_.how == discipline::am) serve();
}

void counted_machine::serve() {
  while (!high_.is_empty()) {
    const message m = high_.pop();
    const context saved(*this);
    base(place::message) = m.address;
    if (m.to == message::handler::inlet) {
      now_ = activations_[m.activation].get();
      base(place::frame) = now_->address;
      deliver(m);
    } else {
      serve_request(m);
    }
    high_.release(m);
  }
}

// The inlet's thread that is to run next, at once: MD.
index counted_machine::deliver(const message& m) {
  const tl0::inlet& in = p_.inlets[m.inlet];
  const inlet_code& code = code_.inlets[m.inlet];
  values_[0] = now_->slots.data();
  values_[1] = inlet_temporaries_.data();
  for (index k = 0; k < in.parameters.count; ++k)
    set(p_.parameters[in.parameters.first + k].to, m.words[k]);
  charge(code.takes);
  for (index at = in.code.instructions.first; at < in.code.instructions.end(); ++at)
    assign(p_.instructions[at], at);
  if (in.counter != kNone) {
    charge(code.counts);
    if (--now_->slots[in.counter - p_.blocks[now_->block].slots.first] != 0) {
      charge(code.suspends);
      return kNone;
    }
  }
  pops_ = code.pops;
  index next = kNone;
  for (index k = 0; k < in.posts.count; ++k) {
    const arm& a = code_.arms[code.arms + k];
    if (code_.how != discipline::md)
      enable_remote(*now_, a);
    else
      next = enable(a);
  }
  if (code_.how != discipline::md || in.posts.count == 0) charge(code.suspends);
  return next;
}

// Whether the thread is enabled now.
bool counted_machine::counts_down(activation& f, const arm& a) {
  charge(a.counts);
  const tl0::thread& t = p_.threads[a.thread];
  index& left = f.left[a.thread - p_.blocks[f.block].threads.first];
  if (--left != 0) return false;
  left = t.entry_count;
  return true;
}

// By an inlet of AM: into the frame's vector, and the frame into the queue.
void counted_machine::enable_remote(activation& f, const arm& a) {
  if (!counts_down(f, a)) return;
  charge(a.enables);
  f.enabled.push_back(a.thread);
  base(place::vector) = vector_at(f, f.enabled.size());
  charge(cost::enqueue);
  if (f.is_queued) return;
  charge(cost::enqueue_frame);
  f.is_queued = true;
  options_.first_ready_first ? ready_.push_back(&f) : ready_.push_front(&f);
}

// By a thread, or an inlet of MD. The thread to go on with, if the arm is the last one.
index counted_machine::enable(const arm& a) {
  if (a.thread != kNone && counts_down(*now_, a)) {
    if (a.is_last) {
      charge(a.enables);
      return a.thread;
    }
    std::vector<index>& vector = code_.how == discipline::md ? local_vector_ : now_->enabled;
    vector.push_back(a.thread);
    base(place::vector) = code_.how == discipline::md
                              ? kLocalVectorAt + std::uint32_t(vector.size()) * kWordBytes
                              : vector_at(*now_, vector.size());
    charge(a.enables);
  } else if (a.is_last) {
    end_thread(a.ends);
  }
  return kNone;
}

// The vector's last entry is what comes next; below the threads' it leads to the system.
void counted_machine::end_thread(index of) {
  if (code_.how != discipline::md) {
    if (!is_freed_) base(place::vector) = vector_at(*now_, now_->enabled.size());
    return charge(of);
  }
  base(place::vector) = kLocalVectorAt + std::uint32_t(local_vector_.size()) * kWordBytes;
  charge(of);
  if (pops_ && local_vector_.empty()) charge(cost::bottom);
}

}  // namespace study
