// Names ResultOf, Accepts and call, how functions are called with a value that may be void, and ValueBox.
#pragma once

#include "tapestry/continuation/monad/detail/call.hpp"
#include "tapestry/continuation/monad/detail/value_box.hpp"

namespace tapestry::extend {

/// What a function returns of an A, or of nothing where A is void; a copy where it returns a reference.
using detail::ResultOf;
/// Whether f(A), or f() where A is void, is well-formed for a const f; `accepts` is the same as a bool, of
/// which compilers say in one line that it is false.
using detail::Accepts;
using detail::accepts;
/// Calls f with a Stored<A>, and gives a Stored value: Unit in place of void. May throw.
using detail::call;
/// An optional value that moves without an exception, whatever the value does.
using detail::ValueBox;

}  // namespace tapestry::extend
