// Defines lateLayer, a layer of which nothing is known before it runs.
#pragma once

#include "tapestry/deeplearning/differentiable.hpp"

namespace tapestry::test {

/// Its value is the differentiable's; its shape is not known when a network is built of it.
template <class T>
Layer<DataOf<T>> lateLayer(const T& differentiable) {
  return Layer<DataOf<T>>(forward(differentiable));
}

}  // namespace tapestry::test
