// Asio's smallest program: a timer and a post, with no header but those of what it uses.
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdio>

int main() {
  boost::asio::io_context context;
  boost::asio::steady_timer timer(context, std::chrono::milliseconds(1));
  timer.async_wait([](const boost::system::error_code&) { std::puts("timer"); });
  boost::asio::post(context, [] { std::puts("post"); });
  context.run();
}
