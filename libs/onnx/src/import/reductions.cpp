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

/// f(input 0, axes, whether the axes are kept with extent 1).
template <class F>
std::vector<Value> reduced(const Call& call, F f) {
  const bool keepDims = call.attribute<std::int64_t>("keepdims", 1) != 0;
  const auto listed = call.integersOf("axes", 1).value_or(std::vector<std::int64_t>{});
  if (listed.empty() && call.attribute<std::int64_t>("noop_with_empty_axes", 0) != 0) return {call.layer(0)};
  if (listed.size() > Shape::maxRank)
    call.fail("too many axes, got " + std::to_string(listed.size()) + ", expected at most " +
              std::to_string(Shape::maxRank));
  const std::vector<std::ptrdiff_t> axes(listed.begin(), listed.end());
  return {TensorLayer(f(call.layer(0), axes.empty() ? Axes::all() : Axes(axes), keepDims))};
}

/// The handler of the reduction by f, which captures nothing.
template <class F>
constexpr Handler reducedBy(F) {
  return [](const Call& call) { return reduced(call, F{}); };
}

/// The same for a reduction that gives no whole number of whole numbers, which are computed as floats.
template <class F>
constexpr Handler fractionBy(F) {
  return [](const Call& call) {
    if (call.isInteger(0))
      call.fail("whole numbers cannot be reduced, got INT64 or INT32, expected numbers (a Cast before)");
    return reduced(call, F{});
  };
}

}  // namespace

void addReductions(Handlers& handlers) {
  using L = TensorLayer;
  handlers.insert(
      {{"ReduceSum", reducedBy([](const L& x, const Axes& axes, bool keep) { return sum(x, axes, keep); })},
       {"ReduceMean",
        fractionBy([](const L& x, const Axes& axes, bool keep) { return mean(x, axes, keep); })},
       {"ReduceMax", reducedBy([](const L& x, const Axes& axes, bool keep) { return max(x, axes, keep); })},
       {"ReduceMin", reducedBy([](const L& x, const Axes& axes, bool keep) { return min(x, axes, keep); })},
       {"ReduceL2", fractionBy([](const L& x, const Axes& axes, bool keep) { return norm(x, axes, keep); })},
       {"ReduceSumSquare",
        reducedBy([](const L& x, const Axes& axes, bool keep) { return sum(x * x, axes, keep); })},
       {"ReduceLogSumExp",
        fractionBy([](const L& x, const Axes& axes, bool keep) { return logSumExp(x, axes, keep); })}});
}

}  // namespace tapestry::onnx
