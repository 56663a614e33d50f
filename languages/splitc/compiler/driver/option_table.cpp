// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/option_table.hpp"

#include <algorithm>

namespace splitcc::driver {
namespace {

using enum value_form;
using values = const std::string&;

template <stage last>
void stop_after(options& o, std::string_view, values) {
  o.last = std::min(o.last, last);
}

template <bool options::* field>
void set(options& o, std::string_view, values) {
  o.*field = true;
}

template <action what>
void only(options& o, std::string_view, values) {
  o.what = what;
}

void pass(options& o, std::string_view name, values value, std::uint8_t to) {
  o.passed.push_back({std::string(name) + value, to});
}

// As one word: `-Idir`, `-DX=1`.
template <std::uint8_t to>
void pass_joined(options& o, std::string_view name, values value) {
  pass(o, name, value, to);
}

// As two words: `-include file`.
template <std::uint8_t to>
void pass_separate(options& o, std::string_view name, values value) {
  o.passed.push_back({std::string(name), to});
  o.passed.push_back({value, to});
}

// To the linker, in its place among the files.
void link_joined(options& o, std::string_view name, values value) {
  o.inputs.push_back({std::string(name) + value, language::linked, ""});
}
void link_separate(options& o, std::string_view name, values value) {
  link_joined(o, name, "");
  link_joined(o, "", value);
}

// A question about the C compiler, for tools that build things.
void ask(options& o, std::string_view name, values value) {
  o.what = action::ask;
  pass(o, name, value, kAll);
}

void set_output(options& o, std::string_view, values value) {
  if (value.empty()) throw usage_error("-o names no file");
  o.output = value;
}
void set_language(options& o, std::string_view, values value) {
  // What is not ours goes to the C compiler.
  constexpr std::string_view kLanguages[] = {
      "none",       "splitc", "splitc-cpp-output", "c",         "c-header",
      "cpp-output", "c++",    "c++-header",        "assembler", "assembler-with-cpp"};
  if (std::ranges::find(kLanguages, value) == std::end(kLanguages))
    throw usage_error("-x " + std::string(value) +
                      " is not a language; splitc, c, c++, assembler and none are");
  o.forced = value == "none" ? "" : value;
}

void set_standard(options& o, std::string_view name, values value) {
  if (name != "-ansi" && value.empty()) throw usage_error("-std= names no standard");
  o.standard = name == "-ansi" ? "c90" : value;
}

void set_optimisation(options& o, std::string_view, values value) {
  o.optimisation = "-O" + value;
  o.optimisation_given = true;
}

void set_debugging(options& o, std::string_view name, values value) {
  o.debugging = value != "0";
  pass(o, name, value, kCompiler | kLinker);
}

void make_shared(options& o, std::string_view name, values) {
  o.shared = o.position_independent = true;
  pass(o, name, "", kLinker);
}

void no_libraries(options& o, std::string_view name, values) {
  o.no_libraries = true;
  pass(o, name, "", kLinker);
}

void make_dependencies(options& o, std::string_view name, values) {
  o.dependencies.wanted = true;
  o.dependencies.system_headers = !name.starts_with("-MM");
  if (name == "-M" || name == "-MM") o.last = std::min(o.last, stage::dependencies);
}

void set_dependency(options& o, std::string_view name, values value) {
  if (name == "-MF") {
    o.dependencies.file = value;
  } else {
    o.dependencies.targets.insert(o.dependencies.targets.end(), {std::string(name), value});
  }
}

void make_phony(options& o, std::string_view, values) { o.dependencies.phony = true; }
void take_missing(options& o, std::string_view, values) { o.dependencies.missing_too = true; }

void show_macros(options& o, std::string_view name, values) { o.macros = name; }

void drop_line_marks(options& o, std::string_view, values) { o.line_marks = false; }

void save_temporaries(options& o, std::string_view, values value) {
  if (!value.empty() && value != "=obj" && value != "=cwd")
    throw usage_error("-save-temps takes =obj or =cwd, not '" + value + "'");
  o.save_temporaries = true;
  o.save_beside_output = value == "=obj";
}

void set_warning(options& o, std::string_view, values value) { apply_warning(o, value); }
void no_warnings(options& o, std::string_view, values) { o.messages.warnings = false; }
void be_pedantic(options& o, std::string_view name, values) {
  o.pedantic = o.c_warnings = true;
  o.messages.warnings_are_errors |= name == "-pedantic-errors";
  pass(o, name, "", kCompiler);
}

// `when`: `=always` and the like, or nothing; `auto` is as it was at the start.
void set_color(options& o, bool on, std::string_view when) {
  if (when.empty() || when == "=always") {
    o.messages.color = on;
  } else if (when == "=never") {
    o.messages.color = false;
  } else if (when != "=auto") {
    throw usage_error("-fdiagnostics-color takes always, never or auto, not '" +
                      std::string(when.substr(1)) + "'");
  }
}

// What -f and -m options mean to the front end; all others only pass.
void set_feature(options& o, std::string_view name, values value) {
  const std::string word = std::string(name) + value;
  const bool on = !value.starts_with("no-");
  const std::string_view feature = std::string_view(value).substr(on ? 0 : 3);
  constexpr std::string_view kErrors = "max-errors=", kColor = "diagnostics-color";
  if (feature.starts_with(kErrors)) {
    const std::string number(feature.substr(kErrors.size()));
    if (number.empty() || number.size() > 9 ||
        number.find_first_not_of("0123456789") != std::string::npos)
      throw usage_error("-fmax-errors takes a number, not '" + number + "'");
    o.messages.errors_max = std::stoi(number);
    return pass(o, word, "", kCompiler);
  }
  if (feature.starts_with(kColor)) {
    set_color(o, on, feature.substr(kColor.size()));
    return;  // the others are told when they are called
  }
  if (feature == "check") {
    o.check = on;
    return;
  }
  if (feature == "syntax-only") return stop_after<stage::syntax>(o, "", "");
  if (apply_feature(o, feature, on)) return;
  check_spelling(word, feature, on);
  if (feature == "PIC" || feature == "pic" || feature == "PIE" || feature == "pie")
    o.position_independent = on;
  if (feature == "unsigned-char") o.unsigned_char = on;
  if (feature == "signed-char") o.unsigned_char = !on;
  pass(o, word, "", kAll);
}

void set_machine(options& o, std::string_view name, values value) {
  if (value == "32" || value == "x32")
    throw usage_error("-m" + value + ": global pointers need a 64-bit machine");
  pass(o, name, value, kAll);
}

void position_independent(options& o, std::string_view name, values) {
  o.position_independent = name != "-no-pie";
  pass(o, name, "", kLinker);
}

constexpr known_option kOptions[] = {
    {"-o", joined_or_separate, set_output, "FILE", "write to FILE"},
    {"-c", none, stop_after<stage::object>, "", "compile to objects, do not link"},
    {"-S", none, stop_after<stage::assembly>, "", "compile to assembly"},
    {"-E", none, stop_after<stage::preprocess>, "", "preprocess only, to standard output"},
    {"-emit-c", none, stop_after<stage::translate>, "",
     "translate to GNU C only: NAME.sc to NAME.splitc.c"},
    {"-x", joined_or_separate, set_language, "LANGUAGE",
     "of the files that follow: splitc, none (by their names),\nor a language of the C compiler"},
    {"-std=", joined, set_standard, "STANDARD", "gnu89 (with much of C17) unless said otherwise"},
    {"-ansi", none, set_standard, {}, {}},
    {"-I", joined_or_separate, pass_joined<kPreprocessor>, "DIR", "look for headers in DIR"},
    {"-D", joined_or_separate, pass_joined<kPreprocessor>, "NAME[=VALUE]", "define a macro"},
    {"-U", joined_or_separate, pass_joined<kPreprocessor>, "NAME", "do not define it"},
    {"-include", separate, pass_separate<kPreprocessor>, "FILE", "include FILE first"},
    {"-imacros", separate, pass_separate<kPreprocessor>, {}, {}},
    {"-isystem", joined_or_separate, pass_joined<kPreprocessor>, "DIR",
     "look for system headers in DIR"},
    {"-iquote", joined_or_separate, pass_joined<kPreprocessor>, {}, {}},
    {"-idirafter", joined_or_separate, pass_joined<kPreprocessor>, {}, {}},
    {"-iprefix", joined_or_separate, pass_joined<kPreprocessor>, {}, {}},
    {"-iwithprefix", joined_or_separate, pass_joined<kPreprocessor>, {}, {}},
    {"-isysroot", joined_or_separate, pass_joined<kAll>, {}, {}},
    {"-nostdinc", none, pass_joined<kPreprocessor>, {}, {}},
    {"-undef", none, pass_joined<kPreprocessor>, {}, {}},
    {"-C", none, pass_joined<kPreprocessor>, {}, {}},
    {"-P", none, drop_line_marks, {}, {}},
    {"-dM", none, show_macros, "", "of -E: the macros instead of the text; -dD: both"},
    {"-dD", none, show_macros, {}, {}},
    {"-H", none, pass_joined<kPreprocessor>, {}, {}},
    {"-trigraphs", none, pass_joined<kPreprocessor>, {}, {}},
    {"-Wp,", joined, pass_joined<kPreprocessor>, "OPTIONS", "for the preprocessor"},
    {"-Xpreprocessor", separate, pass_separate<kPreprocessor>, {}, {}},
    {"-Wa,", joined, pass_joined<kCompiler>, {}, {}},
    {"-Xassembler", separate, pass_separate<kCompiler>, {}, {}},
    {"--param", separate, pass_separate<kCompiler>, {}, {}},
    {"--param=", joined, pass_joined<kCompiler>, {}, {}},
    {"-O", joined, set_optimisation, "[LEVEL]", "optimise; -O2 unless said otherwise"},
    {"-g", joined, set_debugging, "[LEVEL]", "for debuggers, which show .sc lines"},
    {"-f", joined, set_feature, {}, {}},
    {"-m", joined, set_machine, {}, {}},
    {"-l", joined_or_separate, link_joined, "LIBRARY", "link LIBRARY"},
    {"-L", joined_or_separate, pass_joined<kLinker>, "DIR", "look for libraries in DIR"},
    {"-Wl,", joined, link_joined, "OPTIONS", "for the linker"},
    {"-Xlinker", separate, link_separate, "OPTION", "for the linker"},
    {"-static", none, pass_joined<kLinker>, "", "link no shared libraries"},
    {"-shared", none, make_shared, "", "make a shared object"},
    {"-pthread", none, pass_joined<kAll>, "", "with POSIX threads"},
    {"-pie", none, position_independent, {}, {}},
    {"-no-pie", none, position_independent, {}, {}},
    {"-static-pie", none, position_independent, {}, {}},
    {"-rdynamic", none, pass_joined<kLinker>, {}, {}},
    {"-nostdlib", none, no_libraries, {}, {}},
    {"-nodefaultlibs", none, no_libraries, {}, {}},
    {"-nostartfiles", none, pass_joined<kLinker>, {}, {}},
    {"-static-libgcc", none, pass_joined<kLinker>, {}, {}},
    {"-r", none, no_libraries, {}, {}},
    {"-s", none, pass_joined<kLinker>, {}, {}},
    {"-T", joined_or_separate, link_separate, {}, {}},
    {"-u", joined_or_separate, link_separate, {}, {}},
    {"-z", separate, link_separate, {}, {}},
    {"-pipe", none, pass_joined<kCompiler>, {}, {}},
    {"-p", none, pass_joined<kCompiler | kLinker>, {}, {}},
    {"-pg", none, pass_joined<kCompiler | kLinker>, {}, {}},
    {"-B", joined_or_separate, pass_joined<kAll>, {}, {}},
    {"--sysroot=", joined, pass_joined<kAll>, {}, {}},
    {"-specs=", joined, pass_joined<kAll>, {}, {}},
    {"-MD", none, make_dependencies, "", "write the headers that were read to NAME.d"},
    {"-MMD", none, make_dependencies, "", "the same without system headers"},
    {"-M", none, make_dependencies, "", "print the headers, do nothing else; -MM: no system ones"},
    {"-MM", none, make_dependencies, {}, {}},
    {"-MF", joined_or_separate, set_dependency, "FILE", "of -MD and -M: write to FILE"},
    {"-MT", joined_or_separate, set_dependency, "TARGET",
     "the rule's target; -MQ: quoted for make"},
    {"-MQ", joined_or_separate, set_dependency, {}, {}},
    {"-MP", none, make_phony, "", "and a rule for each header"},
    {"-MG", none, take_missing, "", "headers that are missing are taken as yet to be made"},
    {"-W", joined, set_warning, "[no-][error=]NAME",
     "turn a warning on or off, or make it an error"},
    {"-w", none, no_warnings, "", "no warnings"},
    {"-pedantic", none, be_pedantic, {}, {}},
    {"-pedantic-errors", none, be_pedantic, {}, {}},
    {"-save-temps", joined, save_temporaries, "[=obj]",
     "keep NAME.splitc.i and NAME.splitc.c; =obj: beside\nthe output"},
    {"--save-temps", joined, save_temporaries, {}, {}},
    {"-show", none, set<&options::show>, "", "print the commands, run none"},
    {"-###", none, set<&options::show>, {}, {}},
    {"-v", none, set<&options::verbose>, "", "print the commands as they run"},
    {"--help", none, only<action::help>, "", "print this"},
    {"-h", none, only<action::help>, {}, {}},
    {"--version", none, only<action::version>, "", "print the version"},
    {"-dumpmachine", none, ask, {}, {}},
    {"-dumpversion", none, ask, {}, {}},
    {"-dumpfullversion", none, ask, {}, {}},
    {"-print-", joined, ask, {}, {}},
};

}  // namespace

std::span<const known_option> known_options() { return kOptions; }

}  // namespace splitcc::driver
