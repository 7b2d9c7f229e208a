// Names ResultOf, Accepts and call, for calls of functions with a value that may be void, and ValueBox.
#pragma once

#include "tapestry/continuation/monad/detail/call.hpp"
#include "tapestry/continuation/monad/detail/value_box.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// The result type of f(A), or of f() where A is void, without reference and cv-qualifiers.
using detail::ResultOf;
/// Whether f(A), or f() where A is void, is well-formed for a const f; `accepts` is the same as a bool, so
/// that compilers report in one line that it is false.
using detail::Accepts;
using detail::accepts;
/// Calls f with a Stored<A> and returns a Stored value: Unit in place of void. May throw.
using detail::call;
/// An optional value whose moves never throw, even if moving the value may.
using detail::ValueBox;

}  // namespace tapestry::extend
#pragma GCC visibility pop
