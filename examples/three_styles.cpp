// One program in three styles: monadic, on fibers, in coroutines. It asks a shop for the price and the stock
// of an article, both at once, over a connection that is closed in the end whatever happens.
#include <tapestry/asio.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/coroutine/coroutine.hpp>
#include <tapestry/raii/direct/direct.hpp>

#include <exception>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

#include "support/options.hpp"

namespace {

using namespace tapestry;

class Shop {
 public:
  /// Open until the end of the scope that asks for it.
  Do<std::string> connection() {
    return resource(Do<std::string>::delay([this] {
                      log += "open, ";
                      return std::string("connection");
                    }),
                    [this](const std::string&) { log += "close"; });
  }
  /// These fail where there is no such article.
  Do<int> price(const std::string& connection, const std::string& article) {
    return answer(connection, article).map([](const Article& found) { return found.price; });
  }
  Do<int> stock(const std::string& connection, const std::string& article) {
    return answer(connection, article).map([](const Article& found) { return found.stock; });
  }

  std::string log;

 private:
  struct Article {
    int price, stock;
  };

  Do<Article> answer(const std::string&, const std::string& article) {
    return Do<Article>::execute(server_, [this, article] { return articles_.at(article); });
  }

  const std::map<std::string, Article> articles_{{"apples", {3, 14}}, {"pears", {2, 71}}};
  ThreadPool server_{2};
};

std::string offer(const std::string& article, int price, int stock) {
  return std::to_string(stock) + " " + article + " at " + std::to_string(price) + " each";
}

std::string noOffer(const std::string& article) { return "no " + article; }

Do<std::string> monadic(Shop& shop, std::string article) {
  return shop.connection().flatMap([&shop, article](const std::string& connection) {
    return tuple2(parallel(shop.price(connection, article)), parallel(shop.stock(connection, article)))
        .map([article](std::tuple<int, int> answers) {
          const auto [price, stock] = answers;
          return offer(article, price, stock);
        })
        .handleError([article](std::exception_ptr) { return Do<std::string>::now(noOffer(article)); });
  });
}

Do<std::string> onFibers(Shop& shop, std::string article) {
  return direct<Do>([&shop, article] {
    const std::string connection = !shop.connection();
    try {
      const auto [price, stock] =
          !std::tuple(shop.price(connection, article), shop.stock(connection, article));
      return offer(article, price, stock);
    } catch (const std::exception&) {
      return noOffer(article);
    }
  });
}

Do<std::string> inCoroutines(Shop& shop, std::string article) {
  return direct<Do>([&shop, article]() -> Coroutine<std::string> {
    const std::string connection = co_await shop.connection();
    try {
      const auto [price, stock] =
          co_await std::tuple(shop.price(connection, article), shop.stock(connection, article));
      co_return offer(article, price, stock);
    } catch (const std::exception&) {
      co_return noOffer(article);
    }
  });
}

/// The result of the program for each article, and its effect on the shop.
template <class Style>
std::string outputOf(const Style& style) {
  std::string output;
  for (const std::string article : {"apples", "plums", "pears"}) {
    Shop shop;
    const std::string text = style(shop, article).blockingAwait();
    output += "  " + text + " (" + shop.log + ")\n";
  }
  return output;
}

void compare() {
  const std::string expected = outputOf(monadic);
  std::cout << "monadic:\n" << expected;
  const std::string fibers = outputOf(onFibers);
  std::cout << "on fibers:\n" << fibers;
  const std::string coroutines = outputOf(inCoroutines);
  std::cout << "in coroutines:\n" << coroutines;
  if (fibers != expected || coroutines != expected) throw std::runtime_error("the styles differ");
}

}  // namespace

int main(int argc, char** argv) {
  examples::Options options("three_styles", "One program in three styles, which do the same.");
  options.unused("--threads", "each run has the same").unused("--seed", "nothing is drawn");
  options.traced(examples::traceRuns);
  return options.run(argc, argv, compare);
}
