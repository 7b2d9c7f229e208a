#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/attention.hpp>
#include <tapestry/tensor/kernels/convolution.hpp>
#include <tapestry/tensor/kernels/dropout_mask.hpp>
#include <tapestry/tensor/kernels/pooling.hpp>
#include <tapestry/tensor/kernels/standardize.hpp>

#include "self_test/tester.hpp"

namespace tapestry::detail {

namespace {

template <class T>
void testConvolution(Tester<T>& tester, const std::string& name, const Shape& images, const Shape& filters,
                     const kernels::Convolution& convolution) {
  const Tensor<T> x = numbers<T>(images, 21), w = numbers<T>(filters, 22);
  const Tensor<T> delta = numbers<T>(convolution.shapeOf("selfTest", images, filters), 23);
  constexpr double allowed = 5 * Tester<T>::tolerance;  // sums of up to some hundred terms
  tester.compare(
      name, allowed, [&](const auto& a, const auto& b) { return kernels::convolve(a, b, convolution); }, x,
      w);
  tester.compare(
      name + ", delta of the images", allowed,
      [&](const auto& d, const auto& b) {
        return kernels::convolveDerivativeLeft(d, images, b, convolution);
      },
      delta, w);
  tester.compare(
      name + ", delta of the filters", allowed,
      [&](const auto& d, const auto& a) {
        return kernels::convolveDerivativeRight(d, a, filters, convolution);
      },
      delta, x);
}

template <class T>
void testPooling(Tester<T>& tester, const std::string& name, const kernels::Pooling& pooling) {
  const Tensor<T> x = specialNumbers<T>({3, 9, 11}, 24), ordinary = numbers<T>({3, 9, 11}, 24);
  const Tensor<T> delta = numbers<T>(pooling.shapeOf("selfTest", x.shape()), 25);
  constexpr double allowed = Tester<T>::tolerance;
  tester.compare(
      "maxPool" + name, 0, [&](const auto& a) { return kernels::maxPool(a, pooling); }, x);
  tester.compare(
      "maxPoolDerivative" + name, allowed,
      [&](const auto& d, const auto& a) { return kernels::maxPoolDerivative(d, a, pooling); }, delta, x);
  tester.compare(
      "avgPool" + name, allowed, [&](const auto& a) { return kernels::avgPool(a, pooling); }, ordinary);
  tester.compare(
      "avgPoolDerivative" + name, allowed,
      [&](const auto& d) { return kernels::avgPoolDerivative(d, x.shape(), pooling); }, delta);
}

}  // namespace

template <class T>
void testConvolutions(Tester<T>& tester) {
  testConvolution(tester, "convolve", {3, 4, 9, 8}, {5, 4, 3, 3}, {.padding = 1});
  testConvolution(tester, "convolve in groups, with strides and dilation", {2, 6, 11, 10}, {4, 3, 3, 2},
                  {.stride = {2, 1}, .padding = {0, 2}, .dilation = 2, .groups = 2});
  testPooling(tester, "", {.window = 2});
  testPooling(tester, " of windows that overlap", {.window = {3, 4}, .stride = 2, .padding = 1});
  const Tensor<T> x = numbers<T>({6, 40}, 26), y = numbers<T>({6, 40}, 27);
  const kernels::Standardization rows{1e-3, {-1}};
  constexpr double allowed = Tester<T>::tolerance;
  tester.compare(
      "standardize", allowed, [&](const auto& a) { return kernels::standardize(a, rows); }, x);
  tester.compare(
      "standardizeDerivative", allowed,
      [&](const auto& d, const auto& a) { return kernels::standardizeDerivative(d, a, rows); }, y, x);
  tester.compare(
      "dropoutMask", allowed, [](const auto& a) { return kernels::dropoutMaskFor(a, 0.3, 4, 5); }, x);
  tester.compare(
      "attentionWeights", allowed,
      [](const auto& a, const auto& b) {
        return kernels::attentionWeights(kernels::attentionScores(a, b), {.causal = true});
      },
      x, y);
}

template void testConvolutions(Tester<float>&);
template void testConvolutions(Tester<double>&);

}  // namespace tapestry::detail
