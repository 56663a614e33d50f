// SPDX-License-Identifier: Apache-2.0
#include "languages/id/driver/front_end.hpp"

namespace idc::driver {

namespace {

// Offsets from here on are those of the prelude.
constexpr std::uint32_t kPreludeBase = 0x80000000;

}  // namespace

front_end::front_end(std::string name, std::string text, frontend::message_options options)
    : prelude_text_("<prelude>", kPrelude),
      user_text_(std::move(name), std::move(text)),
      report_(std::move(options)),
      types_(memory_) {
  add_builtins(known_, types_, memory_);
}

frontend::place front_end::place_of(position p) const {
  return p.at >= kPreludeBase ? prelude_text_.place_of(p.at - kPreludeBase, p.width)
                              : user_text_.place_of(p.at, p.width);
}

emit::line_of_source front_end::line_of(position p) const {
  const bool is_prelude = p.at >= kPreludeBase;
  const frontend::source_text& text = is_prelude ? prelude_text_ : user_text_;
  const std::uint32_t base = is_prelude ? kPreludeBase : 0;
  const auto [line, begin, end] = text.line_at(p.at - base);
  return {text.name(), line, base + begin, base + end};
}

bool front_end::check(program& p) {
  const place_finder finder = [this](position where) { return place_of(where); };
  if (report_.errors() == 0) resolve(p, known_, tree_memory_, report_, finder);
  if (report_.errors() == 0) infer(p, types_, report_, finder);
  return report_.errors() == 0;
}

bool front_end::check() {
  parse(prelude_text_, kPreludeBase, {tree_memory_, memory_}, report_, prelude_);
  if (!check(prelude_)) return false;
  known_.append = known_.values["append"];
  parse(user_text_, 0, {tree_memory_, memory_}, report_, user_);
  return check(user_);
}

bool front_end::lower() {
  core_ = core::lower(user_);
  known_ = {};
  prelude_ = user_ = {};
  tree_memory_.clear();
  if (core_.main) return true;
  frontend::place file;
  file.file = user_text_.name();
  report_.error(file, "there is no definition of 'main'");
  return false;
}

}  // namespace idc::driver
