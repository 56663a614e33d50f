// SPDX-License-Identifier: Apache-2.0
#include "traces/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "trace/file/perfetto.hpp"
#include "trace/file/format.hpp"

namespace traces {

namespace {

namespace field = ramjet::perfetto::field;
using ramjet::trace::annotation;
using ramjet::perfetto::event_type;
using ramjet::perfetto::field_reader;

constexpr std::size_t kEventsMax = std::size_t{1} << 26;
constexpr unsigned kRanksMax = 1024;

// A file's bytes, as long as this lives.
class mapped_file {
 public:
  explicit mapped_file(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) throw bad_trace(path + ": cannot be read: " + std::strerror(errno));
    struct stat about{};
    const bool is_file = ::fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
    bytes_ = is_file ? std::size_t(about.st_size) : 0;
    if (bytes_ != 0) memory_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, fd, 0);
    ::close(fd);
    if (!is_file) throw bad_trace(path + ": is not a file of `ramjet run --trace`");
    if (memory_ == MAP_FAILED)
      throw bad_trace(path + ": cannot be mapped: " + std::strerror(errno));
  }
  ~mapped_file() {
    if (bytes_ != 0 && memory_ != MAP_FAILED) ::munmap(memory_, bytes_);
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  std::string_view text() const { return {static_cast<const char*>(memory_), bytes_}; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

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
  void check_first(std::string_view packet) const;
  bool read_packet(std::string_view packet);
  bool read_names(std::string_view interned);
  bool read_event(std::string_view event, std::uint64_t ns);
  void begin(const raw_event& raw, std::uint64_t ns);
  void end(const raw_event& raw, std::uint64_t ns);
  void note_job(const raw_event& raw, std::uint64_t ns);

  const std::string& path_;
  mapped_file file_;
  job_trace job_;
  std::unordered_map<std::uint64_t, std::uint32_t> names_;  // iid to index
  struct open_events {
    std::vector<std::size_t> stack;
    std::array<std::uint32_t, kTraceKinds> of_kind{};
  };
  std::unordered_map<std::uint64_t, open_events> open_;  // by track
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
  if (!name.starts_with(start)) throw bad_trace(path_ + ": is not a file of `ramjet run --trace`");
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
      if (e.number() == field::kIidName) name = e.bytes();
    }
    if (e.is_broken()) return false;
    for (char& c : name)
      if (static_cast<unsigned char>(c) < ' ') c = '?';
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
    begin(raw, ns);
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

void reader::begin(const raw_event& raw, std::uint64_t ns) {
  const auto name = names_.find(raw.name);
  const std::uint64_t port = raw.track >> 32 != 0 ? (raw.track >> 32) - 1 : raw.track & 0xffff;
  if (job_.ranks == 0 || name == names_.end() || port >= std::uint64_t{job_.ranks} * job_.endpoints)
    return;
  if (job_.events.size() >= kEventsMax) {
    job_.is_partial = true;
    return;
  }
  for (const auto& [category, kind] : kKinds) {
    if (raw.category != category) continue;
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
    e.kind = kind;
    if (raw.type == std::uint64_t(event_type::instant)) {
      e.end_ns = ns;
    } else {
      open_events& open = open_[raw.track];
      e.is_inner = open.of_kind[std::size_t(kind)]++ != 0;
      open.stack.push_back(job_.events.size());
    }
    job_.events.push_back(e);
  }
}

void reader::end(const raw_event& raw, std::uint64_t ns) {
  open_events& open = open_[raw.track];
  if (open.stack.empty()) return;
  trace_event& e = job_.events[open.stack.back()];
  open.stack.pop_back();
  --open.of_kind[std::size_t(e.kind)];
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

job_trace reader::read() {
  field_reader packets(file_.text());
  bool is_first = true;
  while (packets.next()) {
    if (packets.number() == field::kPacket && is_first) check_first(packets.bytes());
    const bool good = packets.number() == field::kPacket && read_packet(packets.bytes());
    if (is_first && packets.number() != field::kPacket)
      throw bad_trace(path_ + ": is not a file of `ramjet run --trace`");
    is_first = false;
    if (good) continue;
    const std::size_t at = file_.text().size() - packets.left();
    throw bad_trace(path_ + ": is damaged before byte " + std::to_string(at));
  }
  if (is_first) throw bad_trace(path_ + ": is not a file of `ramjet run --trace`");
  job_.is_cut = packets.is_broken() || !has_end_;
  if (job_.ranks == 0) throw bad_trace(path_ + ": is cut before anything of its job");
  return std::move(job_);
}

}  // namespace

std::uint64_t job_trace::lost() const {
  std::uint64_t all = 0;
  for (const traced_ranks& r : rings) all += r.lost;
  return all;
}

job_trace read_trace(const std::string& path) { return reader(path).read(); }

}  // namespace traces
