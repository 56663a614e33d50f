// SPDX-License-Identifier: Apache-2.0
// Rectangles: rows copied one by one.
#include "ramjet/detail/base/check.hpp"
#include "ramjet/gas.hpp"

namespace ramjet {

namespace {

using detail::completes;

// Bytes from the start of the first row to the end of the last; what does not fit 64 bits is as
// wrong as any other length past the end.
std::size_t extent(const rectangle& shape, std::size_t stride) noexcept {
  std::size_t up_to_last = 0, whole = 0;
  if (__builtin_mul_overflow(shape.rows - 1, stride, &up_to_last) ||
      __builtin_add_overflow(up_to_last, shape.row_bytes, &whole))
    return ~std::size_t{0};
  return whole;
}

bool is_empty(const rectangle& shape) noexcept { return shape.rows == 0 || shape.row_bytes == 0; }

void check_apart(const rectangle& shape, std::size_t target_stride) noexcept {
  RAMJET_CHECK(shape.rows <= 1 || target_stride >= shape.row_bytes,
               "a rectangle's rows overlap at their target");
}

void rows_in(void* into, std::uint64_t from, const rectangle& shape, completes when,
             const char* call) {
  if (is_empty(shape)) return;
  check_apart(shape, shape.local_stride);
  detail::check_local(into, call);
  detail::fence_pending_writes();
  const std::byte* here = detail::reach(from, extent(shape, shape.far_stride), call);
  if (here == nullptr) return detail::far_in(into, from, shape, when, call);
  auto* const first = static_cast<std::byte*>(detail::one_name(into));
  for (std::size_t row = 0; row < shape.rows; ++row)
    detail::copy_near_in(first + row * shape.local_stride, here + row * shape.far_stride,
                         shape.row_bytes);
  detail::value_fence(std::memory_order_acquire);  // pairs: gas.value
}

// Whether it was done in place.
bool rows_out(std::uint64_t to, const void* from, const rectangle& shape, completes when,
              const char* call) {
  if (is_empty(shape)) return false;
  check_apart(shape, shape.far_stride);
  detail::check_local(from, call);
  std::byte* here = detail::reach(to, extent(shape, shape.far_stride), call);
  if (here == nullptr) {
    detail::far_out(to, from, shape, when, call);
    return false;
  }
  detail::value_fence(std::memory_order_release);  // pairs: gas.value
  const auto* const first = static_cast<const std::byte*>(detail::one_name(from));
  for (std::size_t row = 0; row < shape.rows; ++row)
    detail::copy_near_out(here + row * shape.far_stride, first + row * shape.local_stride,
                          shape.row_bytes);
  detail::note_write();
  return true;
}

}  // namespace

void bulk_read(void* into, global_ptr<const void> from, const rectangle& shape) {
  rows_in(into, from.bits(), shape, completes::now, "bulk_read");
}
void bulk_write(global_ptr<void> to, const void* from, const rectangle& shape) {
  rows_out(to.bits(), from, shape, completes::now, "bulk_write");
}
void bulk_get(void* into, global_ptr<const void> from, const rectangle& shape) noexcept {
  rows_in(into, from.bits(), shape, completes::at_sync, "bulk_get");
}
void bulk_put(global_ptr<void> to, const void* from, const rectangle& shape) noexcept {
  rows_out(to.bits(), from, shape, completes::at_sync, "bulk_put");
}
void bulk_store(global_ptr<void> to, const void* from, const rectangle& shape) noexcept {
  if (rows_out(to.bits(), from, shape, completes::counted, "bulk_store"))
    detail::count_stored(detail::rank_of(to.bits()), shape.rows * shape.row_bytes);
}

}  // namespace ramjet
