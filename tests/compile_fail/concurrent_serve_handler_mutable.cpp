// expect: serve\(.*expected an acceptor, which is no temporary, a handler, at most ServeOptions
// expect-lines: 10
#include <boost/asio/ip/tcp.hpp>

#include "tapestry/concurrent/asio/serve.hpp"

using boost::asio::ip::tcp;

auto server(tcp::acceptor& acceptor) {
  auto handler = [n = 0](const tapestry::Handle<tcp::socket>&) mutable {
    return n++ < 9 ? tapestry::Do<void>::now() : tapestry::Do<void>::raiseError("full");
  };
  return tapestry::serve(acceptor, handler);
}
