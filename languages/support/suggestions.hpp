// SPDX-License-Identifier: Apache-2.0
// What a word that is not known may have meant.
#ifndef FRONTEND_SUGGESTIONS_HPP
#define FRONTEND_SUGGESTIONS_HPP

#include <span>
#include <string_view>

namespace frontend {

// The one of the words that is spelt nearly like it; empty if none is.
std::string_view nearest(std::string_view word, std::span<const std::string_view> words);
// The same for an option of a command line; of --name=value only --name= is compared.
std::string_view nearest_option(std::string_view word, std::span<const std::string_view> options);

}  // namespace frontend

#endif
