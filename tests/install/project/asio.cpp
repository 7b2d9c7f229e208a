// components: continuation asio
#include <tapestry/asio.hpp>
#include <tapestry/continuation.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>

#if __has_include(<tapestry/continuation/direct/direct.hpp>) || __has_include(<tapestry/raii/asio/as_do.hpp>)
#error "the installed copy holds more than the components continuation and asio"
#endif

using namespace tapestry;
namespace asio = boost::asio;

int main() {
  asio::io_context context;
  AsioExecutor executor(context);
  asio::steady_timer timer(context, std::chrono::milliseconds(1));
  auto answer = asyncRun(timer.async_wait(asContinuation).map([](boost::system::error_code) { return 40; }),
                         executor, asio::use_future);
  context.run();
  ThreadPool pool(1);
  return answer.get() + execute(pool, [] { return 2; }).blockingAwait() == 42 ? 0 : 1;
}
