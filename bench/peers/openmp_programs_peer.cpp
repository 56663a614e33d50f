// SPDX-License-Identifier: Apache-2.0
// Whole irregular programs by OpenMP on two cores: the rows that `ramjet bench` has by those names,
// with the same inputs (apps/graph, apps/gups, apps/keysort) and the same algorithms, on memory
// that the threads share. Built twice, as openmp_peer. Results are compared with those of the
// serial programs. Arguments: --tiny (only shows that everything holds).
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <vector>

#include "bfs/serial.hpp"
#include "components/forest.hpp"
#include "gups/stream.hpp"
#include "keysort/local.hpp"
#include "pagerank/serial.hpp"
#include "sssp/serial.hpp"
#include "thread_suite.hpp"
#include "whole_graph.hpp"

namespace {

using namespace peers;
using graph::kNoVertex;
using graph::vertex;

constexpr int kThreads = 2;

template <class T>
std::atomic_ref<T> shared(T& value) {
  return std::atomic_ref<T>(value);
}

template <class F>
double ms_of(F f) {
  const double begin_ns = now_ns();
  f();
  return (now_ns() - begin_ns) / 1e6;
}

// What the threads found of the next level or sweep, put together.
class frontier {
 public:
  std::vector<vertex> vertices;

  // f(vertex, found) for each, by all threads; it adds to `found` what comes next. fetch(vertex)
  // comes some turns before.
  template <class F, class Fetch>
  void advance(F&& f, Fetch&& fetch) {
    constexpr std::size_t kAhead = 16;
    std::vector<vertex> next;
#pragma omp parallel num_threads(kThreads)
    {
      std::vector<vertex> found;
#pragma omp for schedule(dynamic, 64) nowait
      for (std::size_t k = 0; k < vertices.size(); ++k) {
        if (k + kAhead < vertices.size()) fetch(vertices[k + kAhead]);
        f(vertices[k], found);
      }
#pragma omp critical
      next.insert(next.end(), found.begin(), found.end());
    }
    vertices.swap(next);
  }
  template <class F>
  void advance(F&& f) {
    advance(f, [](vertex) {});
  }
};

// --- bfs_18 --------------------------------------------------------------------------------------

class bfs_program {
 public:
  explicit bfs_program(const graph::rows& whole)
      : whole_(whole),
        root_(some_root(whole)),
        known_(whole.count() / 64 + 1),
        parents_(whole.count()) {
    bfs::serial_searcher serial(whole);
    due_ = serial.search(root_);
  }

  double run_ms() {
    std::size_t reached = 0;
    const double ms = ms_of([&] { reached = search(); });
    PEERS_CHECK(reached == due_);
    return ms;
  }

 private:
  std::size_t search() {
    std::fill(parents_.begin(), parents_.end(), kNoVertex);
    std::fill(known_.begin(), known_.end(), 0);
    parents_[root_] = root_;
    known_[root_ / 64] |= std::uint64_t{1} << root_ % 64;
    frontier level{{root_}};
    std::size_t reached = 0;
    while (!level.vertices.empty()) {
      reached += level.vertices.size();
      const auto follow = [&](vertex parent, std::vector<vertex>& found) {
        for (const vertex at : whole_[parent]) {
          const std::uint64_t bit = std::uint64_t{1} << at % 64;
          std::uint64_t& word = known_[at / 64];
          if ((shared(word).load(std::memory_order_relaxed) & bit) != 0) continue;
          if ((shared(word).fetch_or(bit, std::memory_order_relaxed) & bit) != 0) continue;
          parents_[at] = parent;
          found.push_back(at);
        }
      };
      level.advance(follow, [&](vertex v) { whole_.prefetch(v); });
    }
    return reached;
  }

  const graph::rows& whole_;
  vertex root_;
  std::vector<std::uint64_t> known_;  // a bit for each vertex: it was reached
  std::vector<vertex> parents_;
  std::size_t due_ = 0;
};

// --- sssp_18 -------------------------------------------------------------------------------------

// Delta-stepping with inner and outer edges, as apps/sssp has it. A word holds a vertex's distance
// and, below it, the vertex before.
class sssp_program {
 public:
  explicit sssp_program(const graph::rows& whole)
      : weight_(255, 1),
        rows_(whole, 0, weight_),
        root_(some_root(whole)),
        words_(whole.count()),
        buckets_(kThreads) {
    for (auto& of_thread : buckets_) of_thread.resize(weight_.most() / kDelta + 2);
    sssp::serial_searcher<> serial(rows_, weight_.most(), kDelta);
    serial.search(root_);
    due_ = serial.distances();
  }

  double run_ms() {
    const double ms = ms_of([&] { search(); });
    for (std::size_t v = 0; v < due_.size(); ++v)
      PEERS_CHECK(distance_of(static_cast<vertex>(v)) == due_[v]);
    return ms;
  }

 private:
  static constexpr std::uint32_t kDelta = 8;

  sssp::distance distance_of(vertex v) {
    return static_cast<sssp::distance>(shared(words_[v]).load(std::memory_order_relaxed) >> 32);
  }

  // Adds to `inside` where the way ends in the bucket, else to a later bucket of this thread.
  void relax(vertex to, vertex from, sssp::distance length, std::uint64_t end,
             std::vector<vertex>& inside) {
    const std::uint64_t word = std::uint64_t{length} << 32 | from;
    std::uint64_t old = shared(words_[to]).load(std::memory_order_relaxed);
    do {
      if (length >= old >> 32) return;
    } while (!shared(words_[to]).compare_exchange_weak(old, word, std::memory_order_relaxed));
    if (length < end)
      inside.push_back(to);
    else
      later(length / kDelta, omp_get_thread_num()).push_back(to);
  }
  std::vector<vertex>& later(std::size_t bucket, int thread) {
    auto& mine = buckets_[static_cast<std::size_t>(thread)];
    return mine[bucket % mine.size()];
  }

  void search() {
    std::fill(words_.begin(), words_.end(), UINT64_MAX);
    words_[root_] = root_;
    later(0, 0).push_back(root_);
    const std::size_t ring = buckets_[0].size();
    for (std::size_t b = 0, empty = 0; empty < ring; ++b) {
      const bool any = empty_bucket(b);
      empty = any ? 0 : empty + 1;
    }
  }

  bool empty_bucket(std::size_t b) {
    const std::uint64_t end = (b + 1) * std::uint64_t{kDelta};
    frontier sweep;
    for (int thread = 0; thread < kThreads; ++thread) {
      for (const vertex v : later(b, thread))
        if (distance_of(v) / kDelta == b) sweep.vertices.push_back(v);
      later(b, thread).clear();
    }
    std::vector<vertex> settled;
    while (!sweep.vertices.empty()) {
      settled.insert(settled.end(), sweep.vertices.begin(), sweep.vertices.end());
      sweep.advance([&](vertex v, std::vector<vertex>& found) {
        const sssp::distance distance = distance_of(v);
        const sssp::weighted_edge<sssp::distance>* const row_end = rows_.begin_of(v + 1);
        for (const auto* e = rows_.begin_of(v); e < row_end && distance + e->length < end; ++e)
          relax(e->to, v, distance + e->length, end, found);
      });
    }
    std::sort(settled.begin(), settled.end());
    settled.erase(std::unique(settled.begin(), settled.end()), settled.end());
    sweep.vertices = settled;
    sweep.advance([&](vertex v, std::vector<vertex>& found) {
      const sssp::distance distance = distance_of(v);
      const sssp::weighted_edge<sssp::distance>* const row_end = rows_.begin_of(v + 1);
      const sssp::weighted_edge<sssp::distance>* e = std::partition_point(
          rows_.begin_of(v), row_end,
          [&](const auto& edge) { return distance + edge.length < end; });
      for (; e < row_end; ++e) relax(e->to, v, distance + e->length, end, found);
    });
    return !settled.empty();
  }

  graph::edge_weights weight_;
  sssp::weighted_rows<> rows_;
  vertex root_;
  std::vector<std::uint64_t> words_;
  std::vector<std::vector<std::vector<vertex>>> buckets_;  // by thread
  std::vector<sssp::distance> due_;
};

// --- components_18 -------------------------------------------------------------------------------

// Afforest, by compare-and-swap (Sutton, Ben-Nun and Barak 2018).
class components_program {
 public:
  explicit components_program(const graph::rows& whole)
      : whole_(whole), parents_(whole.count()), due_(whole.count()) {
    components::forest serial(whole.count());
    components::join_block(whole, 0, serial);
    for (std::size_t v = 0; v < due_.size(); ++v) due_[v] = serial.root_of(static_cast<vertex>(v));
  }

  double run_ms() {
    const double ms = ms_of([&] { label(); });
    PEERS_CHECK(parents_ == due_);
    return ms;
  }

 private:
  static constexpr std::size_t kFirst = 2;  // neighbours of each

  vertex parent_of(vertex v) { return shared(parents_[v]).load(std::memory_order_relaxed); }

  void join(vertex a, vertex b) {
    vertex low = parent_of(a), high = parent_of(b);
    while (low != high) {
      if (low > high) std::swap(low, high);
      vertex above = high;
      if (shared(parents_[high]).compare_exchange_strong(above, low, std::memory_order_relaxed))
        return;
      high = parent_of(above);
      low = parent_of(low);
    }
  }
  template <class F>
  void each_vertex(F&& f) {
    const auto count = static_cast<vertex>(parents_.size());
#pragma omp parallel for schedule(dynamic, 4096) num_threads(kThreads)
    for (vertex v = 0; v < count; ++v) f(v);
  }
  void flatten() {
    each_vertex([&](vertex v) {
      vertex root = parent_of(v);
      while (root != parent_of(root)) root = parent_of(root);
      shared(parents_[v]).store(root, std::memory_order_relaxed);
    });
  }
  // The root that most of some vertices with edges have.
  vertex common_root() {
    std::vector<vertex> roots;
    for (std::size_t v = 0; v < parents_.size(); v += parents_.size() / 1024 + 1)
      if (!whole_[v].empty()) roots.push_back(parents_[v]);
    if (roots.empty()) return kNoVertex;
    std::sort(roots.begin(), roots.end());
    return roots[roots.size() / 2];  // whichever has more than half, if one has
  }
  void label() {
    each_vertex([&](vertex v) { parents_[v] = v; });
    each_vertex([&](vertex v) {
      for (std::size_t k = 0; k < std::min(kFirst, whole_[v].size()); ++k) join(v, whole_[v][k]);
    });
    flatten();
    const vertex most = common_root();
    each_vertex([&](vertex v) {
      if (parent_of(v) == most) return;
      for (std::size_t k = kFirst; k < whole_[v].size(); ++k) join(v, whole_[v][k]);
    });
    flatten();
  }

  const graph::rows& whole_;
  std::vector<vertex> parents_, due_;
};

// --- pagerank_18 ---------------------------------------------------------------------------------

class pagerank_program {
 public:
  pagerank_program(const graph::rows& whole, int iterations)
      : whole_(whole),
        iterations_(iterations),
        scores_(whole.count()),
        parts_(whole.count()),
        next_parts_(whole.count()) {
    pagerank::serial_ranker serial(whole);
    serial.rank(static_cast<std::uint64_t>(iterations));
    due_ = serial.scores();
  }

  double run_ms() {
    const double ms = ms_of([&] { rank(); });
    for (std::size_t v = 0; v < due_.size(); ++v)
      PEERS_CHECK(std::abs(scores_[v] - due_[v]) <= 1e-9 * due_[v]);
    return ms;
  }

 private:
  void rank() {
    const std::size_t vertices = whole_.count();
    const auto divide = [this](std::size_t v, double score, std::vector<double>& parts) {
      const std::size_t edges = whole_[v].size();
      scores_[v] = score;
      parts[v] = edges == 0 ? 0 : score / static_cast<double>(edges);
      return edges == 0 ? score : 0;  // lost
    };
    double lost = 0;
#pragma omp parallel for reduction(+ : lost) num_threads(kThreads)
    for (std::size_t v = 0; v < vertices; ++v)
      lost += divide(v, 1.0 / static_cast<double>(vertices), parts_);
    for (int i = 0; i < iterations_; ++i) {
      const double base = pagerank::base_of(lost, vertices);
      lost = 0;
#pragma omp parallel for reduction(+ : lost) schedule(static, 64) num_threads(kThreads)
      for (std::size_t v = 0; v < vertices; ++v) {
        const double sum = pagerank::sum_of(whole_[v], parts_.data());
        lost += divide(v, base + pagerank::kDamping * sum, next_parts_);
      }
      parts_.swap(next_parts_);
    }
  }

  const graph::rows& whole_;
  int iterations_;
  std::vector<double> scores_, parts_, next_parts_, due_;
};

// --- gups_24 -------------------------------------------------------------------------------------

// Four updates a word, each atomic. Done twice, they undo themselves.
double gups_ms(std::uint64_t scale) {
  static std::vector<gups::word> table;
  if (table.empty()) {
    table.resize(std::size_t{1} << scale);
    std::iota(table.begin(), table.end(), gups::word{0});
  }
  const std::uint64_t mask = table.size() - 1, updates = 4 * table.size() / kThreads;
  const auto update_all = [&] {
#pragma omp parallel num_threads(kThreads)
    {
      gups::word a = gups::word_at(updates * static_cast<std::uint64_t>(omp_get_thread_num()));
      for (std::uint64_t k = 0; k < updates; ++k) {
        a = gups::after(a);
#pragma omp atomic
        table[a & mask] ^= a;
      }
    }
  };
  const double ms = ms_of(update_all);
  update_all();
  for (std::size_t k = 0; k < table.size(); ++k) PEERS_CHECK(table[k] == k);
  return ms;
}

// --- keysort_1e8 ---------------------------------------------------------------------------------

class keysort_program {
 public:
  explicit keysort_program(std::size_t count) : keys_(count), sorted_(count) {
    for (std::size_t k = 0; k < count; ++k) keys_[k] = measured::random_words({1, k}).next();
  }

  double run_ms() {
    const double ms = ms_of([&] { sort(); });
    PEERS_CHECK(std::is_sorted(sorted_.begin(), sorted_.end()));
    keysort::key sum = 0;
    for (std::size_t k = 0; k < keys_.size(); ++k) sum += keys_[k] - sorted_[k];
    PEERS_CHECK(sum == 0);
    return ms;
  }

 private:
  static constexpr std::size_t kBuckets = keysort::bucketing::kBuckets;

  std::span<const keysort::key> part_of(std::size_t thread) const {
    const std::size_t begin = keys_.size() * thread / kThreads,
                      end = keys_.size() * (thread + 1) / kThreads;
    return std::span<const keysort::key>(keys_).subspan(begin, end - begin);
  }

  void sort() {
    keysort::key least = UINT64_MAX, most = 0;
#pragma omp parallel reduction(min : least) reduction(max : most) num_threads(kThreads)
    {
      const auto range = keysort::range_of(part_of(static_cast<std::size_t>(omp_get_thread_num())));
      least = range.least;
      most = range.most;
    }
    const keysort::bucketing buckets({least, most});
    std::vector<std::vector<std::size_t>> next(kThreads, std::vector<std::size_t>(kBuckets));
    std::vector<std::size_t> begins;
#pragma omp parallel num_threads(kThreads)
    {
      const auto me = static_cast<std::size_t>(omp_get_thread_num());
      std::vector<std::size_t>& mine = next[me];
      for (const keysort::key k : part_of(me)) ++mine[buckets.bucket_of(k)];
#pragma omp barrier
#pragma omp single
      {
        std::size_t at = 0;
        for (std::size_t b = 0; b < kBuckets; ++b) {
          begins.push_back(at);
          for (auto& of_thread : next) at += std::exchange(of_thread[b], at);
        }
        begins.push_back(at);
      }
      keysort::bucket_lines lines(kBuckets);
      const auto write = [this](std::size_t, std::uint64_t place,
                                std::span<const keysort::key> line) {
        keysort::write_keys(sorted_.data() + place, line);
      };
      lines.start(mine, sorted_.data());
      for (const keysort::key k : part_of(me)) lines.add(buckets.bucket_of(k), k, write);
      lines.finish(write);
#pragma omp barrier
      keysort::bucket_sorter one(buckets);
#pragma omp for schedule(dynamic, 16)
      for (std::size_t b = 0; b < kBuckets; ++b)
        one.sort(std::span<keysort::key>(sorted_).subspan(begins[b], begins[b + 1] - begins[b]));
    }
  }

  std::vector<keysort::key> keys_, sorted_;
};

}  // namespace

int main(int argc, char** argv) {
  const plan run = plan::from_arguments(argc, argv);
  thread_records out(run);
  const bool tiny = run.repeats == 1;
  const auto measure = [&](const char* name, auto&& program) {
    out.measure(name, [&] { return program.run_ms(); }, "ms");
  };
  {
    const graph::edge_share all = kronecker_edges(tiny ? 10 : 18);
    const graph::rows whole = rows_of(all), by_degree = rows_of(numbered_by_degree(all));
    measure("bfs_18", bfs_program(whole));
    measure("sssp_18", sssp_program(whole));
    measure("components_18", components_program(whole));
    measure("pagerank_18", pagerank_program(by_degree, 5));
  }
  out.measure("gups_24", [tiny] { return gups_ms(tiny ? 10 : 24); }, "ms");
  measure("keysort_1e8", keysort_program(tiny ? 10'000 : 100'000'000));
  out.print(PEERS_OPENMP, "OpenMP " + std::to_string(_OPENMP), "parallel loops, two threads");
  return 0;
}
