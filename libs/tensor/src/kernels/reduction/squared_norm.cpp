#include <tapestry/tensor/kernels/squared_norm.hpp>

#include <array>
#include <cstddef>
#include <numeric>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

template <class T>
double squaredNorm(const Tensor<T>& x) {
  const T* const values = x.data();
  std::array<double, 8> sums{};  // several, so that the additions need not wait for each other
  const std::size_t whole = x.size() - x.size() % sums.size();
  for (std::size_t i = 0; i < whole; i += sums.size())
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += squaredNorm(values[i + j]);
  for (std::size_t i = whole; i < x.size(); ++i) sums[i - whole] += squaredNorm(values[i]);
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

template double squaredNorm(const Tensor<float>&);
template double squaredNorm(const Tensor<double>&);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
