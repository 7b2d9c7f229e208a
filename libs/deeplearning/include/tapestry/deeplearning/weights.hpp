// Defines Weights, the named weights of a model, by which it is counted, optimized and saved.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tapestry/deeplearning/detail/own_weight.hpp"
#include "tapestry/deeplearning/running_average.hpp"
#include "tapestry/deeplearning/table_weight.hpp"
#include "tapestry/deeplearning/weight.hpp"

namespace tapestry {

class Weights;

/// What has weights: a layer, or a model that is made of layers.
template <class M>
concept HasWeights = requires(const M& model) {
  { model.weights() } -> std::convertible_to<Weights>;
};

/// What a model learns: a weight, or a running average. Weights of types of one's own can be listed too; they
/// are counted, saved and loaded by the TensorForm of their data.
using AnyWeight =
    std::variant<DoubleWeight, FloatWeight, TensorWeight, DoubleTensorWeight, TableWeight, DoubleTableWeight,
                 RunningAverage<Tensor<float>>, RunningAverage<Tensor<double>>, detail::OwnWeight>;

namespace detail {

/// Whether it makes an optimizer of all data that are the library's own.
template <class Rule>
concept RuleOfAll = std::constructible_from<Optimizer<double>, const Rule&> &&
                    std::constructible_from<Optimizer<float>, const Rule&> &&
                    std::constructible_from<Optimizer<Tensor<float>>, const Rule&> &&
                    std::constructible_from<Optimizer<Tensor<double>>, const Rule&> &&
                    std::constructible_from<Optimizer<Table<float>>, const Rule&> &&
                    std::constructible_from<Optimizer<Table<double>>, const Rule&>;

}  // namespace detail

/// Handles, in the order of the model, each with a name of its own: "encoder.0.bias". A model's function
/// weights() lists its own weights, and those of its parts under their names:
///   Weights weights() const { return {{"encoder", encoder}, {"scale", scale}}; }
class Weights {
 public:
  struct Named {
    std::string name;
    AnyWeight weight;
  };

  /// One entry of the list: a weight, a part that has weights, or a vector of such parts, numbered from 0.
  class Entry {
   public:
    Entry(std::string name, AnyWeight weight);
    Entry(std::string_view name, const Weights& part);
    template <HasWeights Part>
    Entry(std::string_view name, const Part& part) : Entry(name, Weights(part.weights())) {}
    template <HasWeights Part>
    Entry(std::string_view name, const std::vector<Part>& parts) {
      for (std::size_t i = 0; const Part& part : parts)
        add(std::string(name) + "." + std::to_string(i++), part.weights());
    }
    Entry(std::string_view, ...) = delete;  // expected a weight, what has weights(), or a vector of such

   private:
    friend Weights;
    void add(std::string_view name, const Weights& part);
    std::vector<Named> all_;
  };

  Weights() = default;
  /// Throws std::invalid_argument if a name is empty or stands twice.
  Weights(std::initializer_list<Entry> entries);

  auto begin() const noexcept { return all_.begin(); }
  auto end() const noexcept { return all_.end(); }
  std::size_t size() const noexcept { return all_.size(); }

  /// The weight with that name. Throws std::out_of_range if there is none.
  const AnyWeight& operator[](std::string_view name) const;

  /// How many numbers the weights of a model have, without its running averages: a weight that stands under
  /// several names counts once. Throws std::invalid_argument for data of one's own without a TensorForm.
  std::size_t elements() const;

  /// Gives each weight the optimizer, with nothing learnt yet; running averages have none, and weights of
  /// types of one's own keep theirs. One of its own is set on the weight itself:
  /// `layer.bias.setOptimizer(sgd(0.1))`.
  template <detail::RuleOfAll Rule>
  void setOptimizer(const Rule& rule) const {
    for (const Named& named : all_)
      std::visit([&rule](const auto& weight) { optimize(weight, rule); }, named.weight);
  }
  void setOptimizer(  // expected an OptimizerRule: State<V>, V step(const V& weight, V gradient, State<V>&)
      ...) const = delete;

 private:
  template <class Data, class Rule>
  static void optimize(const Weight<Data>& weight, const Rule& rule) {
    weight.setOptimizer(Optimizer<Data>(rule));
  }
  template <class Data, class Rule>
  static void optimize(const RunningAverage<Data>&, const Rule&) {}
  template <class Rule>
  static void optimize(const detail::OwnWeight&, const Rule&) {}

  std::vector<Named> all_;
};

}  // namespace tapestry
