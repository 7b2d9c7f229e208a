// Defines attachedTo, by which a device keeps its copy of data of the host beside the data.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tapestry/tensor/attachments.hpp>

#include "device/state.hpp"

namespace tapestry::detail {

/// What a copy has: labels as numbers, the rows that indices choose, their places in a scatter.
enum class Attached : std::uint8_t { labels, rows, places };

/// Returns the device's copy of that kind, for numbers of type T, which `upload` makes at the first call. The
/// copy keeps the device open. `upload` takes the device's lock, which the caller must not have.
template <class T, class F>
BufferRef attachedTo(const Attachments& attachments, const DeviceState& device, Attached kind,
                     std::uint64_t number, const F& upload) {
  const std::uint64_t own = 2 * static_cast<std::uint64_t>(kind) + (std::is_same_v<T, double> ? 1 : 0);
  return attachments.get<DeviceBuffer>({&device, own, number}, upload);
}

}  // namespace tapestry::detail
