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
  /// operands and the kernel's arguments fit. Formulas of the same operation and source share their kernels,
  /// and their source is held until the program ends. The source of a recording is written at its first call
  /// for each type of numbers.
  template <class T>
  static std::vector<DeviceTensor<T>> evaluate(std::string_view operation,
                                               const formula::Recording& recording,
                                               std::span<const DeviceTensor<T>> operands);
};

}  // namespace tapestry
#pragma GCC visibility pop
