// Defines IoThreads, an io_context that threads run until it is destroyed.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <thread>
#include <vector>

namespace tapestry::test {

/// Stops the context, and joins its threads, before it is destroyed.
class IoThreads {
 public:
  explicit IoThreads(int count = 1) : work_(context.get_executor()) {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { context.run(); });
  }
  ~IoThreads() {
    context.stop();
    threads_.clear();
  }

  boost::asio::io_context context;

 private:
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::vector<std::jthread> threads_;
};

}  // namespace tapestry::test
