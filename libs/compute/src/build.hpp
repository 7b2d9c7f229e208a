// Declares the functions that make expressions, and commonDevice and requiredDevice, the device of operands.
#pragma once

#include <bitset>
#include <memory>
#include <span>
#include <string_view>

#include "expression/expression.hpp"

namespace tapestry::detail {

/// The device of the operands, null if all are constants without one. Throws DeviceError, naming the
/// function, for operands of two devices.
std::shared_ptr<DeviceState> commonDevice(std::string_view function, std::span<const ExpressionRef> operands);

/// The same, but throws DeviceError, naming the function, where no operand has a device.
std::shared_ptr<DeviceState> requiredDevice(std::string_view function,
                                            std::span<const ExpressionRef> operands);

/// The function of the operands, which broadcast. Throws ShapeError, naming the function, if they do not, and
/// DeviceError for operands of two devices. The function of constants is a constant. If the expression would
/// become too large, its operands are computed first.
ExpressionRef applied(const DeviceFunction& function, std::span<ExpressionRef> operands);

/// The elements of x that the map selects.
ExpressionRef viewed(ExpressionRef x, const Shape& shape, const IndexMap& map);

/// x in a shape that it broadcasts to.
ExpressionRef broadcasted(ExpressionRef x, const Shape& shape);

/// The rows of x that the choice selects, as a tensor of the shape; x is read as [outer, extent, inner].
ExpressionRef gathered(ExpressionRef x, const Shape& shape, RowChoice rows);

/// x, or if it is a constant without a device the same constant of the device.
ExpressionRef onDevice(const ExpressionRef& x, const std::shared_ptr<DeviceState>& device);

ExpressionRef reduced(ExpressionRef x, Reduction reduction, const std::bitset<Shape::maxRank>& axes,
                      const Shape& shape);

/// Numbers in [0, 1) that depend on the seed and the element's index.
ExpressionRef randomised(bool isDouble, const Shape& shape, std::uint64_t seed,
                         std::shared_ptr<DeviceState> device);

/// 0 where the element's draw of 32 bits is below the threshold, else the number `kept`. The draws depend on
/// the key and the element's index.
ExpressionRef dropped(bool isDouble, const Shape& shape, std::uint64_t key, std::uint64_t threshold,
                      double kept, std::shared_ptr<DeviceState> device);

/// The index of each element.
ExpressionRef counter(bool isDouble, const Shape& shape, std::shared_ptr<DeviceState> device);

/// Throws ShapeError for more elements than a kernel can count.
void requireCountable(const Shape& shape, std::string_view operation);

}  // namespace tapestry::detail
