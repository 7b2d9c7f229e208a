// Defines trackRuns, which says whether dumpRuns lists runs without names.
#pragma once

namespace tapestry {

/// From now on dumpRuns (tapestry/continuation/named.hpp) lists every run that begins, and each of its
/// parallel branches, whether named or not, until this is called with false. Off unless it is called. From
/// any thread.
///
/// Cost: while it is off, a look at a flag for each run and each branch. While it is on, that of a name for
/// each of them, and that of a wait in a name for each wait.
void trackRuns(bool on) noexcept;

}  // namespace tapestry
