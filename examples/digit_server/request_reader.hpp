// Defines RequestReader, the requests that come on a connection, within limits.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <cstddef>
#include <optional>
#include <tapestry/concurrent/event.hpp>
#include <tapestry/continuation/clock.hpp>
#include <tapestry/raii.hpp>

#include "digit_server/http.hpp"

namespace tapestry::examples {

/// All connections share one strand, for an operation of Asio on another executor takes a strand of its own.
using Strand = boost::asio::strand<boost::asio::io_context::executor_type>;
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Strand>;

struct Limits {
  std::size_t connections = 256;  ///< beyond, 503
  std::size_t body = 65536;       ///< in bytes; beyond, 413
  std::size_t header = 8192;      ///< in bytes; beyond, 431
  Clock::Duration request =
      std::chrono::seconds(5);  ///< from its first byte to its last (408), and for its answer
  Clock::Duration idle = std::chrono::seconds(60);  ///< between two requests
};

/// Reads requests from a socket that does not block. Must outlive the blocks that use it.
class RequestReader {
 public:
  RequestReader(Handle<Socket> socket, const Limits& limits) : socket_(std::move(socket)), limits_(limits) {}

  /// In a block of direct style: waits for the next request. Returns nothing if the peer has closed the
  /// connection, or has kept silent for too long, or `stopping` is set, before the request begins. Throws
  /// HttpError for a request that is malformed, too large or too slow.
  std::optional<Request> next(const Event& stopping);

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  /// Returns whether some of the request has come.
  bool begins(const Event& stopping);
  /// Without a wait: when many clients ask, most often something is there.
  bool readNow();
  /// Returns whether the request is complete.
  bool parse();
  void readRest();
  Do<std::size_t> readSome();

  const Handle<Socket> socket_;
  const Limits& limits_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
};

}  // namespace tapestry::examples
