// Defines launchFixed, which enqueues a kernel whose source depends on nothing but the type of its numbers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/state.hpp"

namespace tapestry::detail {

struct FixedKernel {
  std::string_view name;
  std::string (*source)(bool isDouble, std::string_view name);
};

/// Enqueues the kernel for `items` work-items; under the device's lock. Its arguments are the buffers, the
/// numbers, and `items`.
void launchFixed(DeviceState& device, const FixedKernel& kernel, bool isDouble,
                 const std::vector<BufferRef>& reads, const std::vector<BufferRef>& writes,
                 const std::vector<std::size_t>& numbers, std::size_t items);

}  // namespace tapestry::detail
