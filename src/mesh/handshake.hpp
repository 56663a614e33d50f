// SPDX-License-Identifier: Apache-2.0
// How two processes prove to each other, over a fresh connection, that they belong to one job:
//
//   caller                                        listener
//   hello {what for, nonce}            -->        is it one of us, of this build?
//   is the mac right?                  <--        challenge {nonce, mac("listener", hello, nonce)}
//   proof {mac("caller", hello, nonce)} -->       is the mac right?
//   proved                             <--        welcome
//
// A listener may drop a call at any time before the welcome, and then the caller knows.
//
// The MACs are keyed with the job's key (libsodium's crypto_auth), so neither the key nor anything
// of use against it passes over the network, and a recording of one handshake is of no use in
// another. Nothing that a peer sends is handled before. The stream that follows is neither
// encrypted nor authenticated: a cluster's network is trusted not to take connections over. It has
// checksums against bytes that are altered by accident (ADR 34).
//
// Threads: a handshake belongs to one thread. It never waits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "job/bootstrap/bootstrap.hpp"

namespace ramjet::mesh {

using namespace ramjet::job;

// What a connection is for.
enum class purpose : std::uint32_t { control = 1, channel = 2 };

struct greeting {
  purpose what = purpose::control;
  std::uint32_t from = 0;  // ranks for control, ports for a channel
  std::uint32_t to = 0;
};

// The bytes of the handshake.
struct hello_message {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t what;
  std::uint32_t from;
  std::uint32_t to;
  std::uint64_t build;  // of the library
  std::array<std::uint8_t, 32> nonce;
};
static_assert(sizeof(hello_message) == 64);
struct challenge_message {
  std::array<std::uint8_t, 32> nonce;
  std::array<std::uint8_t, 32> mac;
};
struct proof_message {
  std::array<std::uint8_t, 32> mac;
};

struct welcome_message {
  std::uint64_t magic;
};

inline constexpr std::uint64_t kHelloMagic = 0x5445'4e54'454a'4d52;  // "RMJETNET"
inline constexpr std::uint32_t kWireVersion = 2;  // of everything that passes over a connection

// What handshake::why() is where the other end has refused nothing: these very arrays.
inline constexpr char kConnectionLost[] = "the connection was closed";
inline constexpr char kNobodyListens[] = "nobody listens there any more";

class handshake {
 public:
  enum class state { under_way, proved, refused };

  // The caller's side.
  handshake(int fd, const job_key& key, std::uint64_t build, const greeting& mine);
  // The listener's side.
  handshake(int fd, const job_key& key, std::uint64_t build);

  // Goes as far as it can without waiting.
  state advance();
  // Whether it waits for room to write rather than for bytes to read.
  bool wants_room() const noexcept { return out_done_ < out_bytes_; }
  // Whether the other end has said nothing yet.
  bool silent() const noexcept { return !caller_ && next_ == step::hello; }
  // What the connection is for; the listener knows it once proved.
  const greeting& about() const noexcept { return about_; }
  // Once refused: why.
  const char* why() const noexcept { return why_; }

 private:
  enum class step { hello, challenge, proof, welcome, done };

  bool write_out();
  bool read_in(std::size_t bytes);
  static std::size_t bytes_of(step s);
  state refuse(const char* why);
  state take();
  state take_hello();
  state take_challenge();
  state take_proof();
  state take_welcome();
  std::array<std::uint8_t, 32> mac_of(const char* role) const;
  template <class T>
  void send(const T& message);

  int fd_;
  const job_key& key_;
  std::uint64_t build_;
  bool caller_;
  greeting about_;
  step next_;  // what is to be read next
  const char* why_ = "";
  hello_message hello_{};
  std::array<std::uint8_t, 32> nonce_{};  // the listener's
  std::array<std::byte, 64> in_{}, out_{};
  std::size_t in_done_ = 0, out_done_ = 0, out_bytes_ = 0;
};

}  // namespace ramjet::mesh
