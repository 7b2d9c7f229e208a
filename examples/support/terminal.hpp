// Defines Terminal, a stream that knows whether a terminal shows it, and how wide that is.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <optional>

namespace tapestry::examples {

/// The stream must outlive what writes to it.
struct Terminal {
  std::ostream& out;

  /// The terminal's width right now, in columns; nothing where the stream goes to a file or a pipe, or the
  /// terminal is too dumb to redraw a line.
  std::function<std::optional<std::size_t>()> columns;
};

[[nodiscard]] Terminal standardError();

}  // namespace tapestry::examples
