// Defines Loopback, two TCP sockets that are connected to each other.
#pragma once

#include <boost/asio/ip/tcp.hpp>

namespace tapestry::test {

struct Loopback {
  using Tcp = boost::asio::ip::tcp;

  template <class Executor>
  explicit Loopback(const Executor& executor) : client(executor), server(executor) {
    Tcp::acceptor acceptor(executor, Tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    client.connect(acceptor.local_endpoint());
    acceptor.accept(server);
  }

  Tcp::socket client;
  Tcp::socket server;
};

}  // namespace tapestry::test
