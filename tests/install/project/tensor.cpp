// components: continuation tensor
#include <tapestry/tensor.hpp>

#include <cstdio>

#if __has_include(<tapestry/deeplearning.hpp>) || __has_include(<tapestry/raii.hpp>)
#error "the installed copy holds more than the components continuation and tensor"
#endif

using namespace tapestry;

int main() {
  const Tensor<float> a({2, 2}, {1, 2, 3, 4});
  const auto product = kernels::matmul(a, a);
  std::printf("%s\n", toString(product.shape()).c_str());
  return product == Tensor<float>({2, 2}, {7, 10, 15, 22}) ? 0 : 1;
}
