// Defines socketBlocks, the data that a socket receives, as a stream; link tapestry::asio too.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "tapestry/concurrent/stream/detail/consumed.hpp"
#include "tapestry/concurrent/stream/stream.hpp"
#include "tapestry/raii/asio/as_do.hpp"
#include "tapestry/raii/scoped.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Yields the block that was received, no items at the end.
template <class Socket>
Pull<std::string> receiveBlock(const Handle<Socket>& socket, std::size_t size, Location location) {
  return Pull<std::string>::suspend(
      [socket, size, location] {
        auto block = std::make_shared<std::string>(size, '\0');
        return socket->async_read_some(boost::asio::buffer(*block), asDo(location))
            .handleError([](const std::exception_ptr& error) {
              const auto* const failure = errorAs<boost::system::system_error>(error);
              if (failure && failure->code() == boost::asio::error::eof) return Do<std::size_t>::now(0);
              return failed<std::size_t>(error);
            })
            .map([block](std::size_t received) {
              block->resize(received);
              Chunk<std::string> blocks;
              if (received != 0) blocks.push_back(std::move(*block));
              return blocks;
            });
      },
      location);
}

}  // namespace detail

/// The data that a socket, or another stream of Asio with async_read_some, receives until its end, in blocks
/// of up to `size` bytes as they come. The socket must live as long as the stream is consumed. Data is
/// received once: a consumer continues where the previous consumer has ended; two consumers at once, also of
/// different calls, are a std::logic_error. Throws std::invalid_argument for a size of 0.
template <class Socket>
Stream<std::string> socketBlocks(const Handle<Socket>& socket, std::size_t size = 1 << 14,
                                 detail::Location location = detail::Location::current()) {
  detail::positive(size, "socketBlocks", "the size");
  const auto alone =
      resource(Do<const void*>::delay(
                   [socket] {
                     const void* const source = std::addressof(*socket);
                     if (!detail::beginConsuming(source))
                       throw std::logic_error(
                           "tapestry::socketBlocks: the socket has two consumers at once, expected one");
                     return source;
                   },
                   location),
               [](const void* source) { detail::endConsuming(source); });
  const auto pull = detail::receiveBlock(socket, size, location);
  return Stream<std::string>(alone.map([pull](const void*) { return pull; }, location));
}

}  // namespace tapestry
#pragma GCC visibility pop
