#include <tapestry/deeplearning/operations/arithmetic/multiply.hpp>
#include <tapestry/deeplearning/operations/reduction/log_sum_exp.hpp>
#include <tapestry/deeplearning/operations/reduction/max.hpp>
#include <tapestry/deeplearning/operations/reduction/mean.hpp>
#include <tapestry/deeplearning/operations/reduction/min.hpp>
#include <tapestry/deeplearning/operations/reduction/norm.hpp>
#include <tapestry/deeplearning/operations/reduction/sum.hpp>

#include "call.hpp"

namespace tapestry::onnx {

namespace {

/// The handler of f(input 0, axes, whether the axes are kept with extent 1).
template <class F, F f = F{}>
std::vector<Value> reduced(const Call& call) {
  const bool keepDims = call.attribute<std::int64_t>("keepdims", 1) != 0;
  const auto listed = call.integersOf("axes", 1).value_or(std::vector<std::int64_t>{});
  if (listed.empty() && call.attribute<std::int64_t>("noop_with_empty_axes", 0) != 0) return {call.layer(0)};
  if (listed.size() > Shape::maxRank)
    call.fail("too many axes, got " + std::to_string(listed.size()) + ", expected at most " +
              std::to_string(Shape::maxRank));
  const std::vector<std::ptrdiff_t> axes(listed.begin(), listed.end());
  return {TensorLayer(f(call.layer(0), axes.empty() ? Axes::all() : Axes(axes), keepDims))};
}

template <class F>
constexpr Handler reducedBy(F) {
  return reduced<F>;
}

}  // namespace

void addReductions(Handlers& handlers) {
  using L = TensorLayer;
  handlers.insert(
      {{"ReduceSum", reducedBy([](const L& x, const Axes& axes, bool keep) { return sum(x, axes, keep); })},
       {"ReduceMean", reducedBy([](const L& x, const Axes& axes, bool keep) { return mean(x, axes, keep); })},
       {"ReduceMax", reducedBy([](const L& x, const Axes& axes, bool keep) { return max(x, axes, keep); })},
       {"ReduceMin", reducedBy([](const L& x, const Axes& axes, bool keep) { return min(x, axes, keep); })},
       {"ReduceL2", reducedBy([](const L& x, const Axes& axes, bool keep) { return norm(x, axes, keep); })},
       {"ReduceSumSquare",
        reducedBy([](const L& x, const Axes& axes, bool keep) { return sum(x * x, axes, keep); })},
       {"ReduceLogSumExp",
        reducedBy([](const L& x, const Axes& axes, bool keep) { return logSumExp(x, axes, keep); })}});
}

}  // namespace tapestry::onnx
