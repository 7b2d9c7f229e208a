// What a device tensor costs: a fused chain beside a kernel for each operation, the host's part of a launch
// and a training beside OpenCL by hand.
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tapestry/compute.hpp>
#include <tapestry/deeplearning.hpp>

#include "compare/compare.hpp"
#include "hand/device_network.hpp"
#include "hand/first_device.hpp"

namespace tapestry::benchmarks {

namespace {

constexpr const char* deviceName = "opencl:0";

Tensor<float> numbers(std::size_t elements) {
  auto x = Tensor<float>::uninitialized({elements});
  float* const values = x.exclusiveData();
  for (std::size_t i = 0; i < elements; ++i) values[i] = static_cast<float>(i % 1000) / 100 - 5;
  return x;
}

/// Throws unless the values are those of the function of the operand's elements.
template <class F>
void checkAll(const Tensor<float>& x, const Tensor<float>& y, F function) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(std::abs(y.data()[i] - function(x.data()[i])) <= 1e-5F))
      throw std::runtime_error("wrong result of the device at " + std::to_string(i));
}

// fused_chain

constexpr std::size_t chainElements = std::size_t{4} << 20;

DeviceTensor<float> chain(const DeviceTensor<float>& x) {
  using E = DeviceElementwise;
  auto magnitude = E::abs(E::subtract(E::multiply(x, 0.5F), 0.1F));
  auto scaled = E::divide(E::add(E::multiply(std::move(magnitude), 1.5F), 0.2F), 3.F);
  return E::maximum(E::subtract(std::move(scaled), 0.3F), -0.2F);
}
float chainOnHost(float x) { return std::max((std::abs(x * 0.5F - 0.1F) * 1.5F + 0.2F) / 3.F - 0.3F, -0.2F); }

/// A device with the operand. Its kernels are compiled, and have given the right result.
struct ChainSide {
  Device device;
  DeviceTensor<float> x;

  explicit ChainSide(const DeviceOptions& options) : device(Device::open(deviceName, options)) {
    const Tensor<float> host = numbers(chainElements);
    x = DeviceTensor<float>(device, host);
    checkAll(host, chain(x).toHost().blockingAwait(), chainOnHost);
  }

  double cost() const {
    constexpr long repetitions = 4;
    device.finish().blockingAwait();
    return nanoseconds(repetitions * static_cast<long>(chainElements), [&] {
      for (long i = 0; i < repetitions; ++i) chain(x).compute();
      device.finish().blockingAwait();
    });
  }
};

double fusedChain() {
  static const ChainSide side({});
  return side.cost();
}
double chainOneByOne() {
  static const ChainSide side({.fuse = false});
  return side.cost();
}

// launch

constexpr std::size_t launchElements = 1024;
constexpr long launches = 1000;

/// The time in nanoseconds that the calling thread computes for each of so many launches: the threads of the
/// device may share its processor.
template <class F>
double threadNanoseconds(const F& launchAll) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  launchAll();
  return (now() - start) / static_cast<double>(launches);
}

double launch() {
  static const Device device = Device::open(deviceName);
  static const Tensor<float> host = numbers(launchElements);
  static const DeviceTensor<float> x(device, host);
  DeviceTensor<float> y = DeviceElementwise::negate(x);  // compiles the kernel, the first time
  checkAll(host, y.toHost().blockingAwait(), [](float v) { return -v; });
  const double cost = threadNanoseconds([&] {
    for (long i = 0; i < launches; ++i) y = DeviceElementwise::negate(x).compute();
  });
  checkAll(host, y.toHost().blockingAwait(), [](float v) { return -v; });
  return cost;
}

/// By hand: the kernel, its operand, and the free buffers, of which each launch takes one for its result. As
/// with tensors, a buffer is free again once the next result has taken its place.
class HandSide {
 public:
  HandSide() : device_(hand::firstDevice()), context_(device_), queue_(context_, device_) {
    const cl::Program program(context_, R"(
__kernel void negate_all(__global const float* restrict x, __global float* restrict y, const int items) {
  const uint i = get_global_id(0);
  if (i < (uint)items) y[i] = -x[i];
}
)");
    program.build(std::vector{device_}, "-cl-std=CL1.2");
    kernel_ = cl::Kernel(program, "negate_all");
    x_ = cl::Buffer(context_, CL_MEM_READ_WRITE, bytes);
    queue_.enqueueWriteBuffer(x_, CL_TRUE, 0, bytes, host_.data());
    for (int i = 0; i < 4; ++i) free_.emplace_back(context_, CL_MEM_READ_WRITE, bytes);
  }

  double cost() {
    cl::Buffer y = negated();
    queue_.finish();
    const double cost = threadNanoseconds([&] {
      for (long i = 0; i < launches; ++i) {
        cl::Buffer next = negated();
        std::swap(y, next);
        free_.push_back(std::move(next));
      }
    });
    auto result = Tensor<float>::uninitialized({launchElements});
    queue_.enqueueReadBuffer(y, CL_TRUE, 0, bytes, result.exclusiveData());
    free_.push_back(std::move(y));
    checkAll(host_, result, [](float v) { return -v; });
    return cost;
  }

 private:
  static constexpr std::size_t bytes = launchElements * sizeof(float);

  cl::Buffer negated() {
    cl::Buffer y = std::move(free_.back());
    free_.pop_back();
    kernel_.setArg(0, x_);
    kernel_.setArg(1, y);
    kernel_.setArg(2, static_cast<cl_int>(launchElements));
    queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(launchElements), cl::NDRange(256));
    return y;
  }

  const Tensor<float> host_ = numbers(launchElements);
  const cl::Device device_;
  const cl::Context context_;
  const cl::CommandQueue queue_;
  cl::Kernel kernel_;
  cl::Buffer x_;
  std::vector<cl::Buffer> free_;
};

double launchByHand() {
  static HandSide side;
  return side.cost();
}

// mnist_device

/// The first values of the network's weights and biases, and random images: a share of an epoch of 60
/// batches.
struct Training {
  static constexpr std::size_t batchSize = 1000, batches = 6;
  static constexpr double learningRate = 0.002;

  std::vector<Tensor<float>> weights;
  std::vector<Tensor<float>> images;
  std::vector<std::vector<std::uint32_t>> labels;

  Training() {
    Generator generator(1);
    for (const auto& [inputs, outputs] : {std::pair{784, 256}, std::pair{256, 100}, std::pair{100, 10}}) {
      const auto in = static_cast<std::size_t>(inputs), out = static_cast<std::size_t>(outputs);
      weights.push_back(heNormal({in, out}, generator));
      weights.push_back(Tensor<float>::zeros({out}));
    }
    for (std::size_t i = 0; i < batches; ++i) {
      images.push_back(uniform({batchSize, 784}, 0, 1, generator));
      auto& own = labels.emplace_back(batchSize);
      for (std::uint32_t& label : own) label = static_cast<std::uint32_t>(generator() % 10);
    }
  }

  static const Training& shared() {
    static const Training training;
    return training;
  }
};

class DeviceTraining {
 public:
  using X = DeviceTensor<float>;

  DeviceTraining() : device_(Device::open(deviceName)) {
    const Training& training = Training::shared();
    for (std::size_t i = 0; i < training.weights.size(); ++i)
      weights_.emplace_back(X(device_, training.weights[i]), adam({.learningRate = Training::learningRate}));
    for (const Tensor<float>& batch : training.images) images_.emplace_back(device_, batch);
  }

  float epoch() const {
    X loss;
    for (std::size_t i = 0; i < images_.size(); ++i) {
      const auto first = relu(affine(images_[i], weights_[0], weights_[1]));
      const auto second = relu(affine(first, weights_[2], weights_[3]));
      const auto logits = affine(second, weights_[4], weights_[5]);
      loss = train(softmaxCrossEntropy(logits, Training::shared().labels[i])).blockingAwait();
    }
    const float last = loss.toHost().blockingAwait().item();
    device_.finish().blockingAwait();
    return last;
  }

 private:
  const Device device_;
  std::vector<Weight<X>> weights_;
  std::vector<X> images_;
};

hand::DeviceNetwork networkByHand() {
  const Training& training = Training::shared();
  std::vector<std::vector<float>> weights;
  for (const Tensor<float>& weight : training.weights)
    weights.emplace_back(weight.values().begin(), weight.values().end());
  std::vector<hand::DeviceNetwork::Batch> batches;
  for (std::size_t i = 0; i < training.images.size(); ++i)
    batches.push_back({training.images[i].values(), training.labels[i]});
  return {weights, batches, static_cast<float>(Training::learningRate)};
}

double costOfBatch(const auto& epoch) {
  return nanoseconds(Training::batches, [&] { static_cast<void>(epoch()); }) / 1e6;
}

/// The loss of the first epoch, which compiles the kernels.
float firstLoss(const DeviceTraining& training) {
  static const float loss = training.epoch();
  return loss;
}

double trainOnDevice() {
  static const DeviceTraining training;
  static_cast<void>(firstLoss(training));
  return costOfBatch([] { return training.epoch(); });
}

/// Both networks start from the same weights, so that their first epochs end with the same loss.
double trainByHand() {
  static hand::DeviceNetwork network = networkByHand();
  static const float first = network.epoch();
  const float expected = firstLoss(DeviceTraining());
  if (!(std::abs(first - expected) < 0.001F * expected))
    throw std::runtime_error("the losses differ: " + std::to_string(first) + " and " +
                             std::to_string(expected));
  return costOfBatch([] { return network.epoch(); });
}

}  // namespace

std::vector<Row> rows() {
  const std::string missing = openClDevices().empty() ? "no device of OpenCL is available" : "";
  return {
      {.name = "fused_chain",
       .unit = "ns/element",
       .peer = "one kernel for each operation",
       .target = 0.35,
       .ours = fusedChain,
       .theirs = chainOneByOne,
       .leftOut = missing},
      {.name = "launch",
       .unit = "ns/launch",
       .peer = "OpenCL by hand, with a list of free buffers",
       .target = 1.5,
       .ours = launch,
       .theirs = launchByHand,
       .leftOut = missing},
      {.name = "mnist_device",
       .unit = "ms/batch",
       .peer = "CLBlast and kernels by hand",
       .target = 1.2,
       .ours = trainOnDevice,
       .theirs = trainByHand,
       .leftOut = missing},
  };
}

}  // namespace tapestry::benchmarks
