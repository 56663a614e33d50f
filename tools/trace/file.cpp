// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tools/cli/printable.hpp"
#include "trace/file/format.hpp"
#include "trace/file/perfetto.hpp"

namespace traces {

namespace {

namespace field = ramjet::perfetto::field;
using ramjet::perfetto::event_type;
using ramjet::perfetto::field_reader;
using ramjet::trace::annotation;

constexpr std::size_t kEventsMax = std::size_t{1} << 26;
constexpr unsigned kRanksMax = 1024;

// A packet's bytes, and more: ours are far smaller.
constexpr std::size_t kPacketBytesMax = std::size_t{64} << 20;

// A file's bytes, piece by piece. It is not mapped: somebody may cut it meanwhile, as another job
// does that is traced into the same file.
class trace_file {
 public:
  explicit trace_file(const std::string& path) : path_(path) {
    // Not blocking: it may be a pipe.
    fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd_ < 0) throw bad_trace(path + ": cannot be read: " + std::strerror(errno));
    struct stat about{};
    if (::fstat(fd_, &about) == 0 && S_ISREG(about.st_mode)) return;
    ::close(fd_);
    throw bad_trace(path + ": is not a file of `ramjet run --trace`");
  }
  ~trace_file() { ::close(fd_); }
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;

  // What has been read of it and not been skipped, and where that stands in it.
  std::string_view text() const { return {buffer_.data() + begin_, end_ - begin_}; }
  std::uint64_t place() const { return place_; }
  void skip(std::size_t bytes) {
    begin_ += bytes;
    place_ += bytes;
  }
  // Reads on: text() has at least twice as much where that is there. False: there is no more, or
  // it has what no packet needs.
  bool read_more();

 private:
  const std::string& path_;
  int fd_ = -1;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 20);
  std::size_t begin_ = 0, end_ = 0;  // in the buffer; begin_ <= end_
  std::uint64_t place_ = 0;
};

bool trace_file::read_more() {
  const std::size_t left = end_ - begin_;
  if (left >= kPacketBytesMax) return false;
  std::memmove(buffer_.data(), buffer_.data() + begin_, left);
  begin_ = 0;
  end_ = left;
  if (2 * left > buffer_.size()) buffer_.resize(2 * buffer_.size());
  while (end_ < buffer_.size()) {
    const ssize_t got = ::read(fd_, buffer_.data() + end_, buffer_.size() - end_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw bad_trace(path_ + ": cannot be read: " + std::strerror(errno));
    if (got == 0) break;
    end_ += std::size_t(got);
  }
  return end_ > left;
}

// One track event as it stands in a packet.
struct raw_event {
  std::uint64_t type = 0, track = 0, name = 0, flow = 0, end_of_flow = 0;
  std::string_view category;
  std::array<std::uint64_t, 16> numbers{};  // by annotation

  std::uint64_t number(annotation a) const { return numbers[std::size_t(a)]; }
};

class reader {
 public:
  explicit reader(const std::string& path) : path_(path), file_(path) {}
  job_trace read();

 private:
  std::size_t read_packets();
  [[noreturn]] void refuse_start() const {
    throw bad_trace(path_ + ": is not a file of `ramjet run --trace`");
  }
  void check_first(std::string_view packet) const;
  bool read_packet(std::string_view packet);
  bool read_names(std::string_view interned);
  bool read_event(std::string_view event, std::uint64_t ns);
  bool begin(const raw_event& raw, std::uint64_t ns);
  void end(const raw_event& raw, std::uint64_t ns);
  void note_job(const raw_event& raw, std::uint64_t ns);

  const std::string& path_;
  trace_file file_;
  job_trace job_;
  std::unordered_map<std::uint64_t, std::uint32_t> names_;  // iid to index
  static constexpr std::size_t kNotKept = ~std::size_t{0};
  struct open_events {
    std::vector<std::size_t> stack;  // indices of events; kNotKept: begun, and not kept
    std::array<std::uint32_t, kTraceKinds> of_kind{};
  };
  std::unordered_map<std::uint64_t, open_events> open_;  // by track
  bool is_first_ = true;  // no packet has been read
  bool has_end_ = false;
};

// The name of the job's track, the first thing in a file of ours, ends in the format's version.
void reader::check_first(std::string_view packet) const {
  std::string_view name;
  for (field_reader p(packet); p.next();)
    if (p.number() == field::kTrackDescriptor)
      for (field_reader t(p.bytes()); t.next();)
        if (t.number() == field::kTrackName) name = t.bytes();
  const std::string_view start = ramjet::trace::kFormatName;
  if (!name.starts_with(start)) refuse_start();
  unsigned version = 0;
  std::from_chars(name.data() + start.size(), name.data() + name.size(), version);
  if (version != ramjet::trace::kFormatVersion)
    throw bad_trace(path_ + ": has trace format " + std::to_string(version) +
                    ", and this ramjet reads " + std::to_string(ramjet::trace::kFormatVersion) +
                    ": use the one that wrote it");
}

bool reader::read_names(std::string_view interned) {
  field_reader entries(interned);
  while (entries.next()) {
    if (entries.number() != field::kEventNames) continue;
    std::uint64_t iid = 0;
    std::string name;
    field_reader e(entries.bytes());
    while (e.next()) {
      if (e.number() == field::kIid) iid = e.value();
      if (e.number() == field::kIidName) name = console::printable(e.bytes());
    }
    if (e.is_broken()) return false;
    names_.try_emplace(iid, std::uint32_t(job_.names.size()));
    job_.names.push_back(std::move(name));
  }
  return !entries.is_broken();
}

bool read_annotation(std::string_view bytes, raw_event& into) {
  std::uint64_t iid = 0, value = 0;
  field_reader a(bytes);
  while (a.next()) {
    if (a.number() == field::kAnnotationIid) iid = a.value();
    if (a.number() == field::kUint) value = a.value();
  }
  if (iid < into.numbers.size()) into.numbers[iid] = value + (iid == 1 ? 1 : 0);
  return !a.is_broken();
}

bool reader::read_event(std::string_view bytes, std::uint64_t ns) {
  raw_event raw;
  bool good = true;
  field_reader e(bytes);
  while (e.next()) {
    if (e.number() == field::kType) raw.type = e.value();
    if (e.number() == field::kTrack) raw.track = e.value();
    if (e.number() == field::kNameIid) raw.name = e.value();
    if (e.number() == field::kCategory) raw.category = e.bytes();
    if (e.number() == field::kFlow) raw.flow = e.value();
    if (e.number() == field::kEndOfFlow) raw.end_of_flow = e.value();
    if (e.number() == field::kAnnotation) good = good && read_annotation(e.bytes(), raw);
  }
  if (!good || e.is_broken()) return false;
  if (raw.track == ramjet::trace::kJobTrack) {
    note_job(raw, ns);
  } else if (raw.type == std::uint64_t(event_type::slice_end)) {
    end(raw, ns);
  } else if (raw.type != std::uint64_t(event_type::counter)) {
    // The end of a slice that is not kept ends no other.
    if (!begin(raw, ns) && raw.type != std::uint64_t(event_type::instant))
      open_[raw.track].stack.push_back(kNotKept);
  }
  return true;
}

void reader::note_job(const raw_event& raw, std::uint64_t) {
  if (raw.category == ramjet::trace::kJobCategory) {
    if (job_.ranks != 0) throw bad_trace(path_ + ": is damaged: it says twice what its job is");
    const auto name = names_.find(raw.name);
    if (name != names_.end()) job_.program = job_.names[name->second];
    job_.ranks = unsigned(raw.number(annotation::ranks));
    job_.nodes = unsigned(raw.number(annotation::nodes));
    job_.endpoints = unsigned(raw.number(annotation::endpoints));
    job_.sample = raw.number(annotation::sample);
    if (job_.ranks == 0 || job_.ranks > kRanksMax || job_.endpoints == 0 ||
        job_.endpoints > kRanksMax)
      throw bad_trace(path_ + ": is damaged: its job has an impossible number of ranks");
  } else if (raw.category == ramjet::trace::kRingCategory) {
    job_.rings.push_back({std::uint32_t(raw.number(annotation::peer) - 1),
                          std::uint32_t(raw.number(annotation::endpoints)),
                          raw.number(annotation::told), raw.number(annotation::lost)});
  } else if (raw.category == ramjet::trace::kEndCategory) {
    job_.clock_error_ns = raw.number(annotation::clock_error);
    has_end_ = true;
  }
}

constexpr std::pair<std::string_view, trace_kind> kKinds[] = {
    {ramjet::trace::kSendCategory, trace_kind::send},
    {ramjet::trace::kHandlerCategory, trace_kind::handler},
    {ramjet::trace::kReplyCategory, trace_kind::reply},
    {ramjet::trace::kWaitCategory, trace_kind::wait},
    {ramjet::trace::kCollectiveCategory, trace_kind::collective},
    {ramjet::trace::kAccessCategory, trace_kind::access},
    {ramjet::trace::kThreadCategory, trace_kind::thread},
};

// False: it is not kept.
bool reader::begin(const raw_event& raw, std::uint64_t ns) {
  const auto name = names_.find(raw.name);
  const std::uint64_t port = raw.track >> 32 != 0 ? (raw.track >> 32) - 1 : raw.track & 0xffff;
  if (job_.ranks == 0 || name == names_.end() || port >= std::uint64_t{job_.ranks} * job_.endpoints)
    return false;
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                 [&raw](const auto& each) { return raw.category == each.first; });
  if (kind == std::end(kKinds)) return false;
  job_.is_partial = job_.is_partial || job_.events.size() >= kEventsMax;
  if (job_.is_partial) return false;
  trace_event e;
  e.begin_ns = ns;
  e.flow = raw.flow;
  e.end_of_flow = raw.end_of_flow;
  e.name = name->second;
  e.rank = std::uint32_t(port / job_.endpoints);
  e.endpoint = std::uint32_t(port % job_.endpoints);
  const std::uint64_t peer = raw.number(annotation::peer);
  if (peer <= job_.ranks) e.peer = std::int32_t(peer) - 1;
  e.bytes = raw.number(annotation::bytes);
  e.kind = kind->second;
  if (raw.type == std::uint64_t(event_type::instant)) {
    e.end_ns = ns;
  } else {
    open_events& open = open_[raw.track];
    e.is_inner = open.of_kind[std::size_t(e.kind)]++ != 0;
    open.stack.push_back(job_.events.size());
  }
  job_.events.push_back(e);
  return true;
}

void reader::end(const raw_event& raw, std::uint64_t ns) {
  open_events& open = open_[raw.track];
  if (open.stack.empty()) return;
  const std::size_t index = open.stack.back();
  open.stack.pop_back();
  if (index == kNotKept) return;
  trace_event& e = job_.events[index];
  --open.of_kind[std::size_t(e.kind)];
  if (raw.number(annotation::unfinished) != 0) return;
  e.end_ns = std::max(ns, e.begin_ns);
  const std::uint64_t call = raw.number(annotation::call);
  if (call != 0) e.call = raw.number(annotation::team) << 32 | call;
}

bool reader::read_packet(std::string_view packet) {
  std::uint64_t ns = 0;
  std::string_view event, interned;
  field_reader p(packet);
  while (p.next()) {
    if (p.number() == field::kTimestamp) ns = p.value();
    if (p.number() == field::kTrackEvent) event = p.bytes();
    if (p.number() == field::kInterned) interned = p.bytes();
  }
  return !p.is_broken() && read_names(interned) && (event.empty() || read_event(event, ns));
}

// Of the file's text the packets that are whole; how many bytes they are.
std::size_t reader::read_packets() {
  const std::string_view text = file_.text();
  field_reader packets(text);
  std::size_t done = 0;
  while (packets.next()) {
    const bool is_packet = packets.number() == field::kPacket;
    if (is_first_ && !is_packet) refuse_start();
    if (is_first_) check_first(packets.bytes());
    is_first_ = false;
    done = text.size() - packets.left();
    if (!is_packet || !read_packet(packets.bytes()))
      throw bad_trace(path_ + ": is damaged before byte " + std::to_string(file_.place() + done));
  }
  return done;
}

job_trace reader::read() {
  while (file_.read_more()) file_.skip(read_packets());
  if (is_first_) refuse_start();
  job_.is_cut = !file_.text().empty() || !has_end_;
  if (job_.ranks == 0) throw bad_trace(path_ + ": is cut before anything of its job");
  return std::move(job_);
}

}  // namespace

std::uint64_t job_trace::lost() const {
  std::uint64_t all = 0;
  for (const traced_ranks& r : rings) all += r.lost;
  return all;
}

bool is_trace(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;  // a pipe is read once
  std::ifstream file(path, std::ios::binary);
  char start[64];
  file.read(start, sizeof start);
  const std::string_view text(start, std::size_t(file.gcount()));
  return text.starts_with('\n') && text.find(ramjet::trace::kFormatName) != text.npos;
}

job_trace read_trace(const std::string& path) { return reader(path).read(); }

}  // namespace traces
