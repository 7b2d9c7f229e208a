// Defines clipByGlobalNorm, which bounds the length of a pass's whole gradient.
#pragma once

#include "tapestry/deeplearning/detail/parameters.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// If the Euclidean norm of all weights' gradients together exceeds the limit, all gradients are scaled by
/// limit / norm. Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent neural networks"
/// (2013), algorithm 1.
struct ClipByGlobalNorm {
  double limit;
};

/// train(loss, clipByGlobalNorm(1)). Throws std::invalid_argument unless the limit is more than 0.
inline ClipByGlobalNorm clipByGlobalNorm(double limit) {
  detail::requirePositive("clipByGlobalNorm", "the limit", limit);
  return {limit};
}

}  // namespace tapestry
#pragma GCC visibility pop
