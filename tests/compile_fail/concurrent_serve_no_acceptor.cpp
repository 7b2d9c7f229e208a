// expect: serve\(.*expected an acceptor, which is no temporary, a handler, at most ServeOptions
// expect-lines: 10
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "tapestry/concurrent/asio/serve.hpp"

using boost::asio::ip::tcp;

auto server(boost::asio::io_context& context) {
  return tapestry::serve(context,
                         [](const tapestry::Handle<tcp::socket>&) { return tapestry::Do<void>::now(); });
}
