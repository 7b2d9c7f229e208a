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

/// Enqueues the kernel for `items` work-items, whose number is its last argument; under the device's lock.
void launchFixed(DeviceState& device, const FixedKernel& kernel, bool isDouble,
                 std::vector<extend::KernelArgument> arguments, const std::vector<BufferRef>& reads,
                 const std::vector<BufferRef>& writes, std::size_t items);

}  // namespace tapestry::detail
