// Names the implementation of std::execution that the headers of this folder use.
#pragma once

/// `tapestry::execution::standard` and `tapestry::execution::stopTokens` are the namespaces of the standard's
/// names for senders and for stop tokens. They are the first available of
/// - the values of TAPESTRY_EXECUTION_NAMESPACE and TAPESTRY_STOP_TOKEN_NAMESPACE, for an implementation that
///   the including file has included before,
/// - std::execution and std, where <execution> has senders,
/// - stdexec, where <stdexec/execution.hpp> is on the include path.
/// A program must see the same implementation in all of its files.
#ifdef TAPESTRY_EXECUTION_NAMESPACE
#ifndef TAPESTRY_STOP_TOKEN_NAMESPACE
#define TAPESTRY_STOP_TOKEN_NAMESPACE TAPESTRY_EXECUTION_NAMESPACE
#endif
#else
#include <version>
#ifdef __cpp_lib_senders
#include <execution>
#include <stop_token>
#define TAPESTRY_EXECUTION_NAMESPACE ::std::execution
#define TAPESTRY_STOP_TOKEN_NAMESPACE ::std
#elif __has_include(<stdexec/execution.hpp>)
#include <stdexec/execution.hpp>
#define TAPESTRY_EXECUTION_NAMESPACE ::stdexec
#define TAPESTRY_STOP_TOKEN_NAMESPACE ::stdexec
#else
#error "tapestry/raii/execution: expected senders in <execution>, or <stdexec/execution.hpp>; found neither"
#endif
#endif

#pragma GCC visibility push(default)
namespace tapestry::execution {

namespace standard = TAPESTRY_EXECUTION_NAMESPACE;
namespace stopTokens = TAPESTRY_STOP_TOKEN_NAMESPACE;

}  // namespace tapestry::execution
#pragma GCC visibility pop
