// SPDX-License-Identifier: Apache-2.0
// Boost.Fiber's rows about threads, and Boost.Context's bare switch. Arguments: --tiny (only shows
// that everything holds).
#include <boost/context/fiber.hpp>
#include <boost/fiber/all.hpp>
#include <boost/version.hpp>
#include <utility>

#include "thread_suite.hpp"

namespace {

using namespace peers;

constexpr size_t kStackBytes = 64 * 1024;

struct boost_fibers {
  using thread = boost::fibers::fiber;
  using mutex = boost::fibers::mutex;
  using condition = boost::fibers::condition_variable;
  static constexpr bool kFair = true;

  static void yield() { boost::this_fiber::yield(); }
  template <class F>
  static thread spawn(F&& f) {
    static boost::fibers::fixedsize_stack stacks(kStackBytes);
    return thread(boost::fibers::launch::post, std::allocator_arg, stacks, std::forward<F>(f));
  }
};

double switch_ns(int trips) {
  int turns = 0;
  bool stop = false;
  boost::context::fiber other([&](boost::context::fiber&& caller) {
    while (!stop) {
      ++turns;
      caller = std::move(caller).resume();
      ++turns;
      caller = std::move(caller).resume();
    }
    return std::move(caller);
  });
  const double trips_ns = each_ns(trips / 2, [&] {
    other = std::move(other).resume();
    memory_is_seen();
    other = std::move(other).resume();
  });
  PEERS_CHECK(turns == trips / 2 * 2);
  stop = true;
  other = std::move(other).resume();
  return trips_ns / 4;
}

}  // namespace

int main(int argc, char** argv) {
  const plan run = plan::from_arguments(argc, argv);
  pin_to(allowed_cpus().front());
  thread_records out(run);
  thread_rows<boost_fibers>(out, run, 1000, 5000, 10000, 10000);
  out.measure("ult_switch", [&] { return switch_ns(run.count(50000)); });
  out.print("boost", "Boost " BOOST_LIB_VERSION,
            "fixedsize_stack of 64 KiB, launch::post, round_robin; ult_switch: "
            "boost::context::fiber");
  return 0;
}
