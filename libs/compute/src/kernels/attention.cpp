#include <tapestry/compute/kernels/device_reduction.hpp>

#include <concepts>
#include <limits>
#include <memory>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/formula.hpp>

#include "build.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

using E = DeviceElementwise;

/// The scores of the keys that a query may see, and -inf for the others.
template <class T>
DeviceTensor<T> seenByQueries(const DeviceTensor<T>& scores) {
  const std::shared_ptr<detail::DeviceState>& device = scores.expression()->device;
  if (!device)
    throw DeviceError(
        "tapestry::scaledDotProductAttention: the scores are constants, expected ones of a device");
  const std::size_t keys = scores.shape()[scores.rank() - 1], queries = scores.shape()[scores.rank() - 2];
  constexpr bool isDouble = std::same_as<T, double>;
  const DeviceTensor<T> key(detail::counter(isDouble, Shape{keys}, device)),
      query(detail::counter(isDouble, Shape{queries, 1}, device));
  const auto seen = [](auto score, auto ofQuery, auto ofKey) {
    return where(ofQuery >= ofKey, score, -std::numeric_limits<double>::infinity());
  };
  return kernels::evaluate("causal", seen, scores, query, key);
}

}  // namespace

template <class T>
DeviceTensor<T> DeviceReduction::attentionWeights(const DeviceTensor<T>& scores,
                                                  const kernels::Attention& attention) {
  if (scores.size() == 0) return scores;
  const DeviceTensor<T> seen = attention.causal ? seenByQueries(scores) : scores;
  // a row of -inf only becomes 0
  const DeviceTensor<T> most = E::finiteOrZero(max(seen, {-1}, true));
  const DeviceTensor<T> each = E::exp(E::subtract(seen, most));
  const DeviceTensor<T> total = sum(each, {-1}, true);
  return E::where(total, E::divide(each, total));
}

template DeviceTensor<float> DeviceReduction::attentionWeights(const DeviceTensor<float>&,
                                                               const kernels::Attention&);
template DeviceTensor<double> DeviceReduction::attentionWeights(const DeviceTensor<double>&,
                                                                const kernels::Attention&);

}  // namespace tapestry
#pragma GCC visibility pop
