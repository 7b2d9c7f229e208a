#include <tapestry/tensor/kernels/transpose.hpp>

#include <algorithm>

#include <tapestry/tensor/shape_error.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

template <class T>
Tensor<T> transpose(const Tensor<T>& x) {
  if (x.rank() != 2) throw ShapeError("transpose", "not a matrix", toString(x.shape()), "[M, N]");
  const std::size_t rows = x.shape()[0];
  const std::size_t columns = x.shape()[1];
  auto result = Tensor<T>::uninitialized({columns, rows});
  if (result.size() == 0) return result;
  const T* const from = x.data();
  T* const to = result.exclusiveData();
  // In tiles whose rows and columns both stay in the cache: one of the two matrices is traversed across its
  // cache lines.
  constexpr std::size_t tile = 64 / sizeof(T);
  for (std::size_t i = 0; i < rows; i += tile)
    for (std::size_t j = 0; j < columns; j += tile)
      for (std::size_t column = j; column < std::min(j + tile, columns); ++column)
        for (std::size_t row = i; row < std::min(i + tile, rows); ++row)
          to[column * rows + row] = from[row * columns + column];
  return result;
}

template Tensor<float> transpose(const Tensor<float>&);
template Tensor<double> transpose(const Tensor<double>&);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
