// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/remote/transfers.hpp"

#include <sys/types.h>
#include <sys/uio.h>

#include <cstring>
#include <stdexcept>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "ramjet/ramjet.hpp"

namespace characterize {
namespace {

using word = std::uint64_t;
using word_pointer = ramjet::global_ptr<word>;

bool answered = false;

void on_long_answer(ramjet::reply_token, ramjet::deposit) { answered = true; }
void on_short_answer(ramjet::reply_token) { answered = true; }

// Brings bytes of this rank's memory to where the one who asks wants them.
void on_fetch(ramjet::request_token t, std::uint64_t into, std::uint64_t from,
              std::uint64_t bytes) {
  ramjet::reply_long<on_long_answer>(std::move(t), reinterpret_cast<void*>(into),
                                     reinterpret_cast<const void*>(from), bytes);
}

void on_arrived(ramjet::request_token t, ramjet::deposit) {
  ramjet::reply<on_short_answer>(std::move(t));
}

void await_answer() {
  ramjet::wait_until([] { return answered; }, "characterize: bytes");
  answered = false;
}

#ifdef __SSE2__
// Past this core's caches. `to` is 16-byte aligned if there are 16 bytes or more.
void stream(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::size_t i = 0;
  for (; i + 16 <= bytes; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
  std::memcpy(to + i, from + i, bytes - i);
  _mm_sfence();
}
#endif

// Between two processes of one machine, by the kernel: one copy, without a mapping.
template <auto Call>
void by_kernel(const server_place& other, std::byte* here, std::size_t offset, std::size_t bytes) {
  const iovec local{here, bytes};
  const iovec remote{reinterpret_cast<void*>(other.own_address + offset), bytes};
  if (Call(pid_t(other.process), &local, 1, &remote, 1, 0) != ssize_t(bytes))
    throw std::runtime_error("the kernel copied less than it was asked for");
}

template <auto Call>
bool kernel_copies(const server_place& other) {
  std::byte probe[8]{};
  const iovec local{probe, sizeof probe};
  const iovec remote{reinterpret_cast<void*>(other.own_address), sizeof probe};
  return Call(pid_t(other.process), &local, 1, &remote, 1, 0) == ssize_t(sizeof probe);
}

}  // namespace

std::vector<transfer> ways_to_read(const server_place& other) {
  const auto address = [other](std::size_t offset) {
    return reinterpret_cast<std::byte*>(other.address + offset);
  };
  const auto words = [address](std::byte* here, std::size_t offset, std::size_t bytes) {
    auto* into = reinterpret_cast<word*>(here);
    const word_pointer from(reinterpret_cast<word*>(address(offset)));
    for (std::size_t i = 0; i < bytes / sizeof(word); ++i)
      ramjet::get(into + i, from + std::ptrdiff_t(i), ramjet::more);
    ramjet::sync_all();
  };
  const auto bulk = [address](std::byte* here, std::size_t offset, std::size_t bytes) {
    ramjet::bulk_read(here, ramjet::global_ptr<const void>(address(offset)), bytes);
  };
  const auto message = [address](std::byte* here, std::size_t offset, std::size_t bytes) {
    ramjet::request<on_fetch>(1, std::uint64_t(reinterpret_cast<std::uintptr_t>(here)),
                              std::uint64_t(reinterpret_cast<std::uintptr_t>(address(offset))),
                              std::uint64_t(bytes));
    await_answer();
  };
  std::vector<transfer> ways{{"words", words}, {"bulk", bulk}, {"message", message}};
  if (!is_near()) return ways;
#ifdef __SSE2__
  ways.push_back({"streaming", [address](std::byte* here, std::size_t offset, std::size_t bytes) {
                    stream(here, address(offset), bytes);
                  }});
#endif
  if (kernel_copies<process_vm_readv>(other))
    ways.push_back({"kernel", [other](std::byte* here, std::size_t offset, std::size_t bytes) {
                      by_kernel<process_vm_readv>(other, here, offset, bytes);
                    }});
  return ways;
}

std::vector<transfer> ways_to_write(const server_place& other) {
  const auto address = [other](std::size_t offset) {
    return reinterpret_cast<std::byte*>(other.address + offset);
  };
  const auto words = [address](std::byte* here, std::size_t offset, std::size_t bytes) {
    const auto* from = reinterpret_cast<const word*>(here);
    const word_pointer to(reinterpret_cast<word*>(address(offset)));
    for (std::size_t i = 0; i < bytes / sizeof(word); ++i)
      ramjet::put(to + std::ptrdiff_t(i), from[i]);
    ramjet::sync_all();
  };
  const auto bulk = [address](std::byte* here, std::size_t offset, std::size_t bytes) {
    ramjet::bulk_write(ramjet::global_ptr<void>(address(offset)), here, bytes);
  };
  const auto message = [address](std::byte* here, std::size_t offset, std::size_t bytes) {
    ramjet::request_long<on_arrived>(1, address(offset), here, bytes);
    await_answer();
  };
  std::vector<transfer> ways{{"words", words}, {"bulk", bulk}, {"message", message}};
  if (!is_near()) return ways;
#ifdef __SSE2__
  ways.push_back({"streaming", [address](std::byte* here, std::size_t offset, std::size_t bytes) {
                    stream(address(offset), here, bytes);
                  }});
#endif
  if (kernel_copies<process_vm_writev>(other))
    ways.push_back({"kernel", [other](std::byte* here, std::size_t offset, std::size_t bytes) {
                      by_kernel<process_vm_writev>(other, here, offset, bytes);
                    }});
  return ways;
}

}  // namespace characterize
