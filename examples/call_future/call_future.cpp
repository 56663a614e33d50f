// SPDX-License-Identifier: Apache-2.0
// Calling plain functions at other ranks: one result, many at a time, and a continuation.
//
//   ramjet run -n 4 call_future
#include <cmath>
#include <cstdio>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

// Any function of copyable arguments, with a result of up to 64 bytes or none.
double area(double from, double to, int steps) {
  const double width = (to - from) / steps;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double x = from + (i + 0.5) * width;
    sum += 4 / (1 + x * x) * width;
  }
  return sum;
}

int noted = 0;
void take_note() { ++noted; }

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  int result = 0;
  if (ramjet::rank() == 0) {
    const int n = ramjet::size();

    // All ranks work at once: the calls go out first, the results are collected afterwards.
    std::vector<ramjet::future<double>> parts;
    for (int r = 0; r < n; ++r)
      parts.push_back(ramjet::call<area>(r, double(r) / n, double(r + 1) / n, 1'000'000));
    double pi = 0;
    for (auto& part : parts) pi += part.get();
    std::printf("pi is about %.12f\n", pi);

    // Without waiting: the continuation runs when the result comes.
    bool told = false;
    ramjet::call<area>(n - 1, 0.0, 1.0, 1000).then([&told](ramjet::status s, double value) {
      std::printf("roughly %.6f (%s)\n", value, ramjet::to_string(s));
      told = true;
    });

    ramjet::call<take_note>(0).get();  // no result: get() waits for the end
    ramjet::wait_until([&told] { return told; });
    result = std::fabs(pi - M_PI) < 1e-9 && noted == 1 ? 0 : 1;
  }
  ramjet::barrier();
  ramjet::finalize();
  return result;
}
