#include "kernel/fixed.hpp"

#include <cstdint>

namespace tapestry::detail {

void launchFixed(DeviceState& device, const FixedKernel& kernel, bool isDouble,
                 const std::vector<BufferRef>& reads, const std::vector<BufferRef>& writes,
                 const std::vector<std::size_t>& numbers, std::size_t items) {
  const std::size_t groupSize = device.properties().itemGroup;
  const std::string name = std::string(kernel.name) + (isDouble ? "_double" : "_float");
  Preparation& prepared = device.kernel(name, [&] {
    return Preparation{name, kernel.source(isDouble, name)};
  });
  std::vector<extend::KernelArgument> arguments;
  for (const auto* buffers : {&reads, &writes})
    for (const BufferRef& buffer : *buffers) arguments.emplace_back(buffer->memory());
  for (const std::size_t number : numbers) arguments.emplace_back(static_cast<std::int32_t>(number));
  arguments.emplace_back(static_cast<std::int32_t>(items));
  device.launch(prepared, arguments, reads, writes, (items + groupSize - 1) / groupSize, groupSize);
}

}  // namespace tapestry::detail
