// Defines FunctionObject, whether values of a type can be called.
#pragma once

#include <type_traits>

#pragma GCC visibility push(default)
namespace tapestry::detail {

struct AnyCall {
  void operator()();
};
/// Its call operator is ambiguous if F has one, too.
template <class F>
struct CallOf : F, AnyCall {};

/// Whether F is a pointer to a function, or a class with a call operator. The operands that a generic lambda
/// takes are not known before it is called. A final class is taken to have a call operator.
template <class F>
concept FunctionObject =
    std::is_function_v<std::remove_pointer_t<F>> ||
    (std::is_class_v<F> && (std::is_final_v<F> || !requires { &CallOf<F>::operator(); }));

}  // namespace tapestry::detail
#pragma GCC visibility pop
