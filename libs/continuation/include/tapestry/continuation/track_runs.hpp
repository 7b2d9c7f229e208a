// Defines trackRuns, which sets whether dumpRuns lists runs without names.
#pragma once

#pragma GCC visibility push(default)
namespace tapestry {

/// From now on dumpRuns (tapestry/continuation/named.hpp) lists every run that begins, and each of its
/// parallel branches, whether named or not, until this is called with false. Off by default. Returns whether
/// it was on before. Can be called on any thread.
///
/// Cost: while it is off, reading a flag for each run and each branch; while it is on, the cost of a name for
/// each of them, and of a wait in a named program for each wait.
bool trackRuns(bool on) noexcept;

}  // namespace tapestry
#pragma GCC visibility pop
