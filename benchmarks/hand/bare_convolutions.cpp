#include <algorithm>
#include <dnnl.hpp>
#include <memory>
#include <unordered_map>
#include <utility>

#include "hand/sides.hpp"
#include "work/length.hpp"

namespace tapestry::benchmarks::hand {

namespace {

using dnnl::memory;

/// An array in row-major order, and in the formats that primitives wanted it in.
class Array {
 public:
  Array(const memory::dims& extents, const dnnl::engine& engine, std::vector<float> values)
      : values_(std::move(values)),
        plain_({extents, memory::data_type::f32, memory::format_tag::abcd}, engine, values_.data()) {}

  /// Reads the array in this format, from now on; `reorders` are to be done before.
  memory read(const memory::desc& wanted, std::vector<std::pair<memory, memory>>& reorders) {
    const memory own = in(wanted);
    const bool isNew = std::ranges::none_of(read_, [&](const auto& desc) { return desc == wanted; });
    if (isNew && wanted != plain_.get_desc()) reorders.emplace_back(plain_, own), read_.push_back(wanted);
    return own;
  }

  /// Writes it in this format; `reorders` are to be done after.
  memory write(const memory::desc& wanted, std::vector<std::pair<memory, memory>>& reorders) {
    const memory own = in(wanted);
    if (wanted != plain_.get_desc()) reorders.emplace_back(own, plain_);
    return own;
  }

  const std::vector<float>& values() const { return values_; }

 private:
  memory in(const memory::desc& wanted) {
    if (wanted == plain_.get_desc()) return plain_;
    for (const memory& other : others_)
      if (other.get_desc() == wanted) return other;
    return others_.emplace_back(wanted, plain_.get_engine());
  }

  std::vector<float> values_;
  memory plain_;
  std::vector<memory> others_;
  std::vector<memory::desc> read_;
};

class Convolutions {
 public:
  Convolutions(const ConvolutionWork& work, Formats formats, unsigned threads)
      : threads_(threads),
        formats_(formats),
        x_(images, engine_, copied(work.images)),
        w_(filters, engine_, copied(work.filters)),
        y_(images, engine_, std::vector<float>(work.images.size())),
        dx_(images, engine_, std::vector<float>(work.images.size())),
        dw_(filters, engine_, std::vector<float>(work.filters.size())),
        dy_(images, engine_, std::vector<float>(work.images.size(), 1)) {
    const Threads scope(threads_);  // primitives are for the number of threads that they are made with
    const dnnl::convolution_forward::primitive_desc forward({dnnl::prop_kind::forward_training,
                                                             dnnl::algorithm::convolution_direct,
                                                             wanted(images),
                                                             wanted(filters),
                                                             wanted(images),
                                                             {1, 1},
                                                             padding,
                                                             padding},
                                                            engine_);
    const auto data = backward<dnnl::convolution_backward_data>(forward);
    const auto weights = backward<dnnl::convolution_backward_weights>(forward);
    add(dnnl::convolution_forward(forward), {DNNL_ARG_SRC, &x_, forward.src_desc()},
        {DNNL_ARG_WEIGHTS, &w_, forward.weights_desc()}, {DNNL_ARG_DST, &y_, forward.dst_desc()});
    add(dnnl::convolution_backward_data(data), {DNNL_ARG_DIFF_DST, &dy_, data.diff_dst_desc()},
        {DNNL_ARG_WEIGHTS, &w_, data.weights_desc()}, {DNNL_ARG_DIFF_SRC, &dx_, data.diff_src_desc()});
    add(dnnl::convolution_backward_weights(weights), {DNNL_ARG_DIFF_DST, &dy_, weights.diff_dst_desc()},
        {DNNL_ARG_SRC, &x_, weights.src_desc()}, {DNNL_ARG_DIFF_WEIGHTS, &dw_, weights.diff_weights_desc()});
  }

  double run() {
    const Threads scope(threads_);
    for (const auto& [primitive, arguments] : steps_) primitive.execute(stream_, arguments);
    stream_.wait();
    return 0;
  }

  double result() const { return length(dx_.values()) + length(dw_.values()); }

 private:
  struct Argument {
    int index;
    Array* array;
    memory::desc desc;
  };
  using Reorders = std::vector<std::pair<memory, memory>>;

  static inline const memory::dims images{ConvolutionWork::batch, ConvolutionWork::channels,
                                          ConvolutionWork::side, ConvolutionWork::side};
  static inline const memory::dims filters{ConvolutionWork::channels, ConvolutionWork::channels,
                                           ConvolutionWork::kernel, ConvolutionWork::kernel};
  static inline const memory::dims padding{ConvolutionWork::padding, ConvolutionWork::padding};

  static std::vector<float> copied(const Tensor<float>& tensor) {
    return {tensor.values().begin(), tensor.values().end()};
  }

  memory::desc wanted(const memory::dims& extents) const {
    return {extents, memory::data_type::f32,
            formats_ == Formats::plain ? memory::format_tag::abcd : memory::format_tag::any};
  }

  template <class Primitive>
  typename Primitive::primitive_desc backward(
      const dnnl::convolution_forward::primitive_desc& forward) const {
    return {{dnnl::algorithm::convolution_direct,
             wanted(images),
             wanted(filters),
             wanted(images),
             {1, 1},
             padding,
             padding},
            engine_,
            forward};
  }

  void add(const dnnl::primitive& primitive, const Argument& first, const Argument& second,
           const Argument& result) {
    Reorders before, after;
    std::unordered_map<int, memory> arguments{{first.index, first.array->read(first.desc, before)},
                                              {second.index, second.array->read(second.desc, before)},
                                              {result.index, result.array->write(result.desc, after)}};
    add(before);
    steps_.emplace_back(primitive, std::move(arguments));
    add(after);
  }

  void add(const Reorders& reorders) {
    for (const auto& [from, to] : reorders)
      steps_.emplace_back(dnnl::reorder(from, to),
                          std::unordered_map<int, memory>{{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  }

  const unsigned threads_;
  const Formats formats_;
  const dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  Array x_, w_, y_, dx_, dw_, dy_;
  std::vector<std::pair<dnnl::primitive, std::unordered_map<int, memory>>> steps_;
};

}  // namespace

Side bareConvolutions(const ConvolutionWork& work, Formats formats, unsigned threads) {
  const auto convolutions = std::make_shared<Convolutions>(work, formats, threads);
  return {.reset = [] {},
          .run = [convolutions] { return convolutions->run(); },
          .result = [convolutions] { return convolutions->result(); }};
}

}  // namespace tapestry::benchmarks::hand
