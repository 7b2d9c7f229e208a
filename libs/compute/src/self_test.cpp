#include <tapestry/compute/self_test.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_product.hpp>
#include <tapestry/compute/kernels/device_reduction.hpp>
#include <tapestry/tensor/kernels/activation.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/broadcast.hpp>
#include <tapestry/tensor/kernels/comparison.hpp>
#include <tapestry/tensor/kernels/derivative.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/matmul.hpp>
#include <tapestry/tensor/kernels/power.hpp>
#include <tapestry/tensor/kernels/reduction.hpp>
#include <tapestry/tensor/kernels/softmax.hpp>
#include <tapestry/tensor/split_mix.hpp>

namespace tapestry {

namespace {

using Elementwise = DeviceElementwise;
using kernels::Transpose;

double errorOf(double got, double expected) {
  if (got == expected || (std::isnan(got) && std::isnan(expected))) return 0;
  const double error = std::abs(got - expected) / std::max(1.0, std::abs(expected));
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

template <class T>
double largestError(const Tensor<T>& got, const Tensor<T>& expected) {
  if (got.shape() != expected.shape()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    largest = std::max(largest, errorOf(got.data()[i], expected.data()[i]));
  return largest;
}

/// Numbers between -3 and 3.
template <class T>
Tensor<T> numbers(const Shape& shape, std::uint64_t seed) {
  auto x = Tensor<T>::uninitialized(shape);
  T* const data = x.exclusiveData();
  for (std::size_t i = 0; i < x.size(); ++i)
    data[i] = static_cast<T>(static_cast<double>(splitMix(seed, i) >> 11) / 0x1p53 * 6 - 3);
  return x;
}

/// The same, but for some zeros, infinities and NaN.
template <class T>
Tensor<T> specialNumbers(const Shape& shape, std::uint64_t seed) {
  Tensor<T> x = numbers<T>(shape, seed);
  T* const data = x.exclusiveData();
  constexpr T infinity = std::numeric_limits<T>::infinity();
  const T specials[] = {0, infinity, -infinity, std::numeric_limits<T>::quiet_NaN(), T(-0.0), 1, 2, -1};
  for (std::size_t i = 0; i < x.size(); i += 3)
    data[i] = specials[splitMix(seed + 1, i) % std::size(specials)];
  return x;
}

template <class T>
class Tester {
 public:
  Tester(const Device& device, std::vector<SelfTestResult>& results) : device_(device), results_(results) {}

  void testAll() {
    testUnary();
    testBinary();
    testTernary();
    testReductions();
    testProducts();
    testViews();
  }

 private:
  using Device1 = DeviceTensor<T> (*)(DeviceTensor<T>);
  using Host1 = Tensor<T> (*)(Tensor<T>);
  using Device2 = DeviceTensor<T> (*)(DeviceTensor<T>, DeviceTensor<T>);
  using Host2 = Tensor<T> (*)(Tensor<T>, const Tensor<T>&);

  static constexpr double tolerance_ = std::same_as<T, float> ? 1e-5 : 1e-13;

  DeviceTensor<T> onDevice(const Tensor<T>& x) const { return DeviceTensor<T>(device_, x); }

  void test(const std::string& name, const std::function<DeviceTensor<T>()>& compute,
            const Tensor<T>& expected, double tolerance = tolerance_) {
    SelfTestResult result{name + (std::same_as<T, float> ? " of float" : " of double"), 0, tolerance, {}};
    try {
      result.error = largestError(compute().toHost().blockingAwait(), expected);
    } catch (const std::exception& error) {
      result.problem = error.what();
    }
    results_.push_back(std::move(result));
  }

  void testUnary() {
    const Tensor<T> x = specialNumbers<T>({7, 31}, 1);
    const DeviceTensor<T> own = onDevice(x);
#define TAPESTRY_TEST(name) \
  test(                     \
      #name, [&] { return Elementwise::name(own); }, Host1(kernels::name)(x));
    TAPESTRY_TEST(negate)
    TAPESTRY_TEST(abs)
    TAPESTRY_TEST(sign)
    TAPESTRY_TEST(sqrt)
    TAPESTRY_TEST(exp)
    TAPESTRY_TEST(expm1)
    TAPESTRY_TEST(log)
    TAPESTRY_TEST(log1p)
    TAPESTRY_TEST(sin)
    TAPESTRY_TEST(cos)
    TAPESTRY_TEST(relu)
    TAPESTRY_TEST(tanh)
    TAPESTRY_TEST(softplus)
    TAPESTRY_TEST(sigmoid)
    TAPESTRY_TEST(silu)
    TAPESTRY_TEST(gelu)
#undef TAPESTRY_TEST
  }

  void testBinary() {
    const Tensor<T> a = specialNumbers<T>({5, 1, 24}, 2), b = specialNumbers<T>({13, 24}, 3);
    const Tensor<T> c = specialNumbers<T>({5, 24}, 4), d = specialNumbers<T>({5, 24}, 5);
    const DeviceTensor<T> ownA = onDevice(a), ownB = onDevice(b), ownC = onDevice(c), ownD = onDevice(d);
#define TAPESTRY_TEST(name) \
  test(                     \
      #name, [&] { return Elementwise::name(ownA, ownB); }, Host2(kernels::name)(a, b));
    TAPESTRY_TEST(add)
    TAPESTRY_TEST(subtract)
    TAPESTRY_TEST(multiply)
    TAPESTRY_TEST(divide)
    TAPESTRY_TEST(maximum)
    TAPESTRY_TEST(minimum)
    TAPESTRY_TEST(where)
    TAPESTRY_TEST(unless)
    TAPESTRY_TEST(power)
    TAPESTRY_TEST(greater)
    TAPESTRY_TEST(greaterEqual)
    TAPESTRY_TEST(less)
    TAPESTRY_TEST(lessEqual)
    TAPESTRY_TEST(equal)
    TAPESTRY_TEST(notEqual)
#undef TAPESTRY_TEST
#define TAPESTRY_TEST(name) \
  test(                     \
      #name, [&] { return Elementwise::name(ownC, ownD); }, Host2(kernels::name)(c, d));
    TAPESTRY_TEST(reluDerivative)
    TAPESTRY_TEST(tanhDerivative)
    TAPESTRY_TEST(sigmoidDerivative)
    TAPESTRY_TEST(absDerivative)
    TAPESTRY_TEST(siluDerivative)
    TAPESTRY_TEST(geluDerivative)
#undef TAPESTRY_TEST
    test(
        "leakyRelu", [&] { return Elementwise::leakyRelu(ownC, T(0.1)); }, kernels::leakyRelu(c, T(0.1)));
    test(
        "elu", [&] { return Elementwise::elu(ownC, T(0.5)); }, kernels::elu(c, T(0.5)));
  }

  void testTernary() {
    const Tensor<T> delta = numbers<T>({6, 20}, 6), a = numbers<T>({6, 20}, 7), b = numbers<T>({6, 20}, 8);
    const DeviceTensor<T> ownDelta = onDevice(delta), ownA = onDevice(a), ownB = onDevice(b);
#define TAPESTRY_TEST(name)                                           \
  test(                                                               \
      #name, [&] { return Elementwise::name(ownDelta, ownA, ownB); }, \
      kernels::name(Tensor<T>(delta), a, b));
    TAPESTRY_TEST(maximumDerivativeLeft)
    TAPESTRY_TEST(maximumDerivativeRight)
    TAPESTRY_TEST(powerDerivativeLeft)
    TAPESTRY_TEST(powerDerivativeRight)
#undef TAPESTRY_TEST
  }

  void testReductions() {
    using Reduction = DeviceReduction;
    const Tensor<T> x = numbers<T>({9, 40, 33}, 9);
    const DeviceTensor<T> own = onDevice(x);
    for (const Axes& axes : {Axes{0}, Axes{1}, Axes{2}, Axes{0, 2}, Axes::all()}) {
      test(
          "sum", [&] { return Reduction::sum(own, axes); }, kernels::sum(x, axes), 5 * tolerance_);
      test(
          "mean", [&] { return Reduction::mean(own, axes); }, kernels::mean(x, axes));
      test(
          "max", [&] { return Reduction::max(own, axes); }, kernels::max(x, axes));
      test(
          "logSumExp", [&] { return Reduction::logSumExp(own, axes); }, kernels::logSumExp(x, axes));
      test(
          "softmax", [&] { return Reduction::softmax(own, axes); }, kernels::softmax(x, axes));
      test(
          "logSoftmax", [&] { return Reduction::logSoftmax(own, axes); }, kernels::logSoftmax(x, axes));
    }
    const Tensor<T> large = numbers<T>({1000003}, 10);
    test(
        "sum of 1000003", [&] { return Reduction::mean(onDevice(large)); },
        Tensor<T>::scalar(kernels::mean(large)));
    test(
        "sumTo",
        [&] {
          return Reduction::sumTo(own, {40, 1});
        },
        kernels::sumTo(x, {40, 1}), 5 * tolerance_);
  }

  void testProducts() {
    const Tensor<T> a = numbers<T>({37, 65}, 11), b = numbers<T>({65, 50}, 12), c = numbers<T>({50, 65}, 13);
    const Tensor<T> d = numbers<T>({65, 37}, 14), e = numbers<T>({4, 37, 65}, 15), f = numbers<T>({65}, 16);
    using Product = DeviceProduct;
    constexpr auto no = Transpose::no, yes = Transpose::yes;
    const auto product = [&](const char* name, const Tensor<T>& x, Transpose transposeX, const Tensor<T>& y,
                             Transpose transposeY) {
      test(
          name, [&] { return Product::matmul(onDevice(x), transposeX, onDevice(y), transposeY); },
          kernels::matmul(x, transposeX, y, transposeY));
    };
    product("matmul", a, no, b, no);
    product("matmul transposed left", d, yes, b, no);
    product("matmul transposed right", a, no, c, yes);
    product("matmul transposed both", d, yes, c, yes);
    product("matmul of a batch", e, no, b, no);
    product("matmul of a matrix and a vector", a, no, f, no);
    product("matmul of a vector and a matrix", f, no, b, no);
    test(
        "matmul of a transposed view",
        [&] {
          return Product::matmul(onDevice(d).permute({1, 0}), no, onDevice(b), no);
        },
        kernels::matmul(d, yes, b, no));
  }

  void testViews() {
    const Tensor<T> x = numbers<T>({5, 6, 7}, 17);
    const DeviceTensor<T> own = onDevice(x);
    auto permuted = Tensor<T>::uninitialized({7, 5, 6});
    auto sliced = Tensor<T>::uninitialized({2, 6, 7});
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        for (std::size_t k = 0; k < 7; ++k) {
          permuted.exclusiveData()[(k * 5 + i) * 6 + j] = x(i, j, k);
          if (i == 3 || i == 1) sliced.exclusiveData()[((3 - i) / 2 * 6 + j) * 7 + k] = x(i, j, k);
        }
      }
    }
    test(
        "permute",
        [&] {
          return own.permute({2, 0, 1});
        },
        permuted);
    test(
        "slice", [&] { return own.slice({Slice{.start = 3, .stop = 0, .step = -2}}); }, sliced);
    test(
        "reshape of a view",
        [&] {
          return own.permute({2, 0, 1}).reshape({35, 6});
        },
        permuted.reshape({35, 6}));
  }

  const Device& device_;
  std::vector<SelfTestResult>& results_;
};

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
  return Elementwise::maximum(
      Elementwise::subtract(
          Elementwise::divide(
              Elementwise::add(
                  Elementwise::multiply(
                      Elementwise::abs(Elementwise::subtract(Elementwise::multiply(x, 0.5F), 0.1F)), 1.5F),
                  0.2F),
              3.F),
          0.3F),
      -0.2F);
}

}  // namespace

std::vector<SelfTestResult> selfTest(const Device& device) {
  std::vector<SelfTestResult> results;
  Tester<float>(device, results).testAll();
  if (device.properties().hasDouble) Tester<double>(device, results).testAll();
  return results;
}

DeviceSpeed measureDevice(const Device& device, std::size_t n, std::size_t elements) {
  constexpr int runs = 7, repetitions = 16;  // so many that the start and the end of a run do not count
  DeviceSpeed speed;
  const auto a = DeviceTensor<float>::random(device, {n, n}, 1),
             b = DeviceTensor<float>::random(device, {n, n}, 2);
  const double size = static_cast<double>(n);
  const double product = medianTime(device, runs, [&] {
    for (int i = 0; i < repetitions; ++i) DeviceProduct::matmul(a, b);
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
