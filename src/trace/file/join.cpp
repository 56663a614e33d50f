// SPDX-License-Identifier: Apache-2.0
#include "trace/file/join.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "node/board.hpp"
#include "report/text.hpp"
#include "trace/file/part.hpp"
#include "trace/ticks.hpp"

namespace ramjet::trace {

namespace {

using report::text;

// How far quartz clocks go apart from what two looks at them say in between, and how far from what
// one look says.
constexpr double kDriftBetween = 2e-6, kDriftAfter = 100e-6;

struct read_part {
  std::unique_ptr<part_reader> reader;
  std::string name;
  part_head head;
  std::uint64_t job = 0;
  std::vector<part_clock> clocks;
  std::vector<traced_ring> rings;  // in the order in which they come
  std::vector<std::uint64_t> written;  // by ring
  trace_clock clock;
  std::uint64_t error_ns = 0;

  std::size_t ring_of(const part_chunk& chunk);
};

std::size_t read_part::ring_of(const part_chunk& chunk) {
  for (std::size_t i = 0; i < rings.size(); ++i)
    if (rings[i].port == chunk.port) return i;
  traced_ring ring;
  ring.port = chunk.port;
  ring.rank = chunk.port / head.endpoints;
  ring.endpoint = chunk.port % head.endpoints;
  ring.node = head.node;
  ring.pid = chunk.pid;
  rings.push_back(std::move(ring));
  written.push_back(0);
  return rings.size() - 1;
}

// What of a part has to be known before its events.
void look_through(read_part& part) {
  std::vector<std::byte> bytes;
  for (part_chunk chunk; part.reader->next(chunk);) {
    if (chunk.kind == part_kind::job) part.job = chunk.first;
    if (chunk.kind == part_kind::clock && part.reader->read_bytes(bytes)) {
      part_clock& clock = part.clocks.emplace_back();
      std::memcpy(&clock, bytes.data(), sizeof clock);
    }
    if (chunk.kind != part_kind::events && chunk.kind != part_kind::end) continue;
    std::uint64_t& written = part.written[part.ring_of(chunk)];
    const std::uint64_t behind = chunk.first + (chunk.kind == part_kind::end ? 0 : chunk.count);
    written = std::max(written, behind);
  }
  part.reader->rewind();
}

// The line through two moments, by which ticks become nanoseconds.
struct clock_line {
  clock_pair from;
  double ns_per_tick = 1;

  double ns_of(std::uint64_t ticks) const {
    return double(from.ns) + double(std::int64_t(ticks - from.ticks)) * ns_per_tick;
  }
};

bool own_line(const read_part& part, clock_line& line) {
  if (part.clocks.size() < 2) return false;
  const clock_pair first = part.clocks.front().own, last = part.clocks.back().own;
  if (last.ticks <= first.ticks || last.ns <= first.ns) return false;
  line = {first, double(last.ns - first.ns) / double(last.ticks - first.ticks)};
  return true;
}

// Sets the part's clock; false where that machine's clocks were never read twice. `root`: the line
// of rank 0's machine, where its part is there.
bool set_clock(read_part& part, const clock_line* root, double start_ns) {
  clock_line own;
  if (!own_line(part, own)) return false;
  if (part.head.node == 0) {
    part.clock = {own.from.ticks, own.ns_per_tick, double(own.from.ns) - start_ns};
    part.error_ns = kClockErrorNs;
    return true;
  }
  std::vector<part_clock> asked;
  for (const part_clock& clock : part.clocks)
    if (clock.is_asked != 0) asked.push_back(clock);
  const double lasted = double(part.clocks.back().own.ns - part.clocks.front().own.ns);
  const auto root_ns = [root](const part_clock& c) {
    return root != nullptr ? root->ns_of(c.root.ticks) : double(c.root.ns);
  };
  if (asked.empty()) {
    part.clock = {own.from.ticks, own.ns_per_tick, double(own.from.ns) - start_ns};
    part.error_ns = ~std::uint64_t{0};
    return true;
  }
  const part_clock &first = asked.front(), &last = asked.back();
  double ns_per_tick = own.ns_per_tick, drift = kDriftAfter * lasted;
  if (last.own.ticks > first.own.ticks) {
    ns_per_tick = (root_ns(last) - root_ns(first)) / double(last.own.ticks - first.own.ticks);
    drift = kDriftBetween * lasted;
  }
  part.clock = {first.own.ticks, ns_per_tick, root_ns(first) - start_ns};
  const std::uint64_t asked_ns = std::max(first.error_ns, last.error_ns);
  part.error_ns = kClockErrorNs + std::min(asked_ns, trace_clock::kLatestNs) + std::uint64_t(drift);
  return ns_per_tick > 0;
}

void report_part(read_part& part, trace_writer& writer) {
  std::vector<std::byte> bytes;
  std::vector<event> events;
  for (part_chunk chunk; part.reader->next(chunk);) {
    if (chunk.kind != part_kind::events && chunk.kind != part_kind::names) continue;
    traced_ring& ring = part.rings[part.ring_of(chunk)];
    if (!part.reader->read_bytes(bytes)) return;
    if (chunk.kind == part_kind::names) {
      take_names(ring, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      continue;
    }
    if (chunk.first < ring.next) continue;  // told already: a damaged part
    if (chunk.first > ring.next) writer.note_gap(ring);
    events.resize(chunk.count);
    if (chunk.count != 0) std::memcpy(events.data(), bytes.data(), bytes.size());
    ring.next = chunk.first + writer.tell(ring, events, part.clock);
  }
}

void open_parts(const std::vector<int>& parts, const std::vector<std::string>& names,
                std::vector<read_part>& opened, joined_trace& result) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    read_part part;
    part.reader = std::make_unique<part_reader>(parts[i]);
    part.name = names[i];
    if (!part.reader->read_head(part.head)) {
      result.sentences.push_back(names[i] + " is not part of a trace, or of another version");
      continue;
    }
    look_through(part);
    const auto is_same = [&part](const read_part& o) { return o.head.node == part.head.node; };
    if (!opened.empty() && (part.job != opened[0].job || part.head.ranks != opened[0].head.ranks ||
                            part.head.endpoints != opened[0].head.endpoints ||
                            std::any_of(opened.begin(), opened.end(), is_same))) {
      result.sentences.push_back(names[i] + " is of another job, and not in the trace");
      continue;
    }
    opened.push_back(std::move(part));
  }
  const auto by_node = [](const read_part& a, const read_part& b) {
    return a.head.node < b.head.node;
  };
  std::sort(opened.begin(), opened.end(), by_node);
}

// Leaves out parts without a clock. Returns how well the others agree.
std::uint64_t set_clocks(std::vector<read_part>& parts, joined_trace& result, double& start_ns,
                         double& end_ns) {
  clock_line line;
  const bool has_root = parts[0].head.node == 0 && own_line(parts[0], line);
  const auto first_ns = [](const read_part& p) {
    return p.clocks.empty() ? 0 : double(p.clocks.front().own.ns);
  };
  start_ns = has_root ? double(line.from.ns) : first_ns(parts[0]);
  for (const read_part& part : parts)  // where rank 0's machine is missing, its clock is known
    for (const part_clock& c : part.clocks)
      if (!has_root && c.is_asked != 0) start_ns = std::min(start_ns, double(c.root.ns));
  end_ns = 0;
  std::uint64_t error_ns = kClockErrorNs;
  std::erase_if(parts, [&](read_part& part) {
    if (!set_clock(part, has_root ? &line : nullptr, start_ns)) {
      result.sentences.push_back(part.name + " ends before its clock is known: it is left out");
      return true;
    }
    if (part.error_ns == ~std::uint64_t{0})
      result.sentences.push_back(part.name +
                                 " ends before its clock was compared with rank 0's: its times may "
                                 "be anywhere");
    else
      error_ns = std::max(error_ns, part.error_ns);
    end_ns = std::max(end_ns, double(part.clock.ns_of(part.clocks.back().own.ticks)));
    return false;
  });
  return error_ns;
}

bool is_part(const std::string& file) {
  part_head head;
  return part_reader(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK))
      .read_head(head);
}

}  // namespace

joined_trace join_parts(const std::vector<int>& parts, const std::vector<std::string>& names,
                        const std::string& file, std::uint64_t bytes_max) {
  joined_trace result;
  std::vector<read_part> opened;
  open_parts(parts, names, opened, result);
  if (opened.empty()) return result;
  const part_head about = opened[0].head;
  double start_ns = 0, end_ns = 0;
  const std::uint64_t error_ns = set_clocks(opened, result, start_ns, end_ns);
  if (opened.empty()) return result;
  trace_sink sink;
  if (!sink.open(file, bytes_max)) {
    result.sentences.push_back(std::string("cannot be written: ") + std::strerror(sink.error()));
    return result;
  }
  std::size_t all_rings = 0;
  for (const read_part& part : opened) all_rings += part.rings.size();
  trace_writer writer(sink);
  writer.begin({about.program, about.ranks, about.nodes, about.endpoints, about.sample});
  writer.reserve(trace_writer::end_bytes(all_rings));
  std::vector<traced_ring> rings;
  for (read_part& part : opened) {
    result.parts.push_back(part.name);
    report_part(part, writer);
    for (std::size_t i = 0; i < part.rings.size(); ++i) {
      traced_ring& ring = part.rings[i];
      ring.lost = part.written[i] - std::min(part.written[i], ring.told);
      result.told += ring.told;
      result.lost += ring.lost;
      rings.push_back(std::move(ring));
    }
  }
  writer.end(rings, error_ns, std::uint64_t(end_ns));
  if (opened.size() < about.nodes)
    result.sentences.push_back(
        text("the trace has %u of the job's %u machines", unsigned(opened.size()), about.nodes));
  result.done = !sink.failed();
  if (sink.failed())
    result.sentences.push_back(std::string("cannot be written to its end: ") +
                               std::strerror(sink.error()));
  return result;
}

joined_trace join_files(const std::string& file, const std::vector<std::string>& parts,
                        std::uint64_t bytes_max) {
  std::vector<int> opened;
  std::vector<std::string> names, unread;
  bool is_one_of_them = false;
  struct stat whole{}, piece{};
  const bool is_there = ::stat(file.c_str(), &whole) == 0;
  for (const std::string& part : parts) {
    const int fd = ::open(part.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) unread.push_back(part + " cannot be read: " + std::strerror(errno));
    if (fd < 0) continue;
    is_one_of_them |= is_there && ::fstat(fd, &piece) == 0 && piece.st_dev == whole.st_dev &&
                      piece.st_ino == whole.st_ino;
    opened.push_back(fd);
    names.push_back(part);
  }
  joined_trace result;
  if (is_there && !is_one_of_them) is_one_of_them = is_part(file);
  if (is_one_of_them) {
    for (int fd : opened) ::close(fd);
    result.sentences.push_back("is a part itself: the trace that is to be made comes first");
    return result;
  }
  result = join_parts(opened, names, file, bytes_max);
  result.sentences.insert(result.sentences.end(), unread.begin(), unread.end());
  return result;
}

std::vector<std::string> find_parts(const std::string& file) {
  std::vector<std::string> found;
  for (unsigned node = 0; node < node::kRanksMax; ++node) {
    std::string path = part_path(file, node);
    if (::access(path.c_str(), F_OK) == 0) found.push_back(std::move(path));
  }
  return found;
}

}  // namespace ramjet::trace
