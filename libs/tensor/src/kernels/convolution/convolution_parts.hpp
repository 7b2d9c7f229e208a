// Defines inImages, which divides a large convolution among the calling and the helping threads.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <exception>

#include <tapestry/tensor/tensor.hpp>

#include "kernels/convolution/convolution_extents.hpp"
#include "kernels/product/add_row.hpp"
#include "tapestry/tensor/for_each_part.hpp"

namespace tapestry::kernels {

/// A convolution or one of its derivatives, or a part of it: `result` is computed from the other two arrays.
template <class T>
struct ConvolutionPart {
  ConvolutionExtents extents;
  const T* first;
  const T* second;
  T* result;
};

/// The distance between images in each of these arrays; 0 for the filters, which all images share.
struct ImageSteps {
  std::size_t first;
  std::size_t second;
  std::size_t result;
};

/// How a convolution is cut along its images. The cut depends only on the extents, which must not be 0. Each
/// part brings the filters into another format, or adds its filters to those of other parts; this costs
/// little only if the filters are used at many places.
struct ConvolutionCut {
  static constexpr std::size_t most = 8;

  explicit ConvolutionCut(const ConvolutionExtents& e) noexcept
      : images(e.batch), filters(e.groups * e.channelsOut * e.channelsIn * e.kernel.height * e.kernel.width) {
    constexpr std::size_t worth = 1024 * 1024;  // multiplications, some 20 us
    constexpr std::size_t manyPlaces = 256;
    const std::size_t places = e.batch * e.out.height * e.out.width;
    const std::size_t share =
        std::min(places / manyPlaces, places / worth * filters + places % worth * filters / worth);
    const std::size_t wanted = std::bit_floor(std::clamp<std::size_t>(share, 1, most));
    length = (images + wanted - 1) / wanted;
  }

  std::size_t parts() const noexcept { return (images + length - 1) / length; }

  std::size_t images;
  std::size_t filters;  ///< elements
  std::size_t length;   ///< images of each part but the last
};

/// Calls convolve(part) for the parts of a convolution, or for the whole if no threads help or it is too
/// small. If the filters are the result, each part computes filters of its own, which are added up in order.
template <class T, class F>
void inImages(const ConvolutionPart<T>& whole, const ImageSteps& steps, const F& convolve) {
  const ConvolutionCut cut(whole.extents);
  if (!hasHelpers() || cut.parts() == 1) return convolve(whole);
  const bool adds = steps.result == 0;
  auto sums = Tensor<T>::uninitialized({adds ? cut.parts() - 1 : 0, cut.filters});
  T* const others = sums.exclusiveData();
  std::array<std::exception_ptr, ConvolutionCut::most> errors;
  forEachPart(cut.parts(), [&](std::size_t i) noexcept {
    const HelperScope alone(nullptr);  // so that products in the part do not depend on helpers
    const std::size_t begin = i * cut.length;
    ConvolutionPart<T> part = whole;
    part.extents.batch = std::min(cut.length, cut.images - begin);
    part.first += begin * steps.first;
    part.second += begin * steps.second;
    part.result = adds && i > 0 ? others + (i - 1) * cut.filters : part.result + begin * steps.result;
    try {
      convolve(part);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  });
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
  if (!adds) return;
  for (std::size_t i = 0; i + 1 < cut.parts(); ++i)
    addRow(others + i * cut.filters, 1, cut.filters, whole.result);
}

}  // namespace tapestry::kernels
