// Defines TableWeight, a table of embeddings as a weight: the cost of a step depends only on the rows used.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tapestry/deeplearning/detail/racing.hpp"
#include "tapestry/deeplearning/optimizer.hpp"
#include "tapestry/deeplearning/weight.hpp"
#include "tapestry/tensor/table.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// A table's stepper can also give the differences that a step adds to the rows.
template <class T>
class Stepper<Table<T>> : public Node {
 public:
  virtual Stepped<Table<T>> step(const Table<T>& table, IndexedRows<T> gradient) const = 0;
  virtual Change<Table<T>> change(const Table<T>& table, IndexedRows<T> gradient) const = 0;
  virtual std::optional<StateParts<Table<T>>> parts() const = 0;
  virtual Ref<const Stepper<Table<T>>> with(const StateParts<Table<T>>& parts) const = 0;
  virtual std::string kind() const = 0;
  virtual void settle() const noexcept = 0;
};

/// Steps only the rows that have a gradient. Each part of the rule's state that has the weight's size is a
/// table too, and the same rows of it change; counts and numbers are those of the table as a whole. So rules
/// whose weights move without a gradient, by momentum or decay, move a row only when it has a gradient: their
/// lazy forms.
template <class T, class Rule>
class RowStepper final : public Stepper<Table<T>> {
  using State = typename Rule::template State<Tensor<T>>;
  using Kept = std::vector<std::optional<Table<T>>>;

 public:
  explicit RowStepper(Rule rule, State state = {}, Kept kept = {})
      : rule_(std::move(rule)), state_(std::move(state)), kept_(std::move(kept)) {}

  Stepped<Table<T>> step(const Table<T>& table, IndexedRows<T> gradient) const override {
    if (gradient.empty()) return {table, Ref<const Stepper<Table<T>>>::share(this)};
    auto [stepped, next] = stepRows(table, table.gather(gradient.indices()), gradient);
    return {table.with(gradient.indices(), std::move(stepped)), std::move(next)};
  }

  Change<Table<T>> change(const Table<T>& table, IndexedRows<T> gradient) const override {
    if (gradient.empty()) return {{}, Ref<const Stepper<Table<T>>>::share(this)};
    const auto before = table.gather(gradient.indices());
    auto [stepped, next] = stepRows(table, before, gradient);
    return {IndexedRows<T>(gradient.indices(), kernels::subtract(std::move(stepped), before)),
            std::move(next)};
  }

  std::string kind() const override { return kindOf<Tensor<T>>(rule_); }

  void settle() const noexcept override {
    for (const auto& part : kept_)
      if (part) part->settle();
  }

  std::optional<StateParts<Table<T>>> parts() const override {
    auto parts = convertParts<Table<T>, Tensor<T>>(partsOf<Tensor<T>>(state_), noPart<Table<T>>);
    for (auto next = kept_.begin(); auto& [name, part] : parts)
      if (auto* all = std::get_if<std::optional<Table<T>>>(&part); all && next != kept_.end()) *all = *next++;
    return parts;
  }

  Ref<const Stepper<Table<T>>> with(const StateParts<Table<T>>& parts) const override {
    Kept kept;
    for (const auto& [name, part] : parts)
      if (const auto* all = std::get_if<std::optional<Table<T>>>(&part)) kept.push_back(*all);
    State state{};
    if (!setParts<Tensor<T>>(state, convertParts<Tensor<T>, Table<T>>(parts, noPart<Tensor<T>>)))
      return nullptr;
    return makeRef<const RowStepper>(rule_, std::move(state), std::move(kept));
  }

 private:
  /// Returns the rows of the table after the step, and the stepper after it.
  std::pair<Tensor<T>, Ref<const Stepper<Table<T>>>> stepRows(const Table<T>& table, const Tensor<T>& before,
                                                              const IndexedRows<T>& gradient) const {
    const Indices& rows = gradient.indices();
    State state = state_;
    Kept kept = kept_;
    forEachTensor(state, kept, [&](std::optional<Tensor<T>>& part, const std::optional<Table<T>>& all) {
      if (all) part = all->gather(rows);
    });
    Tensor<T> stepped = rule_.step(before, gradient.rows(), state);
    requireShape(stepped.shape(), before.shape());
    forEachTensor(state, kept, [&](std::optional<Tensor<T>>& part, std::optional<Table<T>>& all) {
      if (!part) return;
      requireShape(part->shape(), before.shape());
      // a row without steps has a state of 0, as a weight has before its first step
      if (!all) all.emplace(Tensor<T>::zeros(table.shape()));
      all = all->with(rows, *std::exchange(part, std::nullopt));
    });
    return {std::move(stepped), makeRef<const RowStepper>(rule_, std::move(state), std::move(kept))};
  }

  /// Stands for a part of the weight's size, which is empty in `state_` and a table in `kept_`.
  template <class V>
  static constexpr auto noPart = [](const auto&) { return std::optional<V>(); };

  /// Calls f(part of the state, its table of all rows) for each part of the weight's size.
  static void forEachTensor(State& state, Kept& kept, const auto& f) {
    std::size_t next = 0;
    forEachPart(state, [&](const std::string&, auto& part) {
      if constexpr (std::same_as<decltype(part), std::optional<Tensor<T>>&>) {
        if (kept.size() <= next) kept.resize(next + 1);
        f(part, kept[next++]);
      }
    });
  }

  Rule rule_;
  State state_;
  Kept kept_;
};

}  // namespace detail

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
