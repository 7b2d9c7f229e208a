// expect: serve\(.*expected an acceptor, which is no temporary, a handler, at most ServeOptions
// expect-lines: 10
#include <boost/asio/ip/tcp.hpp>

#include "tapestry/concurrent/asio/serve.hpp"

using boost::asio::ip::tcp;

auto server(tcp::acceptor& acceptor) {
  return tapestry::serve(acceptor, [](const tapestry::Handle<tcp::socket>&) { return 1; });
}
