#include <algorithm>

#include <tapestry/tensor/tensor.hpp>

#include "kernels/convolution/convolution_part.hpp"
#include "kernels/convolution/inside.hpp"
#include "kernels/product/product.hpp"

namespace tapestry::kernels {

namespace {

// One group of one image as a matrix, so that y = w · matrix: a row for each channel and element of the
// filter, a column for each place of the filter.
struct Matrix {
  explicit Matrix(const ConvolutionExtents& all)
      : extents(all),
        rows(all.channelsIn * all.kernel.height * all.kernel.width),
        columns(all.out.height * all.out.width) {}

  // With a filter of one element, a stride of 1 and no padding, the matrix is the image itself.
  bool isImage() const { return extents.kernel == 1 && extents.stride == 1 && extents.padding == 0; }

  template <class T>
  Tensor<T> allocate() const {
    return isImage() ? Tensor<T>() : Tensor<T>::uninitialized({rows, columns});
  }

  // Calls body(start of a line of the matrix, start of a line of the image, columns of the matrix line inside
  // the image, offset to add to column * stride) for all lines that are not entirely outside.
  template <class F>
  void forEachLine(const F& body) const {
    const auto& [batch, groups, channels, channelsOut, in, out, kernel, stride, padding, dilation] = extents;
    std::size_t row = 0;
    for (std::size_t channel = 0; channel < channels; ++channel)
      for (std::size_t p = 0; p < kernel.height; ++p)
        for (std::size_t q = 0; q < kernel.width; ++q, ++row) {
          const std::size_t down = p * dilation.height;
          const std::size_t right = q * dilation.width;
          const Inside lines(out.height, stride.height, down, padding.height, in.height);
          const Inside places(out.width, stride.width, right, padding.width, in.width);
          if (places.empty()) continue;
          for (std::size_t i = lines.first; i < lines.last; ++i)
            body(row * columns + i * out.width,
                 (channel * in.height + i * stride.height + down - padding.height) * in.width, places,
                 right - padding.width);
        }
  }

  template <class T>
  void read(const T* image, T* matrix) const {
    const std::size_t stride = extents.stride.width;
    std::fill_n(matrix, rows * columns, T{0});
    forEachLine([&](std::size_t line, std::size_t from, const Inside& places, std::size_t shift) {
      if (stride == 1)
        std::copy_n(image + (from + places.first + shift), places.last - places.first,
                    matrix + line + places.first);
      else
        for (std::size_t j = places.first; j < places.last; ++j)
          matrix[line + j] = image[from + (j * stride + shift)];
    });
  }

  // Returns the matrix of an image: the image itself, or what is read into `space`.
  template <class T>
  const T* of(const T* image, Tensor<T>& space) const {
    if (isImage()) return image;
    T* const values = space.exclusiveData();
    read(image, values);
    return values;
  }

  // Adds each element to the place from which `read` took it.
  template <class T>
  void addTo(T* image, const T* matrix) const {
    const std::size_t stride = extents.stride.width;
    std::fill_n(image, extents.channelsIn * extents.in.height * extents.in.width, T{0});
    forEachLine([&](std::size_t line, std::size_t to, const Inside& places, std::size_t shift) {
      for (std::size_t j = places.first; j < places.last; ++j)
        image[to + (j * stride + shift)] += matrix[line + j];
    });
  }

  // Calls body(start of x, start of w, start of y, whether it is the first image) for each group of each
  // image.
  template <class F>
  void forEachGroup(const F& body) const {
    const std::size_t image = extents.channelsIn * extents.in.height * extents.in.width;
    const std::size_t weights = extents.channelsOut * rows;
    const std::size_t result = extents.channelsOut * columns;
    for (std::size_t i = 0; i < extents.batch * extents.groups; ++i)
      body(i * image, i % extents.groups * weights, i * result, i < extents.groups);
  }

  ConvolutionExtents extents;
  std::size_t rows;
  std::size_t columns;
};

template <class T>
void convolveForward(const Matrix& matrix, const ConvolutionPart<T>& part, Tensor<T>& space) {
  const ProductShape shape{false, false, part.extents.channelsOut, matrix.columns, matrix.rows};
  matrix.forEachGroup([&](std::size_t image, std::size_t weights, std::size_t result, bool) {
    const T* const x = matrix.of(part.first + image, space);
    multiply<T>({shape, part.second + weights, x, part.result + result});
  });
}

template <class T>
void convolveLeft(const Matrix& matrix, const ConvolutionPart<T>& part, Tensor<T>& space) {
  const ProductShape shape{true, false, matrix.rows, matrix.columns, part.extents.channelsOut};
  matrix.forEachGroup([&](std::size_t image, std::size_t weights, std::size_t result, bool) {
    T* const dx = part.result + image;
    T* const to = matrix.isImage() ? dx : space.exclusiveData();
    multiply<T>({shape, part.second + weights, part.first + result, to});
    if (!matrix.isImage()) matrix.addTo(dx, space.data());
  });
}

template <class T>
void convolveRight(const Matrix& matrix, const ConvolutionPart<T>& part, Tensor<T>& space) {
  const ProductShape shape{false, true, part.extents.channelsOut, matrix.rows, matrix.columns};
  matrix.forEachGroup([&](std::size_t image, std::size_t weights, std::size_t result, bool isFirst) {
    const T* const x = matrix.of(part.second + image, space);
    T* const dw = part.result + weights;
    multiply<T>({shape, part.first + result, x, dw, isFirst ? nullptr : dw});
  });
}

}  // namespace

template <class T>
void convolveByProducts(const ConvolutionPart<T>& part) {
  const Matrix matrix(part.extents);
  auto space = matrix.allocate<T>();
  switch (part.kind) {
    case ConvolutionKind::forward:
      return convolveForward(matrix, part, space);
    case ConvolutionKind::left:
      return convolveLeft(matrix, part, space);
    case ConvolutionKind::right:
      return convolveRight(matrix, part, space);
  }
}

template void convolveByProducts(const ConvolutionPart<float>&);
template void convolveByProducts(const ConvolutionPart<double>&);

}  // namespace tapestry::kernels
