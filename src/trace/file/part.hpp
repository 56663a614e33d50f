// SPDX-License-Identifier: Apache-2.0
// The part of a trace that one machine of a job writes, where no launcher of ours holds the memory
// of all: events as they lie in the rings, and what is needed to bring the parts together (join).
// A part is only appended to, so that one which is cut is good up to there, and so that another
// rank goes on with it when its writer has died.
//
//   part_head | part_chunk, its bytes | part_chunk, its bytes | ...
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/file/taker.hpp"

namespace ramjet::trace {

inline constexpr char kPartMagic[16] = "ramjet part of ";
inline constexpr std::uint32_t kPartVersion = 2;

struct part_head {
  char magic[16];
  std::uint32_t version;
  std::uint32_t ranks, nodes, node, endpoints;
  std::uint32_t unused;
  std::uint64_t sample;
  std::uint64_t board;  // board::number: tells this job's part from one that another has left here
  char program[248];
};
static_assert(sizeof(part_head) == 304);

enum class part_kind : std::uint32_t {
  names = 1,  // of the ring's, the next ones: `count` bytes, each name ends in 0
  events,  // `count` of them, the first is the ring's event `first`
  clock,  // a part_clock
  job,  // `first` is the job's number, the same in all its parts
  end,  // of a ring, to which `first` events were written
};
struct part_chunk {
  part_kind kind;
  std::uint32_t port;
  std::uint64_t first;
  std::uint32_t count;
  std::uint32_t pid;  // of the ring's rank
};
static_assert(sizeof(part_chunk) == 24);

// A moment by this machine's clocks, and by those of rank 0's, where these were asked.
struct part_clock {
  clock_pair own, root;
  std::uint64_t error_ns;  // of root
  std::uint64_t is_asked;  // root is known
};
static_assert(sizeof(part_clock) == 48);

// Of a chunk's bytes, after it; false: it is of no part of ours.
bool bytes_behind(const part_chunk& chunk, unsigned ports, std::uint64_t& bytes);

// "FILE.node-2": where the node's part of the trace is.
std::string part_path(const std::string& file, unsigned node);

class part_writer final : public event_store {
 public:
  part_writer() = default;
  ~part_writer() override;
  part_writer(const part_writer&) = delete;
  part_writer& operator=(const part_writer&) = delete;

  // Makes the file, or empties it.
  bool open(const std::string& path, const part_head& head, std::uint64_t bytes_max);
  // Goes on with what another process of the job has begun: cuts what is not whole at its end, and
  // sets how far each ring is told. False: no such part is there.
  bool resume(const std::string& path, const part_head& head, std::uint64_t bytes_max,
              std::span<traced_ring> rings);
  bool is_open() const { return fd_ >= 0; }
  // Where writing has failed: removes a part without the two clocks that a trace can be made from.
  void remove_if_useless();
  int error() const { return error_; }
  // Bytes that may still be added; some are kept for the end until this is called with 0.
  void reserve(std::uint64_t bytes) { reserved_ = bytes; }
  std::uint64_t left() const;

  std::size_t take(traced_ring& ring, std::span<const event> events) override;
  void note_gap(traced_ring&) override {}  // the number of the next events says it
  void add_clock(const part_clock& clock);
  void add_job(std::uint64_t number);
  void add_end(const traced_ring& ring, std::uint64_t written);

 private:
  void append(const part_chunk& chunk, const void* bytes, std::size_t count);

  int fd_ = -1;
  int error_ = 0;
  std::string path_;
  unsigned clocks_ = 0;  // that are in it
  std::uint64_t bytes_ = 0, bytes_max_ = 0, reserved_ = 0;
  std::vector<std::size_t> names_told_;  // by port
};

// A part as it is read, chunk after chunk.
class part_reader {
 public:
  // Takes the descriptor over.
  explicit part_reader(int fd) : fd_(fd) {}
  ~part_reader();
  part_reader(const part_reader&) = delete;
  part_reader& operator=(const part_reader&) = delete;

  // False: it is not a part, or of an unknown version.
  bool read_head(part_head& head);
  // The next chunk; false at the end, or where what follows is cut or damaged.
  bool next(part_chunk& chunk);
  // Its bytes; else they are passed over.
  bool read_bytes(std::vector<std::byte>& into);
  void rewind();
  std::uint64_t offset() const { return next_; }  // behind the latest chunk that is whole

 private:
  bool read_at(std::uint64_t offset, void* into, std::size_t count) const;

  int fd_;
  unsigned ports_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t next_ = 0, bytes_at_ = 0, bytes_ = 0;
};

}  // namespace ramjet::trace
