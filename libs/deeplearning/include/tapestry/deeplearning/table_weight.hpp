// Defines TableWeight, a table of embeddings as a weight: a step costs what the rows cost that were used.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/row_stepper.hpp"
#include "tapestry/deeplearning/weight.hpp"
#include "tapestry/tensor/table.hpp"

namespace tapestry {

/// The rule of a weight that is a table: any rule, or chain, for tensors whose State tells its parts. It sees
/// the rows that have a gradient, as if they were the weight; its state for a row changes only when the row
/// has one. So momentum and Adam are their lazy forms, and penalties and decay act on rows in use.
template <class T>
class Optimizer<Table<T>> {
 public:
  template <OptimizerRule<Tensor<T>> Rule>
    requires(detail::listsParts<typename Rule::template State<Tensor<T>>>)
  Optimizer(Rule rule) : initial_(detail::makeRef<const detail::RowStepper<T, Rule>>(std::move(rule))) {}
  explicit Optimizer(...) = delete;  // expected an OptimizerRule for tensors, whose State tells its parts

  const detail::Ref<const detail::Stepper<Table<T>>>& initial() const noexcept { return initial_; }

 private:
  detail::Ref<const detail::Stepper<Table<T>>> initial_;
};

/// Used by `embedding`. Concurrent passes are as independent as those on any weight. Cost of a step: O(rows
/// used), and O(all rows) once, when the optimizer begins to keep something for each.
using TableWeight = Weight<Table<float>>;
using DoubleTableWeight = Weight<Table<double>>;

}  // namespace tapestry
