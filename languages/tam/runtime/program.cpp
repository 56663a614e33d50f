// SPDX-License-Identifier: Apache-2.0
// Programs: how one starts and ends, and the frame outside all code blocks that takes its result.
#include <cstdio>

#include "languages/tam/runtime/elements.hpp"
#include "languages/tam/runtime/frames.hpp"
#include "languages/tam/runtime/machine.hpp"
#include "languages/tam/runtime/node_heap.hpp"
#include "languages/tam/runtime/placement.hpp"
#include "languages/tam/runtime/polled_elements.hpp"
#include "languages/tam/runtime/program.hpp"
#include "languages/tam/runtime/queue.hpp"
#include "languages/tam/runtime/regions.hpp"
#include "languages/tam/runtime/remote.hpp"
#include "languages/tam/runtime/schedule.hpp"
#include "languages/tam/runtime/spread.hpp"
#include "languages/tam/runtime/termination.hpp"
#include "languages/tam/runtime/waiting.hpp"
#include "ramjet/collectives.hpp"
#include "ramjet/job.hpp"

namespace ramjet::tam {
namespace {

constexpr unsigned kResultWordsMax = 4;

tam_lcv take_result(tam_frame*, tam_lcv lcv, tam_word w0, tam_word w1, tam_word w2, tam_word w3) {
  here.has_result = true;
  here.result[0] = w0;
  here.result[1] = w1;
  here.result[2] = w2;
  here.result[3] = w3;
  return lcv;
}

const tam_inlet_info kInlets[kResultWordsMax + 1] = {{"result", "the program"},
                                                     {"result", "the program"},
                                                     {"result", "the program"},
                                                     {"result", "the program"},
                                                     {"result", "the program"}};
// One inlet for each number of words: they differ in what is passed only.
struct root_type {
  tam_block block;
  tam_inlet entries[kResultWordsMax + 1];
};
const root_type root = {{"the program", "the program", 0, sizeof(tam_frame), kResultWordsMax + 1, 0,
                         kInlets, nullptr, nullptr, nullptr, nullptr},
                        {take_result, take_result, take_result, take_result, take_result}};

std::size_t frames_of_program() {
  std::size_t count = 0;
  each_frame(
      [](const tam_frame* f, void* n) {
        if (f->block != root_block) ++*static_cast<std::size_t*>(n);
      },
      &count);
  return count;
}

}  // namespace

const tam_block* const root_block = &root.block;

}  // namespace ramjet::tam

using namespace ramjet::tam;
namespace rj = ramjet;

// The first frame of each rank: so that its name on rank 0 is known to all.
tam_name tam_root(unsigned words) { return words * TAM_INLET_UNIT; }
int tam_has_result(void) { return here.has_result; }
tam_word tam_result(unsigned index) { return here.result[index]; }

void tam_open(const tam_block* const* blocks, unsigned count) {
  open_remote();
  open_termination();
  open_spread();
  open_regions();
  if (here.open) stop("tam_open is called a second time");
  here.open = true;
  here.has_result = false;
  here.blocks.assign(blocks, blocks + count);
  here.scheduler = count > 0 ? blocks[0]->scheduler : static_cast<std::uint32_t>(TAM_AM);
  for (const tam_block* b : here.blocks)
    if (b->scheduler != here.scheduler)
      stop("code blocks %s and %s are compiled for different schedulers", blocks[0]->name, b->name);
  open_frames();
  open_placement();
  open_waiting();
  open_watch();
  open_queue();
  open_heap();
  tam_frame* first = tam_take_frame(root_block, sizeof(tam_frame));
  if (tam_name_of(first, 0) != tam_here.own) stop("the first frame is not where it should be");
  if (here.ranks > 1 && rj::barrier() != rj::status::ok) stop("a rank has died");
}

size_t tam_run(void) {
  if (here.ranks == 1) {
    for (unsigned many = ~0u; run_some(many) || start_waiting();) many = ~0u;
    return frames_of_program();
  }
  run_on_all_ranks();
  std::size_t frames = frames_of_program();
  if (rj::all_reduce(frames, std::plus<>{}) != rj::status::ok) stop("a rank has died");
  return frames;
}

void tam_close(void) {
  here.open = false;
  // Until here the others may read this rank's arrays, to report what waits. A rank that has died
  // reads nothing.
  if (here.ranks > 1) static_cast<void>(rj::barrier());
  close_regions();
  close_heap();
  clear_deferred();
  close_queue();
  close_frames();
}

int tam_main(int argc, char** argv, const tam_block* const* blocks, unsigned count,
             void (*start)(int argc, char** argv), void (*finish)(void)) {
  rj::init(argc, argv);
  tam_open(blocks, count);
  if (rj::rank() == 0) start(argc, argv);
  tam_run();
  int failed = rj::rank() == 0 && !here.has_result;
  if (rj::size() > 1 && rj::broadcast(failed, 0) != rj::status::ok) stop("a rank has died");
  if (failed != 0)
    tam_report();
  else if (rj::rank() == 0 && finish != nullptr)
    finish();
  tam_close();
  rj::finalize();
  return failed;
}
