// What docs/coming_from_asio.md shows: one program with coroutines of Asio, and with this library.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <tapestry/asio.hpp>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/coroutine/coroutine.hpp>
#include <tapestry/raii/timeout.hpp>
#include <tuple>
#include <variant>

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// [shop]
struct Article {
  int price;
  std::chrono::milliseconds delay;  // of the shop's answer
};
const std::map<std::string, Article> shop{{"apples", {3, 1ms}}, {"pears", {2, 1ms}}, {"melons", {9, 1h}}};
// [/shop]

// [asio]
namespace with_asio {

using namespace asio::experimental::awaitable_operators;

asio::awaitable<int> price(std::string article) {
  const Article found = shop.at(article);
  asio::steady_timer timer(co_await asio::this_coro::executor, found.delay);
  co_await timer.async_wait(asio::use_awaitable);
  co_return found.price;
}

asio::awaitable<std::string> sumOf(std::string first, std::string second) {
  try {
    const auto [a, b] = co_await (price(first) && price(second));
    co_return std::to_string(a + b);
  } catch (const std::exception&) {
    co_return "no offer";
  }
}

asio::awaitable<std::string> offer(std::string first, std::string second, std::chrono::milliseconds limit) {
  asio::steady_timer timer(co_await asio::this_coro::executor, limit);
  const auto result = co_await (sumOf(first, second) || timer.async_wait(asio::use_awaitable));
  co_return result.index() == 0 ? std::get<0>(result) : "too late";
}

void run() {
  for (const std::string second : {"pears", "plums", "melons"}) {
    asio::io_context context;
    const auto print = [](const std::exception_ptr& error, const std::string& text) {
      if (!error) std::printf("%s\n", text.c_str());
    };
    asio::co_spawn(context, offer("apples", second, second == "melons" ? 5ms : 10s), print);
    context.run();
  }
}

}  // namespace with_asio
// [/asio]

// [tapestry]
namespace with_tapestry {

using namespace tapestry;

Do<int> price(const std::string& article) {
  return Do<int>::suspend([=] {
    const Article found = shop.at(article);
    return lift(sleepFor(found.delay)).map([found] { return found.price; });
  });
}

Do<std::string> sumOf(const std::string& first, const std::string& second) {
  return direct<Do>([=]() -> Coroutine<std::string> {
    try {
      const auto [a, b] = co_await std::tuple(price(first), price(second));
      co_return std::to_string(a + b);
    } catch (const std::exception&) {
      co_return "no offer";
    }
  });
}

Do<std::string> offer(const std::string& first, const std::string& second, std::chrono::milliseconds limit) {
  return timeout(sumOf(first, second), limit).handleError([](const std::exception_ptr& error) {
    if (errorAs<TimeoutError>(error)) return Do<std::string>::now("too late");
    return Do<std::string>::raiseError(error);
  });
}

void run() {
  for (const std::string second : {"pears", "plums", "melons"}) {
    const auto program = offer("apples", second, second == "melons" ? 5ms : 10s);
    std::printf("%s\n", program.blockingAwait().c_str());
  }
}

}  // namespace with_tapestry
// [/tapestry]

}  // namespace

int main() {
  with_asio::run();
  with_tapestry::run();
}
