// Defines attachedTo, by which a device keeps its copy of data of the host beside the data.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>

#include <tapestry/tensor/attachments.hpp>

#include "device/state.hpp"

namespace tapestry::detail {

/// What a copy has: labels as numbers, the rows that indices choose, their places in a scatter.
enum class Attached : std::uint8_t { labels, rows, places };

/// What is attached: the copy, which keeps its device open, or null as long as none could be made.
struct AttachedCopy {
  std::mutex mutex;
  BufferRef buffer;
};

/// Returns the device's copy of that kind, for numbers of type T, which `upload` makes at the first call, and
/// again where it has failed. `upload` takes the device's lock, which the caller must not have.
template <class T, class F>
BufferRef attachedTo(const Attachments& attachments, DeviceState& device, Attached kind, std::uint64_t number,
                     const F& upload) {
  const std::uint64_t own = 2 * static_cast<std::uint64_t>(kind) + (std::is_same_v<T, double> ? 1 : 0);
  const auto copy =
      attachments.get<AttachedCopy>({&device, own, number}, [] { return std::make_shared<AttachedCopy>(); });
  const auto isUsable = [&] {
    const DeviceState::Lock lock(device.mutex());
    return copy->buffer && !copy->buffer->error;
  };
  const std::lock_guard lock(copy->mutex);
  if (!isUsable()) copy->buffer = upload();
  return copy->buffer;
}

}  // namespace tapestry::detail
