// A server of Boost.Beast alone, as its own examples write one: it answers each request with a constant,
// which is as long as an answer of digit_server. With how many requests a second it does so, digit_server is
// compared.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

class Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(tcp::socket socket) : stream_(std::move(socket)) {}

  void read() {
    parser_.emplace();
    parser_->body_limit(65536);
    stream_.expires_after(std::chrono::seconds(30));
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](const beast::error_code& error, std::size_t) {
                       if (!error) self->write();
                     });
  }

 private:
  void write() {
    response_ = {http::status::ok, parser_->get().version()};
    response_.set(http::field::content_type, "application/json");
    response_.keep_alive(parser_->get().keep_alive());
    response_.body() =
        "{\"digit\":3,\"probabilities\":[0.000012,0.000345,0.000678,0.990123,0.000001,0.004567,0.000002,0."
        "000123,"
        "0.003456,0.000693],\"expert\":1,\"scores\":[0.123456,0.987654]}\n";
    response_.prepare_payload();
    http::async_write(stream_, response_,
                      [self = shared_from_this()](const beast::error_code& error, std::size_t) {
                        if (!error && self->response_.keep_alive()) self->read();
                      });
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
};

void accept(tcp::acceptor& acceptor) {
  acceptor.async_accept([&acceptor](const beast::error_code& error, tcp::socket socket) {
    if (!error) {
      socket.set_option(tcp::no_delay(true));
      std::make_shared<Session>(std::move(socket))->read();
    }
    accept(acceptor);
  });
}

}  // namespace

/// constant_server [PORT]: prints its address, and serves until it is ended.
int main(int argc, char** argv) {
  const int port = argc > 1 ? std::atoi(argv[1]) : 0;
  asio::io_context context(1);
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), static_cast<asio::ip::port_type>(port)});
  std::cout << "http://127.0.0.1:" << acceptor.local_endpoint().port() << std::endl;
  accept(acceptor);
  context.run();
}
