// Senders of std::execution and programs call each other: a sender pipeline asks a program for a price, and a
// program continues with what the pipeline has made of it. Needs an implementation of std::execution.
#include <tapestry/asio.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/execution/as_sender.hpp>
#include <tapestry/raii/execution/from_sender.hpp>
#include <tapestry/raii/execution/scheduler_of.hpp>

#include <exception>
#include <iostream>
#include <map>
#include <string>

#include "support/options.hpp"

namespace {

using namespace tapestry;
namespace ex = tapestry::execution::standard;
using execution::asSender;
using execution::fromSender;
using execution::schedulerOf;

/// A program: looks into the price list, which is closed in the end whatever happens.
Do<int> price(std::string article) {
  static const std::map<std::string, int> prices{{"apples", 3}, {"pears", 2}};
  return resource(Do<const std::map<std::string, int>*>::delay([] {
                    std::cout << "open, ";
                    return &prices;
                  }),
                  [](const auto*) { return delay([] { std::cout << "close, "; }); })
      .map([article](const std::map<std::string, int>* list) { return list->at(article); });
}

/// A sender: asks the program, and continues with its value.
auto total(const std::string& article, int count, Executor& executor) {
  return ex::then(asSender(price(article), executor), [count](int each) { return each * count; });
}

// [back]
/// A program again: what the sender fails with is its error.
Do<std::string> offer(const std::string& article, int count, Executor& executor) {
  return fromSender(total(article, count, executor))
      .map([=](int sum) { return std::to_string(count) + " " + article + " for " + std::to_string(sum); })
      .handleError([=](std::exception_ptr) { return Do<std::string>::now("no " + article); });
}
// [/back]

void bridge() {
  ThreadPool pool(1);
  for (const std::string article : {"apples", "plums", "pears"})
    std::cout << offer(article, 5, pool).blockingAwait() << "\n";
  const auto there = ex::then(ex::schedule(schedulerOf(pool)), [&pool] { return pool.isHere(); });
  std::cout << (fromSender(there).blockingAwait() ? "on" : "off") << " the pool\n";
}

}  // namespace

int main(int argc, char** argv) {
  examples::Options options("sender_bridge", "Senders of std::execution and programs call each other.");
  options.unused("--threads", "one thread is enough").unused("--seed", "nothing is drawn");
  options.traced(examples::traceRuns);
  return options.run(argc, argv, bridge);
}
