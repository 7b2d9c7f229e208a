#include <tapestry/tensor/kernels/convolution.hpp>

#include <array>
#include <atomic>
#include <vector>

#include <tapestry/tensor/for_each_part.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "support/networks/thread_helpers.hpp"
#include "support/threads/on_threads.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using kernels::Convolution;
using namespace tapestry::test;

namespace {

struct ConvolutionCase {
  Convolution convolution;
  Shape x;
  Shape w;

  Shape result() const { return convolution.shapeOf("conv2d", x, w); }

  /// Calls body(index in x, in w, in the result) for each product of the definition.
  template <class F>
  void forEachProduct(const F& body) const {
    const auto& [stride, padding, dilation, groups] = convolution;
    const Shape y = result();
    std::size_t to = 0;
    for (std::size_t n = 0; n < y[0]; ++n)
      for (std::size_t o = 0; o < y[1]; ++o)
        for (std::size_t i = 0; i < y[2]; ++i)
          for (std::size_t j = 0; j < y[3]; ++j, ++to)
            for (std::size_t c = 0; c < w[1]; ++c)
              for (std::size_t p = 0; p < w[2]; ++p)
                for (std::size_t q = 0; q < w[3]; ++q) {
                  const std::size_t line = i * stride.height + p * dilation.height - padding.height;
                  const std::size_t column = j * stride.width + q * dilation.width - padding.width;
                  if (line >= x[2] || column >= x[3])
                    continue;  // Also what is below 0, which has wrapped around.
                  const std::size_t channel = o / (w[0] / groups) * w[1] + c;
                  body(((n * x[1] + channel) * x[2] + line) * x[3] + column,
                       ((o * w[1] + c) * w[2] + p) * w[3] + q, to);
                }
  }

  template <class T>
  Tensor<T> plain(const Tensor<T>& images, const Tensor<T>& filters) const {
    auto y = Tensor<T>::zeros(result());
    T* const out = y.exclusiveData();
    forEachProduct(
        [&](std::size_t i, std::size_t f, std::size_t o) { out[o] += images.data()[i] * filters.data()[f]; });
    return y;
  }
  template <class T>
  Tensor<T> plainLeft(const Tensor<T>& delta, const Tensor<T>& filters) const {
    auto dx = Tensor<T>::zeros(x);
    T* const out = dx.exclusiveData();
    forEachProduct(
        [&](std::size_t i, std::size_t f, std::size_t o) { out[i] += delta.data()[o] * filters.data()[f]; });
    return dx;
  }
  template <class T>
  Tensor<T> plainRight(const Tensor<T>& delta, const Tensor<T>& images) const {
    auto dw = Tensor<T>::zeros(w);
    T* const out = dw.exclusiveData();
    forEachProduct(
        [&](std::size_t i, std::size_t f, std::size_t o) { out[f] += delta.data()[o] * images.data()[i]; });
    return dw;
  }

  /// The convolution and its derivatives, shared with these helpers.
  template <class T>
  std::array<Tensor<T>, 3> results(const Tensor<T>& images, const Tensor<T>& filters, const Tensor<T>& delta,
                                   tapestry::Helpers* helpers) const {
    const tapestry::HelperScope scope(helpers);
    return {kernels::convolve(images, filters, convolution),
            kernels::convolveDerivativeLeft(delta, x, filters, convolution),
            kernels::convolveDerivativeRight(delta, images, w, convolution)};
  }

  template <class T>
  void check(Random& random) const {
    CAPTURE(tapestry::toString(x));
    CAPTURE(tapestry::toString(w));
    const auto images = random.integers<T>(x);
    const auto filters = random.integers<T>(w);
    const auto delta = random.integers<T>(result());
    CHECK(kernels::convolve(images, filters, convolution) == plain(images, filters));
    CHECK(kernels::convolveDerivativeLeft(delta, x, filters, convolution) == plainLeft(delta, filters));
    CHECK(kernels::convolveDerivativeRight(delta, images, w, convolution) == plainRight(delta, images));
  }
};

/// Large enough to be shared: batches that the number of parts divides and does not, and all else.
const std::vector<ConvolutionCase>& largeConvolutions() {
  static const std::vector<ConvolutionCase> cases{
      {{.padding = 1}, {16, 16, 14, 14}, {16, 16, 3, 3}},
      {{.padding = 1}, {11, 16, 16, 16}, {16, 16, 3, 3}},
      {{.stride = {2, 1}, .padding = {0, 2}}, {9, 8, 24, 20}, {16, 8, 3, 5}},
      {{.padding = 1, .dilation = 2, .groups = 4}, {10, 32, 18, 18}, {16, 8, 3, 3}},
      {{.padding = 1, .groups = 24}, {50, 24, 18, 18}, {24, 1, 3, 3}},
      {{}, {3, 1, 44, 44}, {24, 1, 5, 5}},
      {{}, {17, 64, 8, 8}, {32, 64, 1, 1}},
      // of each image, a product that would be cut along its depth
      {{.padding = 1}, {4, 16, 32, 32}, {16, 16, 3, 3}}};
  return cases;
}

ConvolutionCase randomConvolution(Random& random) {
  const auto pair = [&](std::size_t least, std::size_t most) {
    const auto one = [&] { return least + random.below(most - least + 1); };
    return random.below(2) == 0 ? HeightWidth(one()) : HeightWidth(one(), one());
  };
  const Convolution convolution{pair(1, 3), pair(0, 3), pair(1, 3), 1 + random.below(3)};
  const HeightWidth kernel = pair(1, 4);
  const auto extent = [&](std::size_t filter, std::size_t dilation, std::size_t padding) {
    const std::size_t reach = dilation * (filter - 1) + 1;
    return (reach > 2 * padding ? reach - 2 * padding : 1) + random.below(9);
  };
  const std::size_t channels = 1 + random.below(random.below(4) == 0 ? 20 : 4);
  const std::size_t filters = random.below(random.below(4) == 0 ? 20 : 4);
  return {convolution,
          {random.below(4), channels * convolution.groups,
           extent(kernel.height, convolution.dilation.height, convolution.padding.height),
           extent(kernel.width, convolution.dilation.width, convolution.padding.width)},
          {filters * convolution.groups, channels, kernel.height, kernel.width}};
}

}  // namespace

TEST_CASE_TEMPLATE("a convolution of any extents, and its derivatives, are the sums of their definition", T,
                   float, double) {
  Random random(21);
  for (int round = 0; round < 150; ++round) randomConvolution(random).check<T>(random);
}

TEST_CASE_TEMPLATE("a convolution of usual extents, and its derivatives, are the sums of their definition", T,
                   float, double) {
  Random random(22);
  ConvolutionCase{{.padding = 1}, {2, 32, 9, 9}, {32, 32, 3, 3}}.check<T>(random);
  ConvolutionCase{{}, {2, 1, 28, 28}, {6, 1, 5, 5}}.check<T>(random);
  ConvolutionCase{{.stride = 2, .padding = 3}, {1, 3, 32, 32}, {16, 3, 7, 7}}.check<T>(random);
  ConvolutionCase{{}, {3, 16, 5, 5}, {8, 16, 1, 1}}.check<T>(random);
  ConvolutionCase{{.padding = 1, .groups = 16}, {2, 16, 8, 8}, {16, 1, 3, 3}}.check<T>(random);
}

TEST_CASE("the parts of a batch can be convolved one by one") {
  Random random(23);
  const ConvolutionCase whole{{.padding = 1}, {4, 8, 6, 6}, {8, 8, 3, 3}};
  const auto x = random.integers<float>(whole.x);
  const auto w = random.integers<float>(whole.w);
  const auto delta = random.integers<float>(whole.result());
  const auto half = [](const Tensor<float>& tensor, std::size_t which) {
    const Shape shape{2, tensor.shape()[1], tensor.shape()[2], tensor.shape()[3]};
    return Tensor<float>(shape, tensor.values().subspan(which * shape.size(), shape.size()));
  };
  const auto y = kernels::convolve(x, w, whole.convolution);
  const auto dw = kernels::convolveDerivativeRight(delta, x, whole.w, whole.convolution);
  auto sum = Tensor<float>::zeros(whole.w);
  for (const std::size_t which : {0, 1}) {
    CHECK(kernels::convolve(half(x, which), w, whole.convolution) == half(y, which));
    const auto part =
        kernels::convolveDerivativeRight(half(delta, which), half(x, which), whole.w, whole.convolution);
    for (std::size_t i = 0; i < part.size(); ++i) sum.exclusiveData()[i] += part.data()[i];
  }
  CHECK(sum == dw);
}

TEST_CASE_TEMPLATE("a convolution in parts, which threads share, and its derivatives are those of the whole",
                   T, float, double) {
  ThreadHelpers helpers(1);
  Random random(25);
  for (const ConvolutionCase& large : largeConvolutions()) {
    CAPTURE(tapestry::toString(large.x));
    const auto x = random.integers<T>(large.x);
    const auto w = random.integers<T>(large.w);
    const auto delta = random.integers<T>(large.result());
    const auto whole = large.results(x, w, delta, nullptr);
    CHECK(large.results(x, w, delta, &helpers) == whole);
    ThreadHelpers nobody(0);
    CHECK(large.results(x, w, delta, &nobody) == whole);
    CHECK(nobody.calls == 3);
  }
}

TEST_CASE_TEMPLATE("a convolution in parts is the same to the last bit with any helpers", T, float, double) {
  ThreadHelpers helpers(2);
  Random random(26);
  for (const ConvolutionCase& large : largeConvolutions()) {
    CAPTURE(tapestry::toString(large.x));
    const auto x = random.tensor<T>(large.x);
    const auto w = random.tensor<T>(large.w);
    const auto delta = random.tensor<T>(large.result());
    ThreadHelpers nobody(0);
    const auto alone = large.results(x, w, delta, &nobody);
    for (int round = 0; round < 10; ++round) CHECK(large.results(x, w, delta, &helpers) == alone);
  }
}

TEST_CASE("several threads may convolve at once, the same extents and others") {
  Random random(24);
  std::vector<ConvolutionCase> cases;
  for (std::size_t extent = 4; extent < 12; ++extent)
    cases.push_back({{.padding = 1}, {2, 8, extent, extent}, {8, 8, 3, 3}});
  std::vector<Tensor<float>> images, filters, expected;
  for (const auto& one : cases) {
    images.push_back(random.integers<float>(one.x));
    filters.push_back(random.integers<float>(one.w));
    expected.push_back(one.plain(images.back(), filters.back()));
  }
  std::atomic<int> wrong = 0;
  tapestry::test::onThreads(4, [&](int thread) {
    for (std::size_t i = 0; i < 20 * cases.size(); ++i) {
      const std::size_t at = (i + static_cast<std::size_t>(thread)) % cases.size();
      if (kernels::convolve(images[at], filters[at], cases[at].convolution) != expected[at]) ++wrong;
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("derivatives of convolutions refuse a delta of another shape") {
  const auto w = Tensor<float>::zeros({1, 1, 2, 2});
  const auto delta = Tensor<float>::zeros({1, 1, 3, 3});
  const char* const message =
      "tapestry::conv2d: a delta of the wrong shape, got [1, 1, 3, 3], expected [1, 1, 2, 2]";
  const auto x = Tensor<float>::zeros({1, 1, 3, 3});
  CHECK_THROWS_WITH_AS(kernels::convolveDerivativeLeft(delta, x.shape(), w, {}), message,
                       tapestry::ShapeError);
  CHECK_THROWS_WITH_AS(kernels::convolveDerivativeRight(delta, x, w.shape(), {}), message,
                       tapestry::ShapeError);
}

TEST_CASE("the kernels and the shape of a convolution refuse a stride of 0 and 0 groups") {
  const auto x = Tensor<float>::full({1, 1, 4, 4}, 1), w = Tensor<float>::full({1, 1, 2, 2}, 1);
  for (const Convolution& invalid : {Convolution{.stride = 0}, Convolution{.groups = 0}}) {
    CHECK_THROWS_AS(static_cast<void>(kernels::convolve(x, w, invalid)), std::invalid_argument);
    CHECK_THROWS_AS(static_cast<void>(kernels::convolveDerivativeLeft(x, x.shape(), w, invalid)),
                    std::invalid_argument);
    CHECK_THROWS_AS(static_cast<void>(kernels::convolveDerivativeRight(x, x, w.shape(), invalid)),
                    std::invalid_argument);
    CHECK_THROWS_AS(static_cast<void>(invalid.shapeOf("conv2d", x.shape(), w.shape())),
                    std::invalid_argument);
  }
}

TEST_CASE_TEMPLATE("a convolution whose numbers oneDNN refuses has its result all the same", T, float,
                   double) {
  const auto x = Tensor<T>::full({1, 1, 4, 4}, 1), w = Tensor<T>::full({1, 1, 2, 2}, 1);
  const Convolution far{.stride = 1 << 30, .padding = 1 << 30};
  // the windows at 0, 2^30 and 2^31 on each axis: the middle one begins where the image does
  const auto y = kernels::convolve(x, w, far);
  REQUIRE(y.shape() == far.shapeOf("conv2d", x.shape(), w.shape()));
  for (std::size_t i = 0; i < y.shape()[2]; ++i)
    for (std::size_t j = 0; j < y.shape()[3]; ++j) CHECK(y(0, 0, i, j) == (i == 1 && j == 1 ? 4 : 0));
}
