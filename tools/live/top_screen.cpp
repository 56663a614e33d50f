// SPDX-License-Identifier: Apache-2.0
// The screen of `ramjet top`, by ncurses. One loop: draw, wait for a key or the next look, act.
#define NCURSES_NOMACROS
#include <curses.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>

#include "top.hpp"

namespace tools::top {
namespace {

using clock = std::chrono::steady_clock;

constexpr const char* kHelp[] = {
    "Keys",
    "",
    "  up, down, page up, page down, home, end   move",
    "  enter   all of the rank: its waits and its peers; there, the rank that it waits for",
    "  m       who sends how much to whom; b there: in bytes, or in messages",
    "  s, S    sort by the next column, by the one before",
    "  r       sort the other way round",
    "  /       show only ranks 0-7,12 (numbers), or whose state or wait contains a text",
    "  space   stop looking, and go on",
    "  + -     look more often, less often",
    "  esc     back",
    "  h ?     these keys",
    "  q       leave; the job goes on",
    "",
    "States: computing, polling (computing, and handling messages in between), handling (long",
    "in one handler), waiting (awake), asleep (in a wait), blocked (in the kernel, in no wait of",
    "ours), stopped, starting, left, failed, unseen (on another machine).",
    "SINCE: for how long it has waited. QUEUED: messages sent to it and not taken. CHAINED: in",
    "its own queues, for ranks that have no room. FULL: lanes on which it sleeps for credit.",
    "FAR: to other nodes. SENT, HANDLED and BYTES count messages: an access to global memory is",
    "none within a machine, nor where the network does it by itself.",
};

constexpr int kEscape = 27, kControlL = 12, kDelete = 127, kControlH = 8;

class screen {
 public:
  screen(live_job& job, const top_options& options, const std::function<void()>& idle)
      : job_(job), options_(options), idle_(idle), look_(job.current()) {}
  ~screen() { close(); }

  bool open();
  void close();
  // Until the user leaves, or the job has ended: then why, else empty.
  std::string run();

 private:
  enum class view { ranks, matrix, details, help };

  void draw();
  void draw_lines(const std::vector<std::string>& lines);
  void draw_ranks();
  void draw_status();
  void put(int row, const std::string& text, attr_t attributes = A_NORMAL);
  int next_key();
  bool handle(int key);
  void handle_prompt(int key);
  void handle_motion(int key);
  void enter();
  void sort_by_next(bool forward);
  void change_interval(double factor);
  int page() const { return std::max(1, rows_ - kFrameRows); }

  static constexpr int kFrameRows = 4;  // head, empty line, titles, status

  live_job& job_;
  top_options options_;
  const std::function<void()>& idle_;
  look look_;
  SCREEN* terminal_ = nullptr;
  FILE* device_ = nullptr;
  view view_ = view::ranks;
  view before_help_ = view::ranks;
  std::vector<unsigned> shown_;  // ranks, in the order of the rows
  unsigned selected_ = 0;        // rank
  int top_ = 0;                  // first row or line on the screen
  int lines_ = 0;                // of what is shown
  bool in_bytes_ = false, paused_ = false;
  std::optional<std::string> prompt_;  // the filter that is being typed
  int rows_ = 24, columns_ = 80;
  clock::time_point next_look_ = clock::now();
};

bool screen::open() {
  device_ = std::fopen("/dev/tty", "r+e");
  if (device_ == nullptr) return false;
  terminal_ = ::newterm(nullptr, device_, device_);
  if (terminal_ == nullptr) return false;
  ::cbreak();
  ::noecho();
  ::nonl();
  ::keypad(stdscr, true);
  ::set_escdelay(50);
  ::curs_set(0);
  return true;
}

void screen::close() {
  if (terminal_ != nullptr) {
    ::endwin();
    ::delscreen(terminal_);
  }
  if (device_ != nullptr) std::fclose(device_);
  terminal_ = nullptr;
  device_ = nullptr;
}

std::string screen::run() {
  const auto interval = [this] {
    return std::chrono::duration_cast<clock::duration>(
        std::chrono::duration<double>(options_.interval_s));
  };
  constexpr std::chrono::milliseconds kFirst{100};  // rates need two samples
  next_look_ = clock::now() + std::min<clock::duration>(kFirst, interval());
  for (;;) {
    draw();
    const int key = next_key();
    if (key != ERR && !handle(key)) return {};
    if (clock::now() < next_look_) continue;
    std::string why;
    if (!job_.sample(why)) return why;
    if (!paused_) look_ = job_.current();
    next_look_ = clock::now() + interval();
  }
}

// A key, or ERR when the next look is due.
int screen::next_key() {
  constexpr std::chrono::milliseconds kIdle{100};
  for (;;) {
    if (idle_) idle_();
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(next_look_ - clock::now());
    if (left.count() <= 0) return ERR;
    ::wtimeout(stdscr, int(idle_ ? std::min(left, kIdle).count() : left.count()));
    if (const int key = ::wgetch(stdscr); key != ERR) return key;
  }
}

void screen::put(int row, const std::string& text, attr_t attributes) {
  if (row >= rows_) return;
  ::wattrset(stdscr, int(attributes));
  ::mvwaddnstr(stdscr, row, 0, text.c_str(), columns_ - (row == rows_ - 1 ? 1 : 0));
  ::wattrset(stdscr, int(A_NORMAL));
}

void screen::draw() {
  getmaxyx(stdscr, rows_, columns_);
  ::werase(stdscr);
  put(0,
      fmt::format("{} (job {}): {}", job_.attached().command(), job_.attached().id(),
                  summary(look_)),
      A_BOLD);
  const auto width = std::size_t(std::max(columns_, 1));
  switch (view_) {
    case view::ranks:
      draw_ranks();
      break;
    case view::matrix:
      draw_lines(matrix(look_, in_bytes_, width, std::size_t(std::max(1, rows_ - 3))));
      break;
    case view::details:
      draw_lines(details(look_, selected_));
      break;
    case view::help:
      draw_lines({std::begin(kHelp), std::end(kHelp)});
      break;
  }
  draw_status();
  ::wrefresh(stdscr);
}

void screen::draw_ranks() {
  shown_ = chosen_ranks(look_, options_.sorting, options_.filter);
  lines_ = int(shown_.size());
  if (std::find(shown_.begin(), shown_.end(), selected_) == shown_.end() && !shown_.empty())
    selected_ = shown_.front();
  const int at = int(std::find(shown_.begin(), shown_.end(), selected_) - shown_.begin());
  top_ = std::clamp(top_, std::max(0, at - page() + 1), std::max(0, at));
  put(2, title_row(look_, options_.sorting), A_REVERSE);
  for (int i = 0; i < page() && top_ + i < lines_; ++i) {
    const unsigned rank = shown_[std::size_t(top_ + i)];
    const bool is_dull = look_.now.ranks[rank].does == monitor::activity::asleep;
    put(3 + i, rank_row(look_, rank), rank == selected_ ? A_STANDOUT : is_dull ? A_DIM : A_NORMAL);
  }
}

void screen::draw_lines(const std::vector<std::string>& lines) {
  lines_ = int(lines.size());
  const int room = std::max(1, rows_ - 3);
  top_ = std::clamp(top_, 0, std::max(0, lines_ - room));
  for (int i = 0; i < room && top_ + i < lines_; ++i) put(2 + i, lines[std::size_t(top_ + i)]);
}

void screen::draw_status() {
  std::string text;
  if (prompt_) {
    text = "show only: " + *prompt_ + "_";
  } else {
    text = fmt::format("h keys  q leave  every {:g} s", options_.interval_s);
    if (paused_) text += "  PAUSED";
    if (view_ == view::ranks) {
      text += fmt::format("  sorted by {}", title_of(options_.sorting.by));
      if (options_.sorting.reversed) text += " reversed";
      if (!options_.filter.empty()) text += fmt::format("  only {}", options_.filter);
      text += fmt::format("  {} of {} ranks", shown_.size(), look_.now.ranks.size());
    }
  }
  put(rows_ - 1, text, A_REVERSE);
}

bool screen::handle(int key) {
  if (prompt_) {
    handle_prompt(key);
    return true;
  }
  switch (key) {
    case 'q':
      return false;
    case 'h':
    case '?':
      if (view_ != view::help) before_help_ = view_;
      view_ = view_ == view::help ? before_help_ : view::help;
      top_ = 0;
      break;
    case 'm':
      view_ = view_ == view::matrix ? view::ranks : view::matrix;
      break;
    case 'b':
      in_bytes_ = !in_bytes_;
      break;
    case 's':
      sort_by_next(true);
      break;
    case 'S':
      sort_by_next(false);
      break;
    case 'r':
      options_.sorting.reversed = !options_.sorting.reversed;
      break;
    case '/':
      prompt_ = options_.filter;
      break;
    case ' ':
      paused_ = !paused_;
      break;
    case '+':
      change_interval(0.5);
      break;
    case '-':
      change_interval(2);
      break;
    case kEscape:
      view_ = view_ == view::help ? before_help_ : view::ranks;
      break;
    case kControlL:
      ::clearok(stdscr, true);
      break;
    case KEY_ENTER:
    case '\r':
    case '\n':
      enter();
      break;
    default:
      handle_motion(key);
  }
  return true;
}

// From the table to a rank, and from a rank to the one that it waits for.
void screen::enter() {
  if (view_ == view::ranks && !shown_.empty()) {
    view_ = view::details;
    top_ = 0;
  } else if (view_ == view::details) {
    const int target = look_.now.ranks[selected_].target;
    if (target >= 0 && unsigned(target) < look_.now.ranks.size()) selected_ = unsigned(target);
    top_ = 0;
  }
}

void screen::handle_motion(int key) {
  int step = 0;
  switch (key) {
    case KEY_UP:
    case 'k':
      step = -1;
      break;
    case KEY_DOWN:
    case 'j':
      step = 1;
      break;
    case KEY_PPAGE:
      step = -page();
      break;
    case KEY_NPAGE:
      step = page();
      break;
    case KEY_HOME:
      step = -lines_;
      break;
    case KEY_END:
      step = lines_;
      break;
    default:
      return;
  }
  if (view_ != view::ranks) {
    top_ = std::max(0, top_ + step);
  } else if (!shown_.empty()) {
    const auto at = std::find(shown_.begin(), shown_.end(), selected_) - shown_.begin();
    selected_ = shown_[std::size_t(std::clamp<long>(long(at) + step, 0, lines_ - 1))];
  }
}

void screen::handle_prompt(int key) {
  if (key == kEscape) {
    prompt_.reset();
  } else if (key == KEY_ENTER || key == '\r' || key == '\n') {
    options_.filter = *prompt_;
    prompt_.reset();
    view_ = view::ranks;
  } else if (key == KEY_BACKSPACE || key == kDelete || key == kControlH) {
    if (!prompt_->empty()) prompt_->pop_back();
  } else if (key >= ' ' && key <= '~' && prompt_->size() < 60) {
    prompt_->push_back(char(key));
  }
}

void screen::sort_by_next(bool forward) {
  const unsigned now = unsigned(options_.sorting.by);
  options_.sorting.by = column((now + (forward ? 1 : kColumns - 1)) % kColumns);
}

void screen::change_interval(double factor) {
  options_.interval_s = std::clamp(options_.interval_s * factor, 0.0625, 64.0);
  next_look_ = clock::now();
}

}  // namespace

int show_on_screen(live_job& job, const top_options& options, const std::function<void()>& idle) {
  screen the_screen(job, options, idle);
  if (!the_screen.open()) {
    const char* type = std::getenv("TERM");
    the_screen.close();
    fmt::print(stderr,
               "ramjet top: the terminal cannot be used (TERM is '{}'); set TERM, or use --once\n",
               type == nullptr ? "" : type);
    return 1;
  }
  const std::string why = the_screen.run();
  the_screen.close();
  if (!why.empty()) fmt::print("ramjet top: {}\n", why);
  return why.empty() || job.has_ended() ? 0 : 1;
}

}  // namespace tools::top
