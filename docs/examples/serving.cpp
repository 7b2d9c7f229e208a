// What docs/serving.md shows: a model behind a socket, whose single requests share passes.
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <tapestry/asio.hpp>
#include <tapestry/concurrent.hpp>
#include <tapestry/concurrent/asio/serve.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/asio/as_do.hpp>
#include <tapestry/raii/direct/direct.hpp>
#include <tapestry/raii/future.hpp>
#include <tapestry/raii/par_traverse.hpp>
#include <tapestry/raii/timeout.hpp>
#include <vector>

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

// [model]
const DoubleWeight slope(2, sgd(0.05)), offset(1, sgd(0.05));

/// One pass for all numbers.
Do<std::vector<double>> answerAll(const std::vector<double>& numbers) {
  std::printf("one pass for %zu numbers\n", numbers.size());
  std::vector<DoubleLayer> lines;
  for (double x : numbers) lines.push_back(slope * x + offset);
  return predict(lines);
}
// [/model]

// [attend]
/// Answers each number with a number, until the peer closes the connection or is silent for a second.
Do<void> attend(const Handle<tcp::socket>& socket, const Batched<double, double>& answer) {
  return direct<Do>([=] {
    std::string unread;
    for (;;) {
      !timeout(asio::async_read_until(*socket, asio::dynamic_buffer(unread), '\n', asDo), 1s);
      const std::string reply = std::to_string(!answer(std::stod(unread))) + '\n';
      unread.clear();
      !asio::async_write(*socket, asio::buffer(reply), asDo);
    }
  });
}
// [/attend]

Do<double> ask(asio::io_context& context, const tcp::endpoint& server, double x) {
  return scoped([&context] { return tcp::socket(context); })
      .flatMap([=](const Handle<tcp::socket>& socket) {
        return direct<Do>([=] {
          !socket->async_connect(server, asDo);
          const std::string line = std::to_string(x) + '\n';
          !asio::async_write(*socket, asio::buffer(line), asDo);
          std::string reply;
          !asio::async_read_until(*socket, asio::dynamic_buffer(reply), '\n', asDo);
          return std::stod(reply);
        });
      })
      .run();
}

}  // namespace

int main() {
  // [serve]
  asio::io_context context;
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
  const auto answer = batched(answerAll, {.size = 3, .window = 1s});
  const auto serving =
      serve(acceptor, [=](const Handle<tcp::socket>& socket) { return attend(socket, answer); });
  // [/serve]
  AsioExecutor executor(context);
  const tcp::endpoint endpoint = acceptor.local_endpoint();
  const auto clients = tupleN(parallel(ask(context, endpoint, 1)), parallel(ask(context, endpoint, 2)),
                              parallel(ask(context, endpoint, 3)));
  const auto asked = background(serving, "server").flatMap([clients](const Task<void>&) { return clients; });
  auto done = toFuture(asked, executor);
  context.run();
  const auto [one, two, three] = done.get();
  std::printf("1 gives %g, 2 gives %g, 3 gives %g\n", one, two, three);
}
