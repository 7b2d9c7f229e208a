// expect: temporary (implicitly bound to local reference|whose address is used).*destroyed at the end of the full-expression
// expect-errors: 3
#include "tapestry/deeplearning/layer.hpp"
#include "tapestry/deeplearning/predict.hpp"

float total(const tapestry::TensorLayer& layer) {
  float sum = 0;
  for (const float value : tapestry::predict(layer).blockingAwait().values()) sum += value;
  const std::span<const float> values = tapestry::predict(layer).blockingAwait().values();
  const tapestry::Shape& shape = tapestry::predict(layer).blockingAwait().shape();
  return sum + values[0] + static_cast<float>(shape.rank());
}
