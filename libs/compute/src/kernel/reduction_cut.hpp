// Defines ReductionCut, how a reduction is divided, and cutOf, which divides it.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>

#include "expression/expression.hpp"

namespace tapestry::detail {

/// How a reduction is divided.
struct ReductionCut {
  /// The axes of the operand, the outermost first, neighbours of one kind joined; whether each is reduced.
  std::array<IndexMap::Axis, Shape::maxRank> axes{};
  std::array<bool, Shape::maxRank> reduced{};
  std::size_t rank = 0;
  std::size_t outputs = 1;  ///< of the reduction
  std::size_t terms = 1;    ///< of each output
  std::size_t splits = 1;   ///< the parts of an output's terms, each of which becomes one partial result
  unsigned group = 1;       ///< the work-items that reduce a part together
};

/// Divides a reduction so that the whole device works on it, and so that no sum has so many terms in a row
/// that their roundings add up.
ReductionCut cutOf(const DeviceExpression& x, const std::bitset<Shape::maxRank>& reduced,
                   const extend::DeviceProperties& device);

}  // namespace tapestry::detail
