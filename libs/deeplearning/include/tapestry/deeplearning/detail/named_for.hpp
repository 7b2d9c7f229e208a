// Defines naming and namedFor, with which the ShapeErrors of an operation name the function that uses it.
#pragma once

#include <concepts>
#include <string_view>
#include <utility>

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Returns f(); its ShapeErrors name `user`.
auto naming(std::string_view user, const std::invocable auto& f) {
  try {
    return f();
  } catch (const ShapeError& error) {
    throw ShapeError(user, error);
  }
}

template <OperationName user, class Rule>
struct RuleFor : Rule {
  Shape of(std::string_view name, const auto&... shapes) const {
    return naming(user.view(), [&] { return Rule::of(name, shapes...); });
  }
};

template <OperationName user, class Forward>
struct ForwardFor {
  template <class... As>
    requires std::invocable<const Forward&, As...>
  auto operator()(As&&... operands) const {
    return naming(user.view(), [&] { return forward(std::forward<As>(operands)...); });
  }
  [[no_unique_address]] Forward forward;
};

/// The operation, whose nodes keep its name; the ShapeErrors of its rule's `of` and of its forward function
/// name `user`.
template <OperationName user, OperationName name, Keep keep, class Rule, class Forward, class... Derivatives>
constexpr auto namedFor(Operation<name, keep, Rule, Forward, Derivatives...> operation) {
  return Operation<name, keep, RuleFor<user, Rule>, ForwardFor<user, Forward>, Derivatives...>{
      {std::move(operation.forward)}, std::move(operation.derivatives), {std::move(operation.shapes)}};
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
