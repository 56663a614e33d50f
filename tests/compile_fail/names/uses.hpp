// SPDX-License-Identifier: Apache-2.0
// What the uses of uses.inc need, and their check. Included behind all other headers.
#pragma once

using namespace ramjet;

inline void on_int(int) {}
inline void on_payload(payload) {}
inline void on_deposit(deposit) {}
inline void on_reply(reply_token) {}
inline void on_reply_payload(reply_token, payload) {}
inline void on_reply_deposit(reply_token, deposit) {}
inline void on_thread(thread_token, int) {}
inline void on_thread_payload(thread_token, payload) {}
inline int successor(int x) { return x + 1; }
inline void procedure(int*, int) {}

inline global_ptr<int> at;
inline request_token* token = nullptr;
inline thread_token* thread_of = nullptr;
inline int value = 0;
inline const auto sum_up = [](int a, int b) { return a + b; };

#define USES(what, type) \
  static_assert(std::is_same_v<decltype(what), type>, "a name means something else");
