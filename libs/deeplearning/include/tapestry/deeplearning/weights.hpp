// Defines Weights, the named weights of a model, used to count, optimize and save it.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tapestry/deeplearning/detail/own_weight.hpp"
#include "tapestry/deeplearning/running_average.hpp"
#include "tapestry/deeplearning/table_weight.hpp"
#include "tapestry/deeplearning/weight.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

class Weights;

/// A type that has weights: a layer, or a model that is made of layers.
template <class M>
concept HasWeights = requires(const M& model) {
  { model.weights() } -> std::convertible_to<Weights>;
};

/// A learnt value of a model: a weight or a running average. Weights of tensors of devices and of
/// user-defined types can be listed too; the latter are counted, saved and loaded by the TensorForm of their
/// data.
using AnyWeight =
    std::variant<DoubleWeight, FloatWeight, TensorWeight, DoubleTensorWeight, TableWeight, DoubleTableWeight,
                 RunningAverage<Tensor<float>>, RunningAverage<Tensor<double>>, detail::OwnWeight>;

namespace detail {

/// Whether the rule makes an optimizer for all data types of the library.
template <class Rule>
concept RuleOfAll = RuleOf<Rule, double, float, Tensor<float>, Tensor<double>, Table<float>, Table<double>>;

}  // namespace detail

/// Handles, in the order of the model, each with a unique name: "encoder.0.bias". A model's function
/// weights() lists its own weights, and the weights of its parts under their names:
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
    Entry(std::string_view name, const HasWeights auto& part) : Entry(name, Weights(part.weights())) {}
    template <HasWeights Part>
    Entry(std::string_view name, const std::vector<Part>& parts) {
      for (std::size_t i = 0; const Part& part : parts)
        add(std::string(name) + "." + std::to_string(i++), part.weights());
    }
    Entry(std::string_view, ...) = delete;  // expected a weight, what has weights(), or a vector of such
    Entry(const Entry&);
    ~Entry();

   private:
    friend Weights;
    void add(std::string_view name, const Weights& part);
    std::vector<Named> all_;
  };

  Weights() noexcept;
  Weights(const Weights&);
  Weights(Weights&&) noexcept;
  Weights& operator=(const Weights&);
  Weights& operator=(Weights&&) noexcept;
  ~Weights();
  /// Throws std::invalid_argument if a name is empty or occurs twice.
  Weights(std::initializer_list<Entry> entries);
  /// The same for a list that a program makes.
  explicit Weights(std::vector<Named> weights);
  /// The weights of a model, so that functions that take Weights take models too.
  template <class Model>
    requires std::same_as<std::remove_cvref_t<decltype(std::declval<const Model&>().weights())>, Weights>
  Weights(const Model& model) : Weights(model.weights()) {}

  auto begin() const noexcept { return all_.begin(); }
  auto end() const noexcept { return all_.end(); }
  std::size_t size() const noexcept { return all_.size(); }

  /// The weight with that name. Throws std::out_of_range if there is none.
  const AnyWeight& operator[](std::string_view name) const;

  /// Returns the number of elements of the model's weights, without its running averages; a weight with
  /// several names counts once. Throws std::invalid_argument for user-defined data without a TensorForm.
  std::size_t elements() const;

  /// Gives each weight the optimizer in its initial state; running averages have no optimizer, and weights of
  /// user-defined types keep theirs. An optimizer for one weight is set on the weight itself:
  /// `layer.bias.setOptimizer(sgd(0.1))`. The rule gets a weight of a device as a tensor of a hidden type,
  /// for which kernels has the elementwise functions that the library's rules call; throws
  /// std::invalid_argument, and sets no optimizer, if the rule does not take it.
  template <detail::RuleOfAll Rule>
  void setOptimizer(const Rule& rule) const {
    if constexpr (!detail::RuleOfErased<Rule>) requireNoTensors();
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
  static void optimize(const detail::OwnWeight& weight, const Rule& rule) {
    if constexpr (detail::RuleOfErased<Rule>) weight->setOptimizer({rule, rule});
  }
  /// Throws std::invalid_argument if one of the weights is a tensor of a device.
  void requireNoTensors() const;

  std::vector<Named> all_;
};

}  // namespace tapestry
#pragma GCC visibility pop
