#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/compute/self_test.hpp>

namespace tapestry {

namespace {

/// The median time in seconds of a call and the commands that it enqueues.
double medianTime(const Device& device, int runs, const std::function<void()>& call) {
  std::vector<double> times;
  for (int run = -1; run < runs; ++run) {
    device.finish().blockingAwait();
    const auto start = std::chrono::steady_clock::now();
    call();
    device.finish().blockingAwait();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    if (run >= 0) times.push_back(time.count());
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[static_cast<std::size_t>(runs / 2)];
}

/// x through eight elementwise operations.
DeviceTensor<float> chain(const DeviceTensor<float>& x) {
  using E = DeviceElementwise;
  auto scaled = E::multiply(E::abs(E::subtract(E::multiply(x, 0.5F), 0.1F)), 1.5F);
  return E::maximum(E::subtract(E::divide(E::add(std::move(scaled), 0.2F), 3.F), 0.3F), -0.2F);
}

}  // namespace

DeviceSpeed measureDevice(const Device& device, std::size_t n, std::size_t elements) {
  constexpr int runs = 7, repetitions = 16;  // so many that the start and the end of a run do not count
  DeviceSpeed speed;
  const auto a = DeviceTensor<float>::random(device, {n, n}, 1),
             b = DeviceTensor<float>::random(device, {n, n}, 2);
  const double size = static_cast<double>(n);
  const double product = medianTime(device, runs, [&] {
    for (int i = 0; i < repetitions; ++i) kernels::matmul(a, b);
  });
  speed.productGflops = repetitions * 2 * size * size * size / product / 1e9;
  const DeviceTensor<float> x = DeviceTensor<float>::random(device, {elements}, 3).compute();
  const double bytes = 2.0 * repetitions * static_cast<double>(elements) * sizeof(float);
  speed.chainGbytes = bytes / 1e9 / medianTime(device, runs, [&] {
                        for (int i = 0; i < repetitions; ++i) chain(x).compute();
                      });
  speed.copyGbytes = bytes / 1e9 / medianTime(device, runs, [&] {
                       for (int i = 0; i < repetitions; ++i) DeviceElementwise::negate(x).compute();
                     });
  const DeviceTensor<float> one = DeviceTensor<float>::random(device, {1024}, 4).compute();
  constexpr int launches = 1000;
  device.finish().blockingAwait();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < launches; ++i) DeviceElementwise::negate(one).compute();
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  speed.launchMicroseconds = time.count() / launches;
  device.finish().blockingAwait();
  return speed;
}

}  // namespace tapestry
