// Defines sendBack, which sends a delta of 1 back through a differentiable.
#pragma once

#include "tapestry/deeplearning/differentiable.hpp"

namespace tapestry::test {

/// To be run in a pass; yields the data.
template <class T>
Do<DataOf<T>> sendBack(const T& differentiable) {
  return forward(differentiable).flatMap([](const auto& tape) {
    return Do<void>::lift(tape.backward(Do<DeltaOf<DataOf<T>>>::now(1))).map([data = tape.data] {
      return data;
    });
  });
}

}  // namespace tapestry::test
