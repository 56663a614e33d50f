// SPDX-License-Identifier: Apache-2.0
// The programs of apps/id/ in plain C++: oracle NAME ARGUMENTS prints what the program must print.
// Sums are made in the same order, so floats agree to the last bit.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

using numbers = std::vector<long>;
using reals = std::vector<double>;
using grid = std::vector<reals>;

std::string text(double x) {
  char digits[40];
  return {digits, std::to_chars(digits, digits + sizeof digits, x).ptr};
}

numbers random_numbers(long n, long x) {
  numbers made;
  for (long i = 0; i < n; ++i, x = (x * 1103 + 12345) % 65536) made.push_back(x);
  return made;
}

long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

long queens(long n, numbers& board) {
  if (static_cast<long>(board.size()) == n) return 1;
  long ways = 0;
  for (long q = 1; q <= n; ++q) {
    bool safe = true;
    for (std::size_t i = 0; i < board.size(); ++i) {
      const long rows = static_cast<long>(board.size() - i);
      safe = safe && board[i] != q && std::abs(board[i] - q) != rows;
    }
    if (!safe) continue;
    board.push_back(q);
    ways += queens(n, board);
    board.pop_back();
  }
  return ways;
}

std::string mmt(long n) {
  double sum = 0;
  for (long i = 1; i <= n; ++i)
    for (long j = 1; j <= n; ++j) {
      double s = 0;
      for (long k = 1; k <= n; ++k) s += static_cast<double>(i + k) * static_cast<double>(j - k);
      sum += s;
    }
  return text(sum);
}

std::string sorted_sum(numbers a) {
  std::ranges::sort(a);
  long sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long>(i + 1) * a[i];
  return std::to_string(sum);
}

double warp(long n, double step) {
  grid w(n + 1, reals(n + 1));
  const auto cost = [step](long i, long j) {
    return std::abs(std::sin(static_cast<double>(i) * 0.3) -
                    std::sin(static_cast<double>(j) * step));
  };
  for (long i = 1; i <= n; ++i)
    for (long j = 1; j <= n; ++j) {
      double best = 0;
      if (i > 1 && j > 1) best = std::min({w[i - 1][j - 1], w[i - 1][j], w[i][j - 1]});
      if (i == 1 && j > 1) best = w[i][j - 1];
      if (i > 1 && j == 1) best = w[i - 1][j];
      w[i][j] = cost(i, j) + best;
    }
  return w[n][n];
}

std::string words(long n, long count) {
  double best = 1.0e30;
  for (long k = 0; k < count; ++k)
    best = std::min(best, warp(n, 0.35 - 0.005 * static_cast<double>(k)));
  return text(best);
}

std::string wavefront(long n) {
  grid w(n + 1, reals(n + 1, 1.0));
  for (long i = 2; i <= n; ++i)
    for (long j = 2; j <= n; ++j)
      w[i][j] =
          (w[i - 1][j] + w[i - 1][j - 1] + w[i][j - 1]) / 3.0 + 0.001 * static_cast<double>(i * j);
  return text(w[n][n]);
}

// Ways to choose k of the kinds, a kind any number of times.
long chosen(long kinds, long k) {
  long ways = 1;
  for (long i = 0; i < k; ++i) ways = ways * (kinds + i) / (i + 1);
  return ways;
}

// Multisets of `count` radicals with `carbons` atoms in all, each of at most `most`.
long radicals_of(const numbers& radicals, long count, long carbons, long most) {
  if (count == 0) return carbons == 0;
  if (most < 0) return 0;
  long ways = 0;
  for (long k = 0; k <= count && k * most <= carbons; ++k)
    ways +=
        chosen(radicals[most], k) * radicals_of(radicals, count - k, carbons - k * most, most - 1);
  return ways;
}

// By counting, where the program makes every one of them.
std::string paraffins(long n) {
  numbers radicals = {1};
  for (long k = 1; k <= n / 2; ++k) radicals.push_back(radicals_of(radicals, 3, k - 1, k - 1));
  std::string made = "{: ";
  for (long k = 1; k <= n; ++k) {
    const long bonds = k % 2 == 0 ? chosen(radicals[k / 2], 2) : 0;
    const long all = bonds + radicals_of(radicals, 4, k - 1, (k - 1) / 2);
    made += (k == 1 ? "" : ", ") + std::to_string(all);
  }
  return made + " :}";
}

std::string spmv(long n, long rounds) {
  reals x(n + 1, 1.0);
  for (long round = 0; round < rounds; ++round) {
    reals y(n + 1);
    for (long i = 1; i <= n; ++i)
      for (long j = std::max(1L, i - 2); j <= std::min(n, i + 2); ++j)
        y[i] += 1.0 / static_cast<double>(i + j) * x[j];
    x = y;
  }
  double sum = 0;
  for (long i = 1; i <= n; ++i) sum += x[i];
  return text(sum);
}

std::string smith_waterman(long n) {
  const numbers a = random_numbers(n, 7), b = random_numbers(n, 99);
  std::vector<numbers> h(n + 1, numbers(n + 1));
  long best = 0;
  for (long i = 1; i <= n; ++i)
    for (long j = 1; j <= n; ++j) {
      const long score = a[i - 1] / 16 % 4 == b[j - 1] / 16 % 4 ? 2 : -1;
      h[i][j] = std::max({0L, h[i - 1][j - 1] + score, h[i - 1][j] - 1, h[i][j - 1] - 1});
      best = std::max(best, h[i][j]);
    }
  return std::to_string(best);
}

struct particle {
  double x, v;
};

void step(std::vector<particle>& particles, long cells) {
  reals rho(cells), e(cells);
  for (long c = 0; c < cells; ++c)
    for (const particle& p : particles) {
      const long k = static_cast<long>(p.x);
      const double w = p.x - static_cast<double>(k);
      rho[c] += k == c ? 1.0 - w : (k + 1) % cells == c ? w : 0.0;
    }
  for (long c = 0; c < cells; ++c)
    e[c] = (rho[(c + cells - 1) % cells] - rho[(c + 1) % cells]) / 2.0;
  const auto size = static_cast<double>(cells);
  for (particle& p : particles) {
    const long k = static_cast<long>(p.x);
    const double w = p.x - static_cast<double>(k);
    p.v = p.v + 0.01 * ((1.0 - w) * e[k] + w * e[(k + 1) % cells]);
    p.x = p.x + p.v;
    p.x = p.x < 0.0 ? p.x + size : p.x >= size ? p.x - size : p.x;
  }
}

std::string particles(long n, long cells, long steps) {
  std::vector<particle> all;
  for (long i = 1; i <= n; ++i)
    all.push_back({static_cast<double>(i * 7919 % (cells * 100)) / 100.0,
                   0.1 * std::sin(static_cast<double>(i))});
  for (long k = 0; k < steps; ++k) step(all, cells);
  double x = 0, v = 0;
  for (const particle& p : all) x += p.x, v += p.v;
  return "(" + text(x) + ", " + text(v) + ")";
}

std::string gauss_seidel(long n, long sweeps) {
  grid a(n + 2, reals(n + 2));
  a[0].assign(n + 2, 1.0);
  for (long k = 0; k < sweeps; ++k)
    for (long i = 1; i <= n; ++i)
      for (long j = 1; j <= n; ++j)
        a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i + 1][j] + a[i][j + 1]) / 4.0;
  double sum = 0;
  for (long i = 1; i <= n; ++i)
    for (long j = 1; j <= n; ++j) sum += a[i][j];
  return text(sum);
}

std::string run(const std::string& name, const numbers& n) {
  numbers board;
  if (name == "fib") return std::to_string(fib(n[0]));
  if (name == "queens" || name == "queens_tree") return std::to_string(queens(n[0], board));
  if (name == "mmt") return mmt(n[0]);
  if (name == "quicksort" || name == "selection_sort") return sorted_sum(random_numbers(n[0], 7));
  if (name == "dtw") return text(warp(n[0], 0.35));
  if (name == "words") return words(n[0], n[1]);
  if (name == "wavefront") return wavefront(n[0]);
  if (name == "paraffins") return paraffins(n[0]);
  if (name == "spmv") return spmv(n[0], n[1]);
  if (name == "smith_waterman") return smith_waterman(n[0]);
  if (name == "particles") return particles(n[0], n[1], n[2]);
  if (name == "gauss_seidel") return gauss_seidel(n[0], n[1]);
  return "no such program: " + name;
}

}  // namespace

int main(int argc, char** argv) {
  numbers arguments;
  for (int i = 2; i < argc; ++i) arguments.push_back(std::atol(argv[i]));
  arguments.resize(3);
  std::puts(run(argc > 1 ? argv[1] : "", arguments).c_str());
}
