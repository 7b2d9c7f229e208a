#include "tapestry/concurrent/asio/socket_blocks.hpp"

#include <doctest/doctest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/programs/error_of_run.hpp"
#include "tapestry/concurrent/stream/lines.hpp"
#include "tapestry/continuation/stop.hpp"

using namespace tapestry;
namespace asio = boost::asio;
using Socket = asio::local::stream_protocol::socket;

namespace {

/// A scope in which the first socket is received, and the second is closed when it has sent the text.
template <class A, class F>
Try<A> receiving(const std::string& text, F consume) {
  asio::io_context context;
  Socket sends(context);
  test::Delivery<A> delivery;
  const auto received = scoped([&] {
    Socket socket(context);
    asio::local::connect_pair(socket, sends);
    asio::write(sends, asio::buffer(text));
    sends.close();
    return socket;
  });
  received.flatMap(consume).onComplete(delivery.callback());
  context.run();
  REQUIRE(delivery.count() == 1);
  const Outcome<A> outcome = delivery.outcome();
  return outcome.hasError() ? Try<A>::failure(outcome.error()) : Try<A>::success(outcome.get());
}

}  // namespace

TEST_CASE("the data that a socket receives come as a stream, up to their end") {
  using Lines = std::vector<std::string>;
  const auto linesOf = [](const Handle<Socket>& socket) { return lines(socketBlocks(socket, 4)).toVector(); };
  CHECK(receiving<Lines>("hello\nworld", linesOf).get() == Lines{"hello", "world"});
}

TEST_CASE("a consumer of a socket continues where the previous consumer has ended") {
  const auto inTwo = [](const Handle<Socket>& socket) {
    const auto blocks = socketBlocks(socket, 2);
    return blocks.take(1).toVector().flatMap([blocks](const std::vector<std::string>& first) {
      return blocks.toVector().map(
          [first](std::vector<std::string> rest) { return first[0] + "|" + rest[0]; });
    });
  };
  CHECK(receiving<std::string>("abcd", inTwo).get() == "ab|cd");
}

TEST_CASE("two consumers of a socket at once are an error, and the socket can be received after that") {
  const auto twice = [](const Handle<Socket>& socket) {
    const auto blocks = socketBlocks(socket);
    return blocks.zip(blocks).toVector().attempt().flatMap([blocks](const auto& both) {
      CHECK(errorAs<std::logic_error>(both.error()) != nullptr);
      return blocks.toVector().map([](std::vector<std::string> all) { return all[0]; });
    });
  };
  CHECK(receiving<std::string>("text", twice).get() == "text");
}

TEST_CASE("consumers at once that come of two calls of socketBlocks are an error too") {
  const auto twice = [](const Handle<Socket>& socket) {
    const auto both = socketBlocks(socket, 1).zip(socketBlocks(socket, 1));
    return both.toVector().attempt().flatMap([socket](const auto& pairs) {
      CHECK(errorAs<std::logic_error>(pairs.error()) != nullptr);
      return socketBlocks(socket).toVector().map([](std::vector<std::string> all) { return all[0]; });
    });
  };
  CHECK(receiving<std::string>("text", twice).get() == "text");
}
