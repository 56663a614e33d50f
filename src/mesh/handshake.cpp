// SPDX-License-Identifier: Apache-2.0
#include "mesh/handshake.hpp"

#include <sodium.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <type_traits>

namespace ramjet::mesh {

static_assert(crypto_auth_KEYBYTES == std::tuple_size_v<job_key>);
static_assert(crypto_auth_BYTES == sizeof(proof_message));

namespace {

constexpr const char* kCaller = "ramjet caller";
constexpr const char* kListener = "ramjet listener";

}  // namespace

handshake::handshake(int fd, const job_key& key, std::uint64_t build, const greeting& mine)
    : fd_(fd), key_(key), build_(build), caller_(true), about_(mine), next_(step::challenge) {
  hello_ = {kHelloMagic, kWireVersion, std::uint32_t(mine.what), mine.from, mine.to, build, {}};
  randombytes_buf(hello_.nonce.data(), hello_.nonce.size());
  send(hello_);
}

handshake::handshake(int fd, const job_key& key, std::uint64_t build)
    : fd_(fd), key_(key), build_(build), caller_(false), next_(step::hello) {}

handshake::state handshake::advance() {
  for (;;) {
    if (!write_out()) return why_[0] != '\0' ? state::refused : state::under_way;
    if (next_ == step::done) return state::proved;
    if (!read_in(bytes_of(next_))) return why_[0] != '\0' ? state::refused : state::under_way;
    if (take() == state::refused) return state::refused;
  }
}

std::size_t handshake::bytes_of(step s) {
  switch (s) {
    case step::hello:
      return sizeof(hello_message);
    case step::challenge:
      return sizeof(challenge_message);
    case step::proof:
      return sizeof(proof_message);
    default:
      return sizeof(welcome_message);
  }
}

handshake::state handshake::take() {
  switch (next_) {
    case step::hello:
      return take_hello();
    case step::challenge:
      return take_challenge();
    case step::proof:
      return take_proof();
    default:
      return take_welcome();
  }
}

handshake::state handshake::take_hello() {
  std::memcpy(&hello_, in_.data(), sizeof hello_);
  if (hello_.magic != kHelloMagic) return refuse("it does not speak as a Ramjet rank does");
  if (hello_.version != kWireVersion || hello_.build != build_)
    return refuse("it was built with another version of Ramjet");
  if (hello_.what != std::uint32_t(purpose::control) &&
      hello_.what != std::uint32_t(purpose::channel))
    return refuse("it asks for what there is not");
  about_ = {purpose(hello_.what), hello_.from, hello_.to};
  randombytes_buf(nonce_.data(), nonce_.size());
  next_ = step::proof;
  send(challenge_message{nonce_, mac_of(kListener)});
  return state::under_way;
}

handshake::state handshake::take_challenge() {
  challenge_message got;
  std::memcpy(&got, in_.data(), sizeof got);
  nonce_ = got.nonce;
  const auto right = mac_of(kListener);
  if (sodium_memcmp(got.mac.data(), right.data(), right.size()) != 0)
    return refuse("the listener there does not know this job's key");
  next_ = step::welcome;
  send(proof_message{mac_of(kCaller)});
  return state::under_way;
}

handshake::state handshake::take_proof() {
  proof_message got;
  std::memcpy(&got, in_.data(), sizeof got);
  const auto right = mac_of(kCaller);
  if (sodium_memcmp(got.mac.data(), right.data(), right.size()) != 0)
    return refuse("it does not know this job's key");
  next_ = step::done;
  send(welcome_message{kHelloMagic});
  return state::under_way;
}

handshake::state handshake::take_welcome() {
  welcome_message got;
  std::memcpy(&got, in_.data(), sizeof got);
  if (got.magic != kHelloMagic) return refuse("it does not speak as a Ramjet rank does");
  next_ = step::done;
  return state::under_way;
}

std::array<std::uint8_t, 32> handshake::mac_of(const char* role) const {
  std::array<std::uint8_t, 32> mac;
  crypto_auth_hmacsha512256_state s;
  crypto_auth_hmacsha512256_init(&s, key_.data(), key_.size());
  crypto_auth_hmacsha512256_update(&s, reinterpret_cast<const unsigned char*>(role),
                                   std::strlen(role) + 1);
  crypto_auth_hmacsha512256_update(&s, reinterpret_cast<const unsigned char*>(&hello_),
                                   sizeof hello_);
  crypto_auth_hmacsha512256_update(&s, nonce_.data(), nonce_.size());
  crypto_auth_hmacsha512256_final(&s, mac.data());
  return mac;
}

handshake::state handshake::refuse(const char* why) {
  why_ = why;
  return state::refused;
}

template <class T>
void handshake::send(const T& message) {
  static_assert(sizeof message <= sizeof out_ && std::is_trivially_copyable_v<T>);
  std::memcpy(out_.data(), &message, sizeof message);
  out_done_ = 0;
  out_bytes_ = sizeof message;
}

bool handshake::write_out() {
  while (out_done_ < out_bytes_) {
    const ssize_t sent =
        ::send(fd_, out_.data() + out_done_, out_bytes_ - out_done_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == ENOTCONN || errno == EINPROGRESS)) return false;
    if (sent <= 0) {
      why_ = sent < 0 && errno == ECONNREFUSED ? kNobodyListens : kConnectionLost;
      return false;
    }
    out_done_ += std::size_t(sent);
  }
  return true;
}

bool handshake::read_in(std::size_t bytes) {
  while (in_done_ < bytes) {
    const ssize_t got = ::recv(fd_, in_.data() + in_done_, bytes - in_done_, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return false;
    if (got <= 0) {
      why_ = kConnectionLost;
      return false;
    }
    in_done_ += std::size_t(got);
  }
  in_done_ = 0;
  return true;
}

}  // namespace ramjet::mesh
