// Defines sliceLists and slicesOf, which read the bounds of ONNX's Slice.
#pragma once

#include <tapestry/tensor/slice.hpp>

#include "call.hpp"

namespace tapestry::onnx {

/// Lists of one length: an entry for each sliced axis.
struct SliceLists {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> ends;
  std::vector<std::int64_t> axes;
  std::vector<std::int64_t> steps;
};

SliceLists sliceLists(const Call& call);

/// Returns a slice for each axis.
std::vector<Slice> slicesOf(const Place& place, const SliceLists& lists, std::size_t rank);

}  // namespace tapestry::onnx
