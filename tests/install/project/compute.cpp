// components: continuation tryt resourcet raii tensor compute
#include <tapestry/compute.hpp>

#include <cstdio>

#if __has_include(<tapestry/deeplearning.hpp>) || __has_include(<tapestry/concurrent.hpp>)
#error "the installed copy holds more than the components that compute needs"
#endif

using namespace tapestry;

int main() {
  for (const DeviceEntry& entry : devices())
    std::printf("%s  %s\n", entry.name.c_str(), entry.description.c_str());
  const auto device = Device::open("opencl");
  const DeviceTensor<float> x(device, Tensor<float>({2}, {1, 2}));
  const auto sum = DeviceElementwise::add(x, DeviceTensor<float>::full({2}, 3));
  const auto values = sum.toHost().blockingAwait();
  device.finish().blockingAwait();
  return values == Tensor<float>({2}, {4, 5}) ? 0 : 1;
}
