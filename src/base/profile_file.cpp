// SPDX-License-Identifier: Apache-2.0
#include "base/profile_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

#include "base/clock.hpp"
#include "base/plain.hpp"
#include "base/system.hpp"
#include "ramjet/version.hpp"

namespace ramjet::base {

namespace {

constexpr std::string_view kTitle = "ramjet-profile ";
constexpr const char* kAgain = "; it is ignored: ramjet characterize makes a new one";
constexpr const char* kNamedIsIgnored =
    "; it is ignored: without RAMJET_PROFILE the one that ramjet characterize makes is read";

// Up to `most` bytes of a small file of the system's; empty if it cannot be read.
[[maybe_unused]] std::string first_bytes(const char* path, std::size_t most) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string text(most, '\0');
  const ssize_t got = ::read(file, text.data(), text.size());
  ::close(file);
  text.resize(got > 0 ? std::size_t(got) : 0);
  return text.substr(0, text.find('\n'));
}

std::string processor_name() {
#if defined(__x86_64__)
  std::array<unsigned, 12> words{};  // 48 bytes of name
  unsigned* w = words.data();
  bool known = true;
  for (unsigned leaf = 0x80000002; leaf <= 0x80000004; ++leaf, w += 4)
    known = known && __get_cpuid(leaf, &w[0], &w[1], &w[2], &w[3]) != 0;
  const std::string name(reinterpret_cast<const char*>(words.data()),
                         known ? ::strnlen(reinterpret_cast<const char*>(words.data()), 48) : 0);
#else
  const std::string name =
      first_bytes("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", 32);
#endif
  const std::size_t first = name.find_first_not_of(' '), last = name.find_last_not_of(' ');
  if (first != name.npos) return name.substr(first, last - first + 1);
  utsname names{};
  return ::uname(&names) == 0 ? names.machine : "unknown";
}

// A host's name as part of a file's.
std::string host_name() {
  std::array<char, 65> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "host";
  std::string clean;
  for (const char c : std::string_view(name.data())) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    clean += is_plain ? c : '_';
  }
  return clean.empty() ? "host" : clean;
}

// 8 hexadecimal digits of the text's hash (FNV-1a).
std::string short_hash(std::string_view text) {
  std::uint32_t h = 0x811c9dc5;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x01000193;
  std::array<char, 9> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x", h);
  return digits.data();
}

// 16 hexadecimal digits, which any one changed byte changes.
std::string checksum(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(h));
  return digits.data();
}

// The text's next line, without its end; false if there is none, or it has none.
bool take_line(std::string_view& text, std::string_view& line) {
  const std::size_t end = text.find('\n');
  if (end == text.npos) return false;
  line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return true;
}

bool take_line_of(std::string_view& text, std::string_view key, std::string& value) {
  std::string_view line;
  if (!take_line(text, line) || !line.starts_with(key)) return false;
  value = line.substr(key.size());
  return true;
}

// Words of a file in a message: they cannot steer a terminal.
std::string shown(std::string text) {
  for (char& c : text) c = plain(c);
  return text;
}

bool is_date(std::string_view text) {
  return text.size() <= 32 && text.find_first_not_of("0123456789-:TZ") == text.npos;
}

bool is_number(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

bool take_quality(std::string_view& text, profile_quality& into) {
  std::string samples, drift;
  if (!take_line_of(text, "samples ", samples) || !take_line_of(text, "drift ", drift))
    return false;
  into.is_quick = samples == "few";
  return (into.is_quick || samples == "many") && is_number(drift, into.drift_percent) &&
         into.drift_percent >= 100 && into.drift_percent <= kDriftPercentMax;
}

// Takes off the last line, which has the checksum of what is before it; why not, or null.
const char* take_end(std::string_view& text) {
  constexpr std::string_view kLine = "\nend ";
  const std::size_t before = text.rfind(kLine) + 1;
  if (before == 0 || text.find('\n', before) == text.npos) return "is damaged: its end is missing";
  if (text.find('\n', before) + 1 != text.size()) return "is damaged: it goes on behind its end";
  std::string_view sum = text.substr(before + kLine.size() - 1);
  sum.remove_suffix(1);
  text = text.substr(0, before);
  return sum == checksum(text) ? nullptr : "is damaged: its checksum is another one";
}

// "NAME VALUE" into the profile; why not, or null.
const char* take_figure(std::string_view line, machine_profile& into) {
  const std::size_t space = line.find(' ');
  std::uint64_t value = 0;
  if (space == line.npos || !is_number(line.substr(space + 1), value))
    return "is damaged: a line of it is not a figure";
  for (std::size_t f = 0; f < kFigures; ++f) {
    const figure_row& row = all_figures()[f];
    if (line.substr(0, space) != row.name) continue;
    if (into.is_measured(figure(f))) return "is damaged: it gives a figure twice";
    if (value < row.least || value > row.most)
      return "is damaged: a figure of it is out of its range";
    into.set(figure(f), value);
    return nullptr;
  }
  return "is damaged: it has a figure of no known name";
}

// Why this file may not be read, or null.
const char* file_defect(const struct stat& info) {
  if (!S_ISREG(info.st_mode)) return "is not a plain file";
  if (info.st_uid != ::geteuid()) return "belongs to another user";
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "may be written by others";
  if (info.st_size > off_t(kProfileBytesMax)) return "is too long to be one";
  return nullptr;
}

// The file's contents; false leaves why not, empty if there is no file.
bool read_whole(const std::string& path, std::string& text, std::string& why_not) {
  // Not blocking: it may be a pipe.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) {
    if (errno != ENOENT && errno != ENOTDIR)
      why_not = std::string("cannot be read: ") + std::strerror(errno);
    return false;
  }
  struct stat info{};
  const char* defect = ::fstat(file, &info) == 0 ? file_defect(info) : "cannot be looked at";
  ssize_t got = -1;
  if (defect == nullptr) {
    text.resize(kProfileBytesMax + 1);
    got = ::read(file, text.data(), text.size());
    if (got < 0) defect = "cannot be read";
    if (got > ssize_t(kProfileBytesMax)) defect = "is too long to be one";
  }
  ::close(file);
  if (defect != nullptr) why_not = defect;
  text.resize(got > 0 ? std::size_t(got) : 0);
  return defect == nullptr;
}

// The folders of a path, each for this user alone where it has to be made.
bool make_folders(const std::string& path) {
  for (std::size_t at = path.find('/', 1); at != path.npos; at = path.find('/', at + 1))
    if (::mkdir(path.substr(0, at).c_str(), 0700) != 0 && errno != EEXIST) return false;
  return true;
}

// A name beside `path`, written in full and on the disk; -1 and errno if not.
bool write_beside(const std::string& path, std::string_view text, std::string& name) {
  name = path + ".XXXXXX";
  const int file = ::mkostemp(name.data(), O_CLOEXEC);  // 0600
  if (file < 0) {
    name.clear();
    return false;
  }
  bool is_written = ::write(file, text.data(), text.size()) == ssize_t(text.size());
  is_written = is_written && ::fsync(file) == 0;
  const int error = errno;
  ::close(file);
  errno = error;
  return is_written;
}

// Puts the text at `path`; or only finds out whether that can be done, and leaves nothing there.
bool put(const std::string& path, std::string_view text, bool tries, std::string& problem) {
  if (path.empty()) {
    problem = "there is no folder for the profile: set HOME or XDG_CACHE_HOME";
    return false;
  }
  std::string name;
  const bool is_put = make_folders(path) && write_beside(path, text, name) &&
                      (tries || std::rename(name.c_str(), path.c_str()) == 0);
  if (!is_put) problem = os_error(("cannot store the profile as " + path).c_str());
  if (!name.empty() && (tries || !is_put)) ::unlink(name.c_str());
  return is_put;
}

}  // namespace

std::string machine_name() {
  return processor_name() + ", " + std::to_string(::sysconf(_SC_NPROCESSORS_CONF)) + " processors";
}

std::string build_name() {
  std::string name = "ramjet " RAMJET_VERSION ", ";
#if defined(__clang__)
  name += "Clang " __clang_version__;
#else
  name += "GNU C++ " __VERSION__;
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  name += ", sanitized";
#elif defined(__OPTIMIZE__)
  name += ", optimised";
#endif
  return name;
}

std::string profile_path() {
  const char* const cache = ::secure_getenv("XDG_CACHE_HOME");
  const char* const home = ::secure_getenv("HOME");
  std::string folder;
  if (cache != nullptr && *cache == '/') {
    folder = cache;
  } else if (home != nullptr && *home == '/') {
    folder = std::string(home) + "/.cache";
  } else {
    return {};
  }
  return folder + "/ramjet/profiles/" + host_name() + "-" + short_hash(build_name());
}

bool parse_profile(const std::string& text, found_profile& into, std::string& why_not) {
  into.profile = built_in_profile();
  std::string_view rest = text, line;
  std::string version, machine, build;
  std::uint64_t number = 0;
  if (!take_line_of(rest, kTitle, version) || !is_number(version, number)) {
    why_not = "is not a machine profile";
  } else if (number != kProfileVersion) {
    why_not =
        "is of version " + version + ", and this build reads " + std::to_string(kProfileVersion);
  } else if (const char* damage = take_end(rest)) {
    why_not = damage;
  } else if (!take_line_of(rest, "machine ", machine) || !take_line_of(rest, "build ", build) ||
             !take_line_of(rest, "made ", into.made) || !is_date(into.made)) {
    why_not = "is damaged: it does not say of what it is";
  } else if (!take_quality(rest, into.quality)) {
    why_not = "is damaged: it does not say how it was measured";
  } else if (machine != machine_name()) {
    why_not = "is of another machine (" + shown(machine) + "; this is " + machine_name() + ")";
  } else if (build != build_name()) {
    why_not = "is of another build (" + shown(build) + "; this is " + build_name() + ")";
  }
  while (why_not.empty() && take_line(rest, line))
    if (const char* wrong = take_figure(line, into.profile)) why_not = wrong;
  if (why_not.empty()) return true;
  into.profile = built_in_profile();
  into.made.clear();
  into.quality = {};
  return false;
}

std::string profile_text(const machine_profile& profile, const profile_quality& quality,
                         const std::string& made) {
  std::string text =
      "machine " + machine_name() + "\nbuild " + build_name() + "\nmade " + made + "\n";
  text += std::string("samples ") + (quality.is_quick ? "few" : "many") + "\ndrift " +
          std::to_string(quality.drift_percent) + "\n";
  for (std::size_t f = 0; f < kFigures; ++f)
    if (profile.is_measured(figure(f)))
      text += std::string(all_figures()[f].name) + " " + std::to_string(profile.values[f]) + "\n";
  return std::string(kTitle) + std::to_string(kProfileVersion) + "\n" + text + "end " +
         checksum(text) + "\n";
}

found_profile find_profile(const std::string& setting) {
  found_profile found;
  if (setting == kNoProfile) return found;
  const std::uint64_t begin_ns = now_ns();
  found.path = setting.empty() ? profile_path() : setting;
  if (found.path.empty()) return found;
  std::string text, why_not;
  if (read_whole(found.path, text, why_not)) {
    found.is_used = parse_profile(text, found, why_not);
  } else if (why_not.empty() && !setting.empty()) {
    why_not = "is not there";
  }
  if (!why_not.empty())
    found.problem = "the profile " + found.path + " " + why_not +
                    (setting.empty() ? kAgain : kNamedIsIgnored);
  found.took_ns = now_ns() - begin_ns;
  return found;
}

bool store_profile(const machine_profile& profile, const profile_quality& quality,
                   const std::string& path, std::string& problem) {
  std::array<char, 32> made{};
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  std::strftime(made.data(), made.size(), "%Y-%m-%dT%H:%M:%SZ", ::gmtime_r(&now, &parts));
  return put(path, profile_text(profile, quality, made.data()), false, problem);
}

bool can_store_profile(const std::string& path, std::string& problem) {
  return put(path, "", true, problem);
}

}  // namespace ramjet::base
