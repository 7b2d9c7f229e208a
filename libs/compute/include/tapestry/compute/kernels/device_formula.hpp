// Defines DeviceFormula, which applies recorded formulas to the elements of device tensors.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/tensor/formula/term.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// What the functions of tapestry/tensor/kernels/formula.hpp need for device tensors.
struct DeviceFormula {
  /// The results of formulas of up to six operands, x0, x1, ..., which broadcast; else throws ShapeError,
  /// which names the operation, or std::invalid_argument for more operands. A single result is an expression,
  /// as those of other functions. Several are enqueued at the call, as one kernel if there are fewer than six
  /// operands. Formulas of the same source share their kernels, and their source is held until the program
  /// ends. The source is written at the first call with a recording.
  template <class T>
  static std::vector<DeviceTensor<T>> evaluate(std::string_view operation,
                                               const formula::Recording& recording,
                                               std::span<const DeviceTensor<T>> operands);
};

}  // namespace tapestry
#pragma GCC visibility pop
