// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <memory>
#include <thread>

#include "misuse.hpp"
#include "ramjet/ramjet.hpp"

namespace {

void on_nothing() {}

void without_endpoint() {
  std::thread([] { ramjet::request<on_nothing>(0); }).join();
}

void taken_endpoint() {
  std::thread first([] {
    ramjet::endpoint own(1);
    ::usleep(300'000);
  });
  ::usleep(50'000);
  std::thread([] { ramjet::endpoint again(1); }).join();
  first.join();
}

void close_in_the_order_of_opening() {
  auto first = std::make_unique<ramjet::endpoint>(1);
  const ramjet::endpoint second(2);
  first.reset();
}

const mistake kMistakes[] = {
    {"without_endpoint", without_endpoint},
    {"taken_endpoint", taken_endpoint},
    {"endpoint_again",
     [] {
       std::thread([] { ramjet::endpoint own(1); }).join();
       std::thread([] { ramjet::endpoint again(1); }).join();
     }},
    {"poll_without_endpoint", [] { std::thread([] { ramjet::poll(); }).join(); }},
    {"flush_without_endpoint", [] { std::thread([] { ramjet::flush(); }).join(); }},
    {"close_in_the_order_of_opening", close_in_the_order_of_opening},
    {"close_elsewhere",
     [] {
       auto own = std::make_unique<ramjet::endpoint>(1);
       std::thread([&] { own.reset(); }).join();
     }},
    {"outside_endpoint", [] { ramjet::endpoint none(9); }},
    {"main_endpoint", [] { ramjet::endpoint none(0); }},
};

}  // namespace

std::span<const mistake> endpoint_mistakes() { return kMistakes; }
