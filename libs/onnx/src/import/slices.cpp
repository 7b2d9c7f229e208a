#include "slices.hpp"

#include <limits>

namespace tapestry::onnx {

namespace {

/// The bounds as Slice has them, which clamps them and which leaves out bounds beyond the ends.
Slice sliceOf(std::int64_t start, std::int64_t end, std::int64_t step) {
  constexpr std::int64_t far = std::numeric_limits<std::int32_t>::max();
  Slice slice{start, end, step};
  if (step > 0 && end >= far) slice.stop = Slice::end;
  if (step < 0 && end <= -far) slice.stop = Slice::end;
  if (step < 0 && start >= far) slice.start = Slice::end;
  // a slice that begins or ends there is empty; Slice::end would mean that the bound is left out
  if (step > 0 && start >= far) slice.start = far;
  if (step < 0 && end >= far) slice.stop = far;
  return slice;
}

}  // namespace

std::vector<Slice> slicesOf(const Place& place, const SliceLists& lists, std::size_t rank) {
  std::vector<Slice> slices(rank);
  for (std::size_t i = 0; i < lists.axes.size(); ++i) {
    const auto axis = lists.axes[i] < 0 ? lists.axes[i] + static_cast<std::int64_t>(rank) : lists.axes[i];
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank))
      place.fail("axis out of range, got " + std::to_string(lists.axes[i]) + ", expected one of " +
                 std::to_string(rank) + " axes");
    if (lists.steps[i] == 0) place.fail("no step, got 0, expected another number");
    slices[static_cast<std::size_t>(axis)] = sliceOf(lists.starts[i], lists.ends[i], lists.steps[i]);
  }
  return slices;
}

SliceLists sliceLists(const Call& call) {
  SliceLists lists{call.integers(1).values, call.integers(2).values, {}, {}};
  const std::size_t count = lists.starts.size();
  if (call.has(3)) {
    lists.axes = call.integers(3).values;
  } else {
    for (std::size_t i = 0; i < count; ++i) lists.axes.push_back(static_cast<std::int64_t>(i));
  }
  lists.steps = call.has(4) ? call.integers(4).values : std::vector<std::int64_t>(count, 1);
  if (lists.ends.size() != count || lists.axes.size() != count || lists.steps.size() != count)
    call.fail("the lists differ, got " + std::to_string(count) + " starts, " +
              std::to_string(lists.ends.size()) + " ends, " + std::to_string(lists.axes.size()) +
              " axes and " + std::to_string(lists.steps.size()) + " steps, expected as many of each");
  return lists;
}

}  // namespace tapestry::onnx
