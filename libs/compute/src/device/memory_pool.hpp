// Defines MemoryPool, which recycles the buffers of a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <tapestry/compute/extend/device_driver.hpp>

namespace tapestry::detail {

/// Buffers by size class. A buffer that is given back serves the next request of its class at once: the
/// device executes commands in order, so what was enqueued for the old use is over before the new use begins.
class MemoryPool {
 public:
  struct Piece {
    extend::DeviceMemory memory = nullptr;
    std::size_t capacity = 0;
  };

  /// `device` names the device in errors.
  MemoryPool(extend::DeviceDriver& driver, std::string device, std::uint64_t limit);

  /// Returns memory of at least that many bytes: of their size class, or less if the limit or the device has
  /// no room for that. Gives recycled buffers back to the driver where they exceed the limit together with
  /// the new buffer, or the driver refuses the new buffer. Throws DeviceMemoryError. Only for the thread that
  /// may call the driver.
  Piece take(std::size_t bytes);
  /// May be called by any thread; calls no driver.
  void give(Piece piece) noexcept;
  /// Gives recycled buffers back to the driver until at most `keep` bytes are recycled. As take.
  void trim(std::uint64_t keep = 0) noexcept;

  struct Usage {
    std::uint64_t buffers = 0, bytes = 0, recycledBytes = 0;
  };
  Usage usage() const;
  std::uint64_t limit() const noexcept { return limit_; }

  /// The size class of that many bytes, or of 1 if there are none: the next multiple of a sixteenth of the
  /// next power of 2, or of 256 if this is more.
  static std::size_t capacityFor(std::size_t bytes) noexcept;

 private:
  bool takeRecycled(Piece& piece);
  extend::DeviceMemory allocate(std::size_t capacity);

  extend::DeviceDriver& driver_;
  const std::string device_;
  const std::uint64_t limit_;
  mutable std::mutex mutex_;
  std::map<std::size_t, std::vector<extend::DeviceMemory>> recycled_;
  Usage usage_;
};

}  // namespace tapestry::detail
