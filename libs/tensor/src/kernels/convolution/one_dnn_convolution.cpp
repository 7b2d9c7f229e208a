#include "kernels/convolution/one_dnn_convolution.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "kernels/convolution/one_dnn_plan.hpp"
#include "kernels/one_dnn.hpp"
#include "kernels/one_dnn_library.hpp"

namespace tapestry::kernels {

namespace {

using Descriptor = dnnl::memory::desc;
using Format = dnnl::memory::format_tag;

// Makes plans from the extents; the plans take and return arrays in row-major order.
class Planner {
 public:
  /// `plain`: the convolution itself also uses row-major arrays; otherwise it may choose any format.
  Planner(const ConvolutionExtents& e, bool plain)
      : x_(arrayOf({e.batch, e.groups * e.channelsIn, e.in.height, e.in.width})),
        w_(e.groups == 1 ? arrayOf({e.channelsOut, e.channelsIn, e.kernel.height, e.kernel.width})
                         : arrayOf({e.groups, e.channelsOut, e.channelsIn, e.kernel.height, e.kernel.width})),
        y_(arrayOf({e.batch, e.groups * e.channelsOut, e.out.height, e.out.width})),
        plain_(plain),
        stride_(pair(e.stride, 0)),
        padding_(pair(e.padding, 0)),
        dilation_(pair(e.dilation, 1)),
        forward_(describe<dnnl::convolution_forward>(dnnl::prop_kind::forward_training)) {}

  OneDnnPlan forward() const {
    return {forward_,
            {DNNL_ARG_SRC, x_.rowMajor, forward_.src_desc()},
            {DNNL_ARG_WEIGHTS, w_.rowMajor, forward_.weights_desc()},
            {DNNL_ARG_DST, y_.rowMajor, forward_.dst_desc()}};
  }
  OneDnnPlan left() const {
    const auto backward = describe<dnnl::convolution_backward_data>();
    return {backward,
            {DNNL_ARG_DIFF_DST, y_.rowMajor, backward.diff_dst_desc()},
            {DNNL_ARG_WEIGHTS, w_.rowMajor, backward.weights_desc()},
            {DNNL_ARG_DIFF_SRC, x_.rowMajor, backward.diff_src_desc()}};
  }
  OneDnnPlan right() const {
    const auto backward = describe<dnnl::convolution_backward_weights>();
    return {backward,
            {DNNL_ARG_DIFF_DST, y_.rowMajor, backward.diff_dst_desc()},
            {DNNL_ARG_SRC, x_.rowMajor, backward.src_desc()},
            {DNNL_ARG_DIFF_WEIGHTS, w_.rowMajor, backward.diff_weights_desc()}};
  }

 private:
  using Dimension = dnnl::memory::dim;
  using Dimensions = dnnl::memory::dims;

  // oneDNN's dilation is the number of elements that are skipped.
  static Dimensions pair(const HeightWidth& from, std::size_t less) {
    return {static_cast<Dimension>(from.height - less), static_cast<Dimension>(from.width - less)};
  }
  struct Array {
    Descriptor rowMajor;
    Descriptor any;  ///< in a format that oneDNN chooses
  };
  static Array arrayOf(std::initializer_list<std::size_t> extents) {
    Dimensions dimensions;
    for (const std::size_t extent : extents) dimensions.push_back(static_cast<Dimension>(extent));
    const auto as = [&](Format format) {
      return Descriptor(dimensions, dnnl::memory::data_type::f32, format);
    };
    return {as(extents.size() == 4 ? Format::abcd : Format::abcde), as(Format::any)};
  }
  const Descriptor& wanted(const Array& array) const { return plain_ ? array.rowMajor : array.any; }

  // Release 3 of oneDNN has no description apart from the primitive's descriptor.
  template <class Primitive, class... Kind>
  typename Primitive::primitive_desc describe(Kind... kind) const {
    const auto described = [&](const auto&... hint) -> typename Primitive::primitive_desc {
      constexpr auto direct = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
      return {oneDnnEngine(), kind...,   direct,   wanted(x_), wanted(w_), wanted(y_),
              stride_,        dilation_, padding_, padding_,   hint...,    OneDnnStep::attributes()};
#else
      const typename Primitive::desc description(kind..., direct, wanted(x_), wanted(w_), wanted(y_), stride_,
                                                 dilation_, padding_, padding_);
      return {description, OneDnnStep::attributes(), oneDnnEngine(), hint...};
#endif
    };
    if constexpr (sizeof...(Kind) == 0)
      return described(forward_);
    else
      return described();
  }

  Array x_;
  Array w_;
  Array y_;
  bool plain_;
  Dimensions stride_;
  Dimensions padding_;
  Dimensions dilation_;
  dnnl::convolution_forward::primitive_desc forward_;
};

// The plans in use, each made once; if there are too many, all are discarded. Null means a convolution that
// oneDNN cannot compute. Thread-safe.
class Plans {
 public:
  using Make = OneDnnPlan (Planner::*)() const;

  explicit Plans(Make planned) : make_(planned) {}

  std::shared_ptr<const OneDnnPlan> of(const ConvolutionExtents& extents, bool plain) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = plans_.find(extents); found != plans_.end()) return found->second;
    }
    const OneThread guard;  // A plan is for the number of threads that it is made with.
    std::shared_ptr<const OneDnnPlan> plan = make(extents, plain);
    const std::lock_guard lock(mutex_);
    if (plans_.size() >= most) plans_.clear();
    return plans_.emplace(extents, std::move(plan)).first->second;
  }

  bool run(const ConvolutionExtents& extents, bool plain, const float* first, const float* second,
           float* result) {
    const auto plan = of(extents, plain);
    if (!plan) return false;
    const OneThread guard;
    plan->run(first, second, result);
    return true;
  }

 private:
  static constexpr std::size_t most = 256;

  std::shared_ptr<const OneDnnPlan> make(const ConvolutionExtents& extents, bool plain) const {
    try {
      return std::make_shared<const OneDnnPlan>((Planner(extents, plain).*make_)());
    } catch (const dnnl::error& error) {
      // oneDNN refuses numbers that its kernels cannot count with, such as a padding of 2^30, as invalid
      if (error.status != dnnl_unimplemented && error.status != dnnl_invalid_arguments) throw;
      return nullptr;
    }
  }

  Make make_;
  std::mutex mutex_;
  std::map<ConvolutionExtents, std::shared_ptr<const OneDnnPlan>> plans_;
};

// Blocks of so few channels would be mostly padding.
bool hasFewChannels(const ConvolutionExtents& extents, std::size_t few) {
  return extents.groups == 1 && extents.channelsIn <= few;
}

}  // namespace

bool convolveByOneDnn(const ConvolutionExtents& extents, const float* x, const float* w, float* y) {
  static Plans plans(&Planner::forward);
  return plans.run(extents, false, x, w, y);
}

bool convolveByOneDnnLeft(const ConvolutionExtents& extents, const float* delta, const float* w, float* dx) {
  static Plans plans(&Planner::left);
  return plans.run(extents, hasFewChannels(extents, 3), delta, w, dx);
}

bool convolveByOneDnnRight(const ConvolutionExtents& extents, const float* delta, const float* x, float* dw) {
  static Plans plans(&Planner::right);
  return plans.run(extents, hasFewChannels(extents, 1), delta, x, dw);
}

}  // namespace tapestry::kernels
