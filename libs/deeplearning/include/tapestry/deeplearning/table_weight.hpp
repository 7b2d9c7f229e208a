// Defines TableWeight, a table of embeddings as a weight: the cost of a step depends only on the rows used.
#pragma once

#include <utility>

#include "tapestry/deeplearning/optimizers/detail/row_stepper.hpp"
#include "tapestry/deeplearning/weight.hpp"
#include "tapestry/tensor/table.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The rule of a weight that is a table: any rule or chain for tensors whose State lists its parts. It gets
/// the rows that have a gradient as if they were the weight; its state for a row changes only when the row
/// has a gradient. So momentum and Adam take their lazy forms, and penalties and decay act on rows in use.
template <class T>
class Optimizer<Table<T>> {
 public:
  template <OptimizerRule<Tensor<T>> Rule>
    requires(detail::listsParts<typename Rule::template State<Tensor<T>>>)
  Optimizer(Rule rule) : initial_(detail::makeRef<const detail::RowStepper<T, Rule>>(std::move(rule))) {}
  explicit Optimizer(...) = delete;  // expected an OptimizerRule for tensors, whose State lists its parts

  const detail::Ref<const detail::Stepper<Table<T>>>& initial() const noexcept { return initial_; }

 private:
  detail::Ref<const detail::Stepper<Table<T>>> initial_;
};

/// Used by `embedding`. Concurrent passes are as independent as on any weight. Cost of a step: O(rows used),
/// and O(all rows) once, when the optimizer begins to keep state for each row.
using TableWeight = Weight<Table<float>>;
using DoubleTableWeight = Weight<Table<double>>;

}  // namespace tapestry
#pragma GCC visibility pop
