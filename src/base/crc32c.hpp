// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli), the checksum of everything that ranks on different machines send each
// other: by the processor's own instructions where it has them, else by tables.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ramjet::base {

// The checksum of what `before` is the checksum of (0: of nothing), followed by these bytes.
std::uint32_t crc32c(std::uint32_t before, const void* bytes, std::size_t count) noexcept;

// The same of the bytes at `from`, which it copies to `to` on the way.
std::uint32_t copy_with_crc32c(std::uint32_t before, void* to, const void* from,
                               std::size_t count) noexcept;

// The same by tables alone. For tests: the two have to agree.
std::uint32_t crc32c_by_tables(std::uint32_t before, const void* bytes,
                               std::size_t count) noexcept;

}  // namespace ramjet::base
