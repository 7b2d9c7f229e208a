#include "hand/device_network.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include <clblast.h>

#include "hand/first_device.hpp"

namespace tapestry::benchmarks::hand {

namespace {

constexpr std::array<std::size_t, 4> sizes{784, 256, 100, 10};
constexpr std::size_t layers = 3;

constexpr const char* source = R"(
__kernel void add_bias(__global float* restrict y, __global const float* restrict b, const int columns,
                       const int rectify) {
  const uint i = get_global_id(0);
  const float z = y[i] + b[i % columns];
  y[i] = rectify && z < 0 ? 0 : z;
}
__kernel void loss_rows(__global float* restrict y, __global const uint* restrict labels,
                        __global float* restrict losses, const int columns, const int rows) {
  const uint row = get_global_id(0);
  if (row >= rows) return;
  __global float* const x = y + row * columns;
  float most = x[0], total = 0;
  for (int c = 1; c < columns; ++c) most = fmax(most, x[c]);
  for (int c = 0; c < columns; ++c) total += exp(x[c] - most);
  losses[row] = most + log(total) - x[labels[row]];
  for (int c = 0; c < columns; ++c)
    x[c] = (exp(x[c] - most) / total - (c == labels[row] ? 1 : 0)) / rows;
}
__kernel void rectify_delta(__global float* restrict delta, __global const float* restrict y) {
  const uint i = get_global_id(0);
  if (!(y[i] > 0)) delta[i] = 0;
}
__kernel void sum_rows(__global const float* restrict delta, __global float* restrict sums, const int columns,
                       const int rows) {
  const uint column = get_global_id(0);
  float sum = 0;
  for (int row = 0; row < rows; ++row) sum += delta[row * columns + column];
  sums[column] = sum;
}
__kernel void adam(__global float* restrict w, __global const float* restrict g, __global float* restrict m,
                   __global float* restrict v, const float rate, const float scale) {
  const uint i = get_global_id(0);
  const float first = 0.9f * m[i] + 0.1f * g[i], second = 0.999f * v[i] + 0.001f * g[i] * g[i];
  m[i] = first;
  v[i] = second;
  w[i] -= rate * first / (sqrt(second * scale) + 1e-8f);
}
)";

}  // namespace

class DeviceNetwork::Impl {
 public:
  Impl(const std::vector<std::vector<float>>& weights, const std::vector<Batch>& batches, float learningRate)
      : device_(firstDevice()), context_(device_), queue_(context_, device_), rate_(learningRate) {
    const cl::Program program(context_, source);
    program.build(std::vector{device_}, "-cl-std=CL1.2");
    addBias_ = cl::Kernel(program, "add_bias");
    lossRows_ = cl::Kernel(program, "loss_rows");
    rectifyDelta_ = cl::Kernel(program, "rectify_delta");
    sumRows_ = cl::Kernel(program, "sum_rows");
    adam_ = cl::Kernel(program, "adam");
    rows_ = batches.at(0).labels.size();
    for (const std::vector<float>& values : weights) parameters_.push_back(parameterOf(values));
    for (const Batch& batch : batches) {
      images_.push_back(copied(batch.images.data(), batch.images.size_bytes()));
      labels_.push_back(copied(batch.labels.data(), batch.labels.size_bytes()));
    }
    for (std::size_t layer = 0; layer < layers; ++layer) {
      outputs_.push_back(floats(rows_ * sizes[layer + 1]));
      deltas_.push_back(floats(rows_ * sizes[layer + 1]));
    }
    losses_ = floats(rows_);
  }

  float epoch() {
    for (std::size_t batch = 0; batch < images_.size(); ++batch) step(batch);
    std::vector<float> losses(rows_);
    queue_.enqueueReadBuffer(losses_, CL_TRUE, 0, losses.size() * sizeof(float), losses.data());
    return std::accumulate(losses.begin(), losses.end(), 0.0F) / static_cast<float>(rows_);
  }

 private:
  struct Parameter {
    std::size_t size;
    cl::Buffer value, gradient, first, second;
  };

  cl::Buffer floats(std::size_t count) { return {context_, CL_MEM_READ_WRITE, count * sizeof(float)}; }
  cl::Buffer copied(const void* from, std::size_t bytes) {
    cl::Buffer buffer(context_, CL_MEM_READ_WRITE, bytes);
    queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, from);
    return buffer;
  }
  Parameter parameterOf(const std::vector<float>& values) {
    const std::vector<float> zeros(values.size());
    const std::size_t bytes = values.size() * sizeof(float);
    return {values.size(), copied(values.data(), bytes), floats(values.size()), copied(zeros.data(), bytes),
            copied(zeros.data(), bytes)};
  }

  template <class... Arguments>
  void launch(cl::Kernel& kernel, std::size_t items, const Arguments&... arguments) {
    cl_uint index = 0;
    (..., kernel.setArg(index++, arguments));
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items), cl::NullRange);
  }

  /// c [m, n] = op(a) · op(b), of which one may be transposed.
  void multiply(const cl::Buffer& a, bool transposeA, const cl::Buffer& b, bool transposeB,
                const cl::Buffer& c, std::size_t m, std::size_t n, std::size_t k) {
    const auto asked = [](bool is) { return is ? clblast::Transpose::kYes : clblast::Transpose::kNo; };
    cl_command_queue queue = queue_();
    const auto status =
        clblast::Gemm<float>(clblast::Layout::kRowMajor, asked(transposeA), asked(transposeB), m, n, k, 1,
                             a(), 0, transposeA ? m : k, b(), 0, transposeB ? k : n, 0, c(), 0, n, &queue);
    if (status != clblast::StatusCode::kSuccess) throw std::runtime_error("CLBlast failed");
  }

  const cl::Buffer& inputOf(std::size_t layer, std::size_t batch) const {
    return layer == 0 ? images_[batch] : outputs_[layer - 1];
  }

  void forward(std::size_t batch) {
    for (std::size_t layer = 0; layer < layers; ++layer) {
      multiply(inputOf(layer, batch), false, parameters_[2 * layer].value, false, outputs_[layer], rows_,
               sizes[layer + 1], sizes[layer]);
      launch(addBias_, rows_ * sizes[layer + 1], outputs_[layer], parameters_[2 * layer + 1].value,
             static_cast<int>(sizes[layer + 1]), layer + 1 < layers ? 1 : 0);
    }
  }

  void backward(std::size_t batch) {
    for (std::size_t layer = layers; layer-- > 0;) {
      const cl::Buffer& delta = layer + 1 == layers ? outputs_[layer] : deltas_[layer];
      multiply(inputOf(layer, batch), true, delta, false, parameters_[2 * layer].gradient, sizes[layer],
               sizes[layer + 1], rows_);
      launch(sumRows_, sizes[layer + 1], delta, parameters_[2 * layer + 1].gradient,
             static_cast<int>(sizes[layer + 1]), static_cast<int>(rows_));
      if (layer == 0) break;
      multiply(delta, false, parameters_[2 * layer].value, true, deltas_[layer - 1], rows_, sizes[layer],
               sizes[layer + 1]);
      launch(rectifyDelta_, rows_ * sizes[layer], deltas_[layer - 1], outputs_[layer - 1]);
    }
  }

  void step(std::size_t batch) {
    forward(batch);
    launch(lossRows_, rows_, outputs_.back(), labels_[batch], losses_, static_cast<int>(sizes[layers]),
           static_cast<int>(rows_));
    backward(batch);
    ++steps_;
    const float rate = rate_ / (1 - std::pow(0.9F, static_cast<float>(steps_)));
    const float scale = 1 / (1 - std::pow(0.999F, static_cast<float>(steps_)));
    for (Parameter& parameter : parameters_)
      launch(adam_, parameter.size, parameter.value, parameter.gradient, parameter.first, parameter.second,
             rate, scale);
  }

  const cl::Device device_;
  const cl::Context context_;
  const cl::CommandQueue queue_;
  const float rate_;
  cl::Kernel addBias_, lossRows_, rectifyDelta_, sumRows_, adam_;
  std::size_t rows_ = 0;
  int steps_ = 0;
  std::vector<Parameter> parameters_;
  std::vector<cl::Buffer> images_, labels_, outputs_, deltas_;
  cl::Buffer losses_;
};

DeviceNetwork::DeviceNetwork(const std::vector<std::vector<float>>& weights,
                             const std::vector<Batch>& batches, float learningRate)
    : impl_(std::make_unique<Impl>(weights, batches, learningRate)) {}
DeviceNetwork::~DeviceNetwork() = default;

float DeviceNetwork::epoch() { return impl_->epoch(); }

}  // namespace tapestry::benchmarks::hand
