// Defines store, which computes an expression, and all others that the same kernel computes on the way.
#pragma once

#include "expression/expression.hpp"

namespace tapestry::detail {

/// Enqueues the kernels that the expression needs, unless it is stored already. Throws DeviceMemoryError, and
/// the errors of kernels and buffers; what was not computed then stays an expression. The first function
/// takes the device's lock, the second must be called under it.
void store(DeviceExpression& expression);
void storeLocked(DeviceExpression& expression);

/// Enqueues the kernel that computes x, which has a device, and writes element i of it to the element of `to`
/// that the map gives for i; under the lock. x itself stays an expression, if it has one owner.
void storeInto(DeviceExpression& x, const IndexMap& map, const BufferRef& to);

/// Returns the number of expressions that are not stored yet.
std::uint32_t countUnstored(DeviceExpression& expression);

}  // namespace tapestry::detail
