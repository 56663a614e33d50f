// SPDX-License-Identifier: Apache-2.0
// A put at which others wait, while the way to the first of them is full: what they ask of the
// element meanwhile is answered as if the put were done. Prints both words that were taken.
#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include "ramjet/am.hpp"
#include "ramjet/tam.hpp"

namespace {

namespace tam = ramjet::tam;

constexpr tam::word kFirst = 42, kSecond = 43;

void on_filler(std::uint64_t, std::uint64_t) {}

struct taker {
  tam_array array;
  tam::name parent, ready;
  tam::word pause_ms, value;

  void arguments(tam_array of, tam::name to, tam::name is_ready, tam::word ms) {
    array = of, parent = to, ready = is_ready, pause_ms = ms;
  }
  // While it pauses its rank takes nothing from the lane.
  void take(tam::quantum& q) {
    if (pause_ms != 0) ::usleep(useconds_t(pause_ms) * 1000);
    q.mtake<&taker::value>(this, array, 0, TAM_HERE);
    if (ready != 0) q.send(ready, tam::word{0});
  }
  tam::word end() { return value; }

  static constexpr const char* site = TAM_HERE;
  using graph = tam::graph<tam::inlet<&taker::arguments>::posts<&taker::take>,
                           tam::inlet<&taker::value>::posts<&taker::end>,
                           tam::thread<&taker::take>::expects<&taker::value>,
                           tam::thread<&taker::end>::returns<&taker::parent>>;
};

struct putter {
  tam_array array;
  tam::name parent;
  tam::word first, second, waits;

  void begin(tam::name to) { parent = to; }
  void start(tam::quantum& q) {
    array = tam_ialloc(1, TAM_M_BOUNDS0 TAM_HERE);
    q.spawn<taker>(1, array, tam::name{q.name<&putter::first>(this)},
                   tam::name{q.name<&putter::waits>(this)}, tam::word{0});
    q.spawn<taker>(1, array, tam::name{q.name<&putter::second>(this)}, tam::name{0},
                   tam::word{300});
  }
  void put(tam::quantum& q) {
    while (ramjet::try_request<on_filler>(1, std::uint64_t{1}, std::uint64_t{2}) ==
           ramjet::status::ok) {
    }
    q.mput(array, 0, kFirst, TAM_HERE);
    // The second take may have emptied the element, or come later.
    q.mput(array, 0, kSecond, TAM_HERE);
  }
  tam::word end() { return first << 32 | second; }

  static constexpr const char* site = TAM_HERE;
  using graph =
      tam::graph<tam::inlet<&putter::begin>::posts<&putter::start>,
                 tam::inlet<&putter::waits>::posts<&putter::put>,
                 tam::inlet<&putter::first>::posts<&putter::end>,
                 tam::inlet<&putter::second>::posts<&putter::end>,
                 tam::thread<&putter::start>::expects<&putter::first, &putter::second,
                                                      &putter::waits>,
                 tam::thread<&putter::put>::forks<&putter::end>,
                 tam::thread<&putter::end>::returns<&putter::parent>>;
};

}  // namespace

int main(int argc, char** argv) {
  return tam::program<taker, putter>(
      argc, argv,
      [](int, char**) {
        tam::quantum q;
        q.call<&putter::begin>(tam_root(1));
      },
      [] {
        const tam::word both = tam_result(0);
        std::printf("%llu %llu\n", static_cast<unsigned long long>(both >> 32),
                    static_cast<unsigned long long>(both & 0xffffffff));
      });
}
