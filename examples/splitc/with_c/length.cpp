// SPDX-License-Identifier: Apache-2.0
#include <string>

extern "C" int cpp_length(const char* text) { return static_cast<int>(std::string(text).size()); }
