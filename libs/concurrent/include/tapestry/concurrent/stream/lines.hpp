// Defines lines, which splits blocks of text into lines.
#pragma once

#include <cstddef>
#include <string>

#include "tapestry/concurrent/stream/stream.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The lines of a text that comes in blocks of any sizes, as from fileBlocks and socketBlocks, without their
/// ends, which are "\n" or "\r\n". A last line without an end counts; before an error of the blocks it does
/// not, since a part of it may be missing. Fails with std::length_error if a line has more than `longest`
/// bytes. Throws std::invalid_argument if `longest` is 0.
Stream<std::string> lines(const Stream<std::string>& blocks, std::size_t longest = 1 << 20,
                          detail::Location location = detail::Location::current());

}  // namespace tapestry
#pragma GCC visibility pop
