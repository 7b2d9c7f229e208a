#include "kernel/reduction_cut.hpp"

#include <algorithm>

#include <tapestry/tensor/kernels/view.hpp>

namespace tapestry::detail {

ReductionCut cutOf(const DeviceExpression& x, const std::bitset<Shape::maxRank>& reduced,
                   const extend::DeviceProperties& device) {
  ReductionCut cut;
  const auto strides = kernels::View::of(x.shape).strides;
  for (std::size_t axis = 0; axis < x.shape.rank(); ++axis) {
    const auto extent = static_cast<std::uint32_t>(x.shape[axis]);
    (reduced[axis] ? cut.terms : cut.outputs) *= extent;
    if (extent == 1) continue;
    const auto stride = static_cast<std::int32_t>(strides[axis]);
    if (cut.rank != 0 && cut.reduced[cut.rank - 1] == reduced[axis])
      cut.axes[cut.rank - 1] = {cut.axes[cut.rank - 1].extent * extent, stride};
    else {
      cut.axes[cut.rank] = {extent, stride};
      cut.reduced[cut.rank++] = reduced[axis];
    }
  }
  const bool innermostReduced = cut.rank != 0 && cut.reduced[cut.rank - 1];
  // neighbouring work-items read neighbouring elements
  if (innermostReduced && cut.terms > 32) cut.group = device.group;
  const std::size_t workers = std::max<std::size_t>(device.parallelism / cut.group, 1);
  const std::size_t wanted = workers / std::max<std::size_t>(cut.outputs, 1);
  const std::size_t most = (cut.terms + 127) / 128, least = (cut.terms / cut.group + 1023) / 1024;
  cut.splits = std::max<std::size_t>(std::min(std::max(wanted, least), most), 1);
  return cut;
}

}  // namespace tapestry::detail
