#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "kernels/convolution/convolution_part.hpp"
#include "kernels/convolution/one_dnn_plan.hpp"
#include "kernels/one_dnn.hpp"
#include "kernels/one_dnn_library.hpp"

namespace tapestry::kernels {

namespace {

using Descriptor = dnnl::memory::desc;
using Format = dnnl::memory::format_tag;

// Blocks of so few channels would be mostly padding.
bool staysRowMajor(ConvolutionKind kind, const ConvolutionExtents& extents) {
  const std::size_t few = kind == ConvolutionKind::left ? 3 : kind == ConvolutionKind::right ? 1 : 0;
  return extents.groups == 1 && extents.channelsIn <= few;
}

// Makes a plan, which takes and returns arrays in row-major order.
class Planner {
 public:
  Planner(ConvolutionKind kind, const ConvolutionExtents& e)
      : kind_(kind),
        rowMajor_(staysRowMajor(kind, e)),
        x_(arrayOf({e.batch, e.groups * e.channelsIn, e.in.height, e.in.width})),
        w_(e.groups == 1 ? arrayOf({e.channelsOut, e.channelsIn, e.kernel.height, e.kernel.width})
                         : arrayOf({e.groups, e.channelsOut, e.channelsIn, e.kernel.height, e.kernel.width})),
        y_(arrayOf({e.batch, e.groups * e.channelsOut, e.out.height, e.out.width})),
        stride_(pair(e.stride, 0)),
        padding_(pair(e.padding, 0)),
        dilation_(pair(e.dilation, 1)),
        forward_(describe<dnnl::convolution_forward>(dnnl::prop_kind::forward_training)) {}

  OneDnnPlan plan() const {
    return kind_ == ConvolutionKind::forward ? forward() : kind_ == ConvolutionKind::left ? left() : right();
  }

 private:
  using Dimension = dnnl::memory::dim;
  using Dimensions = dnnl::memory::dims;

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
  const Descriptor& wanted(const Array& array) const { return rowMajor_ ? array.rowMajor : array.any; }

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

  ConvolutionKind kind_;
  bool rowMajor_;  ///< whether oneDNN uses row-major arrays, or any format that it chooses
  Array x_;
  Array w_;
  Array y_;
  Dimensions stride_;
  Dimensions padding_;
  Dimensions dilation_;
  dnnl::convolution_forward::primitive_desc forward_;
};

// The plans of one kind in use, each made once; if there are too many, all are discarded. Null means a
// convolution that oneDNN cannot compute. Thread-safe.
class Plans {
 public:
  std::shared_ptr<const OneDnnPlan> of(ConvolutionKind kind, const ConvolutionExtents& extents) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = plans_.find(extents); found != plans_.end()) return found->second;
    }
    const OneThread guard;  // A plan is for the number of threads that it is made with.
    std::shared_ptr<const OneDnnPlan> plan = make(kind, extents);
    const std::lock_guard lock(mutex_);
    if (plans_.size() >= most) plans_.clear();
    return plans_.emplace(extents, std::move(plan)).first->second;
  }

 private:
  static constexpr std::size_t most = 256;

  static std::shared_ptr<const OneDnnPlan> make(ConvolutionKind kind, const ConvolutionExtents& extents) {
    try {
      return std::make_shared<const OneDnnPlan>(Planner(kind, extents).plan());
    } catch (const dnnl::error& error) {
      // oneDNN refuses numbers that its kernels cannot count with, such as a padding of 2^30, as invalid
      if (error.status != dnnl_unimplemented && error.status != dnnl_invalid_arguments) throw;
      return nullptr;
    }
  }

  std::mutex mutex_;
  std::map<ConvolutionExtents, std::shared_ptr<const OneDnnPlan>> plans_;
};

}  // namespace

bool convolveByOneDnn(const ConvolutionPart<float>& part) {
  static std::array<Plans, 3> plans;  // one for each kind
  const auto plan = plans[static_cast<std::size_t>(part.kind)].of(part.kind, part.extents);
  if (!plan) return false;
  const OneThread guard;
  plan->run(part.first, part.second, part.result);
  return true;
}

}  // namespace tapestry::kernels
