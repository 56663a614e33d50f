// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/build.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "languages/splitc/compiler/driver/c_compiler.hpp"
#include "languages/splitc/compiler/driver/object_note.hpp"
#include "languages/splitc/compiler/driver/preprocess.hpp"
#include "languages/splitc/compiler/driver/segment.hpp"
#include "languages/splitc/compiler/driver/translate.hpp"
#include "languages/support/files.hpp"

namespace splitcc::driver {
namespace {

namespace fs = std::filesystem;

constexpr int kErrors = 1;
// The symbol that the linker reports as undefined in a program that has neither function
// (languages/splitc/runtime/main/user_main.c).
constexpr const char* kMainOfEither = "splitc_main_or_main";

std::string stem_of(const std::string& source) {
  return source == "-" ? "stdin" : fs::path(source).stem().string();
}

std::string shown_name(const std::string& source) { return source == "-" ? "<stdin>" : source; }

void check_object(const std::string& name) {
  const std::string problem = version_problem(frontend::read_file(name));
  if (!problem.empty()) throw failure(name + ": " + problem);
}

}  // namespace

int build::run() {
  bool good = true;
  for (const input& i : asked_.inputs) {
    if (i.is == language::linked) {
      objects_.push_back(i.name);
    } else {
      good &= source(i);
    }
  }
  if (good && asked_.last == stage::link) good = link();
  return good ? 0 : kErrors;
}

bool build::say_and_run(const command& words) {
  if (asked_.show) return std::puts(in_shell_words(words).c_str()) >= 0;
  if (asked_.verbose) std::fputs((in_shell_words(words) + "\n").c_str(), stderr);
  return driver::run(words).status == 0;
}

bool build::source(const input& from) {
  const std::string output = name_of_output(from);
  frontend::check_source_stays(from.name, asked_.last == stage::link ? asked_.output : output);
  if (!asked_.show && !output.empty()) frontend::check_writable(output);
  return from.is == language::foreign ? foreign_source(from) : splitc_source(from);
}

// Where the result of the last step goes; empty where there is none.
std::string build::name_of_output(const input& from) const {
  const std::string stem = stem_of(from.name);
  const auto asked_or = [&](const std::string& otherwise) {
    return asked_.output.empty() ? otherwise : asked_.output;
  };
  switch (asked_.last) {
    case stage::dependencies:
    case stage::preprocess:
      return asked_or("-");
    case stage::syntax:
    case stage::link:
      return "";
    case stage::translate:
      return asked_or(stem + ".splitc.c");
    case stage::assembly:
      return asked_or(stem + ".s");
    case stage::object:
      return asked_or(stem + ".o");
  }
  return "";
}

// A file between two steps: temporary, or kept by -save-temps.
std::string build::name_of_kept(const std::string& source, const std::string& ending) {
  const std::string stem = stem_of(source);
  if (!asked_.save_temporaries && !asked_.show) return temporaries_.name(stem, ending);
  const fs::path folder =
      asked_.save_beside_output ? fs::path(asked_.output).parent_path() : fs::path();
  return (folder / (stem + ending)).string();
}

std::string build::object_of(const input& from) {
  if (asked_.last != stage::link) return name_of_output(from);
  std::string object =
      asked_.show ? stem_of(from.name) + ".o" : temporaries_.name(stem_of(from.name), ".o");
  objects_.push_back(object);
  return object;
}

// The steps that are taken here, as commands that would do the same.
void build::show_translation(const input& from) {
  const std::string kept = stem_of(from.name) + ".splitc.c";
  const bool last = asked_.last == stage::translate;
  command words{"splitcc", "-emit-c"};
  words.insert(words.end(), asked_.front_end.begin(), asked_.front_end.end());
  const bool preprocessed = from.is == language::splitc_preprocessed;
  for (const std::string& word :
       {std::string("-x"), std::string(preprocessed ? "splitc-cpp-output" : "splitc"), from.name,
        std::string("-o"), last ? name_of_output(from) : kept})
    words.push_back(word);
  say_and_run(words);
  if (!last) compile(kept, from.name, object_of(from));
}

bool build::splitc_source(const input& from) {
  diagnostics report(asked_.messages);
  const std::string target = stem_of(from.name) + ".o";
  const preprocessing steps{asked_,
                            places_,
                            temporaries_,
                            from.name,
                            asked_.last == stage::object ? name_of_output(from) : target,
                            report};
  const bool only_preprocess = asked_.last <= stage::preprocess;
  if (asked_.show) {
    if (only_preprocess)
      return say_and_run(preprocessor_command(steps, from.name, kind_of_run::as_asked));
    show_translation(from);
    return true;
  }
  std::optional<std::string> text;
  try {
    text = from.is == language::splitc ? preprocess(steps) : frontend::read_file(from.name);
    if (!text) return false;
    if (only_preprocess) return frontend::write_file(name_of_output(from), *text), true;
    if (asked_.save_temporaries) frontend::write_file(name_of_kept(from.name, ".splitc.i"), *text);
    text = translate(*text, shown_name(from.name), asked_, report);
  } catch (const too_many_errors&) {
    return false;
  }
  if (!text) return false;
  if (asked_.last == stage::syntax) return true;
  if (asked_.last == stage::translate)
    return frontend::write_file(name_of_output(from), *text), true;
  const std::string translation = name_of_kept(from.name, ".splitc.c");
  frontend::write_file(translation, *text);
  return compile(translation, from.name, object_of(from));
}

bool build::compile(const std::string& translation, const std::string& source,
                    const std::string& to) {
  command words = c_command(asked_, places_, translation, to);
  if (say_and_run(words)) return place(to);
  // It may have failed at writing, and has said so.
  words.push_back("-fsyntax-only");
  if (driver::run(words, true).status == 0) return false;
  std::fprintf(stderr,
               "splitcc: note: the C compiler refused what %s was translated to; -save-temps keeps "
               "it\n",
               shown_name(source).c_str());
  return false;
}

bool build::foreign_source(const input& from) {
  if (!asked_.show && from.name != "-") frontend::check_readable(from.name);
  const std::string output = asked_.last == stage::link ? object_of(from) : name_of_output(from);
  return say_and_run(foreign_command(asked_, places_, from, output)) && place(output);
}

// Where the C compiler has no option for it, the object's variables get into the segment here.
bool build::place(const std::string& object) {
  const command changes = placement_of_object(asked_, places_);
  if (changes.empty() || asked_.last < stage::object) return true;
  return say_and_run(objcopy_command(places_, changes, object));
}

// Files that are linked: there, and of our version. Words behind options of the linker name other
// things.
void build::check_objects() const {
  constexpr std::string_view kWithValue[] = {"-Xlinker", "-T", "-u", "-z"};
  std::string_view before;
  for (const std::string& object : objects_) {
    if (!object.starts_with('-') && !std::ranges::count(kWithValue, before)) check_object(object);
    before = object;
  }
}

bool build::link() {
  const std::string output = asked_.output.empty() ? "a.out" : asked_.output;
  if (!asked_.show) {
    check_objects();
    frontend::check_writable(output);
    if (!asked_.shared && !asked_.no_libraries)
      frontend::check_library(places_, "libramjet_splitc.a");
  }
  const command words = link_command(asked_, places_, objects_, output);
  if (say_and_run(words)) return true;
  if (driver::run(words, true).errors.find(kMainOfEither) != std::string::npos)
    std::fputs("splitcc: note: nothing that was linked has a splitc_main, or a main\n", stderr);
  return false;
}

}  // namespace splitcc::driver
