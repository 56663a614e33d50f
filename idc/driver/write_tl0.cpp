// SPDX-License-Identifier: Apache-2.0
// From graphs to text, some code blocks at a time, so that little memory is needed. Threads plan
// variants in any order, as these are found; the first one finds out by what blocks are named
// before that. From then on the thread that has made a plan puts all that it can in the order of
// the program: it numbers and names what these call. Then any thread makes code blocks of some that
// follow each other, and their text. Texts are written in their order, too.
#include "idc/driver/write_tl0.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "frontend/files.hpp"
#include "idc/emit/emitter.hpp"
#include "idc/partition/partition.hpp"
#include "tl0/print/print.hpp"

namespace idc::driver {
namespace {

using partition::plan;
using partition::variant;

struct line_of_text {
  std::string file;
  tl0::index line = 0;
  bool operator==(const line_of_text&) const = default;
};

// Of some code blocks; it begins with the line of its source if it is not the first one.
struct piece {
  std::string_view text;
  std::size_t bytes_of_place = 0;
  line_of_text begin, end;
};

class tl0_writer {
 public:
  tl0_writer(const graph::program& graphs, const emit::find_line& line_of, frontend::team& threads,
             const std::string& name)
      : graphs_(graphs), line_of_(line_of), threads_(threads), variants_(graphs), output_(name) {}

  void run() {
    for (variant* v : variants_.in_order()) to_plan_.push_back(v);
    threads_.run(threads_.size(), [this](std::size_t task) { work(task == 0); });
    output_.close();
  }

 private:
  // Code blocks of a piece. Each step is done for all of them before the next one, for the sake of
  // the processor's cache of instructions; more of them do not fit into the other one.
  static constexpr std::size_t kBatch = 8;
  static constexpr std::size_t kSmallBatch = 4;  // where there is nothing else to do
  static constexpr std::size_t kPlansMax = 8;  // that a thread makes before it says so

  // What a thread keeps from one batch to the next.
  struct tools {
    explicit tools(tl0_writer& w)
        : maker(w.variants_),
          emitter(w.graphs_, w.variants_, w.names_, w.line_of_),
          printer(emitter.now()) {}

    partition::plan_maker maker;
    emit::emitter emitter;
    tl0::block_printer printer;
    std::vector<plan*> plans;
    std::vector<variant*> variants, fresh;
  };
  struct kept_piece {
    std::string text;
    piece of;
  };
  using lock = std::unique_lock<std::mutex>;

  void work(bool is_first) {
    tools mine(*this);
    lock held(mutex_, std::defer_lock);
    try {
      if (is_first) names_.reserve(graphs_);
      held.lock();
      if (is_first) begin_order();
      while (!is_over_) {
        if (take_batch(mine.plans))
          make_text(mine, held);
        else if (take_variants(mine))
          make_plans(mine, held);
        else if (is_all_made())
          is_over_ = true;
        else
          wait(held);
      }
    } catch (...) {
      if (!held.owns_lock()) held.lock();
      is_over_ = true;
      changed_.notify_all();
      throw;
    }
    changed_.notify_all();
  }

  void wait(lock& held) {
    ++waiting_;
    changed_.wait(held);
    --waiting_;
  }
  void wake(std::size_t count) {
    for (count = std::min(count, waiting_); count != 0; --count) changed_.notify_one();
  }

  // Nothing is planned or to be planned, and what is ready has been taken.
  bool is_all_made() const {
    return has_names_ && to_plan_.empty() && planning_ == 0 && ready_.empty();
  }

  // Other threads may have planned some.
  void begin_order() {
    has_names_ = true;
    put_in_order();
    wake(waiting_);
  }

  bool take_batch(std::vector<plan*>& to) {
    const std::size_t least =
        !to_plan_.empty() ? kBatch : planning_ != 0 ? kSmallBatch : std::size_t{1};
    if (ready_.size() < least) return false;
    to.clear();
    for (; to.size() < kBatch && !ready_.empty(); ready_.pop_front()) to.push_back(ready_.front());
    return true;
  }

  bool take_variants(tools& mine) {
    if (to_plan_.empty()) return false;
    mine.variants.clear();
    mine.plans.clear();
    const std::size_t share = to_plan_.size() / (2 * threads_.size());
    for (std::size_t left = std::clamp<std::size_t>(share, 1, kPlansMax); left != 0; --left) {
      mine.variants.push_back(to_plan_.front());
      to_plan_.pop_front();
      if (free_.empty()) free_.push_back(&plans_.emplace_back());
      mine.plans.push_back(free_.back());
      free_.pop_back();
    }
    planning_ += mine.plans.size();
    return true;
  }

  void make_plans(tools& mine, lock& held) {
    held.unlock();
    mine.fresh.clear();
    for (const variant* v : mine.variants) frontend::prefetch(v->of, sizeof(graph::function));
    for (std::size_t i = 0; i < mine.plans.size(); ++i) {
      if (i + 1 < mine.plans.size()) graph::prefetch(*mine.variants[i + 1]->of);
      mine.maker.make(*mine.variants[i], *mine.plans[i], mine.fresh);
    }
    held.lock();
    planning_ -= mine.plans.size();
    to_plan_.insert(to_plan_.end(), mine.fresh.begin(), mine.fresh.end());
    for (std::size_t i = 0; i < mine.plans.size(); ++i) mine.variants[i]->made = mine.plans[i];
    put_in_order();
    wake(is_all_made() ? waiting_ : to_plan_.size() + ready_.size() / kBatch);
  }

  // All that can be, from the last one on that has a number.
  void put_in_order() {
    if (!has_names_) return;
    for (; ordered_ < variants_.in_order().size(); ++ordered_) {
      plan* const next = std::exchange(variants_.in_order()[ordered_]->made, nullptr);
      if (!next) return;
      variants_.number_calls(*next);
      names_.name_found(*next);
      ready_.push_back(next);
    }
  }

  void make_text(tools& mine, lock& held) {
    const std::size_t number = pieces_++;
    held.unlock();
    const tl0::program& p = mine.emitter.now();
    mine.emitter.drop_blocks();
    for (const plan* each : mine.plans) mine.emitter.add_block(*each);
    mine.emitter.name_far_inlets();
    mine.printer.begin(number == 0, mine.emitter.types_kept());
    for (const plan* each : mine.plans)
      mine.printer.print(p.blocks[mine.emitter.block_of(*each->of)]);
    const auto line = [&p](const tl0::position& at) {
      return line_of_text{p.files[at.file], at.line};
    };
    const piece made{mine.printer.text(), mine.printer.bytes_of_place(),
                     line(mine.printer.place_of_first()), line(mine.printer.end())};
    held.lock();
    free_.insert(free_.end(), mine.plans.begin(), mine.plans.end());
    write(number, made, held);
  }

  // Now, if it is the next one and nobody writes; else the thread that writes the one before it
  // does so.
  void write(std::size_t number, const piece& made, lock& held) {
    if (number != written_) {
      kept_piece& kept = kept_[number];
      kept.of = made;
      kept.text = made.text;
      return;
    }
    put(made, held);
    for (auto next = kept_.find(written_); next != kept_.end(); next = kept_.find(written_)) {
      kept_piece kept = std::move(next->second);
      kept_.erase(next);
      kept.of.text = kept.text;
      put(kept.of, held);
    }
  }

  // Piece `written_`: while the lock is free, that number keeps other threads from writing.
  void put(const piece& made, lock& held) {
    held.unlock();
    if (made.bytes_of_place != 0 && made.begin == end_) {
      output_.put("\n");
      output_.put(made.text.substr(1 + made.bytes_of_place));
    } else {
      output_.put(made.text);
    }
    end_ = made.end;
    held.lock();
    ++written_;
  }

  const graph::program& graphs_;
  const emit::find_line& line_of_;
  frontend::team& threads_;
  partition::variant_table variants_;
  emit::block_names names_;

  std::mutex mutex_;  // of all that follows
  std::condition_variable changed_;
  std::size_t waiting_ = 0;  // threads
  bool is_over_ = false;
  bool has_names_ = false;  // those of names_ that blocks are named by
  std::deque<variant*> to_plan_;
  std::size_t planning_ = 0;  // variants that are being planned
  std::size_t ordered_ = 0;   // variants whose calls have numbers
  std::deque<plan*> ready_;   // of which no code blocks are made yet, in their order
  std::deque<plan> plans_;
  std::vector<plan*> free_;
  std::size_t pieces_ = 0;   // whose text was begun
  std::size_t written_ = 0;  // pieces; the thread that has this one writes
  std::map<std::size_t, kept_piece> kept_;  // texts that wait for others, by their numbers

  // Of the thread that writes.
  frontend::output_file output_;
  line_of_text end_;
};

}  // namespace

void write_tl0(const graph::program& graphs, const emit::find_line& line_of,
               frontend::team& threads, const std::string& name) {
  tl0_writer(graphs, line_of, threads, name).run();
}

}  // namespace idc::driver
