// Defines AdamConstants, the constants of one step of Adam.
#pragma once

namespace tapestry::kernels {

template <class T>
struct AdamConstants {
  T rate;  ///< learningRate / (1 - beta1^t)
  T beta1;
  T beta2;
  T epsilon;
  T secondScale;  ///< 1 / (1 - beta2^t)
  T kept;         ///< the share of the weight that remains
};

}  // namespace tapestry::kernels
