// Defines traceOf, the places that an error has passed, and describe, which writes them below its message.
#pragma once

#include <cstddef>
#include <exception>
#include <source_location>
#include <string>
#include <vector>

namespace tapestry {

/// From the place where the error was raised to the outermost one.
struct Trace {
  /// A call in the user's source, such as a `flatMap`, whose program an error has passed.
  struct Place {
    std::string operation;          ///< such as "flatMap", or "named"
    std::string name;               ///< that `named` gave; else empty
    std::source_location location;  ///< clang gives the line where a chain of calls begins
    std::size_t times = 1;          ///< how often in a row, as in a recursion
  };

  static constexpr std::size_t most = 16;  ///< so many of the first places are kept, and of the last

  std::vector<Place> places;
  std::size_t omitted = 0;  ///< places that are not kept, after the first 16

  bool empty() const noexcept { return places.empty(); }
};

/// The places that the error has passed so far: where it was raised, and each `flatMap`, `map`, name, join
/// and await that it left unhandled, on whatever threads, also through fibers and coroutines. Empty for an
/// error that has never been in a Do. A program that the function of a flatMap returns takes the place of
/// that flatMap, as the callee of a tail call does; a name stays until its program has ended.
///
/// The trace belongs to the exception object, so that all pointers to it, and `std::current_exception()` in a
/// `catch`, have the same. It goes with the object. An object that several runs fail with, such as a pointer
/// that is kept and raised again, collects the places of all. Thread-safe. Null has none.
///
/// Cost: none to runs without errors; to an error some 0.1 us for each place.
Trace traceOf(const std::exception_ptr& error);

/// The message of the error, a line for each place of its trace, and the same of the first eight errors of a
/// MultipleException:
///
///     no such user
///       raised in delay (users.cpp:31)
///       passed flatMap (users.cpp:40), 3 times
///       passed "request" (server.cpp:63)
///
/// A process that an uncaught error with a trace ends, such as one that blockingAwait throws, writes the same
/// to stderr, and then does what the handler of std::set_terminate does. For the messages of doctest:
///
///     REGISTER_EXCEPTION_TRANSLATOR(const std::exception&) {
///       return describe(std::current_exception()).c_str();
///     }
std::string describe(const std::exception_ptr& error);

}  // namespace tapestry
