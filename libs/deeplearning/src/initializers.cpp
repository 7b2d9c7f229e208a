#include "tapestry/deeplearning/initializers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

/// Draws from [0, 1), in steps of 2^-53.
double drawUnit(Generator& generator) { return std::ldexp(static_cast<double>(generator() >> 11), -53); }

/// Draws by the method of Box and Muller, with mean 0 and deviation 1.
double drawNormal(Generator& generator) {
  const double radius = std::sqrt(-2 * std::log(1 - drawUnit(generator)));
  return radius * std::cos(2 * std::numbers::pi * drawUnit(generator));
}

template <class T, class F>
Tensor<T> drawn(const Shape& shape, const F& draw) {
  auto tensor = Tensor<T>::uninitialized(shape);
  T* const values = tensor.exclusiveData();
  for (std::size_t i = 0; i < tensor.size(); ++i) values[i] = static_cast<T>(draw());
  return tensor;
}

template <class T>
Tensor<T> uniformOf(const Shape& shape, double deviation, Generator& generator) {
  const double limit = std::sqrt(3.0) * deviation;
  return uniform<T>(shape, -limit, limit, generator);
}

template <class T>
double glorotDeviation(std::string_view operation, const Shape& shape, double gain) {
  static_cast<void>(detail::finiteAs<T>(operation, "the gain", gain));
  const auto [in, out] = fansOf(shape);
  return std::abs(gain) * std::sqrt(2 / static_cast<double>(std::max<std::size_t>(in + out, 1)));
}

double heDeviation(const Shape& shape) {
  return std::sqrt(2 / static_cast<double>(std::max<std::size_t>(fansOf(shape).in, 1)));
}

using Row = std::vector<double>;

double dot(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Draws a random direction that is orthogonal to all others, which have length 1 and are fewer than `size`.
Row orthogonalTo(const std::vector<Row>& others, std::size_t size, Generator& generator) {
  for (;;) {
    Row row(size);
    for (double& x : row) x = drawNormal(generator);
    const double before = std::sqrt(dot(row, row));
    // twice, since one projection leaves its rounding errors
    for (int pass = 0; pass < 2; ++pass)
      for (const Row& other : others) {
        const double along = dot(row, other);
        for (std::size_t i = 0; i < size; ++i) row[i] -= along * other[i];
      }
    const double length = std::sqrt(dot(row, row));
    if (length < 1e-6 * before) continue;
    for (double& x : row) x /= length;
    return row;
  }
}

}  // namespace

Fans fansOf(const Shape& shape) {
  if (shape.rank() < 2)
    throw ShapeError("fansOf", "a weight has too few axes", toString(shape), "[in, out] or [out, in, ...]");
  if (shape.rank() == 2) return {shape[0], shape[1]};
  std::size_t field = 1;
  for (std::size_t axis = 2; axis < shape.rank(); ++axis) field *= shape[axis];
  return {shape[1] * field, shape[0] * field};
}

template <detail::TensorElement T>
Tensor<T> uniform(const Shape& shape, double low, double high, Generator& generator) {
  const T first = detail::finiteAs<T>("uniform", "the lower bound", low);
  const T bound = detail::finiteAs<T>("uniform", "the upper bound", high);
  detail::requireBounds("uniform", low, high);
  detail::requireFinite("uniform", "the distance of the bounds", high - low);
  // a value that is rounded to the upper bound, in double or to T, becomes the largest value below it
  const T last = std::nextafter(bound, first);
  return drawn<T>(shape, [&] {
    const T value = static_cast<T>(low + (high - low) * drawUnit(generator));
    return value < bound ? value : last;
  });
}

template <detail::TensorElement T>
Tensor<T> normal(const Shape& shape, double mean, double deviation, Generator& generator) {
  static_cast<void>(detail::finiteAs<T>("normal", "the mean", mean));
  static_cast<void>(detail::finiteAs<T>("normal", "the deviation", deviation));
  detail::requireFactor("normal", "the deviation", deviation);
  return drawn<T>(shape, [&] { return mean + deviation * drawNormal(generator); });
}

template <detail::TensorElement T>
Tensor<T> glorotUniform(const Shape& shape, Generator& generator, double gain) {
  return uniformOf<T>(shape, glorotDeviation<T>("glorotUniform", shape, gain), generator);
}

template <detail::TensorElement T>
Tensor<T> glorotNormal(const Shape& shape, Generator& generator, double gain) {
  return normal<T>(shape, 0, glorotDeviation<T>("glorotNormal", shape, gain), generator);
}

template <detail::TensorElement T>
Tensor<T> heUniform(const Shape& shape, Generator& generator) {
  return uniformOf<T>(shape, heDeviation(shape), generator);
}

template <detail::TensorElement T>
Tensor<T> heNormal(const Shape& shape, Generator& generator) {
  return normal<T>(shape, 0, heDeviation(shape), generator);
}

template <detail::TensorElement T>
Tensor<T> orthogonal(const Shape& shape, Generator& generator, double gain) {
  if (shape.rank() < 2)
    throw ShapeError("orthogonal", "a weight has too few axes", toString(shape), "at least two");
  static_cast<void>(detail::finiteAs<T>("orthogonal", "the gain", gain));
  const std::size_t rows = shape[0];
  const std::size_t columns = rows == 0 ? 0 : shape.size() / rows;
  const bool tall = rows > columns;
  std::vector<Row> directions;
  for (std::size_t i = 0; i < std::min(rows, columns); ++i)
    directions.push_back(orthogonalTo(directions, std::max(rows, columns), generator));
  std::size_t i = 0;
  return drawn<T>(shape, [&] {
    const std::size_t row = i / columns;
    const std::size_t column = i++ % columns;
    return gain * (tall ? directions[column][row] : directions[row][column]);
  });
}

#define TAPESTRY_INITIALIZERS(T)                                        \
  template Tensor<T> uniform(const Shape&, double, double, Generator&); \
  template Tensor<T> normal(const Shape&, double, double, Generator&);  \
  template Tensor<T> glorotUniform(const Shape&, Generator&, double);   \
  template Tensor<T> glorotNormal(const Shape&, Generator&, double);    \
  template Tensor<T> heUniform(const Shape&, Generator&);               \
  template Tensor<T> heNormal(const Shape&, Generator&);                \
  template Tensor<T> orthogonal(const Shape&, Generator&, double);
TAPESTRY_INITIALIZERS(float)
TAPESTRY_INITIALIZERS(double)
#undef TAPESTRY_INITIALIZERS

}  // namespace tapestry
#pragma GCC visibility pop
