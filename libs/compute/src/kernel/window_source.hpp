// Defines Windows, windows that move over planes, and the sources of the kernels that read and add to them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tapestry/compute/extend/device_driver.hpp>
#include <tapestry/tensor/height_width.hpp>

namespace tapestry::detail {

/// A window of some elements, `dilation` apart, which moves in steps of `stride` over a plane with `padding`
/// around it. It has out.height * out.width places.
struct Windows {
  HeightWidth in, window, out, stride, padding, dilation;

  /// The numbers that all kernels here take, behind their own `before`.
  std::vector<std::size_t> after(std::vector<std::size_t> before = {}) const;
};

// The sources of kernels of one work-item for each element of the result. Their parameters are the buffers,
// numbers of their own, the windows, and the number of work-items.

/// The elements of windows as columns: to[c, p, q, n, place] is element (p, q) of the window at the place in
/// plane (n, c) of x, or 0 in the padding. Buffers: x, to. Numbers: of channels, of images.
std::string unfoldSource(bool isDouble, std::string_view name);
/// The reverse: to[n, c, line, column] is the sum of all elements of `from` that unfold would read there.
std::string foldSource(bool isDouble, std::string_view name);

/// The largest element of each window. Buffers: x, to.
std::string maxPoolSource(bool isDouble, std::string_view name);
/// The largest element of each window, and the window's delta divided by the number of elements that equal
/// it. Buffers: x, delta, most, share.
std::string maxShareSource(bool isDouble, std::string_view name);
/// The sum of the shares of all windows whose largest element the element is. Buffers: x, most, share, to.
std::string maxSpreadSource(bool isDouble, std::string_view name);

/// The sum of each window divided by the window's size. Buffers: x, to.
std::string avgPoolSource(bool isDouble, std::string_view name);
/// The sum of the deltas of all windows that cover the element, divided by the window's size. Buffers: delta,
/// to.
std::string avgSpreadSource(bool isDouble, std::string_view name);

}  // namespace tapestry::detail
