// SPDX-License-Identifier: Apache-2.0
// From graphs to text, some code blocks at a time, so that little memory is needed. While one
// thread makes code blocks of a batch of plans, another one makes the plans of the next batch; then
// all print what was made. What is found by plans and named by blocks is so in the order of the
// program.
#include "idc/driver/write_tl0.hpp"

#include <algorithm>
#include <deque>

#include "frontend/files.hpp"
#include "idc/emit/emitter.hpp"
#include "idc/partition/partition.hpp"
#include "tl0/print/print.hpp"

namespace idc::driver {
namespace {

class tl0_writer {
 public:
  tl0_writer(const graph::program& graphs, const emit::find_line& line_of, frontend::team& threads,
             const std::string& name)
      : threads_(threads),
        plans_(graphs),
        emitter_(graphs, plans_, line_of),
        output_(name),
        batch_max_(threads.size() == 1 ? 1 : kBatch) {
    const std::size_t pieces = threads.size() == 1 ? 1 : kPiecesOfThread * threads.size();
    for (std::size_t i = 0; i < pieces; ++i) printers_.emplace_back(emitter_.now());
  }

  void run() {
    make_plans(batches_[0]);
    for (std::size_t at = 0; batches_[at].count != 0; at = 1 - at) {
      threads_.run(2, [&](std::size_t task) {
        if (task == 0) return make_plans(batches_[1 - at]);
        if (printers_.size() > 1 || printers_[0].text().size() >= kPieceBytes) write();
        make_blocks(batches_[at]);
      });
      print();
    }
    write();
    output_.close();
  }

 private:
  static constexpr std::size_t kBatch = 256;          // code blocks
  static constexpr std::size_t kPiecesOfThread = 4;   // of a batch, as they are not of one length
  static constexpr std::size_t kPieceBytes = 64 * 1024;  // of one printer

  struct batch {
    std::deque<partition::plan> plans;  // used again
    std::size_t count = 0;
  };

  void make_plans(batch& to) {
    for (to.count = 0; to.count < batch_max_; ++to.count) {
      if (to.count == to.plans.size()) to.plans.emplace_back();
      if (!plans_.next(to.plans[to.count])) return;
    }
  }

  void make_blocks(const batch& from) {
    emitter_.drop_blocks();
    for (std::size_t i = 0; i < from.count; ++i) emitter_.add_block(from.plans[i]);
    emitter_.name_far_inlets();
    first_ = from.plans[0].of->number;
    count_ = from.count;
  }

  void print() {
    const tl0::program& p = emitter_.now();
    const std::size_t pieces = std::min(printers_.size(), count_);
    const auto begin = [&](std::size_t piece) { return first_ + count_ * piece / pieces; };
    threads_.run(pieces, [&](std::size_t piece) {
      tl0::block_printer& to = printers_[piece];
      const std::size_t first = begin(piece);
      to.begin_behind(piece == 0 ? end_ : tl0::end_of(p, p.blocks[first - 1]));
      for (std::size_t block = first; block < begin(piece + 1); ++block) to.print(p.blocks[block]);
    });
    end_ = tl0::end_of(p, p.blocks[first_ + count_ - 1]);
  }

  void write() {
    for (tl0::block_printer& each : printers_) {
      output_.put(each.text());
      each.take();
    }
  }

  frontend::team& threads_;
  partition::planner plans_;
  emit::emitter emitter_;
  frontend::output_file output_;
  batch batches_[2];
  // The blocks that are made, of the batch before the one that is planned.
  std::size_t first_ = 0, count_ = 0;
  std::size_t batch_max_;
  std::deque<tl0::block_printer> printers_;
  tl0::position end_;  // of what is printed
};

}  // namespace

void write_tl0(const graph::program& graphs, const emit::find_line& line_of,
               frontend::team& threads, const std::string& name) {
  tl0_writer(graphs, line_of, threads, name).run();
}

}  // namespace idc::driver
