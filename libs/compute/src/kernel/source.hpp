// Defines elementwiseSource, scatteredSource, rowSumSource and reductionSource, the sources of kernels.
#pragma once

#include <string>
#include <string_view>

#include "kernel/plan.hpp"
#include "kernel/reduction_cut.hpp"

namespace tapestry::detail {

/// A name made of the functions that the kernel applies.
std::string kernelName(const KernelPlan& plan, std::string_view prefix);

/// A kernel that computes the outputs of the plan, `width` neighbouring elements in each work-item. Its
/// parameters are those of the plan, the outputs, and the number of work-items.
std::string elementwiseSource(const KernelPlan& plan, std::string_view name, unsigned width);

/// A kernel that computes the outputs of the plan, and stores the value of its root at the index that the
/// step `place` computes. Its parameters are those of the plan, the outputs, the buffer that the root is
/// stored in, and the number of work-items.
std::string scatteredSource(const KernelPlan& plan, std::uint16_t place, std::string_view name);

/// A kernel that adds up rows. Element (a, k, b) of the result, [outer, extent, inner], is the sum of the
/// elements (a, places[extent + 1 + n], b) of x, [outer, indices, inner], for n from places[k] up to
/// places[k + 1]. Its parameters are x, the places, the result, the numbers of indices, extent and inner, and
/// that of work-items.
std::string rowSumSource(bool isDouble, std::string_view name);

/// A kernel that reduces the value of the plan's root: one work-item, or group, for each part of each output.
/// Part s of output o is element s * outputs + o of the result. Its parameters are those of the plan, the
/// plan's outputs, the result, the numbers of outputs, terms, terms in a part and parts in all, and the
/// extent and stride of each axis.
std::string reductionSource(const KernelPlan& plan, const ReductionCut& cut, Reduction reduction,
                            std::string_view name);

}  // namespace tapestry::detail
