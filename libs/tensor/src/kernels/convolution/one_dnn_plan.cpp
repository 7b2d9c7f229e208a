#include "kernels/convolution/one_dnn_plan.hpp"

#include <utility>

#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

namespace {

// Memory from our pool.
class Scratch {
 public:
  explicit Scratch(const dnnl::memory::desc& descriptor)
      : values_(Tensor<float>::uninitialized({descriptor.get_size() / sizeof(float) + 1})),
        memory_(descriptor, oneDnnEngine(), values_.exclusiveData()) {}
  const dnnl::memory& memory() const noexcept { return memory_; }

 private:
  Tensor<float> values_;
  dnnl::memory memory_;
};

OneDnnArgument argumentOf(const OneDnnOperand& operand, const dnnl::memory::desc& from,
                          const dnnl::memory::desc& to) {
  if (from == to) return {operand, std::nullopt};
  const dnnl::reorder::primitive_desc reorder(oneDnnEngine(), from, oneDnnEngine(), to,
                                              OneDnnStep::attributes());
  return {operand, OneDnnStep(reorder)};
}

// Returns the array in the wanted format, converted into `own` if the formats differ.
dnnl::memory read(const dnnl::stream& stream, const OneDnnArgument& argument, const float* data,
                  std::optional<Scratch>& own) {
  // oneDNN's handles are not const; it only reads this one.
  const dnnl::memory plain(argument.operand.plain, oneDnnEngine(), const_cast<float*>(data));
  if (!argument.reorder) return plain;
  own.emplace(argument.operand.wanted);
  argument.reorder->run(stream, {{DNNL_ARG_FROM, plain}, {DNNL_ARG_TO, own->memory()}});
  return own->memory();
}

}  // namespace

const dnnl::engine& oneDnnEngine() {
  static const dnnl::engine processor(dnnl::engine::kind::cpu, 0);
  return processor;
}

dnnl::primitive_attr OneDnnStep::attributes() {
  dnnl::primitive_attr result;
  result.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return result;
}

void OneDnnStep::run(const dnnl::stream& stream, std::unordered_map<int, dnnl::memory> arguments) const {
  const Scratch scratch(scratchpad_);
  arguments.emplace(DNNL_ARG_SCRATCHPAD, scratch.memory());
  primitive_.execute(stream, arguments);
}

OneDnnPlan::OneDnnPlan(OneDnnStep primitive, const OneDnnOperand& first, const OneDnnOperand& second,
                       const OneDnnOperand& result)
    : primitive_(std::move(primitive)),
      first_(argumentOf(first, first.plain, first.wanted)),
      second_(argumentOf(second, second.plain, second.wanted)),
      result_(argumentOf(result, result.wanted, result.plain)) {}

void OneDnnPlan::run(const float* first, const float* second, float* result) const {
  const dnnl::stream stream(oneDnnEngine());
  const dnnl::memory plain(result_.operand.plain, oneDnnEngine(), result);
  std::optional<Scratch> ownFirst;
  std::optional<Scratch> ownSecond;
  std::optional<Scratch> own;
  if (result_.reorder) own.emplace(result_.operand.wanted);
  primitive_.run(stream, {{first_.operand.argument, read(stream, first_, first, ownFirst)},
                          {second_.operand.argument, read(stream, second_, second, ownSecond)},
                          {result_.operand.argument, own ? own->memory() : plain}});
  if (own) result_.reorder->run(stream, {{DNNL_ARG_FROM, own->memory()}, {DNNL_ARG_TO, plain}});
}

}  // namespace tapestry::kernels
