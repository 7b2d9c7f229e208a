// An echo server and its clients over loopback. A connection on which nothing comes in time is closed, an
// error of one does not disturb the others, and when the clients are done the server is asked to stop: its
// connections have ended, and its sockets are closed, before the program continues. The same happens when a
// client fails.
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <exception>
#include <iostream>
#include <string>
#include <tapestry/asio.hpp>
#include <tapestry/concurrent/asio/serve.hpp>
#include <tapestry/concurrent/background.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/asio/as_do.hpp>
#include <tapestry/raii/direct/direct.hpp>
#include <tapestry/raii/future.hpp>
#include <tapestry/raii/timeout.hpp>
#include <vector>

#include "support/options.hpp"

namespace {

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t maxConnections = 8;
constexpr auto patience = 1s;

/// Sends back what comes, until the peer closes the connection or keeps silent for too long.
Do<void> echo(const Handle<tcp::socket>& socket) {
  return direct<Do>([=] {
    std::array<char, 1024> buffer;
    for (;;) {
      const std::size_t size = !timeout(socket->async_read_some(asio::buffer(buffer), asDo), patience);
      !asio::async_write(*socket, asio::buffer(buffer, size), asDo);
    }
  });
}

/// Connects, talks, and closes the connection, for `run` ends the scope of the socket.
template <class F>
Do<std::string> client(asio::io_context& context, const tcp::endpoint& server, F talk) {
  return scoped([&context] { return tcp::socket(context); })
      .flatMap([=](const Handle<tcp::socket>& socket) {
        return direct<Do>([=] {
          !socket->async_connect(server, asDo);
          return talk(*socket);
        });
      })
      .run();
}

/// Says the words one after the other, and returns what came back.
std::string converse(tcp::socket& socket, const std::vector<std::string>& words) {
  std::string heard;
  for (const std::string& word : words) {
    std::string reply(word.size(), ' ');
    !asio::async_write(socket, asio::buffer(word), asDo);
    !timeout(asio::async_read(socket, asio::buffer(reply), asDo), 5s);
    heard += heard.empty() ? reply : ' ' + reply;
  }
  return heard;
}

/// Says nothing, and returns what the server does about it.
std::string keepSilent(tcp::socket& socket) {
  std::array<char, 1> nothing;
  try {
    !timeout(socket.async_read_some(asio::buffer(nothing), asDo), 5s);
  } catch (const boost::system::system_error& error) {
    if (error.code() != asio::error::eof) throw;
    return "the server hung up";
  }
  return "the server spoke first";
}

void serveClients() {
  asio::io_context context;
  AsioExecutor executor(context);
  tcp::acceptor acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  const tcp::endpoint server = acceptor.local_endpoint();
  int silent = 0;

  const auto say = [&](std::vector<std::string> words) {
    return client(context, server, [=](tcp::socket& socket) { return converse(socket, words); });
  };
  const auto clients =
      tupleN(parallel(say({"effects", "are", "values"})), parallel(say({"one", "two", "three"})),
             parallel(client(context, server, keepSilent)));
  const auto countSilent = [&silent](const std::exception_ptr& error) {
    if (errorAs<TimeoutError>(error)) ++silent;
  };
  const auto serving = serve(acceptor, echo, {.connections = maxConnections, .onError = countSilent});
  const auto talk = background(serving, "echo").flatMap([clients](const Task<void>&) { return clients; });
  auto done = toFuture(talk, executor);
  context.run();
  const auto [first, second, third] = done.get();
  std::cout << first << '\n' << second << '\n' << third << '\n';
  std::cout << "silent connections: " << silent << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  examples::Options options("echo", "An echo server and three of its clients, one of which keeps silent.");
  options.unused("--threads", "all happens on one").unused("--seed", "nothing is drawn");
  options.traced(examples::traceRuns);
  return options.run(argc, argv, serveClients);
}
