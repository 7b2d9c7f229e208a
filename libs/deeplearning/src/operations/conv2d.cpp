#include "tapestry/deeplearning/operations/convolution/conv2d.hpp"

#include <algorithm>

#include "tapestry/tensor/shape_error.hpp"

namespace tapestry::detail {

float Conv2dShapes::cost(const Shape* x, const Shape* w) const noexcept {
  constexpr float perMultiplication = 0.03f;
  if (!x || !w) return 300 + static_cast<float>((x ? x->size() : 0) + (w ? w->size() : 0));
  const std::size_t filters = std::max<std::size_t>(1, (*w)[0]);
  const std::size_t places =
      convolution.shapeOf("conv2d", *x, *w).size();  // They fit, else there would be no node.
  return 10000 + perMultiplication * 3 * static_cast<float>(places) * static_cast<float>(w->size() / filters);
}

Shape Conv2dBias::of(std::string_view name, const Shape& y, const Shape& bias) {
  if (bias.rank() != 1 || bias[0] != y[1])
    throw ShapeError(name, "a bias of the wrong shape", toString(bias) + " for a result " + toString(y),
                     "one for each channel, [" + std::to_string(y[1]) + "]");
  return y;
}

}  // namespace tapestry::detail
