// Defines RunningServer, a server on threads of its own, Told, which keeps the errors that it tells, and what
// their clients do.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/error_text.hpp"
#include "support/programs/delivery.hpp"
#include "support/threads/io_threads.hpp"
#include "tapestry/concurrent/asio/serve.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii/asio/as_do.hpp"

namespace tapestry::test {

/// Sends one letter back.
template <class Socket>
Do<void> answer(const Handle<Socket>& socket) {
  const auto letter = std::make_shared<char>();
  return boost::asio::async_read(*socket, boost::asio::buffer(letter.get(), 1), asDo)
      .flatMap([=](std::size_t) {
        return boost::asio::async_write(*socket, boost::asio::buffer(letter.get(), 1), asDo);
      })
      .map([socket, letter](std::size_t) {});
}

/// The errors that a server tells.
class Told {
 public:
  auto listener() {
    return [this](const std::exception_ptr& error) {
      const std::lock_guard lock(mutex_);
      texts_.push_back(errorText(error));
    };
  }
  std::vector<std::string> texts() const {
    const std::lock_guard lock(mutex_);
    return texts_;
  }
  void waitForOne() const {
    while (texts().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> texts_;
};

/// A server on threads, and its clients on this one.
struct RunningServer {
  explicit RunningServer(int threads = 1) : io(threads) {}

  template <class F>
  void start(F handler, ServeOptions options = {}) {
    serve(acceptor, std::move(handler), std::move(options))
        .onComplete(delivery.callback(), executor, stop.token());
  }
  boost::asio::ip::tcp::socket connect() {
    boost::asio::ip::tcp::socket socket(clients);
    socket.connect(endpoint);
    return socket;
  }
  std::string stopAndWait() {
    stop.requestStop();
    return outcomeText(delivery.outcome());
  }

  IoThreads io;
  AsioExecutor executor{io.context};
  boost::asio::ip::tcp::acceptor acceptor{
      io.context, boost::asio::ip::tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)};
  const boost::asio::ip::tcp::endpoint endpoint = acceptor.local_endpoint();
  boost::asio::io_context clients;
  const StopSource stop;
  Delivery<void> delivery;
};

template <class Socket>
void send(Socket& socket, char letter) {
  boost::asio::write(socket, boost::asio::buffer(&letter, 1));
}
/// The next byte, or '-' at the end of the connection.
template <class Socket>
char receive(Socket& socket) {
  char letter = 0;
  boost::system::error_code error;
  boost::asio::read(socket, boost::asio::buffer(&letter, 1), error);
  return error ? '-' : letter;
}
template <class Socket>
char ask(Socket& socket, char letter) {
  send(socket, letter);
  return receive(socket);
}

}  // namespace tapestry::test
