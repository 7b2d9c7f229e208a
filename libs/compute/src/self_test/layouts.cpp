#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/concat.hpp>
#include <tapestry/tensor/kernels/gather.hpp>
#include <tapestry/tensor/kernels/view.hpp>

#include "self_test/tester.hpp"

namespace tapestry::detail {

template <class T>
void testLayouts(Tester<T>& tester) {
  const Tensor<T> x = numbers<T>({5, 6, 7}, 17), y = numbers<T>({5, 2, 7}, 18);
  const auto permuted =
      kernels::View::permuted(x.shape(), std::initializer_list<std::ptrdiff_t>{2, 0, 1}, "selfTest");
  const std::vector<Slice> slices{{.start = 3, .stop = 0, .step = -2}, {.start = 1}};
  const auto sliced = kernels::View::sliced(x.shape(), slices, "selfTest");
  tester.compare("permute", 0, std::tie(x), [&](const auto& a) { return kernels::read(a, permuted); });
  tester.compare("slice", 0, std::tie(x), [&](const auto& a) { return kernels::read(a, sliced); });
  tester.compare("reshape of a view", 0, std::tie(x), [&](const auto& a) {
    return kernels::read(a, permuted).reshape({35, 6});
  });
  tester.compare("spread", 0, std::tie(x), [&](const auto& a) {
    return kernels::spread(kernels::read(a, sliced), sliced, x.shape(), T(2));
  });
  tester.compare("concat", 0, std::tie(x, y), [](const auto& a, const auto& b) {
    return kernels::concat(std::vector{a, b, a}, 1);
  });
  const Indices indices(Shape{2, 2}, {3, 0, -1, 3});
  tester.compare("gather", 0, std::tie(x), [&](const auto& a) { return kernels::gather(a, indices, 1); });
  tester.compare("scatter", Tester<T>::tolerance, std::tie(x), [](const auto& a) {
    return kernels::scatter(a, {1, 0, 1, 3, -1, 1}, 1, 5);
  });
}

template void testLayouts(Tester<float>&);
template void testLayouts(Tester<double>&);

}  // namespace tapestry::detail
