#include "kernel/fixed.hpp"

#include <cstdint>

namespace tapestry::detail {

void launchFixed(DeviceState& device, const FixedKernel& kernel, bool isDouble,
                 std::vector<extend::KernelArgument> arguments, const std::vector<BufferRef>& reads,
                 const std::vector<BufferRef>& writes, std::size_t items) {
  const std::size_t groupSize = device.properties().itemGroup;
  const std::string name = std::string(kernel.name) + (isDouble ? "_double" : "_float");
  Preparation* prepared = device.findKernel(name);
  if (prepared == nullptr) prepared = &device.addKernel(name, name, kernel.source(isDouble, name));
  arguments.emplace_back(static_cast<std::int32_t>(items));
  device.launch(*prepared, arguments, reads, writes, (items + groupSize - 1) / groupSize, groupSize);
}

}  // namespace tapestry::detail
