// Defines DeviceNetwork, the network of mnist_mlp on a device by hand: CLBlast's products and kernels of
// OpenCL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tapestry::benchmarks::hand {

/// 784-256-100-10 with rectifiers between, softmax cross entropy and Adam, as an expert would write it: every
/// buffer is made once, and no command is waited for but the last.
class DeviceNetwork {
 public:
  struct Batch {
    std::span<const float> images;  ///< [rows, 784]
    std::span<const std::uint32_t> labels;
  };

  /// The weights and biases of the three layers, in order; and all batches, which are copied to the device.
  DeviceNetwork(const std::vector<std::vector<float>>& weights, const std::vector<Batch>& batches,
                float learningRate);
  ~DeviceNetwork();

  /// Trains on each batch once, and returns the loss of the last one.
  float epoch();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tapestry::benchmarks::hand
