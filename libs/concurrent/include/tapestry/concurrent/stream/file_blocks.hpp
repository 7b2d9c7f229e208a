// Defines fileBlocks, the contents of a file as a stream.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "tapestry/concurrent/stream/stream.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The contents of the file in blocks of `size` bytes; the last block may be smaller. Each consumer opens the
/// file for itself. The file is read on the thread of the run, which waits for the disk, or on a thread of
/// the executor. Fails with std::system_error, which names the file, if it cannot be opened or read. Throws
/// std::invalid_argument for a size of 0.
Stream<std::string> fileBlocks(std::filesystem::path path, std::size_t size = 1 << 16,
                               detail::Location location = detail::Location::current());
Stream<std::string> fileBlocks(std::filesystem::path path, Executor& executor, std::size_t size = 1 << 16,
                               detail::Location location = detail::Location::current());

}  // namespace tapestry
#pragma GCC visibility pop
