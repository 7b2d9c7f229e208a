// Defines elementwiseSource and reductionSource, the source of the kernel of a plan.
#pragma once

#include <string>
#include <string_view>

#include "kernel/plan.hpp"

namespace tapestry::detail {

/// A name made of the functions that the kernel applies.
std::string kernelName(const KernelPlan& plan, std::string_view prefix);

/// A kernel that computes the outputs of the plan, `width` neighbouring elements in each work-item. Its
/// parameters are those of the plan, the outputs, and the number of work-items.
std::string elementwiseSource(const KernelPlan& plan, std::string_view name, unsigned width);

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

/// A kernel that reduces the value of the plan's root: one work-item, or group, for each part of each output.
/// Part s of output o is element s * outputs + o of the result. Its parameters are those of the plan, the
/// plan's outputs, the result, the numbers of outputs, terms, terms in a part and parts in all, and the
/// extent and stride of each axis.
std::string reductionSource(const KernelPlan& plan, const ReductionCut& cut, Reduction reduction,
                            std::string_view name);

}  // namespace tapestry::detail
