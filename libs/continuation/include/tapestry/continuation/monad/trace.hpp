// Defines traceOf, the places that an error has passed, and describe, which writes them below the error's
// message.
#pragma once

#include <cstddef>
#include <exception>
#include <source_location>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace tapestry {

/// The places of an error, from the place where it was raised to the outermost place.
struct Trace {
  /// A call in the user's source, such as a `flatMap`, whose program an error has passed; or a step that a
  /// library has noted, such as an operation of a network.
  struct Place {
    std::string operation;  ///< such as "flatMap", or "named"; of a step the text
    std::string name;       ///< given by `named`; else empty
    std::source_location
        location;           ///< of line 0 for a step; clang gives the line where a chain of calls begins
    std::size_t times = 1;  ///< how often in a row, as in a recursion
  };

  static constexpr std::size_t most = 16;  ///< the number of first places, and of last places, that are kept

  std::vector<Place> places;
  std::size_t omitted = 0;  ///< places that are not kept, after the first 16

  bool empty() const noexcept { return places.empty(); }
};

/// The places that the error has passed so far: where it was raised, and each `flatMap`, `map`, name, join
/// and await that it left unhandled, on all threads, also through fibers and coroutines. Empty for an error
/// that has never been in a Do. A program that the function of a flatMap returns takes the place of that
/// flatMap, like the callee of a tail call; a name stays until its program has ended.
///
/// The trace belongs to the exception object and is destroyed with it; all pointers to the object, and
/// `std::current_exception()` in a `catch`, have the same trace. If several runs fail with one object, for
/// example by a pointer that is kept and raised again, its trace has the places of all. Thread-safe. Null has
/// no trace.
///
/// Cost: nothing for runs without errors; about 0.1 us for each place of an error.
Trace traceOf(const std::exception_ptr& error);

/// The message of the error and a line for each place of its trace; for a MultipleException, also those of
/// its first eight errors:
///
///     no such user
///       raised in delay (users.cpp:31)
///       passed flatMap (users.cpp:40), 3 times
///       passed "request" (server.cpp:63)
///
/// If an uncaught error with a trace, for example from blockingAwait, ends the process, the same text is
/// written to stderr before the handler of std::set_terminate is called.
///
/// If an error with a trace leaves a test case of doctest, a listener writes the same text to stderr, if one
/// file of the test program includes tapestry/testing/doctest_traces.hpp. An exception translator for doctest
/// would change the messages that CHECK_THROWS_WITH compares.
std::string describe(const std::exception_ptr& error);

namespace extend {

/// For libraries: adds a step without a place in the user's source to the trace of the error, such as
/// "matmul of [3, 4] and [5, 2]". Ignores a null error. Thread-safe.
void noteStep(const std::exception_ptr& error, const std::string& text) noexcept;

}  // namespace extend

}  // namespace tapestry
#pragma GCC visibility pop
