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
  tester.compare(name, allowed, std::tie(x, w),
                 [&](const auto& a, const auto& b) { return kernels::convolve(a, b, convolution); });
  tester.compare(name + ", delta of the images", allowed, std::tie(delta, w),
                 [&](const auto& d, const auto& b) {
                   return kernels::convolveDerivativeLeft(d, images, b, convolution);
                 });
  tester.compare(name + ", delta of the filters", allowed, std::tie(delta, x),
                 [&](const auto& d, const auto& a) {
                   return kernels::convolveDerivativeRight(d, a, filters, convolution);
                 });
}

template <class T>
void testPooling(Tester<T>& tester, const std::string& name, const kernels::Pooling& pooling) {
  const Tensor<T> x = specialNumbers<T>({3, 9, 11}, 24), ordinary = numbers<T>({3, 9, 11}, 24);
  const Tensor<T> delta = numbers<T>(pooling.shapeOf("selfTest", x.shape()), 25);
  constexpr double allowed = Tester<T>::tolerance;
  tester.compare("maxPool" + name, 0, std::tie(x),
                 [&](const auto& a) { return kernels::maxPool(a, pooling); });
  tester.compare("maxPoolDerivative" + name, allowed, std::tie(delta, x),
                 [&](const auto& d, const auto& a) { return kernels::maxPoolDerivative(d, a, pooling); });
  tester.compare("avgPool" + name, allowed, std::tie(ordinary),
                 [&](const auto& a) { return kernels::avgPool(a, pooling); });
  tester.compare("avgPoolDerivative" + name, allowed, std::tie(delta),
                 [&](const auto& d) { return kernels::avgPoolDerivative(d, x.shape(), pooling); });
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
  tester.compare("standardize", allowed, std::tie(x),
                 [&](const auto& a) { return kernels::standardize(a, rows); });
  tester.compare("standardizeDerivative", allowed, std::tie(y, x),
                 [&](const auto& d, const auto& a) { return kernels::standardizeDerivative(d, a, rows); });
  tester.compare("dropoutMask", allowed, std::tie(x),
                 [](const auto& a) { return kernels::dropoutMaskFor(a, 0.3, 4, 5); });
  tester.compare("attentionWeights", allowed, std::tie(x, y), [](const auto& a, const auto& b) {
    return kernels::attentionWeights(kernels::attentionScores(a, b), {.causal = true});
  });
}

template void testConvolutions(Tester<float>&);
template void testConvolutions(Tester<double>&);

}  // namespace tapestry::detail
