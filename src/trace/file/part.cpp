// SPDX-License-Identifier: Apache-2.0
#include "trace/file/part.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/plain.hpp"
#include "node/board.hpp"
#include "trace/file/sink.hpp"

namespace ramjet::trace {

namespace {

constexpr std::uint32_t kEventsAtOnceMax = 1 << 20;
// A machine that dies in the middle of a chunk loses the whole of it.
constexpr std::size_t kChunkEvents = 1024;
constexpr std::uint64_t kEventsEver = std::uint64_t{1} << 52;  // of a ring: one a ns for 50 days

}  // namespace

std::string part_path(const std::string& file, unsigned node) {
  return file + ".node-" + std::to_string(node);
}

bool bytes_behind(const part_chunk& chunk, unsigned ports, std::uint64_t& bytes) {
  bytes = 0;
  if (chunk.port >= ports) return false;
  switch (chunk.kind) {
    case part_kind::names:
      bytes = chunk.count;
      return chunk.count <= kNameBytesMax;
    case part_kind::events:
      bytes = std::uint64_t{chunk.count} * sizeof(event);
      return chunk.count <= kEventsAtOnceMax && chunk.first <= kEventsEver;
    case part_kind::clock:
      bytes = sizeof(part_clock);
      return true;
    case part_kind::job:
      return true;
    case part_kind::end:
      return chunk.first <= kEventsEver;
  }
  return false;
}

// --- Writing ------------------------------------------------------------------------------------

part_writer::~part_writer() {
  if (fd_ >= 0) ::close(fd_);
}

bool part_writer::open(const std::string& path, const part_head& head, std::uint64_t bytes_max) {
  path_ = path;
  clocks_ = 0;
  bytes_max_ = bytes_max;
  names_told_.assign(std::size_t{head.ranks} * head.endpoints, 0);
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
  if (fd_ < 0) {
    error_ = errno;
    return false;
  }
  const ssize_t wrote = ::write(fd_, &head, sizeof head);
  if (wrote != ssize_t(sizeof head)) error_ = wrote < 0 ? errno : ENOSPC;
  bytes_ = sizeof head;
  return error_ == 0;
}

bool part_writer::resume(const std::string& path, const part_head& head, std::uint64_t bytes_max,
                         std::span<traced_ring> rings) {
  path_ = path;
  bytes_max_ = bytes_max;
  names_told_.assign(std::size_t{head.ranks} * head.endpoints, 0);
  fd_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (fd_ < 0) return false;
  part_reader so_far(::fcntl(fd_, F_DUPFD_CLOEXEC, 0));
  part_head theirs;
  if (!so_far.read_head(theirs) || theirs.board != head.board || theirs.node != head.node ||
      theirs.ranks != head.ranks || theirs.endpoints != head.endpoints) {
    ::close(std::exchange(fd_, -1));
    return false;
  }
  std::vector<std::byte> names;
  for (part_chunk chunk; so_far.next(chunk);) {
    if (chunk.kind == part_kind::names && so_far.read_bytes(names))
      names_told_[chunk.port] += std::size_t(std::count(names.begin(), names.end(), std::byte{}));
    if (chunk.kind == part_kind::clock) ++clocks_;
    if (chunk.kind != part_kind::events) continue;
    for (traced_ring& ring : rings) {
      if (ring.port != chunk.port) continue;
      ring.told += chunk.count;
      ring.next = chunk.first + chunk.count;
    }
  }
  bytes_ = so_far.offset();
  if (::ftruncate(fd_, off_t(bytes_)) != 0 || ::lseek(fd_, off_t(bytes_), SEEK_SET) < 0)
    error_ = errno;
  return true;
}

void part_writer::remove_if_useless() {
  if (fd_ < 0 || clocks_ >= 2) return;
  remove_open_file(fd_, path_);
  ::close(std::exchange(fd_, -1));
}

std::uint64_t part_writer::left() const {
  const std::uint64_t taken = bytes_ + reserved_;
  return error_ != 0 || fd_ < 0 || taken >= bytes_max_ ? 0 : bytes_max_ - taken;
}

void part_writer::append(const part_chunk& chunk, const void* bytes, std::size_t count) {
  if (error_ != 0 || fd_ < 0) return;
  iovec pieces[] = {{const_cast<part_chunk*>(&chunk), sizeof chunk},
                    {const_cast<void*>(bytes), count}};
  const ssize_t whole = ssize_t(sizeof chunk + count);
  ssize_t wrote;
  do wrote = ::writev(fd_, pieces, count == 0 ? 1 : 2);
  while (wrote < 0 && errno == EINTR);
  if (wrote != whole) error_ = wrote < 0 ? errno : ENOSPC;  // what is not whole is passed over
  bytes_ += std::uint64_t(whole);
}

std::size_t part_writer::take(traced_ring& ring, std::span<const event> events) {
  if (events.empty()) return 0;
  std::string names;
  std::size_t& told = names_told_[ring.port];
  for (; told < ring.names.size(); ++told) names += ring.names[told] + '\0';
  if (!names.empty())
    append({part_kind::names, ring.port, 0, std::uint32_t(names.size()), ring.pid}, names.data(),
           names.size());
  std::size_t taken = 0;
  while (taken < events.size()) {
    const std::uint64_t room = left() < sizeof(part_chunk) ? 0 : left() - sizeof(part_chunk);
    const auto count =
        std::min<std::size_t>({events.size() - taken, kChunkEvents, room / sizeof(event)});
    if (count == 0) break;
    append({part_kind::events, ring.port, ring.next + taken, std::uint32_t(count), ring.pid},
           events.data() + taken, count * sizeof(event));
    taken += count;
  }
  ring.told += taken;
  return taken;
}

void part_writer::add_clock(const part_clock& clock) {
  append({part_kind::clock, 0, 0, 1, 0}, &clock, sizeof clock);
  if (error_ == 0) ++clocks_;
}

void part_writer::add_job(std::uint64_t number) {
  append({part_kind::job, 0, number, 0, 0}, nullptr, 0);
}

void part_writer::add_end(const traced_ring& ring, std::uint64_t written) {
  append({part_kind::end, ring.port, written, 0, ring.pid}, nullptr, 0);
}

// --- Reading ------------------------------------------------------------------------------------

part_reader::~part_reader() {
  if (fd_ >= 0) ::close(fd_);
}

bool part_reader::read_at(std::uint64_t offset, void* into, std::size_t count) const {
  if (offset > size_ || count > size_ - offset) return false;
  auto* to = static_cast<char*>(into);
  while (count > 0) {
    const ssize_t got = ::pread(fd_, to, count, off_t(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    offset += std::uint64_t(got);
    count -= std::size_t(got);
  }
  return true;
}

bool part_reader::read_head(part_head& head) {
  struct stat about{};
  if (fd_ < 0 || ::fstat(fd_, &about) != 0 || !S_ISREG(about.st_mode)) return false;
  size_ = std::uint64_t(about.st_size);
  if (!read_at(0, &head, sizeof head)) return false;
  head.program[sizeof head.program - 1] = '\0';
  for (char& c : head.program)
    if (c != '\0') c = base::plain(c);
  const bool good = std::memcmp(head.magic, kPartMagic, sizeof kPartMagic) == 0 &&
                    head.version == kPartVersion && head.ranks >= 1 &&
                    head.ranks <= node::kRanksMax && head.nodes >= 1 && head.nodes <= head.ranks &&
                    head.node < head.nodes && head.endpoints >= 1 &&
                    std::uint64_t{head.ranks} * head.endpoints <= kAnyPort && head.sample >= 1;
  ports_ = good ? head.ranks * head.endpoints : 0;
  rewind();
  return good;
}

void part_reader::rewind() {
  next_ = sizeof(part_head);
  bytes_ = 0;
}

bool part_reader::next(part_chunk& chunk) {
  std::uint64_t bytes = 0;
  if (!read_at(next_, &chunk, sizeof chunk) || !bytes_behind(chunk, ports_, bytes)) return false;
  if (bytes > size_ - next_ - sizeof chunk) return false;
  bytes_at_ = next_ + sizeof chunk;
  bytes_ = bytes;
  next_ = bytes_at_ + bytes;
  return true;
}

bool part_reader::read_bytes(std::vector<std::byte>& into) {
  into.resize(bytes_);
  return read_at(bytes_at_, into.data(), into.size());
}

}  // namespace ramjet::trace
