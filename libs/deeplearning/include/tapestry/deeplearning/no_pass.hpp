// Defines NoPass, the error of evaluating a network outside a pass.
#pragma once

#include <exception>

#pragma GCC visibility push(default)
namespace tapestry {

/// The error of evaluating a tape outside of train, trainMicroBatches, gradients, predict and withPass.
struct NoPass final : std::exception {
  const char* what() const noexcept override {
    return "tapestry::forward: no pass is open, expected to be run within train, gradients, predict or "
           "withPass";
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
