// Defines OnnxChoice, a layer that chooses between two known layers in a pass, and becomes an `If` in a file.
#pragma once

#include <concepts>
#include <utility>

#include <tapestry/deeplearning/extend/graph.hpp>
#include <tapestry/deeplearning/numeric.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// A choice between two layers that are both known, of which a pass evaluates one. Its layer() is to be used
/// in the network; in a file it becomes an `If`.
class OnnxChoice {
 public:
  /// Chooses `then` where the condition, a scalar or a tensor of one element, is not 0:
  /// OnnxChoice(a > b, left, right).
  template <Numeric C>
  OnnxChoice(const C& condition, const TensorLayer& then, const TensorLayer& otherwise)
      : OnnxChoice(condition, then, otherwise, TensorLayer(forward(condition).flatMap([=](const auto& tape) {
                     return forward(isTrue(tape.data) ? then : otherwise);
                   }))) {}
  /// As above, for a layer `made` that a user-written program makes by the same choice, with flatMap or in
  /// direct style.
  template <Numeric C>
  OnnxChoice(const C& condition, TensorLayer then, TensorLayer otherwise, TensorLayer made)
      : condition_(extend::graphOf(condition)),
        then_(std::move(then)),
        otherwise_(std::move(otherwise)),
        layer_(std::move(made)) {}

  /// The chosen layer.
  const TensorLayer& layer() const noexcept { return layer_; }

  // For exportOnnx.
  const extend::Graph& condition() const noexcept { return condition_; }
  const TensorLayer& then() const noexcept { return then_; }
  const TensorLayer& otherwise() const noexcept { return otherwise_; }

 private:
  template <class Data>
  static bool isTrue(const Data& data) {
    if constexpr (std::floating_point<Data>)
      return data != 0;
    else
      return data.item() != 0;
  }

  extend::Graph condition_;
  TensorLayer then_;
  TensorLayer otherwise_;
  TensorLayer layer_;
};

}  // namespace tapestry
#pragma GCC visibility pop
